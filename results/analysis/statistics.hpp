// What is said of repeated measurements: the median, and how far it can be trusted. Whether one is
// faster than another is decided in evidence.hpp.
//
// Times on a real machine have a long tail to one side: an interrupt adds and never takes away. The
// mean follows that tail, the median does not, so the median is what we compare.
//
// All functions are pure: the same values give the same result, in whatever order they come, on
// every standard library. Any thread may call them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace stealbench::analysis {

/// A closed interval, in the unit of the values it came from.
struct interval {
  double low;
  double high;
};

/// The middle value; of an even number of values, the midpoint of the two in the middle.
/// Throws std::invalid_argument if there is no value or one is not finite. Cost: linear.
[[nodiscard]] double median(std::span<const double> values);

/// Resamples that place the ends of a 95 % interval to within a fraction of a percent of
/// confidence.
inline constexpr std::size_t default_resamples = 10'000;
inline constexpr double default_confidence = 0.95;
inline constexpr std::uint32_t default_seed = 1979;

/// Of more values the resamples are not drawn value by value. The distribution of their median is
/// known: it is as many ranks from the median as a binomial number is from its mean, and that
/// number is normal for a hundred values. It takes values × log(values) steps, not values ×
/// resamples.
inline constexpr std::size_t most_resampled = 100;

/// With fewer values no interval around a median holds it with 95 %, and nothing is told apart.
inline constexpr std::size_t fewest_for_interval = 6;

/// An interval that holds the median of what was measured with the given confidence, by the
/// percentile bootstrap: draw as many values as there are, with replacement, take their median,
/// repeat, and cut off (1 - confidence) / 2 of these medians at either end. The interval always
/// contains `median(values)`.
///
/// It assumes no distribution, and of the bootstrap's methods the percentile one suits a median
/// best: its ends lie among the values that were measured, so it never reaches below the fastest
/// run as a symmetric interval can, and an outlier cannot stretch it as it stretches a standard
/// error. BCa would correct it by the median's acceleration, which comes from leaving out one value
/// at a time; a median jumps between two values then, and the correction is mostly noise.
///
/// The medians of resamples are a handful of different numbers, each many times. Cutting at one of
/// them would hold the true median in 87 % of cases with 7 values, and in 98 % if it were the next
/// one; so the cut is made at the mid-quantile, between the two. By simulation a 95 % interval then
/// holds 93 to 97 % of true medians with nine values or more, and 92 to 98 % with six to eight.
///
/// With fewer than six values a 95 % interval is simply the least and the greatest of them, and
/// even that holds the true median too rarely: with probability 1 - 2^(1-n), which is 94 % of five
/// and 75 % of three. Read it as the spread of the runs and no more.
///
/// The draws are pseudo-random from `seed`, so equal input gives equal output. Throws
/// std::invalid_argument if there is no value, one is not finite, `confidence` is not inside
/// (0, 1), or `resamples` is 0. Cost: resamples × the values, but no more than most_resampled.
///
/// B. Efron, "Bootstrap Methods: Another Look at the Jackknife", Annals of Statistics 7(1), 1979.
/// Y. Ma, M. Genton & E. Parzen, "Asymptotic properties of sample quantiles of discrete
/// distributions", Annals of the Institute of Statistical Mathematics 63(2), 2011.
[[nodiscard]] interval bootstrap_median_interval(std::span<const double> values,
                                                 double confidence = default_confidence,
                                                 std::size_t resamples = default_resamples,
                                                 std::uint32_t seed = default_seed);

/// A median and the interval around it: low <= median <= high.
struct estimate {
  double median;
  interval around;
};

/// Of the values in another unit, which is that much smaller.
[[nodiscard]] inline estimate operator*(const estimate& of, double factor) {
  return {of.median * factor, {of.around.low * factor, of.around.high * factor}};
}

/// Half the width of the interval, as a part of the median, which must not be 0.
[[nodiscard]] double relative_half_width(const estimate& of);

/// Both at once, with the defaults above. Throws as they do.
[[nodiscard]] estimate estimate_median(std::span<const double> values);

/// The median of `over` divided by that of `under`, for values measured in pairs: element i of both
/// comes from the same round. The interval is the bootstrap's again, with the defaults above,
/// except that whole rounds are drawn: whatever made a round slow for both then cancels, as it does
/// in the ratio. With fewer than six rounds it is the least and the greatest ratio of one round.
///
/// Throws std::invalid_argument if there is no value, the lengths differ, or one is not finite and
/// greater than 0. Cost: as bootstrap_median_interval.
[[nodiscard]] estimate estimate_ratio(std::span<const double> over, std::span<const double> under);

/// The same for values that were measured apart, such as in two runs: both sides are drawn by
/// themselves. With fewer than six values on a side the interval reaches from the least quotient of
/// a value above and one below to the greatest.
///
/// Throws std::invalid_argument if there is no value on a side, one is not finite and greater than
/// 0, or `confidence` is not inside (0, 1). Cost: as bootstrap_median_interval.
[[nodiscard]] estimate estimate_unpaired_ratio(std::span<const double> over,
                                               std::span<const double> under,
                                               double confidence = default_confidence);

/// The mean of quotients: that of a and 1/a is 1, whichever of the two was chosen to stand above
/// (Fleming & Wallace, CACM 29(3), 1986). Throws std::invalid_argument if there is no value or one
/// is not finite and greater than 0. Cost: linear.
[[nodiscard]] double geometric_mean(std::span<const double> values);

/// The interval of any figure of measured rounds by the same bootstrap: draws as many rounds as
/// there are, with replacement, hands their indices to `figure_of`, and cuts off the ends of what
/// comes back. It always contains `middle`, the figure of the rounds themselves. With fewer than
/// six rounds it is the least and the greatest figure of one round, which is drawn over and over.
/// `figure_of` is called default_resamples times at most, less often with more than most_resampled
/// rounds, but 1000 times, and returns a finite number. Throws
/// std::invalid_argument if there is no round, and what `figure_of` throws.
[[nodiscard]] interval bootstrap_rounds_interval(
    std::size_t rounds, double middle,
    const std::function<double(std::span<const std::size_t>)>& figure_of);

}  // namespace stealbench::analysis
