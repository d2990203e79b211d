#include "workloads/loops/spmv/spmv.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "workloads/kit/fingerprint.hpp"
#include "workloads/kit/random.hpp"

namespace stealbench::spmv {
namespace {

/// Makes the products by plain loops; the vectors take turns as in workload::run.
void plain_products(const sparse_matrix& matrix, std::vector<double>& even,
                    std::vector<double>& odd, std::size_t products) {
  for (std::size_t product = 0; product < products; ++product) {
    const std::vector<double>& x = product % 2 == 0 ? even : odd;
    std::vector<double>& y = product % 2 == 0 ? odd : even;
    for (std::size_t row = 0; row < matrix.rows(); ++row) y[row] = matrix.row_product(row, x);
  }
}

/// Whether a vector has left the range of doubles, at either end: wrong products would end in the
/// same one.
bool has_vanished(const std::vector<double>& x) {
  return !std::ranges::all_of(x, [](double each) { return std::isfinite(each); }) ||
         std::ranges::none_of(x, [](double each) { return std::isnormal(each); });
}

/// Throws kit::bad_input. Requires: the vector has vanished after the products asked for.
[[noreturn]] void refuse_products(const workload::input& in) {
  std::vector<double> x(in.matrix.rows(), 1);
  std::vector<double> y(in.matrix.rows());
  std::size_t most = 0;
  for (;; ++most) {
    plain_products(in.matrix, x, y, 1);
    if (has_vanished(y)) break;
    std::swap(x, y);
  }
  throw kit::bad_input(fmt::format(
      "--set products={}: the last vector of this matrix is out of the range of doubles, so "
      "that no answer can be checked; valid: 1 to {}, or more rows",
      in.products, most));
}

/// Lengths of the rows, once they are known to fit.
std::vector<std::size_t> lengths_that_fit(const row_law& law) {
  constexpr std::uint64_t vectors = 4;  // Two, and two of the sequential version.
  kit::require_memory("rows", law.rows, [](std::uint64_t rows) {
    return sparse_matrix::bytes(rows, 0) + vectors * sizeof(double) * rows;
  });
  std::vector<std::size_t> lengths = law.lengths();
  const std::size_t cells = std::accumulate(lengths.begin(), lengths.end(), std::size_t{0});
  const std::uint64_t per_row = (cells + law.rows - 1) / law.rows;
  kit::require_memory("rows", law.rows, [=](std::uint64_t rows) {
    return sparse_matrix::bytes(rows, rows * per_row) + vectors * sizeof(double) * rows;
  });
  return lengths;
}

}  // namespace

std::vector<std::size_t> row_law::lengths() const {
  kit::random_stream random(seed);
  std::vector<std::size_t> drawn(rows);
  for (std::size_t& length : drawn) {
    // The inverse of the law; 1 - fraction() is in (0, 1].
    const double x = static_cast<double>(shortest) * std::pow(1 - random.fraction(), -1 / tail);
    length = x < static_cast<double>(longest) ? static_cast<std::size_t>(x) : longest;
  }
  return drawn;
}

sparse_matrix::sparse_matrix(std::span<const std::size_t> lengths, std::uint64_t seed)
    : begins_(lengths.size() + 1) {
  std::inclusive_scan(lengths.begin(), lengths.end(), begins_.begin() + 1);
  columns_.reserve(begins_.back());
  cells_.reserve(begins_.back());
  kit::random_stream random(seed);
  for (const std::size_t length : lengths) {
    for (std::size_t k = 0; k < length; ++k) {
      columns_.push_back(static_cast<std::uint32_t>(random.below(lengths.size())));
      cells_.push_back((0.5 + random.fraction()) / static_cast<double>(length));
    }
  }
}

std::size_t sparse_matrix::longest_row() const {
  std::size_t longest = 0;
  for (std::size_t row = 1; row < rows(); ++row) {
    if (length(row) > length(longest)) longest = row;
  }
  return longest;
}

double sparse_matrix::row_product(std::size_t row, std::span<const double> x) const {
  const std::size_t end = begins_[row + 1];
  double sum = 0;
  for (std::size_t k = begins_[row]; k < end; ++k) sum += cells_[k] * x[columns_[k]];
  return sum;
}

std::uint64_t sparse_matrix::bytes(std::uint64_t rows, std::uint64_t cells) {
  return (rows + 1) * sizeof(std::size_t) + cells * (sizeof(std::uint32_t) + sizeof(double));
}

workload::input workload::prepare(const kit::parameters& chosen) {
  const row_law law{.rows = chosen.integer("rows"),
                    .shortest = chosen.integer("shortest"),
                    .longest = chosen.integer("longest"),
                    .tail = chosen.real("tail"),
                    .seed = chosen.integer("seed")};
  if (law.longest < law.shortest) {
    throw kit::bad_input(fmt::format("--set longest={}: less than shortest={}; valid: {} or more",
                                     law.longest, law.shortest, law.shortest));
  }
  input in{.products = chosen.integer("products"),
           .grain = chosen.integer("grain"),
           .matrix = sparse_matrix(lengths_that_fit(law), ~law.seed),
           .even = std::vector<double>(law.rows),
           .odd = std::vector<double>(law.rows),
           .fingerprint_of_reference = std::nullopt};
  reset(in);
  return in;
}

void workload::reset(input& in) {
  std::fill(in.even.begin(), in.even.end(), 1);
  std::fill(in.odd.begin(), in.odd.end(), 0);
}

workload::output workload::sequential(input& in) {
  plain_products(in.matrix, in.even, in.odd, in.products);
  return {};
}

void workload::corrupt(input& in, output& /*unused*/) {
  const std::size_t row = in.matrix.longest_row();
  in.after(in.products)[row] = in.after(in.products + 1)[row];
}

std::optional<bool> workload::verify(const input& in, const output& /*unused*/) {
  if (!in.fingerprint_of_reference) {
    std::vector<double> even(in.matrix.rows(), 1);
    std::vector<double> odd(in.matrix.rows());
    plain_products(in.matrix, even, odd, in.products);
    const std::vector<double>& last = in.products % 2 == 0 ? even : odd;
    if (has_vanished(last)) refuse_products(in);
    in.fingerprint_of_reference = kit::fingerprint(last);
  }
  return kit::fingerprint(in.after(in.products)) == *in.fingerprint_of_reference;
}

nlohmann::ordered_json workload::answer(const input& in, const output& /*unused*/) {
  const std::vector<double>& found = in.after(in.products);
  return {{"cells", in.matrix.cell_count()},
          {"sum", std::accumulate(found.begin(), found.end(), 0.0)},
          {"fingerprint", fmt::format("{:016x}", kit::fingerprint(found))}};
}

}  // namespace stealbench::spmv
