#include "workloads/recursive/nqueens/nqueens.hpp"

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

std::uint64_t known_count(unsigned rows) {
  constexpr std::array<std::uint64_t, most_rows + 1> published{
      1,   1,    0,     0,     2,      10,      4,        40,       92,       352,
      724, 2680, 14200, 73712, 365596, 2279184, 14772512, 95815104, 666090624};
  return published.at(rows);
}

workload::input workload::prepare(const kit::parameters& chosen) {
  return {.rows = chosen.integer<unsigned>("n"),
          .spawning_rows = chosen.integer<unsigned>("cutoff")};
}

std::optional<bool> workload::verify(const input& in, const output& out) {
  if (out.solutions != known_count(in.rows)) return false;
  if (out.tasks == uncounted) return true;
  constexpr std::uint64_t distinct = ~std::uint64_t{0} / one_task + 1;
  return out.tasks == (fork_count(in, out) + 1) % distinct;
}

std::uint64_t workload::fork_count(const input& in, const output& /*unused*/) {
  if (!in.forks) in.forks = kit::forks_of([&](auto worker) { run(worker, in); });
  return *in.forks;
}

}  // namespace stealbench::nqueens
