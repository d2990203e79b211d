// Merging two sorted runs, one after the other or in parallel.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

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

}  // namespace stealbench::mergesort
