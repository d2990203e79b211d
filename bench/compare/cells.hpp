// A cell of the comparison: one scheduler, one workload instance, one worker count.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "workloads/parameters.hpp"

namespace stealbench::compare {

/// A workload with what is set on it; the other parameters keep their defaults.
struct instance {
  std::string workload;
  std::vector<workloads::assignment> set;

  friend bool operator==(const instance&, const instance&) = default;
};

struct cell {
  std::string scheduler;  ///< The name of the variant in canonical form, settings included.
  std::filesystem::path executable;
  instance what;  ///< Of a micro-figure its name, in the workload's place.
  unsigned workers = 1;
  bool is_figure = false;
};

/// What a size of a workload runs, with the user's assignments laid over it. Throws
/// workloads::bad_input.
[[nodiscard]] std::vector<instance> instances_of(const workloads::description& of,
                                                 std::string_view size,
                                                 const std::vector<workloads::assignment>& by_user);

/// `uts tree=T1`.
[[nodiscard]] std::string label_of(const instance& what);

/// `uts/work-stealing/tree:T1/workers:2`.
[[nodiscard]] std::string name_of(const cell& which);

/// What every run of the cell's executable is given: the scheduler's settings, workload or figure,
/// workers and parameters.
[[nodiscard]] std::vector<std::string> arguments_of(const cell& which);

}  // namespace stealbench::compare
