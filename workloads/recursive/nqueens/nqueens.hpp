// Counts the ways to place n queens so that none attacks another: a search tree whose shape nothing
// prescribes, with some nanoseconds of work at a node. In Cilk's and BOTS's suites alike; the board
// is three words here, so that the time is the forks' and not that of copying arrays.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include <nlohmann/json.hpp>

#include "workloads/kit/in_order_worker.hpp"
#include "workloads/workload.hpp"

namespace stealbench::nqueens {

/// The most rows whose counts are tabulated.
inline constexpr unsigned most_rows = 18;

/// The first rows of a board, filled; a bit means a column.
struct board {
  std::uint32_t columns;    ///< Every column of the board.
  std::uint32_t taken;      ///< Columns that have a queen.
  std::uint32_t left = 0;   ///< Columns that a diagonal down to the left attacks in the next row.
  std::uint32_t right = 0;  ///< The same for diagonals down to the right.

  [[nodiscard]] constexpr bool is_full() const { return taken == columns; }
  /// The columns of the next row that no queen attacks.
  [[nodiscard]] constexpr std::uint32_t safe() const { return columns & ~(taken | left | right); }
  /// With a queen in the next row, in the column of the one bit `queen`.
  [[nodiscard]] constexpr board with(std::uint32_t queen) const {
    return {columns, taken | queen, (left | queen) << 1, (right | queen) >> 1};
  }
};

[[nodiscard]] constexpr board empty_board(unsigned rows) {
  return {.columns = (std::uint32_t{1} << rows) - 1, .taken = 0};
}

/// The solutions that continue `top`, by plain recursion.
[[nodiscard]] std::uint64_t plain_count(const board& top);

/// Solutions and tasks in one number, so that to count both costs an addition for each task and no
/// memory: the solutions, of which there are less than 2^30, in the low bits, and the tasks modulo
/// 2^34 above them.
inline constexpr unsigned solution_bits = 30;
inline constexpr std::uint64_t one_task = std::uint64_t{1} << solution_bits;
[[nodiscard]] constexpr std::uint64_t solutions_of(std::uint64_t counted) {
  return counted % one_task;
}

template <class Worker>
std::uint64_t count_children(Worker worker, const board& top, unsigned spawning_rows);

/// The same, with a spawn for every safe column of the next `spawning_rows` rows, and with each of
/// these boards and `top` counted as a task. Work O(nodes of the search tree), span O(rows^2).
template <class Worker>
std::uint64_t count(Worker worker, const board& top, unsigned spawning_rows) {
  if (spawning_rows == 0) {
    if constexpr (requires { requires !Worker::computes; }) return 0;  // Who counts forks alone.
    if constexpr (kit::charged_worker<Worker>) {
      const kit::in_order_worker<kit::machine_of<Worker>> alone;
      return one_task + solutions_of(count(alone, top, most_rows));
    }
    return one_task + plain_count(top);
  }
  kit::charge(worker, 1);
  if (top.is_full()) return one_task + 1;
  return count_children(worker, top, spawning_rows);
}

// Apart from the test for a leaf, which so needs no frame: see fib::fork_fib.
template <class Worker>
[[gnu::noinline]] std::uint64_t count_children(Worker worker, const board& top,
                                               unsigned spawning_rows) {
  std::array<std::uint64_t, most_rows> found;  // Only the slots in use are ever written.
  std::size_t used = 0;
  auto group = worker->task_group();
  for (std::uint32_t safe = top.safe(); safe != 0; safe &= safe - 1) {
    std::uint64_t* const slot = &found[used++];
    *slot = 0;  // What a child leaves there that is lost; one that runs twice leaves its double.
    group.spawn([slot, &top, queen = safe & -safe, spawning_rows](Worker w) {
      *slot += count(w, top.with(queen), spawning_rows - 1);
    });
  }
  group.sync();
  std::uint64_t sum = one_task;
  for (const std::uint64_t counted : std::span(found).first(used)) sum += counted;
  return sum;
}

/// The published number of solutions (OEIS A000170). Requires: rows <= most_rows.
[[nodiscard]] std::uint64_t known_count(unsigned rows);

struct workload : workloads::defaults<workload> {
  struct input {
    unsigned rows;
    unsigned spawning_rows;
    mutable std::optional<std::uint64_t> forks = std::nullopt;  ///< Counted when first asked for.
  };
  struct output {
    std::uint64_t solutions;
    std::uint64_t tasks;  ///< Modulo 2^34. Of the sequential version: `uncounted`.
  };
  static constexpr std::uint64_t uncounted = ~std::uint64_t{0};

  static kit::description describe() { return kit::description_of("nqueens"); }
  static input prepare(const kit::parameters& chosen);

  template <class Worker>
  static output run(Worker worker, const input& in) {
    const std::uint64_t counted = count(worker, empty_board(in.rows), in.spawning_rows);
    return {.solutions = solutions_of(counted), .tasks = counted / one_task};
  }

  static output sequential(const input& in) {
    return {.solutions = plain_count(empty_board(in.rows)), .tasks = uncounted};
  }
  /// The published number of solutions, and all tasks, though most lead to none. O(nodes) at first,
  /// as long as a serial run.
  static std::optional<bool> verify(const input& in, const output& out);
  /// A solution that was counted twice.
  static void corrupt(input& /*unused*/, output& out) { ++out.solutions; }
  static nlohmann::ordered_json answer(const input& /*unused*/, const output& out) {
    return out.solutions;
  }
  /// A spawn for each queen in the first `spawning_rows` rows. O(nodes) unless `verify` was called.
  static std::uint64_t fork_count(const input& in, const output& out);
};

}  // namespace stealbench::nqueens
