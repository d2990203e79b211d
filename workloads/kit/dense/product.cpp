#include "workloads/kit/dense/product.hpp"

#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "workloads/kit/random.hpp"

namespace stealbench::dense {
namespace {

// A tile of c stays in registers while the whole depth is added to it: 16 sums of two rows of eight
// doubles hide the multipliers' latency. Compilers do not keep an array of plain doubles there, but
// they keep these, and split them where the machine's registers are narrower.
using lanes [[gnu::vector_size(64)]] = double;
constexpr std::size_t lane_count = sizeof(lanes) / sizeof(double);
constexpr std::size_t tile_rows = 8;
constexpr std::size_t tile_columns = 2 * lane_count;

// By reference, since how such vectors are handed on depends on the machine's registers: GCC warns.
void load(lanes& to, const double* from) { std::memcpy(&to, from, sizeof to); }

void add_to(double* to, const lanes& sum) {
  lanes value;
  load(value, to);
  value += sum;
  std::memcpy(to, &value, sizeof value);
}

void add_to_tile(block c, const_block a, const_block b, double scale) {
  std::array<lanes, tile_rows> left{};
  std::array<lanes, tile_rows> right{};
  for (std::size_t k = 0; k < b.rows; ++k) {
    lanes b_left;
    lanes b_right;
    load(b_left, b.row(k));
    load(b_right, b.row(k) + lane_count);
    // Unrolled by hand: GCC would keep the sums in memory for a loop.
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      ((left[I] += a.at(I, k) * b_left, right[I] += a.at(I, k) * b_right), ...);
    }
    (std::make_index_sequence<tile_rows>());
  }
  for (std::size_t i = 0; i < tile_rows; ++i) {
    add_to(c.row(i), scale * left[i]);
    add_to(c.row(i) + lane_count, scale * right[i]);
  }
}

/// Any size: what is left at the edges of a matrix whose side is no multiple of the tile's.
void add_by_cells(block c, const_block a, const_block b, double scale) {
  for (std::size_t i = 0; i < c.rows; ++i) {
    for (std::size_t j = 0; j < c.columns; ++j) {
      double sum = 0;
      for (std::size_t k = 0; k < b.rows; ++k) sum += a.at(i, k) * b.at(k, j);
      c.at(i, j) += scale * sum;
    }
  }
}

/// Any whole number modulo 2^64.
std::uint64_t modular(double whole) {
  return static_cast<std::uint64_t>(static_cast<std::int64_t>(whole));
}

bool is_whole(const double cell) {
  constexpr double limit = 0x1p53;
  return std::abs(cell) < limit && std::trunc(cell) == cell;
}

std::vector<std::uint64_t> modular_product(const_block m, const std::vector<std::uint64_t>& v) {
  std::vector<std::uint64_t> product(m.rows);
  for (std::size_t i = 0; i < m.rows; ++i) {
    for (std::size_t j = 0; j < m.columns; ++j) product[i] += modular(m.at(i, j)) * v[j];
  }
  return product;
}

}  // namespace

// Not inlined: inside a recursion GCC keeps the sums of a tile in memory, three times as slow.
[[gnu::noinline]] void add_product(block c, const_block a, const_block b, double scale) {
  const std::size_t rows = c.rows - c.rows % tile_rows;
  const std::size_t columns = c.columns - c.columns % tile_columns;
  for (std::size_t j = 0; j < columns; j += tile_columns) {
    const block strip = c.right_of(j);
    for (std::size_t i = 0; i < rows; i += tile_rows) {
      add_to_tile(strip.below(i), a.below(i), b.right_of(j), scale);
    }
  }
  add_by_cells(c.top(rows).right_of(columns), a.top(rows), b.right_of(columns), scale);
  add_by_cells(c.below(rows), a.below(rows), b, scale);
}

std::uint64_t units_of_product(const_block c, std::size_t depth) {
  constexpr std::uint64_t units_by_cells = 12;
  const std::size_t rows = c.rows - c.rows % tile_rows;
  const std::size_t columns = c.columns - c.columns % tile_columns;
  const std::uint64_t in_tiles = rows * columns;
  return depth * (in_tiles + units_by_cells * (c.rows * c.columns - in_tiles));
}

bool is_product(const_block c, const_block a, const_block b) {
  if (!all_of(c, is_whole)) return false;
  constexpr std::uint64_t seed = 1977;  // Any; that of the input would relate the two.
  std::vector<std::uint64_t> v(c.columns);
  kit::fill_with_random_numbers(v, seed);
  return modular_product(c, v) == modular_product(a, modular_product(b, v));
}

void fill_factors(product_input& in, std::uint64_t seed) {
  fill_with_whole_numbers(in.a.all(), seed);
  fill_with_whole_numbers(in.b.all(), ~seed);
}

nlohmann::ordered_json product_workload::answer(const product_input& in, const output& /*unused*/) {
  return {{"first_cell", in.c.all().at(0, 0)},
          {"fingerprint", fmt::format("{:016x}", fingerprint(in.c.all()))}};
}

}  // namespace stealbench::dense
