// The metrics that can be measured on any scheduler, as the executables and stealbench name them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace stealbench::costs {

/// Of a metric's value: its time, or the counter `bytes_per_worker`.
enum class figure_unit { seconds, bytes };

struct figure_description {
  std::string_view name;  ///< As on the command line.
  std::string_view meaning;
  unsigned workers;          ///< The worker count that it is measured with.
  bool needs_other_workers;  ///< It has no meaning for a scheduler of one worker.
  std::string_view raw;      ///< What the row `sequential` measures: the raw cost that bounds it.
  figure_unit unit = figure_unit::seconds;
};

/// The raw cost of a hand-over, as `steal` measures it, is the time of two transfers of a line: the
/// writer's line, of which the spinning reader has a copy, comes back for the store, and then goes
/// to the reader.
inline constexpr double transfers_per_handover = 2;

/// In the order of a table's columns.
[[nodiscard]] const std::vector<figure_description>& figures();

[[nodiscard]] std::vector<std::string> figure_names();

/// Throws kit::bad_input, which names the valid ones.
[[nodiscard]] const figure_description& find_figure(std::string_view name);

/// Why this scheduler, named without settings, has no such metric; empty if it has one. The name
/// `sequential` has every metric: its raw cost.
[[nodiscard]] std::string_view why_not_applicable(const figure_description& wanted,
                                                  std::string_view scheduler);

}  // namespace stealbench::costs
