// What is measured of a process, by name.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace stealbench::dataset {

/// Values are of one run in the steady state unless their meaning says otherwise.
enum class metric : std::uint8_t {
  seconds,             ///< Wall time; the median where a process made several runs.
  cpu_seconds,         ///< Processor time of all threads: user and system.
  user_seconds,        ///< Its part in user mode.
  system_seconds,      ///< Its part in the kernel.
  start_up_seconds,    ///< Making the scheduler.
  first_run_seconds,   ///< Wall time of the run before the steady state.
  voluntary_switches,  ///< Of threads that waited.
  forced_switches,     ///< Of threads that had to give way.
  peak_rss_bytes,      ///< Of the whole process.
  energy_joules,       ///< Of the whole machine, where it can be read.
  bytes_per_worker,    ///< Memory of a pool, divided by its workers; of some cost figures only.
  runs,                ///< How many runs the values come from.
  fork_count,          ///< Tasks: forked branches and spawned children.
  worker_count         ///< Workers that the scheduler had: serial has one, whatever is set.
};

struct metric_description {
  std::string_view name;  ///< In the raw file, the unit last.
  bool is_required;       ///< Whether every process has it.
};

/// In the order of the enumerators.
inline constexpr std::array metrics{metric_description{"seconds", true},
                                    metric_description{"cpu_seconds", true},
                                    metric_description{"user_seconds", true},
                                    metric_description{"system_seconds", true},
                                    metric_description{"start_up_seconds", true},
                                    metric_description{"first_run_seconds", true},
                                    metric_description{"voluntary_switches", true},
                                    metric_description{"forced_switches", true},
                                    metric_description{"peak_rss_bytes", true},
                                    metric_description{"energy_joules", false},
                                    metric_description{"bytes_per_worker", false},
                                    metric_description{"runs", true},
                                    metric_description{"fork_count", true},
                                    metric_description{"worker_count", true}};

[[nodiscard]] constexpr std::string_view name_of(metric which) {
  return metrics.at(static_cast<std::size_t>(which)).name;
}

/// The values of one process.
class sample {
 public:
  [[nodiscard]] std::optional<double> operator[](metric which) const {
    return values_.at(static_cast<std::size_t>(which));
  }
  void set(metric which, double value) { values_.at(static_cast<std::size_t>(which)) = value; }

 private:
  std::array<std::optional<double>, metrics.size()> values_{};
};

}  // namespace stealbench::dataset
