// The threads that can run, the earliest first.
#pragma once

#include <cstddef>
#include <vector>

#include "schedulers/virtual_machine/cache_line.hpp"

namespace stealbench::virtual_machine {

/// A binary heap of threads by their clocks, and by their numbers where two clocks agree, so that
/// the order does not depend on anything else. Not one of Boost's heaps with handles: an operation
/// on these took 130 to 160 ns where one here takes 58 ns, and whole simulations 15 to 25 % longer
/// (2026-11-23). `Thread` has members `number` and `place`; `place`
/// is the queue's own: where the thread is, or `nowhere`.
template <class Thread>
class run_queue {
 public:
  static constexpr std::size_t nowhere = ~std::size_t{0};

  [[nodiscard]] bool is_empty() const { return entries_.empty(); }
  [[nodiscard]] picoseconds earliest() const { return entries_.front().clock; }

  void add(Thread& added, picoseconds clock) {
    entries_.push_back({clock, &added});
    rise(entries_.size() - 1);
  }

  Thread& take_first() {
    Thread& first = *entries_.front().thread;
    remove(0);
    return first;
  }

  void remove(Thread& gone) { remove(gone.place); }

  /// As take_first() and add(), in one step.
  Thread& exchange_first(Thread& added, picoseconds clock) {
    Thread& first = *entries_.front().thread;
    first.place = nowhere;
    entries_.front() = {clock, &added};
    sink(0);
    return first;
  }

 private:
  struct entry {
    picoseconds clock;
    Thread* thread;
  };
  static bool is_before(const entry& a, const entry& b) {
    return a.clock != b.clock ? a.clock < b.clock : a.thread->number < b.thread->number;
  }

  void put(std::size_t place, entry what) {
    entries_[place] = what;
    what.thread->place = place;
  }

  void remove(std::size_t place) {
    entries_[place].thread->place = nowhere;
    const entry last = entries_.back();
    entries_.pop_back();
    if (place == entries_.size()) return;
    entries_[place] = last;
    rise(place);
    sink(last.thread->place);
  }

  void rise(std::size_t place) {
    const entry moved = entries_[place];
    while (place > 0) {
      const std::size_t above = (place - 1) / 2;
      if (!is_before(moved, entries_[above])) break;
      put(place, entries_[above]);
      place = above;
    }
    put(place, moved);
  }

  void sink(std::size_t place) {
    const entry moved = entries_[place];
    const std::size_t size = entries_.size();
    for (;;) {
      std::size_t below = 2 * place + 1;
      if (below >= size) break;
      if (below + 1 < size && is_before(entries_[below + 1], entries_[below])) ++below;
      if (!is_before(entries_[below], moved)) break;
      put(place, entries_[below]);
      place = below;
    }
    put(place, moved);
  }

  std::vector<entry> entries_;
};

}  // namespace stealbench::virtual_machine
