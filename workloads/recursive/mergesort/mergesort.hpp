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
#include "workloads/workload.hpp"

namespace stealbench::mergesort {

/// Merges two sorted runs into `out`, which holds exactly both. Stable: of equal keys those of
/// `left` come first. Linear; without a branch on the keys, which random keys would make
/// unpredictable.
template <class Key>
void merge_serially(std::span<const Key> left, std::span<const Key> right, std::span<Key> out) {
  const Key* l = left.data();
  const Key* const l_end = l + left.size();
  const Key* r = right.data();
  const Key* const r_end = r + right.size();
  Key* to = out.data();
  while (l != l_end && r != r_end) {
    const bool takes_right = *r < *l;
    *to++ = takes_right ? *r : *l;
    r += takes_right ? 1 : 0;
    l += takes_right ? 0 : 1;
  }
  std::copy(r, r_end, std::copy(l, l_end, to));
}

/// The same in parallel: splits the larger run at its middle, finds that key's place in the other
/// run by binary search, and merges both sides at once (Cormen, Leiserson, Rivest & Stein,
/// "Introduction to Algorithms", section 27.3 in the third edition). No side gets less than a
/// quarter of the keys. Work O(n), span O(log^2 n) and the grain's own time. Returns the number of
/// forks, which the keys alone decide. Requires: grain >= 2.
template <class Key, class Worker>
std::uint64_t merge_in_parallel(Worker worker, std::span<const Key> left,
                                std::span<const Key> right, std::span<Key> out, std::size_t grain) {
  if (out.size() <= grain) {
    merge_serially(left, right, out);
    return 0;
  }
  // Equal keys of `left` belong before those of `right`: hence the two different searches.
  std::size_t l = left.size() / 2;
  std::size_t r = right.size() / 2;
  if (left.size() >= right.size()) {
    const auto place = std::lower_bound(right.begin(), right.end(), left[l]);
    r = static_cast<std::size_t>(place - right.begin());
  } else {
    const auto place = std::upper_bound(left.begin(), left.end(), right[r]);
    l = static_cast<std::size_t>(place - left.begin());
  }
  auto [lower_forks, upper_forks] = worker->fork_join(
      [=](Worker w) {
        return merge_in_parallel<Key>(w, left.first(l), right.first(r), out.first(l + r), grain);
      },
      [=](Worker w) {
        return merge_in_parallel<Key>(w, left.subspan(l), right.subspan(r), out.subspan(l + r),
                                      grain);
      });
  return 1 + lower_forks + upper_forks;
}

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
/// n + grain · log n) with the parallel merge, O(n) with the serial one.
template <class Key, class Worker>
std::uint64_t sort(Worker worker, std::span<Key> keys, std::span<Key> buffer, destination into,
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

  const std::span<const Key> source = into == destination::keys ? buffer : keys;
  const std::span<Key> to = into == destination::keys ? keys : buffer;
  std::uint64_t merge_forks = 0;
  if (how.merge == merge_kind::parallel) {
    merge_forks =
        merge_in_parallel<Key>(worker, source.first(half), source.subspan(half), to, how.grain);
  } else {
    merge_serially<Key>(source.first(half), source.subspan(half), to);
  }
  return 1 + left_forks + right_forks + merge_forks;
}

/// The same sort in plain code, with serial merges.
void plain_sort(std::span<key> keys, std::span<key> buffer, destination into, std::size_t grain);

struct workload : kit::sorting {
  struct input : kit::sort_input {
    merge_kind merge;
    std::vector<key> buffer;
  };

  static kit::description describe() { return kit::description_of("mergesort"); }
  static input prepare(const kit::parameters& chosen);
  /// A lost branch must not find in the buffer what an earlier run has sorted. The keys come last:
  /// they are what the run reads first.
  static void reset(input& in) {
    std::ranges::fill(in.buffer, key{0});
    kit::sorting::reset(in);
  }

  template <class Worker>
  static output run(Worker worker, input& in) {
    return {sort(worker, std::span(in.keys), std::span(in.buffer), destination::keys,
                 {in.grain, in.merge})};
  }

  static output sequential(input& in);
  static void corrupt(input& in, output& /*unused*/) { std::swap(in.keys.front(), in.keys.back()); }
};

}  // namespace stealbench::mergesort
