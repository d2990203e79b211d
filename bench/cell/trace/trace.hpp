// One recorded run: what `stealbench trace` writes.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "bench/cell/program.hpp"
#include "schedulers/options.hpp"
#include "workloads/parameters.hpp"

namespace stealbench::cell {

/// Stretches for which there is room on each worker's track, unless said otherwise: 40 bytes each.
inline constexpr std::size_t default_events_per_worker = 100'000;
inline constexpr std::size_t most_events_per_worker = 10'000'000;

struct traced_run {
  /// As of run_once, of the one run that there is: it counts and is recorded, so its time is not
  /// that of a timed run. Also `events`, how many the trace has, and `dropped_stretches`.
  nlohmann::ordered_json report;
  std::string trace;  ///< See chrome_trace_of.
};

/// Runs once with the counting variant. Throws workloads::bad_input if the scheduler has none.
[[nodiscard]] traced_run trace_once(const program& of, std::string_view scheduler,
                                    const workloads::parameters& chosen,
                                    const schedulers::options& options,
                                    std::size_t events_per_worker);

}  // namespace stealbench::cell
