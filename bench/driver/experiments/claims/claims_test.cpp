// The rules on made-up values: each claim holds in one world, does not hold in another, and is
// undecided without data enough.
#include "bench/driver/experiments/claims/claims.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bench/driver/experiments/experiment.hpp"
#include "results/dataset/simulation_fixture.hpp"
#include "results/sections/fixture.hpp"

namespace stealbench::experiments::claims {
namespace {

using dataset::raw_lines;
using testing::HasSubstr;

/// What a quantity of a cell is, by the name of the metric, counter or record; none: as it is made.
using world = std::function<std::optional<double>(const cell& which, const std::string& quantity)>;

/// Linear speedup of one second; as little span as nothing; one of everything that is counted.
double made(const world& some, const cell& which, const std::string& quantity) {
  if (const auto value = some(which, quantity)) return *value;
  if (quantity == "seconds") return 1.0 / which.workers;
  const std::map<std::string, double> others{
      {"work_units", 1e6}, {"span_units", 1}, {"fork_count", 1000}};
  const auto found = others.find(quantity);
  return found == others.end() ? 1 : found->second;
}

bool is_on(const cell& which, const std::string& scheduler) { return which.scheduler == scheduler; }
double number(const cell& which, const char* parameter) {
  return dataset::number_of(which.what, parameter).value();
}

const std::vector<std::string> profiles{"far", "near"};

/// As the experiment writes it.
raw_lines lines_in(const world& some, const std::vector<unsigned>& only, unsigned rounds = 6) {
  std::vector<dataset::measured> cells;
  json recorded = json::array();
  for (const claim& each : all_claims()) {
    if (std::ranges::count(only, each.number) == 0) continue;
    for (const cell& one : cells_on(each, profiles)) cells.push_back({one, {}});
    for (const instance& one : each.recorded) {
      recorded.push_back(json_of(one));
      json& run = recorded.back()["runs"].emplace_back(json{{"strands_by", "units"}});
      for (const char* const key : {"work_units", "span_units", "parallelism", "tasks", "depth"}) {
        run[key] = made(some, {.what = one, .scheduler = "recorder"}, key);
      }
    }
  }
  raw_lines lines{dataset::header_of("claims", cells)};
  lines[0]["about"] = {{"claims", only}, {"recorded", recorded}, {"machines", json::object()}};
  for (const char* const name : {"far", "near", free_machine}) {
    lines[0]["about"]["machines"][name] = dataset::simulated_profile();
  }
  lines.push_back({{"type", "context"}, {"context", {{"num_cpus", 2}}}});
  for (unsigned round = 1; round <= rounds; ++round) {
    for (const auto& [which, seconds, failure, forks, counters] : cells) {
      const auto value = [&, &which = which](const char* quantity) {
        return made(some, which, quantity);
      };
      json line{
          {"type", "process"}, {"cell", name_of(which)}, {"round", round}, {"spent_seconds", 0.5}};
      const double time = value("seconds") * (1 + 1e-4 * round);
      if (which.machine.empty()) {
        line["benchmark"] = dataset::benchmark_of(
            {.which = which, .seconds = {}, .fork_count = value("fork_count")}, time);
      } else {
        json& entry = line["simulation"] = dataset::simulation_of(which, round, time);
        for (const char* const key : {"fork_count", "tasks_moved", "steal_attempts"}) {
          entry[key] = value(key);
        }
        entry["shares"] = {{"work", value("work_share") / 2},
                           {"overhead", 0.0},
                           {"search", 0.0},
                           {"lines", some(which, "lines_share").value_or(0)},
                           {"asleep", 0.0}};
        entry["counters"] = {{"most_live_jobs", value("most_live_jobs")},
                             {"jobs_spawned", value("jobs_spawned")}};
      }
      lines.push_back(line);
    }
  }
  return lines;
}

judged judged_in(const world& some, unsigned number, unsigned rounds = 6) {
  return judge(dataset::read_lines(lines_in(some, {number}, rounds))).at(0);
}

verdict verdict_in(const world& some, unsigned number) {
  return judged_in(some, number).found.verdict;
}

/// The rivals of a strategy need so much more, and of the other machine so much.
world contested(const std::string& claimed, const std::string& quantity, double more,
                double on_far) {
  return [=](const cell& which, const std::string& asked) -> std::optional<double> {
    if (asked != quantity || is_on(which, claimed)) return {};
    const double base = quantity == "seconds" ? 1.0 / which.workers : 1000;
    return base * (which.machine == "far" ? on_far : more);
  };
}

struct contested_claim {
  unsigned number;
  std::string claimed;
  std::string quantity = "seconds";
};
const std::vector<contested_claim> all_contested{
    {13, "work-stealing:victim=random"},
    {14, "work-stealing"},
    {15, "work-stealing", "tasks_moved"},
    {17, "work-stealing:deque=chase-lev:amount=half", "tasks_moved"},
    {20, "work-stealing:victim=own-first", "tasks_moved"},
    {23, "work-stealing"}};

TEST(Claims, OfStrategiesHoldIfTheRivalsNeedMuchMoreOnEveryProfile) {
  for (const auto& [number, claimed, quantity] : all_contested) {
    const bool is_count = quantity != "seconds";
    const double equal = is_count ? 0.002 : 1;  // A count is 1, and one more, if it is not said.
    EXPECT_EQ(verdict_in(contested(claimed, quantity, 3, 3), number), verdict::holds) << number;
    EXPECT_EQ(verdict_in(contested(claimed, quantity, equal, equal), number), verdict::undecided)
        << number;
    EXPECT_EQ(verdict_in(contested(claimed, quantity, 3, equal), number), verdict::undecided)
        << number << " on one profile only";
  }
}

TEST(Claims, OfStrategiesMustSurviveTheErrorOfTheModel) {
  for (const double factor : {1.9, 1 / 1.9}) {
    EXPECT_EQ(verdict_in(contested("work-stealing", "seconds", factor, factor), 14),
              verdict::undecided);
  }
  EXPECT_EQ(verdict_in(contested("work-stealing", "seconds", 2.1, 2.1), 14), verdict::holds);
  EXPECT_EQ(verdict_in(contested("work-stealing", "seconds", 1 / 2.1, 1 / 2.1), 14),
            verdict::does_not_hold);
}

TEST(Claims, OfStrategiesDoNotHoldIfARivalWinsAnywhere) {
  const auto wins_on_spc = [](const cell& which,
                              const std::string& asked) -> std::optional<double> {
    if (asked != "seconds" || is_on(which, "work-stealing:victim=random")) return {};
    return (which.what.workload == "spc" ? 0.2 : 20.0) / which.workers;
  };
  const judged found = judged_in(wins_on_spc, 13);
  EXPECT_EQ(found.found.verdict, verdict::does_not_hold);
  EXPECT_NEAR(found.found.figure->median, 0.2, 0.001);
  EXPECT_THAT(found.found.because, HasSubstr("spc"));
  EXPECT_THAT(found.found.because, HasSubstr(": 20.0 ×")) << "beside it the other end";
}

TEST(Claims, OfStrategiesAreUndecidedIfOneRivalIsNotBeaten) {
  const auto only_busiest = [](const cell& which, const std::string& asked) {
    return asked == "seconds" && is_on(which, "work-stealing:victim=busiest") ? std::optional(9.0)
                                                                              : std::nullopt;
  };
  EXPECT_EQ(verdict_in(only_busiest, 13), verdict::undecided);
}

TEST(Claims, OfMeasuredStrategiesNeedNoMoreThanTheirIntervals) {
  const auto expect = [](unsigned number, const std::string& claimed, double others,
                         verdict expected) {
    EXPECT_EQ(verdict_in(contested(claimed, "seconds", others, others), number), expected)
        << number << ": " << others;
  };
  for (const auto& [factor, expected] : std::map<double, verdict>{
           {1.05, verdict::holds}, {0.95, verdict::does_not_hold}, {1, verdict::undecided}}) {
    expect(18, "work-stealing:attempts=2p:backoff=exponential", factor, expected);
    expect(25, "work-stealing:deque=bwos", factor, expected);
  }
}

/// A claim in a world in which it holds, and one in which it does not.
struct worlds {
  unsigned number;
  world holds;
  world fails;
};

std::optional<double> time_if(const std::string& asked, double seconds) {
  return asked == "seconds" ? std::optional(seconds) : std::nullopt;
}

const std::vector<worlds>& all_worlds() {
  static const std::vector<worlds> all{
      {1, [](const cell& c, const auto& q) { return time_if(q, 1.0 / c.workers + 5e-7); },
       [](const cell& c, const auto& q) {
         return time_if(q, c.workers == 1 ? 1.0 : 1.01 / c.workers);
       }},
      {2, [](const cell& c, const auto& q) { return time_if(q, 1.0 / c.workers + 0.1); },
       [](const cell& c, const auto& q) { return time_if(q, c.workers == 16 ? 9.0 : 1e-3); }},
      {3,
       [](const cell& c, const auto& q) -> std::optional<double> {
         if (q == "steal_attempts") return 1e4 * c.workers;
         if (c.what.workload != "empty_tree") return {};
         return q == "work_units" ? std::optional(std::exp2(number(c, "depth"))) : std::nullopt;
       },
       [](const cell& c, const auto& q) -> std::optional<double> {
         if (c.what.workload != "empty_tree") return {};
         if (q != "work_units" && q != "steal_attempts") return {};
         return std::exp2(number(c, "depth"));
       }},
      {4,
       [](const cell& c, const auto& q) -> std::optional<double> {
         if (q != "most_live_jobs" || is_on(c, "continuation-stealing")) return {};
         return number(c, "children");
       },
       [](const cell&, const auto&) { return std::nullopt; }},
      {5,
       [](const cell& c, const auto& q) -> std::optional<double> {
         if (q != "most_live_jobs") return {};
         return is_on(c, "work-stealing") ? number(c, "children") : 8192;
       },
       [](const cell& c, const auto& q) {
         return q == "most_live_jobs" ? std::optional(number(c, "children")) : std::nullopt;
       }},
      {6,
       [](const cell& c, const auto& q) {
         return q == "most_live_jobs" ? std::optional<double>(c.workers) : std::nullopt;
       },
       [](const cell& c, const auto& q) {
         return q == "most_live_jobs" ? std::optional<double>(c.workers + 1) : std::nullopt;
       }},
      {7,
       [](const cell& c, const auto& q) -> std::optional<double> {
         if (c.what.workload != "reduce") return {};
         const double tasks = 512 * std::exp2(16) / number(c, "grain");
         return q == "fork_count" ? tasks : q == "seconds" ? 1 + 1e-6 * tasks : 1.0;
       },
       [](const cell& c, const auto& q) -> std::optional<double> {
         if (c.what.workload != "reduce") return {};
         const double tasks = 512 * std::exp2(16) / number(c, "grain");
         return q == "fork_count" ? tasks : q == "seconds" ? 1 + 1e-10 * tasks * tasks : 1.0;
       }},
      {8,
       [](const cell& c, const auto& q) {  // Short leaves are quicker, and on serial too.
         const double serial = number(c, "depth") == 23 ? 5 : 10;
         return time_if(q, is_on(c, "serial") ? serial : serial / 2);
       },
       [](const cell& c, const auto& q) {
         return time_if(q, is_on(c, "serial") || number(c, "depth") == 23 ? 0.5 : 1);
       }},
      {9,
       [](const cell& c, const auto& q) {
         return time_if(q, is_on(c, "serial") ? 0.1 : 0.1 * (1 + 640 / number(c, "work")));
       },
       [](const cell&, const auto& q) { return time_if(q, 0.1); }},
      {10,
       [](const cell& c, const auto& q) -> std::optional<double> {
         if (q != "parallelism") return {};
         const double lg = std::log2(number(c, "keys"));
         return c.what.parameters.back().second == "serial" ? lg / 2 : std::exp2(lg) / lg / lg;
       },
       [](const cell&, const auto& q) {
         return q == "parallelism" ? std::optional(8.0) : std::nullopt;
       }},
      {11,
       [](const cell& c, const auto& q) -> std::optional<double> {
         if (q != "work_share") return {};
         return 2 * (is_on(c, "work-stealing") ? 0.99 : 0.53);
       },
       [](const cell&, const auto& q) {
         return q == "work_share" ? std::optional(2 * 0.53) : std::nullopt;
       }},
      {12, [](const cell&, const auto& q) { return time_if(q, 1e-9); },
       [](const cell& c, const auto& q) {
         return time_if(q, c.what.workload == "steal" ? 60e-9 : 1e-9);
       }},
      {16,
       [](const cell&, const auto& q) { return q == "depth" ? std::optional(10.0) : std::nullopt; },
       [](const cell&, const auto& q) -> std::optional<double> {
         return q == "tasks_moved" ? 999.0 : q == "depth" ? 10.0 : std::optional<double>();
       }},
      {19,
       [](const cell& c, const auto& q) {
         return time_if(q, c.workers == 1                                      ? 1
                           : is_on(c, "work-stealing:deque=locked:idle=yield") ? 2
                                                                               : 0.6);
       },
       [](const cell& c, const auto& q) { return time_if(q, c.workers == 1 ? 1 : 0.6); }},
      {21,
       [](const cell& c, const auto& q) {
         return q == "jobs_spawned" && c.scheduler.ends_with("eager") ? std::optional(4095.0)
                                                                      : std::nullopt;
       },
       [](const cell& c, const auto& q) {
         return q == "jobs_spawned" && !c.scheduler.ends_with("eager") ? std::optional(4095.0)
                                                                       : std::nullopt;
       }},
      {22, [](const cell& c, const auto& q) { return time_if(q, 1.0 / c.workers); },
       [](const cell& c, const auto& q) { return time_if(q, std::pow(c.workers, -0.5)); }},
      {24, [](const cell& c, const auto& q) { return time_if(q, is_on(c, "serial") ? 1 : 1.3); },
       [](const cell& c, const auto& q) { return time_if(q, is_on(c, "serial") ? 1 : 3); }}};
  return all;
}

const worlds& worlds_of(unsigned number) {
  return *std::ranges::find(all_worlds(), number, &worlds::number);
}

TEST(Claims, HoldInOneWorldAndNotInAnother) {
  for (const auto& [number, holds, fails] : all_worlds()) {
    const finding good = judged_in(holds, number).found;
    EXPECT_EQ(good.verdict, verdict::holds) << number << ": " << good.because;
    const finding bad = judged_in(fails, number).found;
    EXPECT_EQ(bad.verdict, verdict::does_not_hold) << number << ": " << bad.because;
    for (const estimate& each : {*good.figure, *bad.figure}) {
      EXPECT_LE(each.around.low, each.median) << number;
      EXPECT_GE(each.around.high, each.median) << number;
    }
  }
}

/// A claim in a world where one part of its rule decides, and all others say something else.
struct decided {
  unsigned number;
  const char* part;
  verdict expected;
  world with;
};

const std::vector<decided>& all_decided() {
  using enum verdict;
  static const std::vector<decided> all{
      {1, "few workers on the first program", does_not_hold,
       [](const cell& c, const auto& q) {
         const bool is_slow = c.workers == 2 && c.what.workload == "fib";
         return time_if(q, (is_slow ? 1.01 : 1.0) / c.workers);
       }},
      {2, "the second program", does_not_hold,
       [](const cell& c, const auto& q) {
         const double unfit = c.workers == 16 ? 9.0 : 1e-3;
         return time_if(q, c.what.workload == "uts" ? unfit : 1.0 / c.workers + 0.1);
       }},
      {2, "a time just beyond the error of the model", does_not_hold,
       [](const cell& c, const auto& q) {  // 2.2 times the fit.
         return time_if(q, (1.0 / c.workers + 0.1) * (c.workers == 16 ? 2.3 : 1));
       }},
      {3, "the error of the model", undecided,
       [](const cell& c, const auto& q) -> std::optional<double> {
         if (c.what.workload != "empty_tree") return {};
         if (q == "steal_attempts") return 1e4 * std::exp2(0.45 * number(c, "depth"));
         return q == "work_units" ? std::optional(std::exp2(number(c, "depth"))) : std::nullopt;
       }},
      {4, "continuations need more space", does_not_hold,
       [](const cell& c, const auto& q) -> std::optional<double> {
         if (q != "most_live_jobs") return {};
         return is_on(c, "continuation-stealing") ? 9 : number(c, "children");
       }},
      {6, "continuations have more leaves", does_not_hold,
       [](const cell& c, const auto& q) -> std::optional<double> {
         if (q != "most_live_jobs") return {};
         return is_on(c, "continuation-stealing") ? 9 : 8;
       }},
      {7, "tasks cost less than nothing", does_not_hold,
       [](const cell& c, const auto& q) -> std::optional<double> {
         if (c.what.workload != "reduce") return {};
         const double tasks = 512 * std::exp2(16) / number(c, "grain");
         return q == "fork_count" ? tasks : q == "seconds" ? 1 - 1e-9 * tasks : 1.0;
       }},
      {7, "a time just off the line", does_not_hold,
       [](const cell& c, const auto& q) -> std::optional<double> {  // 1.155 times the fit.
         if (c.what.workload != "reduce") return {};
         const double tasks = 512 * std::exp2(16) / number(c, "grain");
         if (q == "fork_count") return tasks;
         return (q == "seconds" ? 1 + 1e-6 * tasks : 1.0) * (tasks == 32'768 ? 1.2 : 1);
       }},
      {7, "three times as many tasks", does_not_hold,
       [](const cell& c, const auto& q) -> std::optional<double> {
         if (c.what.workload != "reduce") return {};
         const double tasks = 3 * 512 * std::exp2(16) / number(c, "grain");
         return q == "fork_count" ? tasks : q == "seconds" ? 1 + 1e-6 * tasks : 1.0;
       }},
      {8, "leaves beyond the range", holds,
       [](const cell& c, const auto& q) {  // 19 µs to 305 µs are good.
         const bool is_good = number(c, "depth") >= 15 && number(c, "depth") <= 19;
         return time_if(q, is_on(c, "serial") || !is_good ? 10 : 5);
       }},
      {8, "one length of leaves in the range", does_not_hold,
       [](const cell& c, const auto& q) {
         return time_if(q, is_on(c, "serial") || number(c, "depth") == 17 ? 10 : 5);
       }},
      {8, "leaves at 0.93 of the best speedup", does_not_hold,
       [](const cell& c, const auto& q) {
         return time_if(q, is_on(c, "serial") ? 10 : number(c, "depth") == 17 ? 5 / 0.93 : 5);
       }},
      {9, "leaves of 3 µs", holds,
       [](const cell& c, const auto& q) {
         const double depth = number(c, "depth");
         const double speedup = depth > 15 ? 0.5 : depth == 15 ? 0.99 : 1;
         return time_if(q, is_on(c, "serial") ? 0.1 : 0.1 / speedup);
       }},
      {9, "another scheduler", does_not_hold,
       [](const cell& c, const auto& q) {
         const bool is_bad = is_on(c, "work-stealing") && number(c, "depth") > 15;
         return time_if(q, is_bad ? 0.2 : 0.1);
       }},
      {9, "one length of short leaves", does_not_hold,
       [](const cell& c, const auto& q) {
         const bool is_good = is_on(c, "serial") || number(c, "depth") == 19;
         return time_if(q, is_good ? 0.1 : 0.1 * (1 + 640 / number(c, "work")));
       }},
      {10, "serial merges", does_not_hold,
       [](const cell& c, const auto& q) -> std::optional<double> {
         if (q != "parallelism") return {};
         const double lg = std::log2(number(c, "keys"));
         return std::exp2(lg) / lg / lg;
       }},
      {10, "parallel merges", does_not_hold,
       [](const cell& c, const auto& q) {
         return q == "parallelism" ? std::optional(std::log2(number(c, "keys"))) : std::nullopt;
       }},
      {10, "exponents near one", holds,
       [](const cell& c, const auto& q) -> std::optional<double> {
         if (q != "parallelism") return {};
         const double lg = std::log2(number(c, "keys"));
         const bool is_serial = c.what.parameters.back().second == "serial";
         return is_serial ? std::pow(lg, 0.6) : std::pow(std::exp2(lg) / lg / lg, 1.4);
       }},
      {11, "the static partition", does_not_hold,
       [](const cell&, const auto& q) {
         return q == "work_share" ? std::optional(2 * 0.99) : std::nullopt;
       }},
      {11, "stealing that keeps the workers less busy", does_not_hold,
       [](const cell& c, const auto& q) -> std::optional<double> {
         if (q != "work_share") return {};
         return 2 * (is_on(c, "work-stealing") ? 0.9 : 0.53);
       }},
      {12, "operations just within their limits", holds,
       [](const cell& c, const auto& q) {
         const std::string& operation = c.what.workload;
         return time_if(q, operation == "fork" ? 10e-9 : operation == "steal" ? 49e-9 : 9.9e-6);
       }},
      {12, "a wake-up just beyond its limit", does_not_hold,
       [](const cell& c, const auto& q) {
         return time_if(q, c.what.workload == "wake" ? 11e-6 : 1e-9);
       }},
      {16, "the depth of the tree", holds,
       [](const cell&, const auto& q) -> std::optional<double> {
         return q == "tasks_moved" ? 39.0 : q == "depth" ? 10.0 : std::optional<double>();
       }},
      {19, "the non-blocking deque", does_not_hold,
       [](const cell& c, const auto& q) { return time_if(q, c.workers == 1 ? 1 : 2); }},
      {19, "the span", holds,
       [](const cell& c, const auto& q) -> std::optional<double> {
         if (q == "span_units") return 1e5;
         const bool is_locked = is_on(c, "work-stealing:deque=locked:idle=yield");
         return time_if(q, c.workers == 1 ? 1 : is_locked ? 3 : 1.5);
       }},
      {21, "one worker", does_not_hold,
       [](const cell& c, const auto& q) -> std::optional<double> {
         if (q != "jobs_spawned") return {};
         return c.scheduler.ends_with("eager") ? 4095 : c.workers == 1 ? 3 * 4095 : 1;
       }},
      {21, "many workers", does_not_hold,
       [](const cell& c, const auto& q) -> std::optional<double> {
         if (q != "jobs_spawned") return {};
         return c.scheduler.ends_with("eager") ? 4095 : c.workers == 64 ? 3 * 4095 : 1;
       }},
      {22, "one worker count", does_not_hold,
       [](const cell& c, const auto& q) {
         return time_if(q, (c.workers == 16 ? 4.0 : 1.0) / c.workers);
       }},
      {22, "the longest wait for lines", undecided,
       [](const cell& c, const auto& q) {
         if (q == "lines_share") return std::optional(c.workers == 16 ? 0.3 : 0);
         return time_if(q, c.workers == 1 ? 1 : 1.25 / c.workers);
       }},
      {22, "workers for which the parallelism is not ample", holds,
       [](const cell& c, const auto& q) {  // A thousand.
         return q == "span_units" ? std::optional(1e3)
                                  : time_if(q, c.workers > 100 ? 1 : 1.0 / c.workers);
       }},
      {24, "the first program", does_not_hold, [](const cell& c, const auto& q) {
         return time_if(q, is_on(c, "serial") ? 1 : c.what.workload == "fib" ? 3 : 1.3);
       }}};
  return all;
}

TEST(Claims, DependOnEachPartOfTheirRules) {
  for (const auto& [number, part, expected, with] : all_decided()) {
    const finding found = judged_in(with, number).found;
    EXPECT_EQ(found.verdict, expected) << number << ", " << part << ": " << found.because;
  }
}

TEST(Claims, SayWhatTheFitsOfTheLawsGive) {
  // P · T_P is 1 + 0.1 · P, and T∞ a millionth of the 1.1 s with one worker.
  EXPECT_THAT(judged_in(worlds_of(2).holds, 2).found.because,
              HasSubstr("the fitted c is 90,909 [90,909, 90,909] on"));
  EXPECT_THAT(judged_in(worlds_of(3).holds, 3).found.because,
              HasSubstr("they grow as the workers to the power of 1.00 [1.00, 1.00]."));
}

TEST(Claims, OfCountsCompareWhatIsNoneAtAll) {
  const finding found = judged_in(
                            [](const cell&, const std::string& asked) {
                              return asked == "tasks_moved" ? std::optional(0.0) : std::nullopt;
                            },
                            15)
                            .found;
  EXPECT_EQ(found.verdict, verdict::undecided);
  EXPECT_EQ(found.figure->median, 1);
}

TEST(Claims, TakeTheProcessorsThatTheProcessesCouldUse) {
  const auto judged_with = [](const char* usable, unsigned in_machine) {
    raw_lines lines = lines_in(worlds_of(19).fails, {19});
    lines[1]["context"] = {{"num_cpus", in_machine}, {"processors", usable}};
    return judge(dataset::read_lines(lines)).at(0).found;
  };
  const finding two = judged_with("2", 64);
  EXPECT_EQ(two.verdict, verdict::does_not_hold);
  EXPECT_NEAR(two.figure->median, 2 * 0.6, 0.001);
  EXPECT_THAT(two.because, HasSubstr("16 workers on 2 processors"));
  EXPECT_NEAR(judged_with("15", 64).figure->median, 15 * 0.6, 0.001);
  const finding sixteen = judged_with("16", 64);
  EXPECT_EQ(sixteen.verdict, verdict::undecided);
  EXPECT_FALSE(sixteen.figure.has_value());
  EXPECT_EQ(sixteen.because,
            "A verdict needs fewer processors than the 16 workers, and there are 16.");
}

/// Of one program with many worker counts: a rival that takes these times the second of the claimed
/// strategy with one worker, and as long as that with more.
evidence contested_with(const contest& what, const std::vector<double>& of_rival) {
  evidence known{{}, json::array(), 1};
  for (const char* const scheduler : {"claimed", "rival"}) {
    for (const cell& each : grid(what.programs, {scheduler}, what.workers, real_machine)) {
      dataset::measured_cell& added = known.cells.emplace_back();
      added.which = each;
      for (const double seconds : of_rival) {
        const bool is_noisy = is_on(each, "rival") && each.workers == 1;
        added.samples.emplace_back().set(metric::seconds, is_noisy ? seconds : 1);
      }
    }
  }
  return known;
}

// A difference that is shown alone, and is not shown among ten.
TEST(Claims, OfStrategiesAreCorrectedForTheNumberOfComparisons) {
  const std::vector<double> slower{0.9, 0.95, 1.03, 1.04, 1.05, 1.06, 1.07, 1.08, 1.09, 1.1, 1.11};
  contest what{"claimed", {"rival"},       {program("fib", {"n=20"})},
               {1},       metric::seconds, real_machine};
  EXPECT_EQ(judge(what, contested_with(what, slower)).verdict, verdict::holds);
  for (unsigned workers = 2; workers <= 10; ++workers) what.workers.push_back(workers);
  EXPECT_EQ(judge(what, contested_with(what, slower)).verdict, verdict::undecided);
}

TEST(Claims, TakeTheHullOfWhatEveryMachineShows) {
  const estimate found = hull({{4, {3, 5}}, {1, {0.5, 9}}, {2, {1, 3}}});
  EXPECT_EQ(found.median, 2);
  EXPECT_EQ(found.around.low, 0.5);
  EXPECT_EQ(found.around.high, 9);
}

TEST(Claims, HaveAnIntervalOfWhatWasRecordedSeveralTimes) {
  const contest what{"claimed", {"rival"}, {program("fib", {"n=20"})}, {1}};
  evidence known = contested_with(what, {1, 1, 1, 1, 1, 1});
  json record = json_of(what.programs.front());
  for (const double each : {4, 5, 6, 7, 8, 9})
    record["runs"].push_back(json{{"parallelism", each}});
  known.records.push_back(record);
  const figures found = known.of(
      [&](const reader& read) { return read.recorded(what.programs.front(), "parallelism"); });
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].median, 6.5);
  EXPECT_LT(found[0].around.low, 6);
  EXPECT_GT(found[0].around.high, 7);
}

TEST(Claims, HaveAllBeenGivenBothWorlds) {
  std::set<unsigned> tested{18, 25};
  for (const worlds& each : all_worlds()) tested.insert(each.number);
  for (const contested_claim& each : all_contested) tested.insert(each.number);
  ASSERT_EQ(all_claims().size(), claim_count);
  for (unsigned i = 0; i < 25; ++i) {
    EXPECT_EQ(all_claims()[i].number, i + 1);
    EXPECT_TRUE(tested.contains(i + 1)) << i + 1;
  }
}

TEST(Claims, AreUndecidedWithTooFewRounds) {
  const world plain = [](const cell&, const std::string&) { return std::nullopt; };
  for (const claim& each : all_claims()) {
    const finding found = judged_in(plain, each.number, 5).found;
    EXPECT_EQ(found.verdict, verdict::undecided) << each.number;
    EXPECT_EQ(found.because, "A verdict needs 6 rounds, and there are 5.");
    EXPECT_FALSE(found.figure.has_value());
  }
  raw_lines lines = lines_in(plain, {14});
  lines.pop_back();  // The last benchmark lacks a round.
  EXPECT_EQ(judge(dataset::read_lines(lines)).at(0).found.because,
            "A verdict needs 6 rounds, and there are 5.");
}

TEST(Claims, AreUndecidedWithABenchmarkThatFailed) {
  const world plain = [](const cell&, const std::string&) { return std::nullopt; };
  raw_lines lines = lines_in(plain, {14});
  json& last = lines.back();
  last.erase("simulation");
  last["failure"] = "timed out";
  const finding found = judge(dataset::read_lines(lines)).at(0).found;
  EXPECT_EQ(found.verdict, verdict::undecided);
  EXPECT_THAT(found.because, HasSubstr("did not finish: timed out."));
}

TEST(Claims, CombineTwoVerdicts) {
  using enum verdict;
  EXPECT_EQ(both(holds, holds), holds);
  EXPECT_EQ(both(holds, undecided), undecided);
  EXPECT_EQ(both(undecided, holds), undecided);
  EXPECT_EQ(both(undecided, does_not_hold), does_not_hold);
  EXPECT_EQ(both(does_not_hold, undecided), does_not_hold);
}

TEST(Claims, FindALineThroughPointsOfALine) {
  const line found = line_through({{1, 5}, {10, 23}, {100, 203}});
  EXPECT_NEAR(found.at_zero, 3, 1e-9);
  EXPECT_NEAR(found.slope, 2, 1e-9);
  EXPECT_NEAR(found.misfit, 1, 1e-9);
  EXPECT_NEAR(line_through({{0, 10}, {1, 20}, {2, 10}}).misfit, 1.8, 1e-9);
}

TEST(Claims, AreReportedByNumberWithVerdictFigureAndReason) {
  const auto data = dataset::read_lines(lines_in(worlds_of(12).fails, {12, 14}));
  const json object = json_of(judge(data));
  ASSERT_EQ(object.at("claims").size(), 2U);
  const json& first = object.at("claims").at(0);
  EXPECT_EQ(first.at("number"), 12);
  EXPECT_EQ(first.at("machine"), "real");
  EXPECT_EQ(first.at("verdict"), "does not hold");
  EXPECT_NEAR(first.at("figure").get<double>(), 60.0 / 50, 0.01);
  EXPECT_LE(first.at("low"), first.at("figure"));
  EXPECT_THAT(first.at("because").get<std::string>(), HasSubstr("steal 60.0 ns"));
  EXPECT_EQ(object.at("claims").at(1).at("machine"), "simulated");
  const std::string text = report::to_markdown({"", sections_of(data)});
  for (const char* const part :
       {"Of 2 claims, 0 hold here; 1 do not hold; 1 undecided.", "A central queue is a bottleneck",
        "does not hold", "greatest time ÷ what is claimed at most (at most 1): 1.2 [1.2, 1.2]"}) {
    EXPECT_THAT(text, HasSubstr(part));
  }
}

TEST(Claims, TakeTheRecordThatWasInterruptedLeast) {
  const std::vector<json> runs{
      {{"parallelism", 4.0}}, {{"parallelism", 9.0}}, {{"parallelism", 5.0}}};
  EXPECT_EQ(most_parallel(runs), runs[1]);
}

}  // namespace
}  // namespace stealbench::experiments::claims
