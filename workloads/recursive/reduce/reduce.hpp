// Sum of random numbers by divide and conquer: the least work per byte that a program can have, so
// that beyond the caches the memory is the limit and not the workers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "workloads/workload.hpp"

namespace stealbench::reduce {

/// The sum modulo 2^64, one number after the other. Linear.
[[nodiscard]] std::uint64_t plain_sum(std::span<const std::uint64_t> numbers);

/// The same sum by halves down to `grain` numbers; exact in any order. Work O(n), span O(log n) and
/// the grain's own time. Requires: grain >= 1.
template <class Worker>
std::uint64_t sum(Worker worker, std::span<const std::uint64_t> numbers, std::size_t grain) {
  if (numbers.size() <= grain) return plain_sum(numbers);
  const std::size_t half = numbers.size() / 2;
  const auto [left, right] =
      worker->fork_join([=](Worker w) { return sum(w, numbers.first(half), grain); },
                        [=](Worker w) { return sum(w, numbers.subspan(half), grain); });
  return left + right;
}

struct workload : workloads::defaults<workload> {
  struct input {
    std::vector<std::uint64_t> numbers;
    std::size_t grain;
    std::uint64_t passes;
    std::uint64_t expected;  ///< Of all passes, summed while the numbers were drawn.
  };
  using output = std::uint64_t;  ///< The sum over all passes, modulo 2^64.

  static kit::description describe() { return kit::description_of("reduce"); }
  static input prepare(const kit::parameters& chosen);

  template <class Worker>
  static output run(Worker worker, const input& in) {
    output total = 0;
    for (std::uint64_t pass = 0; pass < in.passes; ++pass) {
      total += sum(worker, std::span(in.numbers), in.grain);
    }
    return total;
  }

  static output sequential(const input& in);
  static void corrupt(const input& in, output& out);
  static std::optional<bool> verify(const input& in, const output& out) {
    return out == in.expected;
  }
  static std::uint64_t fork_count(const input& in, const output& /*unused*/) {
    const auto once = [&](auto worker) { sum(worker, std::span(in.numbers), in.grain); };
    return in.passes * kit::forks_of(once);
  }
};

}  // namespace stealbench::reduce
