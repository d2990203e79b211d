// What a factor does: strategies beside those that they differ from in that factor alone.
//
// All functions are pure; any thread may call them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "results/analysis/estimates.hpp"

namespace stealbench::analysis {

/// A strategy, and the one that it differs from in one factor.
struct contrast {
  std::string factor;   ///< `scheduler`, or a setting as `work-stealing:victim`.
  std::string variant;  ///< Canonical names.
  std::string against;
};

/// As the first line of a raw file has them; empty if it is no ablation.
[[nodiscard]] std::vector<contrast> contrasts_of(const measurements& data);
[[nodiscard]] json json_of(const std::vector<contrast>& all);

/// Which way a ratio of times goes, if it is shown to go anywhere.
enum class direction : std::uint8_t { neither, faster, slower };

/// A ratio that is nearer to 1 counts as no difference, however certain it is: where the linker
/// puts a loop changes that much. With one worker, settings of thieves seemed to change up to 6 %.
inline constexpr double least_effect = 1.1;

/// The times of a variant over those of what it is compared with, with one worker count.
struct effect {
  contrast what;
  unsigned workers;
  std::vector<std::optional<estimate>> ratios;  ///< By instance; none unless both have finished.
  std::vector<bool> failed;                     ///< By instance: the variant did not finish.
  std::optional<estimate> mean;                 ///< Geometric, over the instances with a ratio.
  std::vector<direction> verdicts;              ///< By instance; `neither` without a ratio.
  /// By instance: the least and the greatest ratio of medians with other costs of the simulated
  /// machine; none if no other was simulated.
  std::vector<std::optional<interval>> elsewhere;
};

/// Whether the ratio with other costs does not go where the verdict on the instance says.
[[nodiscard]] bool is_contradicted(const effect& on, std::size_t instance);

/// How many instances of an effect go that way.
[[nodiscard]] std::size_t count_of(direction which, const effect& on);

/// As the contrasts of the dataset, for each of its worker counts.
///
/// A verdict needs `fewest_for_interval` rounds or seeds of every cell that has finished, a ratio
/// of medians of least_effect or more, or of its inverse or less, and a difference that is left
/// after the correction for the number of comparisons. All comparisons of the dataset, of every
/// instance and worker count, are one family: of the differences found, 5 % are none on average
/// (Benjamini & Hochberg; results/evidence.md says why).
///
/// Other costs are those that the dataset varied, and those of `others`: simulations of the same
/// cells.
[[nodiscard]] std::vector<effect> effects_of(const estimates& known,
                                             std::span<const measurements* const> others = {});

}  // namespace stealbench::analysis
