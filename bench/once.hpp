// One run, described as JSON: what `stealbench run` shows.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "bench/program.hpp"
#include "bench/variant.hpp"
#include "schedulers/options.hpp"
#include "workloads/parameters.hpp"

namespace stealbench::bench {

[[nodiscard]] schedulers::options options_of(unsigned workers, bool pin, std::size_t stack_mib,
                                             const variant& chosen);

/// `uts/work-stealing/tree:T1/workers:2`: the workload, the scheduler, what was set, the workers.
[[nodiscard]] std::string cell_name(std::string_view workload, std::string_view scheduler,
                                    const workloads::parameters& chosen, unsigned workers);

/// Runs once timed and, where the scheduler can count, once more for the counters. `verified` is
/// false if either answer is wrong.
[[nodiscard]] nlohmann::ordered_json run_once(const program& of, std::string_view scheduler,
                                              const workloads::parameters& chosen,
                                              const schedulers::options& options);

}  // namespace stealbench::bench
