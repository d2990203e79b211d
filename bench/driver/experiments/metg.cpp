// `stealbench metg`: how small a task may be on each scheduler.
#include "bench/driver/experiments/metg/metg.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "bench/driver/experiments/experiment.hpp"
#include "bench/driver/experiments/options.hpp"
#include "bench/driver/rounds/host.hpp"
#include "bench/driver/rounds/progress.hpp"
#include "workloads/graphs/taskbench/taskbench.hpp"
#include "workloads/kit/parameters.hpp"

namespace stealbench::experiments::metg {
namespace {

using analysis::task_graph;
using kit::assignment;

constexpr std::uint64_t most_iterations = 1 << 12;  ///< Of Task Bench's kernel: tens of µs.
constexpr std::uint64_t most_steps = 1 << 14;       ///< Of the tree's leaves: as long.

task_graph task_bench(const std::string& name, taskbench::pattern_kind pattern,
                      const std::string& word, std::uint64_t width) {
  // Nothing to wait for, so no step need be joined.
  const bool is_one_step = pattern == taskbench::pattern_kind::trivial;
  const taskbench::graph graph{
      .pattern = pattern,
      .width = width,
      .steps = is_one_step ? 1 : std::max(fewest_steps, tasks_of_a_graph / width),
      .radix = 1,
      .seed = 1};
  std::uint64_t tasks = 0;
  for (std::uint64_t step = 0; step < graph.steps; ++step) tasks += graph.width_at(step);
  return {.name = name,
          .what = {"taskbench",
                   {{"pattern", word},
                    {"width", std::to_string(graph.width)},
                    {"steps", std::to_string(graph.steps)}}},
          .work = "iterations",
          .tasks = static_cast<double>(tasks)};
}

class metg_experiment final : public experiment {
 public:
  metg_experiment()
      : experiment(
            {.name = "metg",
             .summary =
                 "Measure the minimum effective task granularity of each scheduler, METG(50 %) and "
                 "METG(90 %): the shortest task that still runs at 50 % or 90 % efficiency",
             .notes = fmt::format(
                 "The command measures five task graphs of about {} tasks each, or more with many "
                 "workers: independent tasks, "
                 "a binary tree of forks, and the patterns stencil_1d, fft and tree of Task Bench "
                 "with {} points per worker. Efficiency is work per second relative to that of the "
                 "longest task. First a search of about half a minute, which is not part of the "
                 "budget, selects the task lengths.\n\n",
                 tasks_of_a_graph, points_for_each_worker),
             .examples = {"", "--schedulers work-stealing,onetbb --workers 2 --budget 60"},
             .report = metg_sections,
             .budget_seconds = 150}) {
    // Points are many and their runs short: a process takes less time than of `compare`.
    plan().sample_time = std::chrono::milliseconds(20);
  }

  void declare(settings& options) override {
    add_schedulers(options, schedulers_);
    add_workers(options, workers_, "1 and the number of processors");
  }

  [[nodiscard]] design check(const rounds::installation& installed) override {
    resolve_schedulers(schedulers_, installed);
    return {.about = analysis::json_of(standard_graphs(std::ranges::max(workers_)))};
  }

  void search(const rounds::installation& installed, design& found) override {
    std::vector<std::pair<task_graph, dataset::cell>> curves;
    for (const task_graph& graph : standard_graphs(std::ranges::max(workers_))) {
      for (const dataset::cell& each : every_cell({graph.what}, workers_, schedulers_)) {
        curves.emplace_back(graph, each);
      }
    }
    rounds::progress shown;
    system::process_runner runner;
    shown.begin_stage("searching for the task lengths to measure", {});
    double searched = 0;
    for (const auto& [graph, along] : curves) {
      shown.begin(fmt::format("{} on {}", graph.name, along.scheduler),
                  {.done = searched++ / static_cast<double>(curves.size()), .seconds_left = {}});
      add_wanted_points(graph, along, installed, runner, found.cells);
    }
  }

 private:
  /// The points above and just below the crossing; those further down tell nothing.
  void add_wanted_points(const task_graph& graph, const dataset::cell& along,
                         const rounds::installation& installed, system::process_runner& runner,
                         std::vector<dataset::cell>& cells) {
    const std::vector<std::uint64_t> work = work_points(graph);
    const auto cell_at = [&](std::size_t point) {
      return dataset::cell{with_work(graph, work[point]), along.scheduler, along.workers};
    };
    const auto seconds_at = [&](std::size_t point) -> std::optional<double> {
      const rounds::cell_run run = rounds::run_timed(target_of(cell_at(point), installed),
                                                     std::chrono::seconds(plan().timeout_seconds),
                                                     runner, plan().sample_time);
      if (!run.failure.empty()) return {};
      return dataset::sample_of(run.entry).value()[dataset::metric::seconds];
    };
    const std::size_t wanted = points_wanted(work, seconds_at);
    for (std::size_t point = 0; point < wanted; ++point) cells.push_back(cell_at(point));
  }

  std::vector<std::string> schedulers_;
  std::vector<unsigned> workers_ = dataset::distinct(std::vector{1U, rounds::usable_processors()});
};

}  // namespace

std::vector<task_graph> standard_graphs(unsigned most_workers) {
  using taskbench::pattern_kind;
  const std::uint64_t width = points_for_each_worker * most_workers;
  const auto depth = static_cast<unsigned>(std::bit_width(tasks_of_a_graph) - 1);
  const auto leaves = static_cast<double>(std::uint64_t{1} << depth);
  return {task_bench("independent", pattern_kind::trivial, "trivial",
                     std::max<std::uint64_t>(width, tasks_of_a_graph)),
          {.name = "fork tree",
           .what = {"empty_tree", {{"depth", std::to_string(depth)}}},
           .work = "work",
           .tasks = leaves},
          task_bench("stencil_1d", pattern_kind::stencil_1d, "stencil_1d", width),
          task_bench("fft", pattern_kind::fft, "fft", width),
          task_bench("tree", pattern_kind::tree, "tree", width)};
}

std::vector<std::uint64_t> work_points(const task_graph& graph) {
  std::vector<std::uint64_t> work;
  for (std::uint64_t each = graph.work == "work" ? most_steps : most_iterations; each > 0;
       each /= 2) {
    work.push_back(each);
  }
  return work;
}

dataset::instance with_work(const task_graph& graph, std::uint64_t work) {
  std::vector<assignment> set = graph.what.parameters;
  set.emplace_back(graph.work, std::to_string(work));
  return rounds::instance_of(graph.what.workload,
                             kit::parameters(rounds::find_workload(graph.what.workload), set));
}

std::size_t points_wanted(const std::vector<std::uint64_t>& work,
                          const std::function<std::optional<double>(std::size_t)>& seconds_of) {
  if (work.empty()) return 0;
  // One measurement is not to be trusted with the last few percent.
  constexpr double clearly_below = 0.45;
  const std::optional<double> largest = seconds_of(0);
  if (!largest) return 1;
  const double best_rate = static_cast<double>(work.front()) / *largest;
  std::size_t last_above = 0;
  std::size_t first_below = work.size();
  while (last_above + 1 < first_below) {
    const std::size_t middle = std::midpoint(last_above, first_below);
    const std::optional<double> seconds = seconds_of(middle);
    if (!seconds) return middle + 1;
    const double efficiency = static_cast<double>(work[middle]) / *seconds / best_rate;
    (efficiency < clearly_below ? first_below : last_above) = middle;
  }
  return std::min(first_below + 2, work.size());
}

std::unique_ptr<experiment> make() { return std::make_unique<metg_experiment>(); }

}  // namespace stealbench::experiments::metg
