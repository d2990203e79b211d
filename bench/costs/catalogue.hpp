// The figures that can be made of any scheduler, as the executables and the driver name them.
#pragma once

#include <string_view>
#include <vector>

namespace stealbench::costs {

enum class figure { fork, spawn, steal, wake, run, loop_0, loop_1000 };

struct figure_description {
  figure which;
  std::string_view name;  ///< As on the command line.
  std::string_view meaning;
  unsigned workers;          ///< The number that it is made with.
  bool needs_other_workers;  ///< Whether it says nothing where there is one worker only.
};

/// In the order of a table's columns.
[[nodiscard]] const std::vector<figure_description>& figures();

/// Throws workloads::bad_input, which names the valid ones.
[[nodiscard]] const figure_description& find_figure(std::string_view name);

/// Why this scheduler, named without settings, has no such figure; empty if it has one.
[[nodiscard]] std::string_view why_not_applicable(const figure_description& of,
                                                  std::string_view scheduler);

}  // namespace stealbench::costs
