#include "workloads/recursive/nqueens/nqueens.hpp"

#include <fmt/format.h>

namespace stealbench::nqueens {

// NOLINTNEXTLINE(misc-no-recursion): the definition
std::uint64_t plain_count(const board& top) {
  if (top.is_full()) return 1;
  std::uint64_t sum = 0;
  for (std::uint32_t safe = top.safe(); safe != 0; safe &= safe - 1) {
    sum += plain_count(top.with(safe & -safe));
  }
  return sum;
}

// NOLINTNEXTLINE(misc-no-recursion): the definition
std::uint64_t placements(const board& top, unsigned spawning_rows) {
  if (spawning_rows == 0) return 0;
  std::uint64_t sum = 0;
  for (std::uint32_t safe = top.safe(); safe != 0; safe &= safe - 1) {
    sum += 1 + placements(top.with(safe & -safe), spawning_rows - 1);
  }
  return sum;
}

std::uint64_t known_count(unsigned rows) {
  constexpr std::array<std::uint64_t, most_rows + 1> published{
      1,   1,    0,     0,     2,      10,      4,        40,       92,       352,
      724, 2680, 14200, 73712, 365596, 2279184, 14772512, 95815104, 666090624};
  return published.at(rows);
}

kit::description workload::describe() {
  return kit::described(fmt::format(R"(
nqueens: counts the ways to place n queens: a spawn for every safe square
shape: `task_group`, one child per safe column; irregular, n levels
tasks: number of ways to place 1 to n queens in the top rows without an attack
work: Θ(placements), exponential in n
span: O(n²)
bound by: forks; with a small cutoff, compute
answer: the number of solutions; published values
source: Cilk's queens, Frigo, Leiserson & Randall, PLDI 1998; BOTS, Duran et al., ICPP 2009
unit: board
n=14 (1 to {0}): number of queens, rows and columns; each further row takes 6 times as long
cutoff={0} (0 to {0}): number of top rows whose queens are placed by tasks; {0}: all rows
sizes: n=7; n=8 cutoff=3 | n=11 | n=14 | n=16
)",
                                    most_rows),
                        kit::granularity{.parameter = "cutoff",
                                         .counts = kit::grain_unit::levels_of_forks,
                                         .least = 0,
                                         .bounded_by = "n"});
}

workload::input workload::prepare(const kit::parameters& chosen) {
  return {.rows = static_cast<unsigned>(chosen.integer("n")),
          .spawning_rows = static_cast<unsigned>(chosen.integer("cutoff"))};
}

std::uint64_t workload::fork_count(const input& in, const output& /*unused*/) {
  if (!in.spawns) in.spawns = placements(empty_board(in.rows), in.spawning_rows);
  return *in.spawns;
}

}  // namespace stealbench::nqueens
