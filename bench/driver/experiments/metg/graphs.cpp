#include "bench/driver/experiments/metg/graphs.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <string>

#include "bench/driver/rounds/installation.hpp"
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

}  // namespace stealbench::experiments::metg
