// Inclusive prefix sums, in two passes over blocks: loops that are even, with hardly more work per
// byte than a copy, and twice the additions of the serial program. What the extra pass over the
// memory costs, no scheduler can win back with one worker.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "workloads/workload.hpp"

namespace stealbench::scan {

/// The sum modulo 2^64. Linear.
[[nodiscard]] std::uint64_t plain_sum(std::span<const std::uint64_t> numbers);

/// Replaces each number by `before` and the sum of all up to itself, modulo 2^64. Linear.
void plain_scan(std::span<std::uint64_t> numbers, std::uint64_t before);

/// The same for `before` = 0, in parallel: the sum of each block of `grain` numbers, the scan of
/// these sums, which is serial, and the scan of each block. Work O(n); span O(n / grain + grain).
/// Requires: grain >= 1, and a place in `sums` for each block.
template <class Worker>
void scan(Worker worker, std::span<std::uint64_t> numbers, std::size_t grain,
          std::span<std::uint64_t> sums) {
  const std::size_t blocks = sums.size();
  const auto block = [=](std::size_t index) {
    const std::size_t first = index * grain;
    return numbers.subspan(first, std::min(grain, numbers.size() - first));
  };
  worker->parallel_for(std::size_t{0}, blocks, std::size_t{1},
                       [=](Worker, std::size_t index) { sums[index] = plain_sum(block(index)); });
  plain_scan(sums, 0);
  worker->parallel_for(std::size_t{0}, blocks, std::size_t{1}, [=](Worker, std::size_t index) {
    plain_scan(block(index), index == 0 ? 0 : sums[index - 1]);
  });
}

struct workload {
  struct input {
    std::uint64_t seed;
    std::size_t grain;
    std::uint64_t passes;
    std::vector<std::uint64_t> numbers;
    std::vector<std::uint64_t> sums;  ///< One for each block of `grain` numbers.
  };
  struct output {};  ///< The answer is in the input's numbers.

  static kit::description describe() { return kit::description_of("scan"); }
  static input prepare(const kit::parameters& chosen);
  /// Writes the unscanned numbers again; they follow from the seed, so that no copy is kept. A lost
  /// block must not find its sum.
  static void reset(input& in);

  template <class Worker>
  static output run(Worker worker, input& in) {
    for (std::uint64_t pass = 0; pass < in.passes; ++pass) {
      scan(worker, std::span(in.numbers), in.grain, std::span(in.sums));
    }
    return {};
  }

  static output sequential(input& in);
  static void corrupt(input& in, output& /*unused*/);
  /// Every number, against as many running sums as there are passes, and the last block's sum, on
  /// which no number depends. O(numbers x passes).
  static std::optional<bool> verify(const input& in, const output& /*unused*/);
  static nlohmann::ordered_json answer(const input& in, const output& /*unused*/) {
    return {{"last", in.numbers.back()}};
  }

  static std::uint64_t fork_count(const input& in, const output& /*unused*/) {
    return in.passes * 2 * kit::pieces_of_loop(in.sums.size(), 1);
  }
};

}  // namespace stealbench::scan
