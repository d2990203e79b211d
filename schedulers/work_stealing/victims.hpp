// Victim selection: the order in which a thief tries the other workers.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "schedulers/engine/machine.hpp"
#include "schedulers/options.hpp"

namespace stealbench::work_stealing {

/// All deques of a scheduler, by worker.
template <class Deque>
struct deque_table {
  explicit deque_table(const schedulers::options& chosen)
      : deques(chosen.workers), victim(chosen.stealing.victim) {}

  /// Any thread. A job is seen as by the deque's own looks_empty.
  [[nodiscard]] bool has_work() const {
    return std::any_of(deques.begin(), deques.end(),
                       [](const Deque* each) { return !each->looks_empty(); });
  }

  std::vector<Deque*> deques;  // Each entry is written by its worker's state, before any thread.
  const victim_choice victim;
};

/// Of one thief, on the machine `M`.
template <class M>
class victims {
 public:
  /// Throws std::bad_alloc, or what M::workers_by_distance throws.
  victims(unsigned thief, unsigned workers, victim_choice choice)
      : thief_(thief), choice_(choice), random_(thief + 1), first_(thief) {
    if (choice == victim_choice::nearest) {
      order_ = M::workers_by_distance(thief, workers);
    } else {
      order_.resize(workers);
      std::iota(order_.begin(), order_.end(), 0U);
    }
  }

  /// Calls ask(victim) for every other worker once, until it returns true.
  template <class Ask>
  bool any(const Ask& ask) {
    const auto workers = static_cast<unsigned>(order_.size());
    unsigned place = first_to_ask(workers);
    for (unsigned i = 0; i < workers; ++i) {
      const unsigned victim = order_[place];
      if (victim != thief_) {
        M::charge(engine::cost::look);
        if (ask(victim)) {
          first_ = place;
          found_ = true;
          return true;
        }
      }
      place = after(place);
    }
    found_ = false;
    return false;
  }

 private:
  unsigned first_to_ask(unsigned workers) {
    switch (choice_) {
      case victim_choice::nearest:
        return 0;
      case victim_choice::round_robin:
        first_ = after(first_);
        if (first_ == thief_) first_ = after(first_);  // Else the one after it began two rounds.
        return first_;
      case victim_choice::last:
        if (found_) return first_;
        break;
      case victim_choice::random:
        break;
    }
    return workers == 1 ? 0 : (thief_ + 1 + next_random() % (workers - 1)) % workers;
  }

  [[nodiscard]] unsigned after(unsigned place) const {
    return place + 1 == order_.size() ? 0 : place + 1;
  }

  // xorshift32 (Marsaglia 2003): a victim needs no better, and the state is one word of the
  // thief's.
  std::uint32_t next_random() {
    random_ ^= random_ << 13;
    random_ ^= random_ >> 17;
    random_ ^= random_ << 5;
    return random_;
  }

  const unsigned thief_;
  const victim_choice choice_;
  std::vector<unsigned> order_;
  std::uint32_t random_;
  unsigned first_;  // The place in order_ of the latest victim that had a job, or was asked first.
  bool found_ = false;  // Whether the latest round ended with a job.
};

}  // namespace stealbench::work_stealing
