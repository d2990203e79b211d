#include "workloads/kit/dense/matrix.hpp"

#include <algorithm>

#include "workloads/kit/fingerprint.hpp"
#include "workloads/kit/random.hpp"

namespace stealbench::dense {
namespace {

constexpr std::size_t cells_per_line = 8;

template <class Size>
constexpr Size stride_of(Size side) {
  const Size lines = (side + cells_per_line - 1) / cells_per_line;
  return (lines | 1U) * cells_per_line;
}

}  // namespace

matrix::matrix(std::size_t side)
    : side_(side), stride_(stride_of(side)), cells_(side * stride_of(side)) {}

std::uint64_t matrix::bytes(std::uint64_t side) { return side * stride_of(side) * sizeof(double); }

void fill(block to, double value) {
  for (std::size_t i = 0; i < to.rows; ++i) std::fill_n(to.row(i), to.columns, value);
}

void fill_with_whole_numbers(block to, std::uint64_t seed) {
  constexpr std::uint64_t span = 1024;
  constexpr double middle = 512;
  kit::random_stream random(seed);
  for (std::size_t i = 0; i < to.rows; ++i) {
    for (std::size_t j = 0; j < to.columns; ++j) {
      to.at(i, j) = static_cast<double>(random.below(span)) - middle;
    }
  }
}

void fill_dominant(block to, std::uint64_t seed) {
  kit::random_stream random(seed);
  for (std::size_t i = 0; i < to.rows; ++i) {
    for (std::size_t j = 0; j < to.columns; ++j) to.at(i, j) = 2 * random.fraction() - 1;
    to.at(i, i) += static_cast<double>(to.rows);
  }
}

std::uint64_t fingerprint(const_block values) {
  std::uint64_t hash = 0;
  for (std::size_t i = 0; i < values.rows; ++i) {
    hash = kit::fingerprint({values.row(i), values.columns}, hash);
  }
  return hash;
}

}  // namespace stealbench::dense
