// The sequential version of every workload, plain code which no scheduler runs, and the raw cost
// that bounds every figure. They have the command line of a scheduler, so that they are run and
// compared like one.
#include <optional>
#include <string>
#include <string_view>

#include "bench/cell/registration.hpp"

namespace stealbench::cell {
namespace {

struct sequential {
  static constexpr std::string_view name = sequential_name;
  static schedulers::description describe() {
    return {.group = schedulers::group::baseline,
            .summary =
                "each workload's sequential version, which knows of no scheduler; measured "
                "only if named"};
  }
  static std::string library() { return "none"; }

  explicit sequential(const schedulers::options& /*unused*/) {}
  static unsigned worker_count() { return 1; }
  static std::optional<schedulers::counters> counters() { return {}; }
};

[[maybe_unused]] const bool is_registered = register_scheduler<sequential>(&costs::measure_raw);

}  // namespace
}  // namespace stealbench::cell
