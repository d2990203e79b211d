// The task graphs whose METG is measured, which points of their curves are worth measuring, and
// what is said of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "results/analysis/metg.hpp"
#include "results/dataset/measurements.hpp"
#include "results/report/document.hpp"

namespace stealbench::experiments::metg {

/// The approximate number of tasks of a graph: large, so that a run is long beside its start, and
/// small, so that the largest tasks do not take long. A graph with too few steps has more tasks.
inline constexpr std::uint64_t tasks_of_a_graph = 512;

/// So that a tree, which begins with one point, becomes wide on a machine of many processors too.
inline constexpr std::uint64_t fewest_steps = 16;

/// Points of a step of Task Bench's graphs for each worker: as few as leave some balance to a
/// scheduler, so that the join of each step counts.
inline constexpr std::uint64_t points_for_each_worker = 4;

/// Independent tasks, a binary tree of forks, and Task Bench's stencil_1d, fft and tree.
[[nodiscard]] std::vector<analysis::task_graph> standard_graphs(unsigned most_workers);

/// The work per task, from large to small: every power of two down to 1.
[[nodiscard]] std::vector<std::uint64_t> work_points(const analysis::task_graph& graph);

/// The cell's instance with so much work in each task, as the workload's executable names it.
[[nodiscard]] dataset::instance with_work(const analysis::task_graph& graph, std::uint64_t work);

/// How many points of the curve, from the largest task on, have to be measured: those down to the
/// first one that is clearly less efficient than 50 %, and one more. Finds that one by bisection,
/// since efficiency falls with the work, in O(log points) calls of `seconds_of(point)`, which
/// returns nothing where that point fails: then all points up to that one are wanted, so that the
/// failure shows.
[[nodiscard]] std::size_t points_wanted(
    const std::vector<std::uint64_t>& work,
    const std::function<std::optional<double>(std::size_t)>& seconds_of);

/// Throws std::invalid_argument if the values of the dataset do not belong together.
[[nodiscard]] std::vector<report::section> metg_sections(const dataset::measurements& data);

}  // namespace stealbench::experiments::metg
