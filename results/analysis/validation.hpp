// How far simulated times are from measured ones, benchmark by benchmark.
//
// All functions are pure; any thread may call them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "results/analysis/estimates.hpp"

namespace stealbench::analysis {

/// A benchmark is contended if its workers wait for a greater part of their time.
inline constexpr double contended_above = 0.1;

/// What the model is to reach on benchmarks whose parameters were not calibrated.
struct goal {
  static constexpr double median_error = 0.05;        ///< Of uncontended ones, at most.
  static constexpr double ninth_decile_error = 0.15;  ///< Likewise.
  static constexpr double factor = 2;                 ///< Of contended ones, the greatest at most.
};

struct validated_cell {
  dataset::cell which;
  std::vector<double> rounds;  ///< Measured, in seconds.
  estimate measured;           ///< Seconds.
  estimate simulated;          ///< Seconds.
  /// The part of the workers' time, in the simulation, in which they wait for cache lines; or, if
  /// that is more, for cache lines and locks while they run tasks. Of a worker that looks for a
  /// task, the simulation does not tell sleep in a lock from sleep for want of tasks.
  double waiting;
  std::string unit_from;  ///< The instance whose price of a unit was taken; empty for its own.

  /// With these parameters nothing was calibrated.
  [[nodiscard]] bool is_held_out() const { return !unit_from.empty(); }
  [[nodiscard]] bool is_contended() const { return waiting > contended_above; }
  /// Signed, as a part of the measured time.
  [[nodiscard]] double error() const { return simulated.median / measured.median - 1; }
  /// At least 1.
  [[nodiscard]] double factor() const {
    const double ratio = simulated.median / measured.median;
    return std::max(ratio, 1 / ratio);
  }
};

/// Two schedulers that the measurement tells apart, by the test of evidence.hpp: below six rounds
/// there is no such pair. Indices of validation::cells.
struct scheduler_pair {
  std::size_t faster;  ///< As measured.
  std::size_t slower;
};

struct validation {
  std::vector<validated_cell> cells;  ///< In the order of the measurement.
  /// The benchmarks of either dataset that are not compared, but simulations with varied costs,
  /// each with the reason.
  std::vector<std::pair<std::string, std::string>> unpaired;
  std::vector<scheduler_pair> pairs;  ///< Of one instance and worker count each.
  std::vector<std::string> warnings;  ///< Why the comparison may be unfair.

  /// Whether the simulation has the same one ahead.
  [[nodiscard]] bool is_right(const scheduler_pair& each) const {
    return cells[each.faster].simulated.median < cells[each.slower].simulated.median;
  }
  /// Whether one of the two is, at least.
  [[nodiscard]] bool is_contended(const scheduler_pair& each) const {
    return cells[each.faster].is_contended() || cells[each.slower].is_contended();
  }
};

/// Whether the simulation's profile is of the processor that was measured, whatever it says of it
/// further.
[[nodiscard]] bool is_same_machine(const measurements& measured, const measurements& simulated);

/// Throws schedulers::bad_input unless they have a benchmark in common that has finished in both.
/// Requires: the first is of `compare`, the second of `simulate`.
[[nodiscard]] validation validate(const measurements& measured, const measurements& simulated);

/// The errors of some benchmarks. A ninth decile is the least value that nine in ten do not exceed.
struct error_summary {
  std::size_t cells;
  std::size_t contended_cells;
  double median;        ///< Of the size of the error.
  double ninth_decile;  ///< Likewise.
  double greatest;      ///< Likewise.
  double bias;          ///< The median of the signed error.
  double ninth_decile_factor;
  double greatest_factor;
};

/// None if the condition holds for none.
[[nodiscard]] std::optional<error_summary> summary_of(
    const validation& found, const std::function<bool(const validated_cell&)>& is_meant);

/// Of the benchmarks held out, those that are contended or those that are not.
[[nodiscard]] std::optional<error_summary> held_out_summary(const validation& found,
                                                            bool is_contended);

/// What a profile states as its accuracy, of the benchmarks held out: the median and the ninth
/// decile of the uncontended errors, the ninth decile of the contended factors, and how many they
/// are. Throws schedulers::bad_input if no benchmark held out is contended, or none is not.
[[nodiscard]] json accuracy_of(const validation& found);

}  // namespace stealbench::analysis
