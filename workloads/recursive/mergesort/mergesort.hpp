// Merge sort of 64-bit keys between two arrays: the cilksort of the Cilk distribution without its
// quicksort stage. Bound by memory where it merges, and as regular as its keys are random.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "workloads/kit/sorting.hpp"
#include "workloads/recursive/mergesort/merge.hpp"
#include "workloads/workload.hpp"

namespace stealbench::mergesort {

using key = std::uint64_t;

enum class merge_kind : std::uint8_t { parallel, serial };

struct sort_options {
  std::size_t grain;  ///< At most so many keys are sorted or merged without a fork; at least 2.
  merge_kind merge;
};

/// Where the sorted keys are to lie.
enum class destination : std::uint8_t { keys, buffer };

/// Sorts `keys` with the help of `buffer`, which has the same size, into one of the two. Returns
/// the number of forks, which the keys and the options alone decide. Work O(n log n); span O(log^3
/// n) with the parallel merge, O(n) with the serial one.
template <class Worker>
std::uint64_t sort(Worker worker, std::span<key> keys, std::span<key> buffer, destination into,
                   sort_options how) {
  if (keys.size() <= how.grain) {
    std::sort(keys.begin(), keys.end());
    if (into == destination::buffer) std::copy(keys.begin(), keys.end(), buffer.begin());
    return 0;
  }
  const std::size_t half = keys.size() / 2;
  // The halves end where the merge does not write.
  const destination halves = into == destination::keys ? destination::buffer : destination::keys;
  const auto [left_forks, right_forks] = worker->fork_join(
      [=](Worker w) { return sort(w, keys.first(half), buffer.first(half), halves, how); },
      [=](Worker w) { return sort(w, keys.subspan(half), buffer.subspan(half), halves, how); });

  const std::span<const key> from = into == destination::keys ? buffer : keys;
  const std::span<key> to = into == destination::keys ? keys : buffer;
  std::uint64_t merge_forks = 0;
  if (how.merge == merge_kind::parallel) {
    merge_forks =
        merge_in_parallel<key>(worker, from.first(half), from.subspan(half), to, how.grain);
  } else {
    merge_serially<key>(from.first(half), from.subspan(half), to);
  }
  return 1 + left_forks + right_forks + merge_forks;
}

/// The same sort in plain code, with serial merges.
void plain_sort(std::span<key> keys, std::span<key> buffer, destination into, std::size_t grain);

/// The catalogue's entry.
struct workload : kit::sorting {
  struct input : kit::sort_input {
    merge_kind merge;
    std::vector<key> buffer;
  };

  static kit::description describe();
  static input prepare(const kit::parameters& chosen);

  template <class Worker>
  static output run(Worker worker, input& in) {
    return {sort(worker, std::span(in.keys), std::span(in.buffer), destination::keys,
                 {in.grain, in.merge})};
  }

  static output sequential(input& in);
  static void corrupt(input& in, output& /*unused*/) { std::swap(in.keys.front(), in.keys.back()); }
};

static_assert(workloads::workload<workload>);

}  // namespace stealbench::mergesort
