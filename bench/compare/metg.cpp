#include "bench/compare/metg.hpp"

#include <algorithm>
#include <chrono>
#include <iostream>
#include <memory>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "bench/compare/measure.hpp"
#include "bench/compare/metg_graphs.hpp"
#include "bench/compare/metg_report.hpp"
#include "bench/compare/process.hpp"
#include "bench/compare/progress.hpp"
#include "bench/compare/series.hpp"

namespace stealbench::compare {
namespace {

/// Points are many and their runs short, so each process takes less time than that of a comparison.
constexpr std::chrono::milliseconds point_time{20};

struct metg_request {
  std::string schedulers;
  std::string workers = "1,2";
  series_request series = {.budget_seconds = "150"};
};

/// A curve that is to be measured.
struct metg_curve {
  runnable scheduler;
  unsigned workers;
  task_graph graph;
};

std::vector<metg_curve> curves_of(const std::vector<task_graph>& graphs,
                                  const std::vector<runnable>& schedulers,
                                  const std::vector<unsigned>& workers) {
  std::vector<metg_curve> curves;
  for (const task_graph& graph : graphs) {
    for (const unsigned count : workers) {
      for (const runnable& each : schedulers) {
        // Serial has one worker, whatever is asked.
        const bool is_repeated = each.name == "serial" && count != workers.front();
        if (!is_repeated) curves.push_back({each, count, graph});
      }
    }
  }
  return curves;
}

/// The points above and just below the crossing; those further down tell nothing.
void add_wanted_points(const metg_curve& of, const record& kept, const signal_watch& watch,
                       plan& to) {
  const std::vector<std::uint64_t> work = work_points(of.graph);
  const auto cell_at = [&](std::size_t point) {
    return cell{of.scheduler.name, of.scheduler.executable, with_work(of.graph, work[point]),
                of.workers};
  };
  const std::size_t wanted = points_wanted(work, [&](std::size_t point) -> std::optional<double> {
    const timed_run run =
        run_timed(cell_at(point), to.timeout, kept.scratch_file(), watch, to.sample_time);
    if (!run.failure.empty()) return {};
    return run.measured.seconds;
  });
  for (std::size_t point = 0; point < wanted; ++point) to.cells.push_back(cell_at(point));
}

int measure_metg(const metg_request& asked) {
  const installation here = installation::of_this_program();
  const std::vector<runnable> schedulers = chosen_schedulers(asked.schedulers, here);
  const std::vector<unsigned> workers = chosen_workers(asked.workers);
  plan what = plan_without_cells(asked.series);
  what.sample_time = point_time;
  const std::vector<task_graph> graphs =
      standard_graphs(*std::max_element(workers.begin(), workers.end()));
  const std::vector<metg_curve> curves = curves_of(graphs, schedulers, workers);

  record kept(asked.series.output, earlier::replace, "metg");
  {
    progress shown;
    const signal_watch watch;  // One at a time: the measurement has its own.
    shown.begin_stage("looking for the crossings", {});
    for (std::size_t i = 0; i < curves.size(); ++i) {
      const auto done = static_cast<double>(i) / static_cast<double>(curves.size());
      shown.begin(fmt::format("{} on {}", curves[i].graph.name, curves[i].scheduler.name),
                  {.done = done, .seconds_left = {}});
      add_wanted_points(curves[i], kept, watch, what);
    }
  }
  kept.describe("graphs", json_of(graphs));
  std::vector<std::string> names;
  for (const runnable& each : schedulers) names.push_back(each.name);
  kept.describe("schedulers", fmt::format("{}", fmt::join(names, ",")));
  kept.describe("workers", asked.workers);
  return measure_series(
      std::move(what), asked.series, kept,
      [](const std::vector<cell_result>& results, const nlohmann::ordered_json& context) {
        return series_account{.title = "METG",
                              .tables = metg_tables(results, context),
                              .verdicts = {},
                              .guide = metg_guide()};
      });
}

}  // namespace

void declare_metg(CLI::App& program, const std::vector<std::string>& arguments, int& status) {
  const auto asked = std::make_shared<metg_request>();
  CLI::App* const command = program.add_subcommand(
      "metg", "Measure how small a task may be on each scheduler: METG(50 %) and METG(90 %)");
  command->add_option(
      "--schedulers", asked->schedulers,
      "Separated by commas, with settings as in `run` (default: all that are built)");
  command->add_option("--workers", asked->workers, "Numbers of workers, separated by commas")
      ->capture_default_str();
  declare_series_options(*command, "metg", asked->series);
  command->callback([asked, arguments, &status] {
    asked->series.command = fmt::format("stealbench {}", fmt::join(arguments, " "));
    status = measure_metg(*asked);
  });
  command->footer(fmt::format(
      "Graphs of about {} tasks: independent, a binary tree of forks, and Task Bench's stencil_1d, "
      "fft and tree, {} points for each worker. With all seven schedulers it takes less than 4 "
      "minutes: half a minute to find which points matter, then the budget. Exit status: 0 if all "
      "cells finished, 1 if one did not or a file could not be written, 2 for bad input, found "
      "before any cell ran.",
      tasks_of_a_graph, points_for_each_worker));
}

}  // namespace stealbench::compare
