// What the errors of many benchmarks are as a whole.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "results/analysis/validation.hpp"
#include "schedulers/input.hpp"

namespace stealbench::analysis {
namespace {

/// Nine in ten do not exceed it. Requires: there is a value.
double ninth_decile_of(std::vector<double> values) {
  const std::size_t rank = (9 * values.size() + 9) / 10;  // Rounded up.
  const auto place = values.begin() + static_cast<std::ptrdiff_t>(rank - 1);
  std::ranges::nth_element(values, place);
  return *place;
}

double rounded(double value) { return std::round(1e4 * value) / 1e4; }

}  // namespace

std::optional<error_summary> summary_of(
    const validation& found, const std::function<bool(const validated_cell&)>& is_meant) {
  std::vector<double> errors;
  std::vector<double> sizes;
  std::vector<double> factors;
  std::size_t contended = 0;
  for (const validated_cell& each : found.cells) {
    if (!is_meant(each)) continue;
    errors.push_back(each.error());
    sizes.push_back(std::abs(each.error()));
    factors.push_back(each.factor());
    if (each.is_contended()) ++contended;
  }
  if (errors.empty()) return {};
  return error_summary{.cells = errors.size(),
                       .contended_cells = contended,
                       .median = median(sizes),
                       .ninth_decile = ninth_decile_of(sizes),
                       .greatest = *std::ranges::max_element(sizes),
                       .bias = median(errors),
                       .ninth_decile_factor = ninth_decile_of(factors),
                       .greatest_factor = *std::ranges::max_element(factors)};
}

pair_count pairs_in(const validation& found, bool is_held_out, bool is_contended) {
  pair_count count;
  for (const scheduler_order& order : found.orders) {
    for (const scheduler_pair& each : order.pairs) {
      if (found.cells[each.faster].is_held_out() != is_held_out) continue;
      if (each.is_contended != is_contended) continue;
      ++count.all;
      if (each.is_right) ++count.right;
    }
  }
  return count;
}

known_accuracy accuracy_of(const validation& found) {
  const auto held_out = [&](bool is_contended) {
    const auto summary = summary_of(found, [=](const validated_cell& each) {
      return each.is_held_out() && each.is_contended() == is_contended;
    });
    if (summary) return *summary;
    throw schedulers::bad_input(
        fmt::format("no benchmark held out is {}contended, so the accuracy of a profile cannot be "
                    "known; valid: datasets of more workloads and worker counts",
                    is_contended ? "" : "un"));
  };
  const error_summary uncontended = held_out(false);
  const error_summary contended = held_out(true);
  return {.median_error = rounded(uncontended.median),
          .ninth_decile_error = rounded(uncontended.ninth_decile),
          .contended_factor = rounded(contended.ninth_decile_factor),
          .cells = uncontended.cells + contended.cells};
}

}  // namespace stealbench::analysis
