// The rules on made-up values: each claim holds in one world, and does not hold in another.
#include "bench/driver/experiments/claims/claims.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bench/driver/experiments/claims/claims_fixture.hpp"

namespace stealbench::experiments::claims {
namespace {

using testing::HasSubstr;

/// A claim in a world in which it holds, and one in which it does not.
struct worlds {
  unsigned number;
  world holds;
  world fails;
  verdict failing = verdict::does_not_hold;
};

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
       [](const cell& c, const auto& q) -> std::optional<double> {
         if (q != "most_live_jobs") return {};
         return is_on(c, "continuation-stealing") ? 16 : number(c, "children");
       }},
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
       },
       verdict::undecided},  // A theorem, recorded at the costs of a machine alone.
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
       [](const cell& c, const auto& q) {
         return q == "jobs_exposed" ? std::optional(2e5) : time_if(q, is_on(c, "serial") ? 1 : 3);
       }}};
  return all;
}

const worlds& worlds_of(unsigned number) {
  return *std::ranges::find(all_worlds(), number, &worlds::number);
}

TEST(Claims, HoldInOneWorldAndNotInAnother) {
  for (const auto& [number, holds, fails, failing] : all_worlds()) {
    const finding good = judged_in(holds, number).found;
    EXPECT_EQ(good.verdict, verdict::holds) << number << ": " << good.because;
    const finding bad = judged_in(fails, number).found;
    EXPECT_EQ(bad.verdict, failing) << number << ": " << bad.because;
    for (const estimate& each : {*good.figure, *bad.figure}) {
      EXPECT_LE(each.around.low, each.median) << number;
      EXPECT_GE(each.around.high, each.median) << number;
    }
  }
}

/// One world on the machine without costs, and another on all others.
world mixed(const world& in_model, const world& at_costs) {
  return [=](const cell& which, const std::string& asked) {
    return which.machine == free_machine ? in_model(which, asked) : at_costs(which, asked);
  };
}

TEST(Claims, OfTheoremsHoldInTheirModelIfOnlyCostsSpeakAgainstThem) {
  for (const unsigned number : {1U, 2U, 3U, 4U, 6U, 22U, 24U}) {
    const auto& [_, holds, fails, failing] = worlds_of(number);
    const finding in_model = judged_in(mixed(holds, fails), number).found;
    EXPECT_EQ(in_model.verdict, verdict::holds_in_model) << number << ": " << in_model.because;
    EXPECT_THAT(in_model.because, HasSubstr(". Where only work takes time: ")) << number;
    ASSERT_TRUE(in_model.figure_in_model.has_value()) << number;
    EXPECT_NE(in_model.figure->median, in_model.figure_in_model->median) << number;
    const finding in_neither = judged_in(mixed(fails, holds), number).found;
    EXPECT_EQ(in_neither.verdict, verdict::does_not_hold) << number << ": " << in_neither.because;
  }
}

TEST(Claims, OfObservationsHaveNoModelToHoldIn) {
  std::set<unsigned> theorems;
  for (const claim& each : all_claims()) {
    if (each.in_model) theorems.insert(each.number);
  }
  EXPECT_EQ(theorems, (std::set<unsigned>{1, 2, 3, 4, 6, 22, 24}));
  EXPECT_FALSE(judged_in(worlds_of(11).fails, 11).found.figure_in_model.has_value());
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
      {4, "child stealing needs no more space", does_not_hold,
       [](const cell&, const auto&) { return std::nullopt; }},
      {4, "continuations need more space without costs", does_not_hold,
       [](const cell& c, const auto& q) -> std::optional<double> {
         if (q != "most_live_jobs") return {};
         return is_on(c, "continuation-stealing") ? (c.machine == free_machine ? 9 : 1)
                                                  : number(c, "children");
       }},
      {6, "continuations have more leaves without costs", does_not_hold,
       [](const cell& c, const auto& q) -> std::optional<double> {
         if (q != "most_live_jobs") return {};
         return is_on(c, "continuation-stealing") && c.machine == free_machine ? 9 : 8;
       }},
      {6, "busy-leaves has more leaves without costs", does_not_hold,
       [](const cell& c, const auto& q) -> std::optional<double> {
         if (q != "most_live_jobs") return {};
         return is_on(c, "busy-leaves") && c.machine == free_machine ? 9 : 8;
       }},
      {6, "continuations have more leaves at costs", holds_in_model,
       [](const cell& c, const auto& q) -> std::optional<double> {
         if (q != "most_live_jobs") return {};
         return is_on(c, "continuation-stealing") && c.machine != free_machine ? 9 : 8;
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
      {10, "serial merges", undecided,
       [](const cell& c, const auto& q) -> std::optional<double> {
         if (q != "parallelism") return {};
         const double lg = std::log2(number(c, "keys"));
         return std::exp2(lg) / lg / lg;
       }},
      {10, "parallel merges", undecided,
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
      {19, "the non-blocking deque, of which a theorem speaks", undecided,
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
      {24, "the first program", holds_in_model,
       [](const cell& c, const auto& q) {
         return time_if(q, is_on(c, "serial") ? 1 : c.what.workload == "fib" ? 3 : 1.3);
       }},
      {24, "the finest of the programs without costs", does_not_hold,
       [](const cell& c, const auto& q) -> std::optional<double> {
         if (q != "jobs_exposed") return time_if(q, 1);
         return c.what.workload == "fib" ? 40e3 : 1;
       }},
      {24, "the coarsest of the programs without costs", does_not_hold,
       [](const cell& c, const auto& q) -> std::optional<double> {
         if (q != "jobs_exposed") return time_if(q, 1);
         return c.what.workload == "empty_tree" && number(c, "depth") == 8 ? 40e3 : 1;
       }},
      {24, "tasks just as often as the heart beats", holds, [](const cell&, const auto& q) {
         return q == "jobs_exposed" ? std::optional(33e3) : time_if(q, 1);
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

}  // namespace
}  // namespace stealbench::experiments::claims
