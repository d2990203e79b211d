// Victim selection: the order in which a thief tries the other workers.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "schedulers/engine/machine.hpp"
#include "schedulers/options.hpp"

namespace stealbench::work_stealing {

/// All deques of a scheduler, by worker.
template <class Deque>
struct deque_table {
  explicit deque_table(const schedulers::options& chosen)
      : deques(chosen.workers), victim(chosen.stealing.victim), expose(chosen.stealing.expose) {}

  /// Any thread. A job is seen as by the deque's own looks_empty.
  [[nodiscard]] bool has_work() const {
    return std::any_of(deques.begin(), deques.end(),
                       [](const Deque* each) { return !each->looks_empty(); });
  }

  std::vector<Deque*> deques;  // Each entry is written by its worker's state, before any thread.
  const victim_choice victim;
  const exposure expose;  // Where a deque has private jobs.
};

/// Of one thief, on the machine `M`.
template <class M>
class victims {
 public:
  /// Throws std::bad_alloc, or what M::workers_by_distance throws.
  victims(unsigned thief, unsigned workers, victim_choice choice)
      : choice_(choice), random_(thief + 1) {
    if (choice == victim_choice::nearest) {
      others_ = M::workers_by_distance(thief, workers);
      std::erase(others_, thief);
    } else {
      for (unsigned i = 1; i < workers; ++i) others_.push_back((thief + i) % workers);
    }
    if (workers > 1) place_ = choice == victim_choice::last ? random_place() : others_.size() - 1;
  }

  /// One round: calls look(victim) for other workers until it returns true: for all of them, or for
  /// most_looks if these are fewer. A thief asks the last one of a round for work
  /// (engine/parking_lot.hpp), so the next round begins at the same.
  template <class Look>
  bool some(const Look& look) {
    const std::size_t looks = std::min(others_.size(), most_looks);
    for (std::size_t i = 0; i < looks; ++i) {
      if (i == 0) {
        if (found_) begin_anew();
      } else if (i == 1 && looks < others_.size() && is_random()) {
        place_ = random_place();
      } else {
        place_ = after(place_);
      }
      M::charge(engine::cost::look);
      found_ = look(others_[place_]);
      if (found_) return true;
    }
    return false;
  }

  /// The one looked at last; requires that there was one.
  [[nodiscard]] unsigned latest() const { return others_[place_]; }

  // So many that, where one worker in ten has a job, a search of some rounds finds it, and so few
  // that a round of a thousand workers takes no longer than one of ten.
  static constexpr std::size_t most_looks = 4;
  static_assert(most_looks > 1, "a round begins at the victim of the last, and goes on to another");

 private:
  [[nodiscard]] bool is_random() const {
    return choice_ == victim_choice::random || choice_ == victim_choice::last;
  }

  // The round after one that has found a job.
  void begin_anew() {
    switch (choice_) {
      case victim_choice::nearest:
        place_ = 0;
        break;
      case victim_choice::round_robin:
        place_ = after(place_);
        break;
      case victim_choice::last:
        break;
      case victim_choice::random:
        place_ = random_place();
        break;
    }
  }

  [[nodiscard]] std::size_t after(std::size_t place) const {
    return place + 1 == others_.size() ? 0 : place + 1;
  }

  std::size_t random_place() { return next_random() % others_.size(); }

  // xorshift32 (Marsaglia 2003): a victim needs no better, and the state is one word of the
  // thief's.
  std::uint32_t next_random() {
    random_ ^= random_ << 13;
    random_ ^= random_ >> 17;
    random_ ^= random_ << 5;
    return random_;
  }

  const victim_choice choice_;
  std::vector<unsigned> others_;
  std::uint32_t random_;
  std::size_t place_ = 0;  // In others_, of the one looked at last.
  bool found_ = true;      // Whether the latest round ended with a job.
};

}  // namespace stealbench::work_stealing
