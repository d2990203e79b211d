// Rectangular cells on a board, one placed after the other: the problem and the moves of the
// workload `floorplan`.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace stealbench::floorplan {

inline constexpr std::size_t board_side = 64;  ///< A row is a word.
inline constexpr std::size_t most_cells = 20;
inline constexpr std::uint32_t most_side = 8;  ///< Of a cell.
/// Two ways to turn a cell, each with as many offsets as two sides make.
inline constexpr std::size_t most_moves = 2 * (2 * std::size_t{most_side} - 1);

/// What a plan costs that does not exist.
inline constexpr std::uint64_t no_area = board_side * board_side + 1;

struct cell {
  std::uint8_t height;
  std::uint8_t width;
  std::uint8_t neighbour;  ///< The earlier cell that it touches; 0 for cell 0, which has none.
  bool is_below;           ///< Below its neighbour, else to the right of it.
};

/// Cells with sides of 1 to `longest_side`, each of which leans on a random earlier one: a side
/// carries no more than one cell. Requires: count <= most_cells, longest_side <= most_side.
[[nodiscard]] std::vector<cell> random_cells(std::size_t count, std::uint32_t longest_side,
                                             std::uint64_t seed);

struct rectangle {
  std::uint8_t top;
  std::uint8_t left;
  std::uint8_t height;
  std::uint8_t width;

  bool operator==(const rectangle&) const = default;
};

/// The first cells, placed. 600 bytes, copied for every branch.
struct plan {
  std::array<std::uint64_t, board_side> occupied{};  ///< A bit for each column of each row.
  std::array<rectangle, most_cells> placed{};
  std::uint8_t count = 0;
  std::uint8_t height = 0;  ///< Of the rectangle around all cells and the board's first corner.
  std::uint8_t width = 0;

  [[nodiscard]] std::uint64_t area() const { return std::uint64_t{height} * width; }
  [[nodiscard]] std::uint64_t area_with(const rectangle& next) const;
  [[nodiscard]] bool is_free(const rectangle& next) const;
  /// Requires: the rectangle is free.
  void place(const rectangle& next);
};

/// The places of the next cell that keep the area below `best`: along the whole edge that it shares
/// with its neighbour, upright and turned. The first cell goes to the corner.
struct moves {
  std::array<rectangle, most_moves> all;  ///< Only the first `count` are set.
  std::size_t count = 0;

  moves(const plan& from, std::span<const cell> cells, std::uint64_t best);
  [[nodiscard]] const rectangle* begin() const { return all.data(); }
  [[nodiscard]] const rectangle* end() const { return all.data() + count; }
};

/// What a copy of a plan, and a search for the next moves, come to in units of work (kit::charge).
/// In proportion to their times on this project's machine: how many places a search tries, and how
/// many of them the bound leaves, varies with the cells by factors.
inline constexpr std::uint64_t units_of_copy = 24;
[[nodiscard]] std::uint64_t units_of_search(const plan& from, std::span<const cell> cells,
                                            std::uint64_t best);

/// The area if each cell in turn goes to where it adds the least, or no_area if that comes to a
/// cell without a place.
[[nodiscard]] std::uint64_t greedy_area(std::span<const cell> cells);

}  // namespace stealbench::floorplan
