// How large a deque begins, and how patient its thieves are, by the machine.
#pragma once

#include <cstddef>

namespace stealbench::work_stealing {

struct deque_limits {
  /// Jobs for which a deque that grows has room at first: a power of two. 8 KiB: deeper than most.
  std::size_t capacity = std::size_t{1} << 10;
  /// Rounds without a job before a thief forces an owner's border: some microseconds, in which an
  /// owner that forks at all has answered.
  unsigned force_after = 16;
  /// Jobs that thieves have found short, one after the other, before they spare their victim
  /// (steal_worth.hpp). More than there are leaves in a row in a tree. 0: they never do.
  unsigned short_jobs = 128;
  /// Children of one group from which on its owner makes half of them public before it joins them,
  /// if thieves have been among them.
  unsigned many_children = 32;
};

/// The above, but for machines of checks.
template <class M>
inline constexpr deque_limits deque_limits_on{};

}  // namespace stealbench::work_stealing
