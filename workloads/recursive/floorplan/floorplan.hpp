// Packs rectangular cells, each of which touches a given other one, into the smallest rectangle:
// branch and bound with a whole board as the state of every branch, and a varying, sometimes large
// number of children. After BOTS, whose cells come from files; these come from a seed, so that the
// areas published for BOTS (216, 713 and 896 for 5, 15 and 20 cells) are those of other problems.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "workloads/kit/in_order_worker.hpp"
#include "workloads/kit/incumbent.hpp"
#include "workloads/workload.hpp"

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

  moves(const plan& partial, std::span<const cell> cells, std::uint64_t best);
  [[nodiscard]] const rectangle* begin() const { return all.data(); }
  [[nodiscard]] const rectangle* end() const { return all.data() + count; }
};

/// What a copy of a plan, and a search for the next moves, come to in units of work (kit::charge).
/// In proportion to their times on this project's machine: how many places a search tries, and how
/// many of them the bound leaves, varies with the cells by factors.
inline constexpr std::uint64_t units_of_copy = 24;
[[nodiscard]] std::uint64_t units_of_search(const plan& partial, std::span<const cell> cells,
                                            std::uint64_t best);

/// The area if each cell in turn goes to where it adds the least, or no_area if that comes to a
/// cell without a place.
[[nodiscard]] std::uint64_t greedy_area(std::span<const cell> cells);

/// Of the smallest area.
using incumbent = kit::incumbent<std::less<>>;

struct found {
  std::uint64_t area;    ///< Of the best plan in the branch; no_area if none beats the incumbent.
  std::uint64_t spawns;  ///< Of the sequential version: `uncounted`.
};
inline constexpr std::uint64_t uncounted = ~std::uint64_t{0};

/// The least area of the plans that continue `partial`, if one beats `best`, else no_area. Plain
/// recursion.
[[nodiscard]] std::uint64_t plain_search(std::span<const cell> cells, const plan& partial,
                                         incumbent& best);

/// The same, with a spawn for every place of the next cell that the bound leaves, while fewer than
/// `spawning_cells` are placed. Work exponential in the cells, span O(cells * moves).
template <class Worker>
found search(Worker worker, std::span<const cell> cells, const plan& partial, incumbent& best,
             std::size_t spawning_cells) {
  if constexpr (kit::charged_worker<Worker>) {
    if (partial.count < cells.size() && partial.count >= spawning_cells) {
      const kit::in_order_worker<kit::machine_of<Worker>> alone;
      return {.area = search(alone, cells, partial, best, cells.size()).area, .spawns = 0};
    }
  }
  kit::charge(worker, units_of_copy);
  if (partial.count < cells.size()) {
    kit::charge(worker, [&] { return units_of_search(partial, cells, best.value()); });
  }
  if (partial.count == cells.size() || partial.count >= spawning_cells) {
    return {.area = plain_search(cells, partial, best), .spawns = 0};
  }
  const moves possible(partial, cells, best.value());
  std::array<found, most_moves> slots;  // Only those of the possible moves are ever written.
  const auto branch = [&](Worker w, std::size_t index) {
    plan next = partial;
    next.place(possible.all[index]);
    slots[index] = search(w, cells, next, best, spawning_cells);
  };
  auto group = worker->task_group();
  for (std::size_t index = 0; index < possible.count; ++index) {
    group.spawn([&branch, index](Worker w) { branch(w, index); });
  }
  group.sync();
  found all{.area = no_area, .spawns = possible.count};
  for (const found& each : std::span(slots).first(possible.count)) {
    all.area = std::min(all.area, each.area);
    all.spawns += each.spawns;
  }
  return all;
}

struct workload : workloads::defaults<workload> {
  struct input {
    std::vector<cell> cells;
    std::uint64_t greedy;
    kit::pruning how;
    std::size_t spawning_cells;
    mutable std::optional<found> expected = std::nullopt;  ///< Found when first asked for.
  };
  using output = found;

  static kit::description describe() { return kit::description_of("floorplan"); }
  static input prepare(const kit::parameters& chosen);

  template <class Worker>
  static output run(Worker worker, const input& in) {
    incumbent best(in.greedy, in.how);
    const found result = search(worker, std::span(in.cells), plan{}, best, in.spawning_cells);
    return {.area = std::min(in.greedy, result.area), .spawns = result.spawns};
  }

  static output sequential(const input& in);
  /// Against a serial run, which the first call makes; with prune=fixed also whether there were all
  /// branches, though the least area is in one of them only.
  static std::optional<bool> verify(const input& in, const output& out);
  /// The branch with the best plan, lost.
  static void corrupt(input& /*unused*/, output& out) { ++out.area; }
  static nlohmann::ordered_json answer(const input& in, const output& out) {
    return {{"area", out.area}, {"greedy_area", in.greedy}};
  }

  /// What the search has counted itself; with prune=shared another number in every run.
  static std::uint64_t fork_count(const input& /*unused*/, const output& out) { return out.spawns; }
};

}  // namespace stealbench::floorplan
