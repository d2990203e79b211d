// What a factor does: strategies beside those that they differ from in that factor alone.
//
// All functions are pure; any thread may call them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "results/analysis/estimates.hpp"
#include "results/dataset/measurements.hpp"

namespace stealbench::analysis {

/// A strategy, and the one that it differs from in one factor.
struct contrast {
  std::string factor;   ///< `scheduler`, or a setting as `work-stealing:victim`.
  std::string variant;  ///< Canonical names.
  std::string against;
};

/// As the first line of a raw file has them; empty if it is no ablation.
[[nodiscard]] std::vector<contrast> contrasts_of(const dataset::measurements& data);
[[nodiscard]] dataset::json json_of(const std::vector<contrast>& all);

/// Which way a ratio of times goes, if it is shown to go anywhere.
enum class direction : std::uint8_t { neither, faster, slower };

/// A ratio that is nearer to 1 counts as no difference, however narrow its interval is. So much
/// comes from where the linker puts a loop, and from having compared a thousand ratios of a few
/// rounds: with one worker, settings of thieves seemed to change up to 6 %.
inline constexpr double least_effect = 1.1;

/// Not `neither` if the interval leaves out 1, and the median is at least least_effect, or at most
/// its inverse.
[[nodiscard]] direction direction_of(const estimate& ratio);

/// The times of a variant over those of what it is compared with, with one worker count.
struct effect {
  contrast what;
  unsigned workers;
  std::vector<std::optional<estimate>> ratios;  ///< By instance; none unless both have finished.
  std::vector<bool> failed;                     ///< By instance: the variant did not finish.
  std::optional<estimate> mean;                 ///< Geometric, over the instances with a ratio.
};

/// How many instances of an effect go that way.
[[nodiscard]] std::size_t count_of(direction which, const effect& on);

/// As the contrasts of the dataset.
[[nodiscard]] std::vector<effect> effects_of(const estimates& known, unsigned workers);

}  // namespace stealbench::analysis
