// Made-up values of what the claims need, for the tests of their rules.
#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "bench/driver/experiments/claims/claims.hpp"
#include "results/dataset/simulation_fixture.hpp"
#include "results/sections/fixture.hpp"

namespace stealbench::experiments::claims {

/// What a quantity of a cell is, by the name of the metric, counter or record; none: as it is made.
using world = std::function<std::optional<double>(const cell& which, const std::string& quantity)>;

/// Linear speedup of one second; as little span as nothing; one of everything that is counted.
inline double made(const world& some, const cell& which, const std::string& quantity) {
  if (const auto value = some(which, quantity)) return *value;
  if (quantity == "seconds") return 1.0 / which.workers;
  const std::map<std::string, double> others{
      {"work_units", 1e6}, {"span_units", 1}, {"fork_count", 1000}};
  const auto found = others.find(quantity);
  return found == others.end() ? 1 : found->second;
}

inline bool is_on(const cell& which, const std::string& scheduler) {
  return which.scheduler == scheduler;
}
inline double number(const cell& which, const char* parameter) {
  return dataset::number_of(which.what, parameter).value();
}

/// As the experiment writes it.
inline dataset::raw_lines lines_in(const world& some, const std::vector<unsigned>& only,
                                   unsigned rounds = 6) {
  const std::vector<std::string> profiles{"far", "near"};
  std::vector<dataset::measured> cells;
  json recorded = json::array();
  for (const claim& each : all_claims()) {
    if (std::ranges::count(only, each.number) == 0) continue;
    for (const cell& one : all_cells_of(each, profiles)) cells.push_back({one, {}});
    for (const instance& one : each.recorded) {
      recorded.push_back(json_of(one));
      json& run = recorded.back()["runs"].emplace_back(json{{"strands_by", "units"}});
      for (const char* const key : {"work_units", "span_units", "parallelism", "depth"}) {
        run[key] = made(some, {.what = one, .scheduler = "recorder"}, key);
      }
    }
  }
  dataset::raw_lines lines{dataset::header_of("claims", cells)};
  lines[0]["about"] = {{"claims", only}, {"recorded", recorded}, {"machines", json::object()}};
  for (const char* const name : {"far", "near", free_machine}) {
    lines[0]["about"]["machines"][name] = dataset::simulated_profile();
  }
  lines.push_back({{"type", "context"}, {"context", {{"num_cpus", 2}}}});
  for (unsigned round = 1; round <= rounds; ++round) {
    for (const auto& [which, seconds, failure, forks, counters] : cells) {
      const auto value = [&, &subject = which](const char* quantity) {
        return made(some, subject, quantity);
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
                             {"jobs_spawned", value("jobs_spawned")},
                             {"jobs_exposed", value("jobs_exposed")}};
      }
      lines.push_back(line);
    }
  }
  return lines;
}

inline judged judged_in(const world& some, unsigned number, unsigned rounds = 6) {
  return judge(dataset::read_lines(lines_in(some, {number}, rounds))).at(0);
}

inline verdict verdict_in(const world& some, unsigned number) {
  return judged_in(some, number).found.verdict;
}

inline std::optional<double> time_if(const std::string& asked, double seconds) {
  return asked == "seconds" ? std::optional(seconds) : std::nullopt;
}

/// That a strategy needs less, and in simulated time.
struct contested_claim {
  unsigned number;
  std::string claimed;
  std::string quantity = "seconds";
};
inline const std::vector<contested_claim> all_contested{
    {13, "work-stealing:victim=random"},
    {14, "work-stealing"},
    {15, "work-stealing", "tasks_moved"},
    {17, "work-stealing:deque=chase-lev:amount=half", "tasks_moved"},
    {20, "work-stealing:victim=own-first", "tasks_moved"},
    {23, "work-stealing"}};

/// Of one program with many worker counts: a rival that takes these times the second of the claimed
/// strategy with one worker, and as long as that with more.
inline evidence contested_with(const contest& what, const std::vector<double>& of_rival) {
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

}  // namespace stealbench::experiments::claims
