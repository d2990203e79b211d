// What is said of repeated measurements: the median, and how far it can be trusted. Whether one is
// faster than another is decided in evidence.hpp.
// results/README.md argues for medians, and for the bootstrap by percentiles.
//
// All functions are pure: the same values give the same result, in whatever order they come, on
// every standard library. Any thread may call them. They throw std::invalid_argument of values that
// they are not defined for: none at all, one that is not finite, or, for a quotient, one that is
// not greater than 0.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <stdexcept>
#include <vector>

namespace stealbench::analysis {

[[nodiscard]] inline bool is_positive(double value) { return std::isfinite(value) && value > 0; }

/// Throws std::invalid_argument unless the condition holds.
inline void require(bool holds, const char* message) {
  if (!holds) throw std::invalid_argument(message);
}

/// Throws std::invalid_argument unless there are values and all are finite and greater than 0.
inline void require_positive(std::span<const double> values, const char* message) {
  require(!values.empty() && std::ranges::all_of(values, is_positive), message);
}

/// A closed interval, in the unit of the values it came from.
struct interval {
  double low;
  double high;
};

/// A median and the interval around it: low <= median <= high.
struct estimate {
  double median;
  interval around;
};

/// Of the values in another unit, which is that much smaller.
[[nodiscard]] inline estimate operator*(const estimate& value, double factor) {
  return {value.median * factor, {value.around.low * factor, value.around.high * factor}};
}

/// Half the width of the interval, as a part of the median, which must not be 0.
[[nodiscard]] inline double relative_half_width(const estimate& value) {
  return (value.around.high - value.around.low) / 2 / value.median;
}

/// The middle value; of an even number of values, the midpoint of the two in the middle. Linear.
[[nodiscard]] double median(std::span<const double> values);

/// The mean of quotients: that of a and 1/a is 1, whichever of the two was chosen to stand above
/// (Fleming & Wallace, CACM 29(3), 1986). Linear.
[[nodiscard]] double geometric_mean(std::span<const double> values);

/// With fewer values no interval around a median holds it with 95 %, and nothing is told apart.
inline constexpr std::size_t fewest_for_interval = 6;

inline constexpr double default_confidence = 0.95;

/// 10,000 resamples place the ends of a 95 % interval to within a fraction of a percent of
/// confidence. Of more than 100 rounds fewer are drawn, but 1000, so that the draws stay a million;
/// for a median, or a ratio of two, only its rank is drawn there.
/// The draws are pseudo-random from the seed. Throws std::invalid_argument if the confidence is not
/// inside (0, 1), or `resamples` is 0.
struct resampling {
  double confidence = default_confidence;
  std::size_t resamples = 10'000;
  std::uint32_t seed = 1979;
};

/// The interval of any figure of measured rounds, by the percentile bootstrap (B. Efron, "Bootstrap
/// Methods: Another Look at the Jackknife", Annals of Statistics 7(1), 1979): draws as many rounds
/// as there are, with replacement, hands their indices to `figure_of`, and cuts off
/// (1 - confidence) / 2 of what comes back at either end. It always contains `middle`, the figure
/// of the rounds themselves. results/README.md says why by percentiles, and which part of true
/// medians it holds.
///
/// The medians of resamples are a handful of different numbers, each many times, so the cut is made
/// at the mid-quantile, between two of them (Y. Ma, M. Genton & E. Parzen, "Asymptotic properties
/// of sample quantiles of discrete distributions", Annals of the Institute of Statistical
/// Mathematics 63(2), 2011). By simulation it holds 92 to 98 % of true medians from six values on.
///
/// With fewer than six rounds it is the least and the greatest figure of one round, which holds the
/// true median with probability 1 - 2^(1-n): read it as the spread of the runs and no more.
///
/// `figure_of` takes ascending indices and returns a finite number; what it throws goes to the
/// caller. Of few rounds it is called once for all resamples that are the same.
[[nodiscard]] interval bootstrap_rounds_interval(
    std::size_t rounds, double middle,
    const std::function<double(std::span<const std::size_t>)>& figure_of,
    const resampling& how = {});

/// The median with its interval by the bootstrap. Cost: the values × the resamples.
[[nodiscard]] estimate estimate_median(std::span<const double> values, const resampling& how = {});

/// The median of `over` divided by that of `under`, for values measured in pairs: element i of both
/// comes from the same round. Whole rounds are drawn: whatever made a round slow for both then
/// cancels, as it does in the ratio. Also throws if the lengths differ. Cost: as estimate_median.
[[nodiscard]] estimate estimate_ratio(std::span<const double> over, std::span<const double> under,
                                      double confidence = default_confidence);

/// The same for values that were measured apart, such as in two runs: both sides are drawn by
/// themselves. With fewer than six values on a side the interval reaches from the least quotient of
/// a value above and one below to the greatest.
[[nodiscard]] estimate estimate_unpaired_ratio(std::span<const double> over,
                                               std::span<const double> under,
                                               double confidence = default_confidence);

}  // namespace stealbench::analysis
