// A cell: one scheduler on one workload instance with one worker count, and what was measured of
// it.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "results/dataset/metric.hpp"

namespace stealbench::dataset {

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

  friend bool operator==(const cell&, const cell&) = default;
};

/// `uts/work-stealing/tree:T1/workers:2`, and `/vary:transfer=0.5` if a cost is varied: unique in a
/// dataset.
[[nodiscard]] std::string name_of(const cell& which);

struct measured_cell {
  cell which;
  std::vector<sample> samples;  ///< One for each round that it finished.
  /// Of a separate run, or of the first simulation; null if it has none.
  nlohmann::ordered_json counters = nullptr;
  bool was_counted = false;  ///< Whether that run has been made.
  /// What the simulation of each sample printed, without counters; empty if it was measured.
  std::vector<nlohmann::ordered_json> simulations = {};
  std::string failure;  ///< Why it did not finish; empty if it has not failed.
};

[[nodiscard]] bool has_finished(const measured_cell& cell);

/// Why a cell has no value, for a table. Requires: it has not finished.
[[nodiscard]] std::string reason_of(const measured_cell& cell);

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
