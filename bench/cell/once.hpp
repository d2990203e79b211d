// One run, described as JSON: what `stealbench run` shows.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "bench/cell/program.hpp"
#include "schedulers/counters.hpp"
#include "schedulers/options.hpp"
#include "schedulers/variant.hpp"
#include "workloads/parameters.hpp"

namespace stealbench::cell {

[[nodiscard]] schedulers::options options_of(unsigned workers, bool pin, std::size_t stack_mib,
                                             const schedulers::variant& chosen);

/// `uts/work-stealing/tree:T1/workers:2`: the workload, the scheduler, what was set, the workers.
[[nodiscard]] std::string cell_name(std::string_view workload, std::string_view scheduler,
                                    const workloads::parameters& chosen, unsigned workers);

/// `workload`, `scheduler`, `workers` and `parameters`: how the report of a run begins.
[[nodiscard]] nlohmann::ordered_json description_of_run(const program& of,
                                                        std::string_view scheduler,
                                                        const workloads::parameters& chosen,
                                                        const schedulers::options& options);

[[nodiscard]] nlohmann::ordered_json json_of(const schedulers::counters& counted);
/// True, false, or null where no answer is known.
[[nodiscard]] nlohmann::ordered_json json_of(std::optional<bool> verified);

/// Runs once timed and, where the scheduler can count, once more for the counters; with
/// `counters_only` without the timed run, and then `answer` and `time_ns` are null. `verified` is
/// false if an answer is wrong.
[[nodiscard]] nlohmann::ordered_json run_once(const program& of, std::string_view scheduler,
                                              const workloads::parameters& chosen,
                                              const schedulers::options& options,
                                              bool counters_only = false);

}  // namespace stealbench::cell
