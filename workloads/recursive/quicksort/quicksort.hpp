// Quicksort of 64-bit keys in place. The partition is serial, so that the first one passes over all
// keys before there is anything to share: of n log n work the span is n. How the halves weigh
// follows from the keys.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "workloads/kit/sorting.hpp"
#include "workloads/workload.hpp"

namespace stealbench::quicksort {

using key = std::uint64_t;

/// Moves the keys about so that none of the first part is greater than any of the second; returns
/// the size of the first part, and leaves neither empty. Hoare's partition around the median of
/// three: equal keys go to both sides, so that they halve too. O(keys). Requires: three keys.
[[nodiscard]] std::size_t split(std::span<key> keys);

/// Keys that partitions pass in the time that std::sort takes for `count` keys: for 64 to 2^20
/// random ones, 1.1 count lg count (g++ 12 -O3, AMD EPYC).
[[nodiscard]] std::uint64_t passes_of_sort(std::size_t count);

/// Sorts the keys; at most `grain` of them without a fork. Returns the number of forks, which the
/// keys and the grain alone decide. Work O(n log n) and span O(n) for keys in random order.
/// Requires: grain >= 2.
template <class Worker>
std::uint64_t sort(Worker worker, std::span<key> keys, std::size_t grain) {
  if (keys.size() <= grain) {
    std::sort(keys.begin(), keys.end());
    kit::charge(worker, [=] { return passes_of_sort(keys.size()); });
    return 0;
  }
  kit::charge(worker, keys.size());
  const std::size_t first_part = split(keys);
  const auto [left_forks, right_forks] =
      worker->fork_join([=](Worker w) { return sort(w, keys.first(first_part), grain); },
                        [=](Worker w) { return sort(w, keys.subspan(first_part), grain); });
  return 1 + left_forks + right_forks;
}

/// The same sort in plain code.
void plain_sort(std::span<key> keys, std::size_t grain);

struct workload : kit::sorting {
  using input = kit::sort_input;

  static kit::description describe() { return kit::description_of("quicksort"); }
  static input prepare(const kit::parameters& chosen);

  template <class Worker>
  static output run(Worker worker, input& in) {
    return {sort(worker, std::span(in.keys), in.grain)};
  }

  static output sequential(input& in);
  /// One leaf, left unsorted.
  static void corrupt(input& in, output& /*unused*/) { std::swap(in.keys[0], in.keys[1]); }
};

}  // namespace stealbench::quicksort
