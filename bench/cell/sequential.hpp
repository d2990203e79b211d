// Instead of a scheduler: what runs the sequential version of each workload, plain code that
// no scheduler runs, and the raw cost that bounds each metric: they have the command line of a
// scheduler, so that they are run and compared like one.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "bench/cell/program.hpp"
#include "schedulers/counters.hpp"
#include "schedulers/description.hpp"
#include "schedulers/operating_system/thread.hpp"
#include "schedulers/options.hpp"

namespace stealbench::cell {

class sequential {
 public:
  static constexpr std::string_view name = sequential_name;
  static schedulers::description describe() {
    return {.group = schedulers::group::baseline,
            .summary =
                "each workload's sequential version, which knows of no scheduler; measured "
                "only if named"};
  }
  static std::string library() { return "none"; }

  /// The thread that makes it also runs it.
  explicit sequential(const schedulers::options& options) {
    if (options.pin) pinned_.emplace(0U);
  }
  static unsigned worker_count() { return 1; }
  static std::optional<schedulers::counters> counters() { return {}; }

 private:
  std::optional<operating_system::pin_scope> pinned_;
};

}  // namespace stealbench::cell
