// How a loop is cut, where that is not left to the workers that ask for work (options::split).
#pragma once

#include <algorithm>
#include <cstddef>

#include "schedulers/engine/machine.hpp"
#include "schedulers/engine/memory_model.hpp"
#include "schedulers/first_error.hpp"
#include "schedulers/options.hpp"

namespace stealbench::engine {

/// Cuts a loop in two by forks, again and again while both halves keep a grain, before it runs any.
template <class Slot, class Body>
struct eager_loop {
  const std::size_t grain;
  const Body& body;

  void run(Slot* worker, std::size_t first, std::size_t last) const {
    const std::size_t half = (last - first) / 2;
    if (half >= grain) {
      const std::size_t middle = first + half;
      worker->fork_join([this, first, middle](Slot* w) { run(w, first, middle); },
                        [this, middle, last](Slot* w) { run(w, middle, last); });
    } else {
      Slot::machine::charge(cost::piece);
      for (; first < last; ++first) static_cast<void>(body(worker, first));
    }
  }
};

/// Guided self-scheduling (Polychronopoulos & Kuck, IEEE Trans. Computers C-36, 1987): whoever
/// works on the loop takes the next piece from one counter, long ones first. They take ceil(rest /
/// P); here it is half of that, as in LLVM's OpenMP, so that the first pieces may be uneven.
///
/// Lives in the frame of the loop. The children of a group, one for each other worker, call the
/// same function as the caller. All operations on the counter are relaxed: it hands out numbers and
/// nothing else, the fork and the join of the children order the data.
template <class Slot, class Body>
class guided_loop {
  using machine = typename Slot::machine;

 public:
  guided_loop(std::size_t first, std::size_t last, std::size_t grain, unsigned workers,
              const Body& body)
      : next_(first), last_(last), grain_(grain), workers_(workers), body_(body) {}

  void run(Slot* worker) {
    {
      auto others = worker->task_group();
      const std::size_t pieces = (last_ - next_.load(order::relaxed)) / grain_;
      const std::size_t children = std::min<std::size_t>(workers_, pieces) - 1;
      for (std::size_t i = 0; i < children; ++i) {
        others.spawn([this](Slot* w) { take_pieces(w, [] {}); });
      }
      auto& own = worker->owner();
      // Above the children, as a job that runs while others are awaited: a fork from their own slot
      // would have to look for another one.
      Slot* const above = (std::max)(worker, own.above_children);
      take_pieces(above, [&] {
        if (children > 0) own.look_around(above[-1]);
      });
    }
    errors_.rethrow();
  }

 private:
  // Calls look() before each piece.
  template <class Look>
  void take_pieces(Slot* worker, const Look& look) noexcept {
    std::size_t first = 0;
    for (std::size_t length = take(first); length > 0; length = take(first)) {
      look();
      machine::charge(cost::piece);
      const std::size_t begin = first;
      try {
        for (const std::size_t end = first + length; first < end; ++first)
          static_cast<void>(body_(worker, first));
      } catch (...) {
        errors_.keep(begin);
      }
    }
  }

  // Sets the first index of the next piece, and returns its length; 0 if there is none.
  std::size_t take(std::size_t& first) {
    std::size_t next = next_.load(order::relaxed);
    while (next < last_) {
      const std::size_t rest = last_ - next;
      std::size_t length = (std::max)(grain_, rest / (2 * std::size_t{workers_}));
      if (length >= rest || rest - length < grain_) length = rest;  // no piece below the grain
      if (next_.compare_exchange_strong(next, next + length, order::relaxed, order::relaxed)) {
        first = next;
        return length;
      }
    }
    return 0;
  }

  typename machine::template atomic<std::size_t> next_;  // The first index not yet taken.
  const std::size_t last_;
  const std::size_t grain_;
  const unsigned workers_;
  const Body& body_;
  schedulers::first_error errors_;  // Ranked by where the piece that threw begins.
};

/// Cuts and runs a loop of two grains or more. Requires: `split` is not lazy, and `grain` not 0.
template <class Slot, class Body>
void split_loop(Slot* worker, schedulers::loop_split split, unsigned workers, std::size_t first,
                std::size_t last, std::size_t grain, const Body& body) {
  using schedulers::loop_split;
  if (split == loop_split::guided) {
    guided_loop<Slot, Body>(first, last, grain, workers, body).run(worker);
  } else {
    eager_loop<Slot, Body>{grain, body}.run(worker, first, last);
  }
}

}  // namespace stealbench::engine
