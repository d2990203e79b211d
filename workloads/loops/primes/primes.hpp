// Counts primes by trial division. What a number costs follows from its least factor: an even one
// is done at once, a prime takes every prime up to its root. So the blocks of the loop cost more
// the further up they lie, and equal shares of the range are unequal shares of the work. A sieve
// would be faster and even, which is why there is none.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "workloads/workload.hpp"

namespace stealbench::primes {

/// The primes below `limit`, ascending, by the sieve of Eratosthenes. O(limit) bits of memory.
[[nodiscard]] std::vector<std::uint32_t> sieved(std::uint64_t limit);

/// Primes in [first, last), found by dividing by `divisors`. Requires: these are the ascending
/// primes up to the square root of last - 1, or more of them; last <= 2^32.
[[nodiscard]] std::uint64_t count_by_division(std::uint64_t first, std::uint64_t last,
                                              std::span<const std::uint32_t> divisors);

/// The divisions that this takes. As slow.
[[nodiscard]] std::uint64_t count_divisions(std::uint64_t first, std::uint64_t last,
                                            std::span<const std::uint32_t> divisors);

struct workload : workloads::defaults<workload> {
  struct input {
    std::uint64_t limit;
    std::uint64_t grain;
    std::vector<std::uint32_t> divisors;            ///< The primes up to the root of `limit`.
    std::vector<std::uint64_t> counts;              ///< A place for each block of `grain` numbers.
    mutable std::optional<std::uint64_t> expected;  ///< Once it has been asked for.
  };
  using output = std::uint64_t;

  static kit::description describe() { return kit::description_of("primes"); }
  static input prepare(const kit::parameters& chosen);
  /// Clears the counts, so that none of an earlier run can stand in for a lost block.
  static void reset(input& in) { std::fill(in.counts.begin(), in.counts.end(), 0); }

  template <class Worker>
  static output run(Worker worker, input& in) {
    worker->parallel_for(
        std::size_t{0}, in.counts.size(), std::size_t{1}, [&in](Worker w, std::size_t block) {
          const std::uint64_t first = block * in.grain;
          const std::uint64_t last = std::min(first + in.grain, in.limit);
          in.counts[block] += count_by_division(first, last, in.divisors);
          kit::charge(w, [&] { return count_divisions(first, last, in.divisors); });
        });
    return std::accumulate(in.counts.begin(), in.counts.end(), output{0});
  }

  static output sequential(const input& in) { return count_by_division(0, in.limit, in.divisors); }
  static void corrupt(input& in, output& out);
  /// Against the published count of primes below a power of ten, else against a sieve.
  static std::optional<bool> verify(const input& in, const output& out);
  static std::uint64_t fork_count(const input& in, const output& /*unused*/) {
    return kit::pieces_of_loop(in.counts.size(), 1);
  }
};

}  // namespace stealbench::primes
