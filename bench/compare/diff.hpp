// `stealbench diff`: what has changed between two comparisons.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "bench/compare/document.hpp"
#include "results/analysis/statistics.hpp"
#include "results/report/table.hpp"

namespace stealbench::compare {

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
  std::optional<analysis::estimate> before;  ///< Seconds; none if it failed.
  std::optional<analysis::estimate> after;
  std::optional<analysis::estimate> ratio;  ///< After over before, with that confidence.
  std::string failure;                      ///< Why it failed afterwards; empty if it did not.
};

struct difference {
  std::vector<cell_change> cells;  ///< Those of both, in the order of the old one.
  std::vector<std::string> only_before;
  std::vector<std::string> only_after;
  std::vector<std::string> warnings;  ///< What else is not the same, such as the compiler.
};

/// A cell has become slower if the interval of its ratio lies above 1 and the ratio itself above 1
/// by more than `threshold`; faster by the inverse. Throws workloads::bad_input if the two are of
/// different machines or have no cell in common.
[[nodiscard]] difference difference_between(const document& before, const document& after,
                                            double threshold);

/// The cells that have changed, or all.
[[nodiscard]] report::table table_of(const difference& found, bool all);

/// In a sentence or two: how many are slower, faster, neither, and the mean over all.
[[nodiscard]] std::string summary_of(const difference& found, double threshold);

/// Adds the command to the program. When it is chosen, its exit status goes to `status`: 1 if a
/// cell has become slower. The command throws workloads::bad_input.
void declare_diff(CLI::App& program, int& status);

}  // namespace stealbench::compare
