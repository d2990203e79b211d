// Small datasets in the raw format, for tests that read or show some.
#pragma once

#include <algorithm>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "results/dataset/measurements.hpp"

namespace stealbench::dataset {

/// The lines of a raw file, to be edited.
using raw_lines = std::vector<json>;

[[nodiscard]] inline bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

/// What a cell was measured to be.
struct measured {
  cell which;
  std::vector<double> seconds;  ///< One for each round.
  std::string failure = {};     ///< Of the process after these rounds; empty if all finished.
  double fork_count = 1e6;
  json counters = nullptr;
};

/// Equal times of as many rounds as it takes to tell anything apart.
[[nodiscard]] inline std::vector<double> six(double seconds) {
  return std::vector<double>(6, seconds);
}

[[nodiscard]] inline cell fib_on(const std::string& scheduler, unsigned workers,
                                 const std::string& n = "20") {
  return {{"fib", {{"n", n}}}, scheduler, workers};
}

/// As Google Benchmark writes it.
[[nodiscard]] inline json benchmark_of(const measured& what, double seconds) {
  const unsigned workers = what.which.workers;
  return {{"name", name_of(what.which) + "/manual_time"},
          {"real_time", seconds * 1e3},
          {"time_unit", "ms"},
          {"runs", 5.0},
          {"start_up_seconds", 1e-4},
          {"first_run_seconds", seconds * 2},
          {"cpu_seconds", seconds * workers},
          {"user_seconds", seconds * workers},
          {"system_seconds", 0.0},
          {"voluntary_switches", 3.0},
          {"forced_switches", 1.0},
          {"fork_count", what.fork_count},
          {"worker_count", what.which.scheduler == "serial" ? 1 : workers},
          {"peak_rss_bytes", 8388608.0},
          {"verified", 1.0}};
}

[[nodiscard]] inline json header_of(const std::string& experiment,
                                    const std::vector<measured>& all) {
  json cells = json::array();
  for (const measured& each : all) cells.push_back(json_of(each.which));
  return {{"type", "experiment"},
          {"format", format_version},
          {"experiment", experiment},
          {"command", "stealbench " + experiment + " --rounds 3"},
          {"date", "2026-11-21T20:41:35Z"},
          {"settings", {{"size", "test"}, {"workers", {1, 2}}}},
          {"baseline", "serial"},
          {"about", json::object()},
          {"host_checks",
           {{{"check", "governor"}, {"status", "pass"}, {"detail", "performance"}},
            {{"check", "load"}, {"status", "warn"}, {"detail", "1.24"}}}},
          {"cells", std::move(cells)}};
}

[[nodiscard]] inline json finished_line() {
  return {{"type", "finished"}, {"spent_seconds", 12.5}, {"host_checks", json::array()}};
}

/// Round after round, then the runs that count. Not finished: finished_line is to be added.
[[nodiscard]] inline raw_lines lines_of(const std::string& experiment,
                                        const std::vector<measured>& all) {
  raw_lines lines{header_of(experiment, all)};
  lines.push_back({{"type", "context"},
                   {"context",
                    {{"date", "2026-11-21T20:41:36+00:00"},
                     {"num_cpus", 2},
                     {"commit", "0123456789ab"},
                     {"processor", "A <processor>"},
                     {"load_avg", {0.5, 1.0}},
                     {"caches", {{{"type", "Data"}}}}}}});
  std::size_t rounds = 0;
  for (const measured& each : all) rounds = std::max(rounds, each.seconds.size() + 1);
  for (std::size_t round = 1; round <= rounds; ++round) {
    for (const measured& each : all) {
      json line{{"type", "process"},
                {"cell", name_of(each.which)},
                {"round", round},
                {"spent_seconds", 0.5}};
      if (round <= each.seconds.size()) {
        line["benchmark"] = benchmark_of(each, each.seconds[round - 1]);
      } else if (round == each.seconds.size() + 1 && !each.failure.empty()) {
        line["failure"] = each.failure;
      } else {
        continue;
      }
      lines.push_back(std::move(line));
    }
  }
  for (const measured& each : all) {
    if (!each.failure.empty()) continue;
    lines.push_back({{"type", "counters"},
                     {"cell", name_of(each.which)},
                     {"spent_seconds", 1.5},
                     {"counters", each.counters}});
  }
  return lines;
}

/// fib on serial in two builds, with these times of each round; of none it has crashed.
[[nodiscard]] inline raw_lines made_ab(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<measured> all(2, {fib_on("serial", 1), a, a.empty() ? "crashed" : ""});
  all[0].which.build = "A";
  all[1] = {all[0].which, b, b.empty() ? "crashed" : ""};
  all[1].which.build = "B";
  raw_lines lines = lines_of("ab", all);
  lines[0]["settings"] = {{"BUILD_A", "one"}, {"BUILD_B", "two"}, {"threshold", 3.0}};
  lines[1]["build"] = "A";
  lines[1]["context"]["commit"] = "aaa";
  lines.insert(lines.begin() + 2, lines[1]);
  lines[2]["build"] = "B";
  lines[2]["context"]["commit"] = "bbb";
  lines.push_back(finished_line());
  return lines;
}

[[nodiscard]] inline measurements read_lines(const raw_lines& lines) {
  measurements data;
  for (const json& each : lines) data.apply(each);
  return data;
}

[[nodiscard]] inline measurements data_of(const std::vector<measured>& all,
                                          const json& about = json::object(),
                                          const std::string& experiment = "compare") {
  raw_lines lines = lines_of(experiment, all);
  lines.front()["about"] = about;
  return read_lines(lines);
}

[[nodiscard]] inline std::string jsonl_of(const raw_lines& lines) {
  std::string text;
  for (const json& each : lines) text += each.dump() + '\n';
  return text;
}

/// The lines with another text wherever this one is, also inside of a name.
[[nodiscard]] inline raw_lines renamed(raw_lines lines, const std::string& old_text,
                                       const std::string& new_text) {
  for (json& each : lines) {
    std::string text = each.dump();
    for (std::size_t at = 0; (at = text.find(old_text, at)) != std::string::npos;) {
      text.replace(at, old_text.size(), new_text);
      at += new_text.size();
    }
    each = json::parse(text);
  }
  return lines;
}

/// Changes what Google Benchmark wrote of each process of a cell.
inline void edit_cell(raw_lines& lines, const std::string& cell,
                      const std::function<void(json& benchmark)>& change) {
  for (json& each : lines) {
    if (each.contains("benchmark") && each["cell"] == cell) change(each["benchmark"]);
  }
}

/// Every round of the cell takes so much longer.
inline void slow_down(raw_lines& lines, const std::string& cell, double factor) {
  edit_cell(lines, cell, [=](json& benchmark) {
    benchmark["real_time"] = benchmark["real_time"].get<double>() * factor;
  });
}

/// fib on three schedulers with one and two workers, rounds that are 1 % apart; openmp with
/// two did not finish. At two workers work-stealing takes 1 ms, serial 2 ms.
[[nodiscard]] inline raw_lines made_comparison(unsigned rounds = 3) {
  std::vector<measured> all;
  for (const unsigned workers : {1U, 2U}) {
    for (const std::string scheduler : {"serial", "work-stealing", "openmp"}) {
      measured& added = all.emplace_back(measured{.which = fib_on(scheduler, workers),
                                                  .seconds = {},
                                                  .failure = {},
                                                  .fork_count = 10945,
                                                  .counters = nullptr});
      if (scheduler == "openmp" && workers == 2) {
        added.failure = "timed out after 120 s";
        continue;
      }
      const double seconds = scheduler == "serial" ? 2e-3 : 2e-3 / workers;
      for (unsigned round = 1; round <= rounds; ++round)
        added.seconds.push_back(seconds * (1 + 0.01 * round));
      if (scheduler != "work-stealing") continue;
      json per_worker = json::array();
      for (unsigned i = 0; i < workers; ++i) {
        per_worker.push_back(
            {{"jobs_run", 1000 / workers + i}, {"busy_ns", 2'000'000 + 100'000 * i}});
      }
      added.counters = {{"jobs_spawned", 1000}, {"jobs_run", 1000},        {"steals", 7},
                        {"most_live_jobs", 12}, {"attempts_lost", 3},      {"stack_bytes", 4096},
                        {"queue_bytes", 2048},  {"per_worker", per_worker}};
    }
  }
  raw_lines lines = lines_of("compare", all);
  lines.push_back(finished_line());
  return lines;
}

}  // namespace stealbench::dataset
