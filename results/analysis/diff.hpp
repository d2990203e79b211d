// What has changed between two datasets of one experiment.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "results/analysis/statistics.hpp"
#include "results/dataset/measurements.hpp"

namespace stealbench::analysis {

/// Wider than elsewhere, because a diff asks the same question of every cell: of fifty that have
/// not changed, 95 % intervals would call two or three changed.
inline constexpr double diff_confidence = 0.99;

enum class change : std::uint8_t {
  none,    ///< Not shown, or not above the threshold.
  slower,  ///< Or failed, where it had finished.
  faster,  ///< Or finished, where it had failed.
};

struct cell_change {
  std::string cell;
  change found;
  std::optional<estimate> before;  ///< Seconds; none if it failed.
  std::optional<estimate> after;
  std::optional<estimate> ratio;  ///< After over before, with that confidence.
  std::string failure;            ///< Why it failed afterwards; empty if it did not.
};

struct difference {
  std::vector<cell_change> cells;  ///< Those of both, in the order of the old one.
  std::vector<std::string> only_before;
  std::vector<std::string> only_after;
  std::vector<std::string> warnings;  ///< What else is not the same, such as the compiler.
};

/// A cell has become slower if the interval of its ratio lies above 1 and the ratio itself above 1
/// by more than `threshold`; faster by the inverse. Throws kit::bad_input if the two are of
/// different machines or experiments, or have no cell in common.
[[nodiscard]] difference difference_between(const dataset::measurements& before,
                                            const dataset::measurements& after, double threshold);

}  // namespace stealbench::analysis
