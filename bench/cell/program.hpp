// What a scheduler's benchmark executable offers, types erased, and one run of it as JSON: what
// `stealbench run` shows, and `stealbench trace` of a recorded one.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "bench/cell/cell.hpp"
#include "bench/cell/self_description.hpp"
#include "bench/costs/times.hpp"
#include "schedulers/counters.hpp"
#include "schedulers/options.hpp"
#include "schedulers/variant.hpp"
#include "workloads/kit/parameters.hpp"

namespace stealbench::cell {

/// A workload on one scheduler type.
struct program {
  kit::description description;
  cell_maker timed;     ///< Counts nothing.
  cell_maker counting;  ///< The same strategy with counting compiled in; null where there is none.
};

/// Named in a scheduler's place where a workload's sequential version is run.
inline constexpr std::string_view sequential_name = "sequential";

/// The scheduler type of an executable. A scheduler whose variants differ in type has several.
struct strategy {
  self_description self;
  std::string_view deque;  ///< Its value of the key `deque`; empty where there is one type only.
  std::vector<program> programs;
  /// Measures a metric of costs::figures(), or its raw cost; null in simulated time.
  costs::figure_result (*measure)(std::string_view figure, const schedulers::options&);
};

/// Defined by the one compilation of scheduler_benchmark.cpp that is linked.
[[nodiscard]] const strategy& linked_strategy();

[[nodiscard]] schedulers::options options_of(std::string_view scheduler, unsigned workers, bool pin,
                                             std::size_t stack_mib,
                                             const schedulers::variant& chosen);

/// Every parameter, and every counter, by its name; null for nothing.
[[nodiscard]] nlohmann::ordered_json json_of(const kit::parameters& chosen);
[[nodiscard]] nlohmann::ordered_json json_of(const std::optional<schedulers::counters>& counted);
[[nodiscard]] nlohmann::ordered_json json_of(std::optional<bool> verified);

/// `uts/work-stealing/tree:T1/workers:2`: the workload, the scheduler, what was set, the workers.
[[nodiscard]] std::string cell_name(std::string_view workload, std::string_view scheduler,
                                    const kit::parameters& chosen, unsigned workers);

/// Runs once timed and, where the scheduler can count, once more for the counters. With
/// `counted_alone` without the timed run, and then `answer` and `time_ns` are null; the counters
/// are those of one run in the steady state, the one of the median time among runs that last for so
/// long together, and `wall_ns`, its time. `verified` is false if an answer is wrong.
[[nodiscard]] nlohmann::ordered_json run_once(
    const program& subject, std::string_view scheduler, const kit::parameters& chosen,
    const schedulers::options& options, std::optional<std::chrono::nanoseconds> counted_alone = {});

/// Intervals for which there is room on each worker's track, unless said otherwise: 40 bytes each.
inline constexpr std::size_t default_events_per_worker = 100'000;
inline constexpr std::size_t most_events_per_worker = 10'000'000;

/// Runs once with the counting variant, and writes the trace (write_chrome_trace) unless the answer
/// is wrong. As run_once of that run, whose time is not that of a timed one; also
/// `dropped_intervals`, and `events`, how many the trace has. Throws kit::bad_input if the
/// scheduler counts nothing or the file cannot be opened.
[[nodiscard]] nlohmann::ordered_json trace_once(const program& subject, std::string_view scheduler,
                                                const kit::parameters& chosen,
                                                const schedulers::options& options,
                                                std::size_t events_per_worker,
                                                const std::string& file);

}  // namespace stealbench::cell
