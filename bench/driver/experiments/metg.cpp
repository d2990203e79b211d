// `stealbench metg`: how small a task may be on each scheduler.
#include <algorithm>

#include <fmt/format.h>

#include "bench/driver/experiments/experiment.hpp"
#include "bench/driver/experiments/metg/graphs.hpp"
#include "bench/driver/experiments/metg/sections.hpp"
#include "bench/driver/experiments/options.hpp"
#include "bench/driver/rounds/host.hpp"
#include "bench/driver/rounds/progress.hpp"

namespace stealbench::experiments::metg {
namespace {

class metg_experiment final : public experiment {
 public:
  metg_experiment()
      : experiment(
            {.name = "metg",
             .summary =
                 "Measure the minimum effective task granularity of each scheduler, METG(50 %) and "
                 "METG(90 %): the shortest task that still runs at 50 % or 90 % efficiency",
             .notes = fmt::format(
                 "The command measures five task graphs of about {} tasks each: independent tasks, "
                 "a binary tree of forks, and the patterns stencil_1d, fft and tree of Task Bench "
                 "with {} points per worker. Efficiency is work per second relative to that of the "
                 "longest "
                 "task. First a search of about half a minute, which is not part of the budget, "
                 "selects the task lengths.\n\n",
                 tasks_of_a_graph, points_for_each_worker),
             .examples =
                 "Examples:\n"
                 "  stealbench metg\n"
                 "  stealbench metg --schedulers work-stealing,onetbb --workers 2 --budget 60"},
            150) {
    // Points are many and their runs short: a process takes less time than of `compare`.
    plan().sample_time = std::chrono::milliseconds(20);
  }

  void declare(settings& options) override {
    add_schedulers(options, schedulers_);
    add_workers(options, workers_, "1 and the number of processors");
  }

  void check(const rounds::installation& installed) override {
    resolve_schedulers(schedulers_, installed);
  }

  [[nodiscard]] design make(const rounds::installation& installed) override {
    const std::vector<analysis::task_graph> graphs =
        standard_graphs(*std::max_element(workers_.begin(), workers_.end()));
    design made{.cells = {}, .about = analysis::json_of(graphs)};
    rounds::progress shown;
    system::process_runner runner;
    shown.begin_stage("searching for the task lengths to measure", {});
    const std::vector<curve> curves = curves_over(graphs);
    for (std::size_t i = 0; i < curves.size(); ++i) {
      shown.begin(fmt::format("{} on {}", curves[i].graph.name, curves[i].scheduler),
                  {.done = static_cast<double>(i) / static_cast<double>(curves.size()),
                   .seconds_left = {}});
      add_wanted_points(curves[i], installed, runner, made.cells);
    }
    return made;
  }

  [[nodiscard]] std::vector<report::section> report(
      const dataset::measurements& data) const override {
    return metg_sections(data);
  }

 private:
  struct curve {
    std::string scheduler;
    unsigned workers;
    analysis::task_graph graph;
  };

  [[nodiscard]] std::vector<curve> curves_over(
      const std::vector<analysis::task_graph>& graphs) const {
    std::vector<curve> curves;
    for (const analysis::task_graph& graph : graphs) {
      for (const unsigned count : workers_) {
        for (const std::string& each : schedulers_) {
          if (is_measured_with(count, workers_, each)) curves.push_back({each, count, graph});
        }
      }
    }
    return curves;
  }

  /// The points above and just below the crossing; those further down tell nothing.
  void add_wanted_points(const curve& along, const rounds::installation& installed,
                         system::process_runner& runner, std::vector<dataset::cell>& cells) const {
    const std::vector<std::uint64_t> work = work_points(along.graph);
    const auto cell_at = [&](std::size_t point) {
      return dataset::cell{with_work(along.graph, work[point]), along.scheduler, along.workers};
    };
    const auto executable = installed.choose(along.scheduler).executable;
    const auto seconds_at = [&](std::size_t point) -> std::optional<double> {
      const rounds::timed_run run = rounds::run_timed({cell_at(point), executable},
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

std::unique_ptr<experiment> make() { return std::make_unique<metg_experiment>(); }

}  // namespace stealbench::experiments::metg
