// LLVM's OpenMP runtime, libomp, below the same tasks: what GCC's code calls of libgomp, libomp has
// under the same names. Clang's own code calls it more directly; with Clang, `openmp` does.
#pragma once

#include <string>
#include <string_view>

#include "schedulers/openmp/scheduler.hpp"

namespace stealbench::openmp_llvm {

/// See openmp::scheduler.
class scheduler : public openmp::scheduler_on<openmp::runtime::llvm> {
 public:
  using scheduler_on::scheduler_on;
  static constexpr std::string_view name = "openmp-llvm";
  static schedulers::description describe() {
    schedulers::description known = scheduler_on::describe();
    known.summary = "LLVM's OpenMP runtime: task, taskwait, taskloop";
    return known;
  }

  /// By the folder of the library, because it cannot be asked for its version.
  static std::string library() { return "libomp of " STEALBENCH_LIBOMP_VERSION; }
};

static_assert(schedulers::scheduler<scheduler>);

}  // namespace stealbench::openmp_llvm
