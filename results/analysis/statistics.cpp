#include "results/analysis/statistics.hpp"

#include <map>
#include <numbers>
#include <numeric>
#include <random>
#include <tuple>
#include <utility>

namespace stealbench::analysis {
namespace {

constexpr const char* not_positive = "a ratio needs finite values greater than 0, and one at least";

/// So that the draws do not depend on the order in which the runs finished.
std::vector<double> sorted(std::span<const double> values) {
  require(!values.empty(), "a median needs at least one value");
  require(std::ranges::all_of(values, [](double each) { return std::isfinite(each); }),
          "a median needs finite values");
  std::vector<double> ordered(values.begin(), values.end());
  std::ranges::sort(ordered);
  return ordered;
}

/// The median of `value(index)` of ascending indices, with which the values ascend.
template <class F>
double median_at(std::span<const std::size_t> ascending, const F& value) {
  return std::midpoint(value(ascending[(ascending.size() - 1) / 2]),
                       value(ascending[ascending.size() / 2]));
}

double median_of_ascending(std::span<const double> values) {
  return std::midpoint(values[(values.size() - 1) / 2], values[values.size() / 2]);
}

/// A uniform index below `size`. The standard fixes the output of mt19937 but not that of its
/// distributions, and a table must not depend on the standard library. The bias, size / 2^32, is
/// far below what the resampling itself leaves open.
std::size_t draw_index(std::mt19937& random, std::size_t size) {
  return static_cast<std::size_t>((std::uint64_t{random()} * size) >> 32);
}

/// Of more values no resample is drawn value by value. The distribution of its median is known: it
/// is as many ranks from the median as a binomial number is from its mean, and that number is
/// normal for a hundred values. It takes values × log(values) steps, not values × resamples.
constexpr std::size_t most_resampled = 100;

/// A standard normal deviate by Box and Muller, because the standard does not fix the output of
/// std::normal_distribution either.
double draw_normal(std::mt19937& random) {
  const double radius = (static_cast<double>(random()) + 1) / 0x1p32;
  const double angle = static_cast<double>(random()) / 0x1p32;
  return std::sqrt(-2 * std::log(radius)) * std::cos(2 * std::numbers::pi * angle);
}

/// The median of a resample of more than most_resampled ascending values, whose rank is that many
/// standard deviations, of √n / 2 each, from the middle.
double shifted_median(const std::vector<double>& ascending, double deviate) {
  const auto size = static_cast<double>(ascending.size());
  const double rank = std::clamp((size - 1 + deviate * std::sqrt(size)) / 2, 0.0, size - 1);
  const auto below = static_cast<std::size_t>(rank);
  const std::size_t above = std::min(below + 1, ascending.size() - 1);
  return std::lerp(ascending[below], ascending[above], rank - static_cast<double>(below));
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

/// The mid-quantile of ascending figures: a value has the part of the figures that are less
/// and for half of those that are equal to it; between two values it is linear.
double mid_quantile(std::span<const double> ascending, double part) {
  const auto size = static_cast<double>(ascending.size());
  double last_value = ascending.front();
  double last_part = 0;
  for (auto first = ascending.begin(); first != ascending.end();) {
    const auto end = std::upper_bound(first, ascending.end(), *first);
    const auto twice_middle = (first - ascending.begin()) + (end - ascending.begin());
    const double middle_part = static_cast<double>(twice_middle) / 2 / size;
    if (middle_part >= part) {
      return std::lerp(last_value, *first, (part - last_part) / (middle_part - last_part));
    }
    last_value = *first;
    last_part = middle_part;
    first = end;
  }
  return last_value;
}

/// The number of resamples, if each of them takes `draws` random numbers.
std::size_t resamples_of(const resampling& how, std::size_t draws) {
  constexpr std::size_t most_draws = 1'000'000;
  constexpr std::size_t fewest_resamples = 1000;
  return std::min(how.resamples, std::max(most_draws / draws, fewest_resamples));
}

/// Cuts (1 - confidence) / 2 of ascending figures off at either end; `middle`, the figure itself,
/// is never cut off.
interval cut_ends(std::span<const double> figures, double confidence, double middle) {
  const double cut = (1 - confidence) / 2;
  return {std::min(mid_quantile(figures, cut), middle),
          std::max(mid_quantile(figures, 1 - cut), middle)};
}

/// The interval of figures that `draw(random)` draws, each with `draws` random numbers.
template <class F>
interval percentile_interval(const resampling& how, std::size_t draws, double middle,
                             const F& draw) {
  std::mt19937 random(how.seed);
  std::vector<double> figures(resamples_of(how, draws));
  for (double& each : figures) each = draw(random);
  std::ranges::sort(figures);
  return cut_ends(figures, how.confidence, middle);
}

/// As many rounds as there are, by ascending indices.
void draw_rounds(std::mt19937& random, std::vector<std::size_t>& drawn) {
  for (std::size_t& each : drawn) each = draw_index(random, drawn.size());
  std::ranges::sort(drawn);
}

/// With more rounds hardly any two resamples are the same, and to keep them takes megabytes.
constexpr std::size_t most_kept_rounds = 20;

/// Rounds that were drawn together, by ascending indices, and how often.
using counted_resamples = std::map<std::vector<std::size_t>, std::size_t>;

/// Every resample of `rounds` rounds that is drawn. It does not depend on what was measured, so it
/// is kept for the next interval: a report has thousands. Of six rounds at most 462 differ.
const counted_resamples& kept_resamples(std::size_t rounds, const resampling& how) {
  thread_local std::map<std::tuple<std::size_t, std::size_t, std::uint32_t>, counted_resamples>
      known;
  const auto [place, is_new] = known.try_emplace({rounds, how.resamples, how.seed});
  if (!is_new) return place->second;
  std::mt19937 random(how.seed);
  std::vector<std::size_t> drawn(rounds);
  for (std::size_t i = resamples_of(how, rounds); i > 0; --i) {
    draw_rounds(random, drawn);
    ++place->second[drawn];
  }
  return place->second;
}

void require_valid(const resampling& how) {
  require(how.confidence > 0 && how.confidence < 1,
          "a confidence is between 0 and 1, both excluded");
  require(how.resamples > 0, "a bootstrap needs at least one resample");
}

}  // namespace

double median(std::span<const double> values) { return median_of_ascending(sorted(values)); }

double geometric_mean(std::span<const double> values) {
  require_positive(values, "a mean needs finite values greater than 0, and one at least");
  double sum_of_logs = 0;
  for (const double value : values) sum_of_logs += std::log(value);
  return std::exp(sum_of_logs / static_cast<double>(values.size()));
}

interval bootstrap_rounds_interval(
    std::size_t rounds, double middle,
    const std::function<double(std::span<const std::size_t>)>& figure_of, const resampling& how) {
  require(rounds > 0, "a bootstrap needs at least one round");
  require_valid(how);
  std::vector<std::size_t> drawn(rounds);
  if (rounds < fewest_for_interval) {
    interval range{middle, middle};
    for (std::size_t round = 0; round < rounds; ++round) {
      std::ranges::fill(drawn, round);
      const double figure = figure_of(drawn);
      range = {std::min(range.low, figure), std::max(range.high, figure)};
    }
    return range;
  }
  if (rounds > most_kept_rounds) {
    return percentile_interval(how, rounds, middle, [&](std::mt19937& random) {
      draw_rounds(random, drawn);
      return figure_of(drawn);
    });
  }
  std::vector<std::pair<double, std::size_t>> counted;
  for (const auto& [indices, times] : kept_resamples(rounds, how)) {
    counted.emplace_back(figure_of(indices), times);
  }
  std::ranges::sort(counted);
  std::vector<double> figures;
  for (const auto& [figure, times] : counted) figures.insert(figures.end(), times, figure);
  return cut_ends(figures, how.confidence, middle);
}

estimate estimate_median(std::span<const double> values, const resampling& how) {
  require_valid(how);
  const std::vector<double> ordered = sorted(values);
  const double middle = median_of_ascending(ordered);
  if (ordered.size() > most_resampled) {
    return {middle, percentile_interval(how, 1, middle, [&](std::mt19937& random) {
              return shifted_median(ordered, draw_normal(random));
            })};
  }
  const auto median_of = [&](std::span<const std::size_t> drawn) {
    return median_at(drawn, [&](std::size_t each) { return ordered[each]; });
  };
  return {middle, bootstrap_rounds_interval(ordered.size(), middle, median_of, how)};
}

estimate estimate_ratio(std::span<const double> over, std::span<const double> under,
                        double confidence) {
  const resampling how{.confidence = confidence};
  require(over.size() == under.size(), "a ratio needs as many values above as below");
  require_positive(over, not_positive);
  require_positive(under, not_positive);
  const double middle = median(over) / median(under);
  if (over.size() > most_resampled) {
    const std::vector<double> ascending_over = sorted(over);
    const std::vector<double> ascending_under = sorted(under);
    const double together = sign_correlation(over, under);
    const double apart = std::sqrt(1 - together * together);
    return {middle, percentile_interval(how, 1, middle, [&](std::mt19937& random) {
              const double first = draw_normal(random);
              const double second = together * first + apart * draw_normal(random);
              return shifted_median(ascending_over, first) /
                     shifted_median(ascending_under, second);
            })};
  }
  std::vector<std::pair<double, double>> rounds;
  for (std::size_t i = 0; i < over.size(); ++i) rounds.emplace_back(over[i], under[i]);
  std::ranges::sort(rounds);  // As in `sorted`.
  std::vector<double> below(rounds.size());
  const auto ratio_of = [&](std::span<const std::size_t> drawn) {
    std::ranges::transform(drawn, below.begin(),
                           [&](std::size_t each) { return rounds[each].second; });
    std::ranges::sort(below);
    return median_at(drawn, [&](std::size_t each) { return rounds[each].first; }) /
           median_of_ascending(below);
  };
  return {middle, bootstrap_rounds_interval(rounds.size(), middle, ratio_of, how)};
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
  const auto draw_median = [](const std::vector<double>& ordered, std::mt19937& random) {
    if (ordered.size() > most_resampled) return shifted_median(ordered, draw_normal(random));
    std::vector<double> drawn(ordered.size());
    for (double& each : drawn) each = ordered[draw_index(random, ordered.size())];
    std::ranges::sort(drawn);
    return median_of_ascending(drawn);
  };
  return {middle, percentile_interval(how, most_resampled, middle, [&](std::mt19937& random) {
            const double drawn = draw_median(above, random);
            return drawn / draw_median(below, random);
          })};
}

}  // namespace stealbench::analysis
