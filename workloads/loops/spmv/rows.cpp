#include "workloads/loops/spmv/rows.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "workloads/kit/random.hpp"

namespace stealbench::spmv {

std::vector<std::size_t> row_law::lengths() const {
  kit::random_stream random(seed);
  std::vector<std::size_t> drawn(rows);
  for (std::size_t& length : drawn) {
    // The inverse of the law; 1 - fraction() lies in (0, 1].
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

}  // namespace stealbench::spmv
