#include "results/analysis/evidence.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include <boost/math/distributions/students_t.hpp>

namespace stealbench::analysis {
namespace {

/// Of the logarithms of a row.
struct moments {
  double mean = 0;
  double variance_of_mean = 0;
};

moments moments_of(std::span<const double> row) {
  require_positive(row, "a comparison needs finite values greater than 0, and one at least");
  const auto size = static_cast<double>(row.size());
  moments found;
  for (const double each : row) found.mean += std::log(each) / size;
  if (row.size() < 2) return found;
  for (const double each : row) {
    const double deviation = std::log(each) - found.mean;
    found.variance_of_mean += deviation * deviation / (size - 1) / size;
  }
  return found;
}

/// Ascending, as indices.
std::vector<std::size_t> order_of(std::span<const double> values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t each) { return values[each]; });
  return order;
}

bool has_evidence(const separation::table& rows) {
  return std::ranges::all_of(
      rows, [](const separation::times& each) { return each.size() >= fewest_for_interval; });
}

}  // namespace

double difference_p_value(std::span<const double> row, std::span<const double> other) {
  const moments a = moments_of(row);
  const moments b = moments_of(other);
  if (std::min(row.size(), other.size()) < fewest_for_interval) return 1;
  const double variance = a.variance_of_mean + b.variance_of_mean;
  const double distance = std::abs(a.mean - b.mean);
  constexpr double rounding = 1e-12;  // Of logarithms.
  if (variance < rounding * rounding) return distance > rounding ? 0 : 1;
  const auto part = [](const moments& of_row, std::size_t size) {
    return of_row.variance_of_mean * of_row.variance_of_mean / static_cast<double>(size - 1);
  };
  const double freedom = variance * variance / (part(a, row.size()) + part(b, other.size()));
  const boost::math::students_t distribution(freedom);
  return 2 * cdf(complement(distribution, distance / std::sqrt(variance)));
}

std::vector<bool> rejected_all_right(std::span<const double> p_values) {
  std::vector<bool> rejected(p_values.size());
  std::size_t left = p_values.size();
  for (const std::size_t each : order_of(p_values)) {
    if (p_values[each] * static_cast<double>(left) > accepted_error) break;
    rejected[each] = true;
    --left;
  }
  return rejected;
}

std::vector<bool> rejected_mostly_right(std::span<const double> p_values) {
  const std::vector<std::size_t> order = order_of(p_values);
  std::vector<bool> rejected(order.size());
  bool is_below = false;  // Its own bound, or one that is greater.
  for (std::size_t left = order.size(); left > 0; --left) {
    const std::size_t each = order[left - 1];
    is_below |= p_values[each] * static_cast<double>(order.size()) <=
                accepted_error * static_cast<double>(left);
    rejected[each] = is_below;
  }
  return rejected;
}

separation::separation(std::vector<table> tables) : tables_(std::move(tables)) {
  std::vector<std::array<std::size_t, 3>> pairs;  // Table, the row of the greater mean, the other.
  std::vector<double> p_values;
  for (std::size_t at = 0; at < tables_.size(); ++at) {
    const table& rows = tables_[at];
    std::vector<double> means;
    for (const times& each : rows) means.push_back(moments_of(each).mean);
    if (!has_evidence(rows)) continue;  // Nothing is claimed of it.
    for (std::size_t row = 0; row < rows.size(); ++row) {
      for (std::size_t other = 0; other < row; ++other) {
        const bool is_slower = means[row] > means[other];
        pairs.push_back({at, is_slower ? row : other, is_slower ? other : row});
        p_values.push_back(difference_p_value(rows[row], rows[other]));
      }
    }
  }
  const std::vector<bool> rejected = rejected_all_right(p_values);
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (rejected[i]) told_apart_.insert(pairs[i]);
  }
}

std::optional<std::vector<unsigned>> separation::ranks(std::size_t at) const {
  const table& rows = tables_[at];
  if (rows.empty() || !has_evidence(rows)) return {};
  std::vector<double> medians;
  for (const times& each : rows) medians.push_back(median(each));
  const std::vector<std::size_t> order = order_of(medians);
  std::vector<unsigned> result(rows.size());
  std::size_t opener = 0;  // The place of the row that opened the current rank.
  for (std::size_t place = 0; place < order.size(); ++place) {
    if (is_slower(at, order[place], order[opener])) opener = place;
    result[order[place]] = static_cast<unsigned>(opener + 1);
  }
  return result;
}

}  // namespace stealbench::analysis
