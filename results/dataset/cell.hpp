// A cell: one scheduler on one workload instance with one worker count, and what was measured of
// it, by name.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

namespace stealbench::dataset {

using json = nlohmann::ordered_json;

/// Values are of one run in the steady state unless their meaning says otherwise.
enum class metric : std::uint8_t {
  seconds,             ///< Wall time; the median of several runs.
  cpu_seconds,         ///< Processor time of all threads: user and system.
  user_seconds,        ///< Its part in user mode.
  system_seconds,      ///< Its part in the kernel.
  start_up_seconds,    ///< Making the scheduler.
  first_run_seconds,   ///< Wall time of the run before the steady state.
  voluntary_switches,  ///< Of threads that waited.
  forced_switches,     ///< Of threads that had to give way.
  peak_rss_bytes,      ///< Of the whole process.
  bytes_per_worker,    ///< Memory of a pool, divided by its workers; of some cost figures only.
  waiting_threads,     ///< Threads that were ready and waited for a processor, on average.
  runs,                ///< How many runs the values come from.
  fork_count,          ///< Tasks: forked branches and spawned children.
  worker_count,        ///< Workers that the scheduler had: serial has one, whatever is set.
  // Of simulated runs. Shares are parts of workers × seconds, and their sum is 1.
  work_share,      ///< The work of the tasks.
  overhead_share,  ///< Instructions of the scheduler around a fork, a spawn or a task.
  search_share,    ///< Looking for a task.
  lines_share,     ///< Waiting for cache lines.
  asleep_share,    ///< Asleep, or about to sleep or to wake.
  tasks_moved,     ///< Tasks that another worker ran than the one that forked or spawned them.
  steal_attempts   ///< Successful or not.
};

/// Which processes have a value.
enum class presence : std::uint8_t {
  always,     ///< Every process.
  measured,   ///< Every measured process.
  sometimes,  ///< Some measured processes.
  simulated   ///< Every simulation.
};

// What a process may have. More is a damaged file, or one that no machine could analyse.
inline constexpr unsigned most_workers = 65'536;
inline constexpr double most_seconds = 1e9;  ///< Thirty years.
inline constexpr double least_seconds = 1e-15;
inline constexpr double most_events = 1e18;     ///< Of every other value: counts and bytes.
inline constexpr double most_share = 1.000001;  ///< A quotient of rounded sums.

struct metric_description {
  std::string_view name;  ///< In the raw file, the unit last.
  presence where;
  double least;
  double most;
};

/// In the order of the enumerators.
inline constexpr auto metrics = [] {
  using enum presence;
  return std::to_array<metric_description>({{"seconds", always, least_seconds, most_seconds},
                                            {"cpu_seconds", measured, 0, most_seconds},
                                            {"user_seconds", measured, 0, most_seconds},
                                            {"system_seconds", measured, 0, most_seconds},
                                            {"start_up_seconds", measured, 0, most_seconds},
                                            {"first_run_seconds", measured, 0, most_seconds},
                                            {"voluntary_switches", measured, 0, most_events},
                                            {"forced_switches", measured, 0, most_events},
                                            {"peak_rss_bytes", measured, 0, most_events},
                                            {"bytes_per_worker", sometimes, 0, most_events},
                                            {"waiting_threads", sometimes, 0, most_events},
                                            {"runs", measured, 1, most_events},
                                            {"fork_count", always, 0, most_events},
                                            {"worker_count", always, 1, most_workers},
                                            {"work_share", simulated, 0, most_share},
                                            {"overhead_share", simulated, 0, most_share},
                                            {"search_share", simulated, 0, most_share},
                                            {"lines_share", simulated, 0, most_share},
                                            {"asleep_share", simulated, 0, most_share},
                                            {"tasks_moved", simulated, 0, most_events},
                                            {"steal_attempts", simulated, 0, most_events}});
}();

[[nodiscard]] constexpr const metric_description& description_of(metric which) {
  return metrics.at(static_cast<std::size_t>(which));
}

[[nodiscard]] constexpr std::string_view name_of(metric which) {
  return description_of(which).name;
}

/// Whether processes that were measured, or simulated, can have it.
[[nodiscard]] constexpr bool is_written(metric which, bool is_simulated) {
  const presence where = description_of(which).where;
  return where == presence::always || (where == presence::simulated) == is_simulated;
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

/// A workload with the parameters that differ from their defaults; or a cost figure.
struct instance {
  std::string workload;
  std::vector<std::pair<std::string, std::string>> parameters;

  friend bool operator==(const instance&, const instance&) = default;
};

/// `uts tree=T1`.
[[nodiscard]] std::string label_of(const instance& what);

/// A parameter that is set to a whole number; none if it is not.
[[nodiscard]] std::optional<double> number_of(const instance& what, const std::string& parameter);

/// The instance with that parameter left at its default.
[[nodiscard]] instance without(instance what, const std::string& parameter);

struct cell {
  instance what;
  std::string scheduler;  ///< The name in canonical form, settings included.
  unsigned workers = 1;
  /// Of a simulation, the cost of the profile that is multiplied: `transfer=0.5`; empty for none.
  std::string varied = {};
  std::string build = {};  ///< Of two builds that are compared, `A` or `B`; else empty.
  /// Of a simulation in an experiment that measures too: its profile; else empty.
  std::string machine = {};

  friend bool operator==(const cell&, const cell&) = default;
};

/// `uts/work-stealing/tree:T1/workers:2`, `/vary:transfer=0.5` if a cost is varied, `/build:A`
/// of one of two builds, and `/machine:reference` if the cell has one: unique in a dataset.
[[nodiscard]] std::string name_of(const cell& which);

struct measured_cell {
  cell which;
  std::vector<sample> samples;  ///< One for each round that it finished.
  /// Of a separate run, or of the first simulation; null if it has none.
  json counters = nullptr;
  bool was_counted = false;  ///< Whether that run has been made.
  /// What the simulation of each sample printed, without counters; empty if it was measured.
  std::vector<json> simulations = {};
  std::string failure;  ///< Why it did not finish; empty if it has not failed.
};

[[nodiscard]] inline bool has_finished(const measured_cell& cell) {
  return cell.failure.empty() && !cell.samples.empty();
}

/// Why a cell has no value, for a table. Requires: it has not finished.
[[nodiscard]] std::string reason_of(const measured_cell& cell);

/// The workers that the scheduler had: `serial` has one, whatever the cell says. Those of the cell
/// where no process of it has finished.
[[nodiscard]] unsigned workers_of(const measured_cell& cell);

/// One value for each round; empty if a round lacks it.
[[nodiscard]] std::vector<double> values_of(const measured_cell& cell, metric which);

/// One counter of the run that counts; none if there is no such number.
[[nodiscard]] std::optional<double> counter_of(const measured_cell& cell, const char* name);

/// The distinct elements, in the order of their first appearance.
template <class T>
[[nodiscard]] std::vector<T> distinct(const std::vector<T>& all) {
  std::vector<T> kept;
  for (const T& each : all) {
    if (std::find(kept.begin(), kept.end(), each) == kept.end()) kept.push_back(each);
  }
  return kept;
}

}  // namespace stealbench::dataset
