#include "results/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <random>
#include <stdexcept>
#include <tuple>
#include <utility>

namespace stealbench::results {
namespace {

std::vector<double> checked_copy(std::span<const double> values) {
  if (values.empty()) throw std::invalid_argument("a median needs at least one value");
  const auto is_finite = [](double value) { return std::isfinite(value); };
  if (!std::all_of(values.begin(), values.end(), is_finite)) {
    throw std::invalid_argument("a median needs finite values");
  }
  return {values.begin(), values.end()};
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

/// The medians of all resamples, in ascending order.
std::vector<double> resampled_medians(std::span<const double> values, std::size_t resamples,
                                      std::uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<double> medians(resamples);
  std::vector<double> resample(values.size());
  for (double& each : medians) {
    for (double& value : resample) value = values[draw_index(random, values.size())];
    each = median_in_place(resample);
  }
  std::sort(medians.begin(), medians.end());
  return medians;
}

/// What is left of ascending resampled figures when (1 - confidence) / 2 of them are cut off at
/// either end; `middle`, the figure itself, is never cut off.
interval percentile_interval(std::span<const double> resampled, double confidence, double middle) {
  const auto cut =
      static_cast<std::size_t>((1 - confidence) / 2 * static_cast<double>(resampled.size()));
  return {std::min(resampled[cut], middle),
          std::max(resampled[resampled.size() - 1 - cut], middle)};
}

bool is_valid(const estimate& row) {
  return std::isfinite(row.around.low) && std::isfinite(row.around.high) &&
         row.around.low <= row.median && row.median <= row.around.high;
}

bool can_be_told_apart(const interval& a, const interval& b) {
  return a.high < b.low || b.high < a.low;
}

/// The order in which ranks are given. Rows that compare equal here are equal, so the result cannot
/// depend on which of them comes first.
bool goes_before(const estimate& a, const estimate& b) {
  return std::tuple(a.median, a.around.high, -a.around.low) <
         std::tuple(b.median, b.around.high, -b.around.low);
}

}  // namespace

double median(std::span<const double> values) {
  std::vector<double> copy = checked_copy(values);
  return median_in_place(copy);
}

interval bootstrap_median_interval(std::span<const double> values, double confidence,
                                   std::size_t resamples, std::uint32_t seed) {
  if (!(confidence > 0 && confidence < 1)) {
    throw std::invalid_argument("a confidence lies between 0 and 1, both excluded");
  }
  if (resamples == 0) throw std::invalid_argument("a bootstrap needs at least one resample");
  // Sorted first, so that the draws do not depend on the order in which the runs finished.
  std::vector<double> ordered = checked_copy(values);
  std::sort(ordered.begin(), ordered.end());
  const std::vector<double> medians = resampled_medians(ordered, resamples, seed);
  return percentile_interval(medians, confidence, median_in_place(ordered));
}

estimate estimate_median(std::span<const double> values) {
  return {median(values), bootstrap_median_interval(values)};
}

estimate estimate_ratio(std::span<const double> over, std::span<const double> under) {
  if (over.size() != under.size()) {
    throw std::invalid_argument("a ratio needs as many values above as below");
  }
  const auto is_positive = [](double value) { return value > 0; };
  if (!std::all_of(over.begin(), over.end(), is_positive) ||
      !std::all_of(under.begin(), under.end(), is_positive)) {
    throw std::invalid_argument("a ratio needs values greater than 0");
  }
  const double middle = median(over) / median(under);
  std::vector<std::pair<double, double>> rounds;
  for (std::size_t i = 0; i < over.size(); ++i) rounds.emplace_back(over[i], under[i]);
  std::sort(rounds.begin(), rounds.end());  // As in bootstrap_median_interval.

  std::mt19937 random(default_seed);
  std::vector<double> ratios(default_resamples);
  std::vector<double> above(rounds.size());
  std::vector<double> below(rounds.size());
  for (double& each : ratios) {
    for (std::size_t i = 0; i < rounds.size(); ++i) {
      std::tie(above[i], below[i]) = rounds[draw_index(random, rounds.size())];
    }
    each = median_in_place(above) / median_in_place(below);
  }
  std::sort(ratios.begin(), ratios.end());
  return {middle, percentile_interval(ratios, default_confidence, middle)};
}

std::vector<unsigned> ranks(std::span<const estimate> rows) {
  if (!std::all_of(rows.begin(), rows.end(), is_valid)) {
    throw std::invalid_argument("a row needs finite figures and its median inside its interval");
  }
  std::vector<std::size_t> order(rows.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return goes_before(rows[a], rows[b]); });

  std::vector<unsigned> result(rows.size());
  std::size_t opener = 0;  // The place of the row that opened the current rank.
  for (std::size_t place = 0; place < order.size(); ++place) {
    if (can_be_told_apart(rows[order[opener]].around, rows[order[place]].around)) opener = place;
    result[order[place]] = static_cast<unsigned>(opener + 1);
  }
  return result;
}

}  // namespace stealbench::results
