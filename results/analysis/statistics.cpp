#include "results/analysis/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <numeric>
#include <random>
#include <tuple>
#include <utility>

#include "results/analysis/checks.hpp"

namespace stealbench::analysis {
namespace {

constexpr const char* not_positive = "a ratio needs finite values greater than 0, and one at least";

std::vector<double> checked_copy(std::span<const double> values) {
  require(!values.empty(), "a median needs at least one value");
  require(std::ranges::all_of(values, [](double each) { return std::isfinite(each); }),
          "a median needs finite values");
  return {values.begin(), values.end()};
}

/// So that the draws do not depend on the order in which the runs finished.
std::vector<double> sorted(std::span<const double> values) {
  std::vector<double> ordered = checked_copy(values);
  std::sort(ordered.begin(), ordered.end());
  return ordered;
}

/// The median of at least one value. Leaves the values in another order.
double median_in_place(std::span<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle;
  return std::midpoint(*std::max_element(values.begin(), middle), *middle);
}

/// A uniform index below `size`. The standard fixes the output of mt19937 but not that of its
/// distributions, and a table must not depend on the standard library. The bias, size / 2^32, is
/// far below what the resampling itself leaves open.
std::size_t draw_index(std::mt19937& random, std::size_t size) {
  return static_cast<std::size_t>((std::uint64_t{random()} * size) >> 32);
}

/// The median of as many of the values as there are, drawn with replacement into `drawn`.
double resampled_median(const std::vector<double>& values, std::vector<double>& drawn,
                        std::mt19937& random) {
  for (double& each : drawn) each = values[draw_index(random, values.size())];
  return median_in_place(drawn);
}

/// The mid-quantile of ascending figures: a value stands for the part of the figures that are less
/// and for half of those that are equal to it; between two values it is linear.
double mid_quantile(std::span<const double> ascending, double part) {
  const auto size = static_cast<double>(ascending.size());
  double last_value = ascending.front();
  double last_part = 0;
  for (auto first = ascending.begin(); first != ascending.end();) {
    const auto end = std::upper_bound(first, ascending.end(), *first);
    const auto twice_middle = (first - ascending.begin()) + (end - ascending.begin());
    const double here = static_cast<double>(twice_middle) / 2 / size;
    if (here >= part) {
      return std::lerp(last_value, *first, (part - last_part) / (here - last_part));
    }
    last_value = *first;
    last_part = here;
    first = end;
  }
  return last_value;
}

/// A standard normal deviate by Box and Muller, because the standard does not fix the output of
/// std::normal_distribution either.
double draw_normal(std::mt19937& random) {
  const double radius = (static_cast<double>(random()) + 1) / 0x1p32;
  const double angle = static_cast<double>(random()) / 0x1p32;
  return std::sqrt(-2 * std::log(radius)) * std::cos(2 * std::numbers::pi * angle);
}

/// What resampled_median returns, without drawing the values. The number of n draws below the
/// median is binomial: from `most_resampled` on it is normal with the standard deviation √n / 2. By
/// its distance from n / 2 the median of the draws is away from that of the values, in ranks.
double shifted_median(const std::vector<double>& ascending, double deviate) {
  const auto size = static_cast<double>(ascending.size());
  const double rank = std::clamp((size - 1 + deviate * std::sqrt(size)) / 2, 0.0, size - 1);
  const auto below = static_cast<std::size_t>(rank);
  const std::size_t above = std::min(below + 1, ascending.size() - 1);
  return std::lerp(ascending[below], ascending[above], rank - static_cast<double>(below));
}

/// The median of a resample of ascending values; `drawn` has room for as many.
double draw_median(const std::vector<double>& ascending, std::vector<double>& drawn,
                   std::mt19937& random) {
  return ascending.size() > most_resampled ? shifted_median(ascending, draw_normal(random))
                                           : resampled_median(ascending, drawn, random);
}

struct resampling {
  double confidence = default_confidence;
  std::size_t resamples = default_resamples;
  std::uint32_t seed = default_seed;
};

void require_valid(const resampling& how) {
  require(how.confidence > 0 && how.confidence < 1,
          "a confidence lies between 0 and 1, both excluded");
  require(how.resamples > 0, "a bootstrap needs at least one resample");
}

/// Draws figures by `draw(random)`, and cuts (1 - confidence) / 2 of them off at either end;
/// `middle`, the figure itself, is never cut off.
template <class F>
interval percentile_interval(const resampling& how, double middle, const F& draw) {
  std::mt19937 random(how.seed);
  std::vector<double> figures(how.resamples);
  for (double& each : figures) each = draw(random);
  std::sort(figures.begin(), figures.end());
  const double cut = (1 - how.confidence) / 2;
  return {std::min(mid_quantile(figures, cut), middle),
          std::max(mid_quantile(figures, 1 - cut), middle)};
}

/// How the two sides of a round go together: over the rounds, the correlation of whether either is
/// above its median.
double sign_correlation(std::span<const double> over, std::span<const double> under) {
  const double middle_over = median(over);
  const double middle_under = median(under);
  double sum = 0;
  double counted = 0;
  for (std::size_t i = 0; i < over.size(); ++i) {
    if (over[i] == middle_over || under[i] == middle_under) continue;
    sum += (over[i] > middle_over) == (under[i] > middle_under) ? 1 : -1;
    ++counted;
  }
  return counted > 0 ? sum / counted : 0;
}

/// The interval of the ratio of medians of the same rounds, more of them than most_resampled. As
/// in shifted_median, with a normal distribution of two deviates.
interval shifted_ratio_interval(std::span<const double> over, std::span<const double> under) {
  const std::vector<double> above = sorted(over);
  const std::vector<double> below = sorted(under);
  const double together = sign_correlation(over, under);
  const double apart = std::sqrt(1 - together * together);
  return percentile_interval({}, median(over) / median(under), [&](std::mt19937& random) {
    const double first = draw_normal(random);
    const double second = together * first + apart * draw_normal(random);
    return shifted_median(above, first) / shifted_median(below, second);
  });
}

}  // namespace

double median(std::span<const double> values) {
  std::vector<double> copy = checked_copy(values);
  return median_in_place(copy);
}

interval bootstrap_median_interval(std::span<const double> values, double confidence,
                                   std::size_t resamples, std::uint32_t seed) {
  const resampling how{confidence, resamples, seed};
  require_valid(how);
  const std::vector<double> ordered = sorted(values);
  if (ordered.size() < fewest_for_interval) return {ordered.front(), ordered.back()};
  std::vector<double> drawn(ordered.size());
  return percentile_interval(how, median(ordered), [&](std::mt19937& random) {
    return draw_median(ordered, drawn, random);
  });
}

double relative_half_width(const estimate& of) {
  return (of.around.high - of.around.low) / 2 / of.median;
}

estimate estimate_median(std::span<const double> values) {
  return {median(values), bootstrap_median_interval(values)};
}

estimate estimate_ratio(std::span<const double> over, std::span<const double> under) {
  require(over.size() == under.size(), "a ratio needs as many values above as below");
  require_positive(over, not_positive);
  require_positive(under, not_positive);
  const double middle = median(over) / median(under);
  std::vector<std::pair<double, double>> rounds;
  for (std::size_t i = 0; i < over.size(); ++i) rounds.emplace_back(over[i], under[i]);
  if (rounds.size() > most_resampled) return {middle, shifted_ratio_interval(over, under)};
  std::sort(rounds.begin(), rounds.end());  // As in `sorted`.
  std::vector<double> above(rounds.size());
  std::vector<double> below(rounds.size());
  const auto ratio_of = [&](std::span<const std::size_t> drawn) {
    for (std::size_t i = 0; i < drawn.size(); ++i) std::tie(above[i], below[i]) = rounds[drawn[i]];
    return median_in_place(above) / median_in_place(below);
  };
  return {middle, bootstrap_rounds_interval(rounds.size(), middle, ratio_of)};
}

interval bootstrap_rounds_interval(
    std::size_t rounds, double middle,
    const std::function<double(std::span<const std::size_t>)>& figure_of) {
  require(rounds > 0, "a bootstrap needs at least one round");
  std::vector<std::size_t> drawn(rounds);
  if (rounds < fewest_for_interval) {
    interval range{middle, middle};
    for (std::size_t round = 0; round < rounds; ++round) {
      std::fill(drawn.begin(), drawn.end(), round);
      const double figure = figure_of(drawn);
      range = {std::min(range.low, figure), std::max(range.high, figure)};
    }
    return range;
  }
  // As many draws as 10,000 resamples of 100 rounds have, but not fewer than 1000 resamples.
  const std::size_t resamples =
      std::clamp(default_resamples * most_resampled / rounds, std::size_t{1000}, default_resamples);
  return percentile_interval({.resamples = resamples}, middle, [&](std::mt19937& random) {
    for (std::size_t& round : drawn) round = draw_index(random, rounds);
    return figure_of(drawn);
  });
}

estimate estimate_unpaired_ratio(std::span<const double> over, std::span<const double> under,
                                 double confidence) {
  require_positive(over, not_positive);
  require_positive(under, not_positive);
  const resampling how{.confidence = confidence};
  require_valid(how);
  const std::vector<double> above = sorted(over);
  const std::vector<double> below = sorted(under);
  const double middle = median(over) / median(under);
  if (std::min(above.size(), below.size()) < fewest_for_interval) {
    return {middle, {above.front() / below.back(), above.back() / below.front()}};
  }
  std::vector<double> drawn_above(above.size());
  std::vector<double> drawn_below(below.size());
  return {middle, percentile_interval(how, middle, [&](std::mt19937& random) {
            const double drawn = draw_median(above, drawn_above, random);
            return drawn / draw_median(below, drawn_below, random);
          })};
}

double geometric_mean(std::span<const double> values) {
  require_positive(values, "a mean needs finite values greater than 0, and one at least");
  double sum_of_logs = 0;
  for (const double value : values) sum_of_logs += std::log(value);
  return std::exp(sum_of_logs / static_cast<double>(values.size()));
}

}  // namespace stealbench::analysis
