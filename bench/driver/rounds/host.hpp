// What of this machine may disturb a measurement, looked at before it begins.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "results/dataset/measurements.hpp"
#include "results/system/host.hpp"
#include "schedulers/operating_system/processors.hpp"

namespace stealbench::rounds {

enum class verdict : std::uint8_t { pass, warn, unknown };

struct host_check {
  std::string check;   ///< What was looked at: `governor`, `turbo`, `smt` and so on.
  verdict found;       ///< `unknown` where the system does not say.
  std::string detail;  ///< What was found; of a warning also why it matters and what to do.
};

/// Where the system shows itself, and how time passes; otherwise for tests.
struct host : system::host_files {
  /// Processors that this process may use, by its affinity, and their cores and NUMA nodes (0: not
  /// known); and processors that the machine has.
  unsigned allowed = operating_system::processor_count();
  unsigned cores = operating_system::this_machine().cores();
  unsigned memory_nodes = operating_system::this_machine().memory_nodes();
  unsigned installed = std::thread::hardware_concurrency();
  std::function<void(std::chrono::milliseconds)> sleep = [](std::chrono::milliseconds time) {
    std::this_thread::sleep_for(time);
  };
};

/// Of the processors that this process may use, those that its control groups leave it time for; at
/// least 1, and at most as many as a scheduler may have workers.
[[nodiscard]] unsigned usable_processors(const host& where = {});

/// Time of all processors since the system began, in its own ticks.
struct processor_time {
  double idle;    ///< Of it, what no program had.
  double stolen;  ///< Of it, what another guest of the same host had.
  double all;
};

/// None where the system does not say.
[[nodiscard]] std::optional<processor_time> processor_time_of(const host& where = {});

/// Waits until programs use less than half a processor, but not for longer than `longest`, and says
/// so on the standard error output. Not where the system does not say.
void wait_until_calm(std::chrono::milliseconds longest, const host& where = {});

/// All checks but those below, in a fixed order; none is ever left out. Takes a fifth of a second
/// on a machine that was busy in the last minute.
[[nodiscard]] std::vector<host_check> checks_before(unsigned most_workers, const host& where = {});

/// Whether another guest had the processors while it was measured; of a resumed experiment, only
/// since the resumption.
[[nodiscard]] host_check steal_time_between(const std::optional<processor_time>& before,
                                            const std::optional<processor_time>& after,
                                            bool is_resumed = false);

/// Whether benchmarks had all the processors that they wanted, by what their processes recorded.
[[nodiscard]] host_check processors_during(const dataset::measurements& data);

/// As a raw file has it.
[[nodiscard]] nlohmann::ordered_json json_of(const host_check& check);

/// A line for each warning among checks of a raw file, and one that names what is unknown.
[[nodiscard]] std::string warnings_in(const nlohmann::ordered_json& checks);

}  // namespace stealbench::rounds
