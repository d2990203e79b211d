// Victim selection: the order in which a thief tries the other workers.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "schedulers/engine/machine.hpp"
#include "schedulers/engine/steal_attempts.hpp"
#include "schedulers/options.hpp"
#include "schedulers/random.hpp"
#include "schedulers/work_stealing/options.hpp"

namespace stealbench::work_stealing {

/// Who has stolen from whom of late, for victim_choice::own_first. A record of each worker's latest
/// few thieves. Hints, so relaxed: two thieves of one worker may overwrite each other's names.
template <class M>
class thefts {
 public:
  /// No records, unless they are looked at.
  thefts(unsigned workers, victim_choice choice)
      : records_(choice == victim_choice::own_first ? workers : 0) {}

  /// By the thief.
  void note(unsigned victim, unsigned thief) {
    auto& names = records_[victim].names;
    const std::uint64_t before = names.load(engine::order::relaxed);
    // A line less to be changed where one worker steals from another again and again.
    if (before % one_name != thief + 1) {
      names.store(before * one_name + thief + 1, engine::order::relaxed);
    }
  }

  /// Calls look(thief) for the latest thieves of `victim`, the latest first, until it returns true;
  /// forgets them if it never does. By the victim.
  template <class Look>
  bool some(unsigned victim, const Look& look) {
    auto& names = records_[victim].names;
    const std::uint64_t latest = names.load(engine::order::relaxed);
    for (std::uint64_t left = latest; left != 0; left /= one_name) {
      if (look(static_cast<unsigned>(left % one_name) - 1)) return true;
    }
    if (latest != 0) names.store(0, engine::order::relaxed);
    return false;
  }

 private:
  // A name is a worker's number and one, in 16 bits.
  static constexpr std::uint64_t one_name = std::uint64_t{1} << 16;
  struct alignas(64) record {
    typename M::template atomic<std::uint64_t> names;  // Written by thieves and the victim.
  };
  std::vector<record> records_;
};

/// All deques of a scheduler on the machine `M`, by worker.
template <class Deque, class M>
struct deque_table {
  explicit deque_table(const schedulers::options& chosen)
      : deque_table(chosen.workers, schedulers::own_options<options>(chosen)) {}

  /// Any thread. A job is seen as by the deque's own looks_empty.
  [[nodiscard]] bool has_work() const {
    return std::any_of(deques.begin(), deques.end(),
                       [](const Deque* each) { return !each->looks_empty(); });
  }

  std::vector<Deque*> deques;  // Each entry is written by its worker's state, before any thread.
  const options own;
  thefts<M> stolen;

 private:
  deque_table(unsigned workers, const options& chosen)
      : deques(workers), own(chosen), stolen(workers, chosen.victim) {}
};

/// Of one thief, on the machine `M`.
template <class M>
class victims {
 public:
  /// Throws std::bad_alloc, or what M::workers_by_distance throws.
  victims(unsigned thief, unsigned workers, victim_choice choice, thefts<M>& stolen)
      : choice_(choice), thief_(thief), stolen_(stolen), random_(thief + 1) {
    if (choice == victim_choice::nearest) {
      others_ = M::workers_by_distance(thief, workers);
      std::erase(others_, thief);
    } else {
      const unsigned first = choice == victim_choice::first ? 0 : thief;
      for (unsigned i = 0; i < workers; ++i) {
        const unsigned other = (first + i) % workers;
        if (other != thief) others_.push_back(other);
      }
    }
    if (workers > 1) {
      place_ = choice == victim_choice::last    ? random_place()
               : choice == victim_choice::first ? 0
                                                : others_.size() - 1;
      latest_ = others_[place_];
    }
  }

  /// One round: calls look(victim) for other workers until it returns true: for all of them, or for
  /// most_looks if these are fewer. `size_of(victim)` is a hint of how many jobs that one has. A
  /// thief asks the last one of a round for work (engine/parking_lot.hpp), so the next round looks
  /// there again.
  template <class SizeOf, class Look>
  bool some(const SizeOf& size_of, const Look& look) {
    const std::size_t most = std::min(others_.size(), most_looks);
    const bool begins_anew = found_;
    found_ = false;
    if (most == 0) return false;
    switch (choice_) {
      case victim_choice::busiest:
        return look_at_busiest(size_of, look);
      case victim_choice::first:
        return look_at(0, look) || look_at_others(begins_anew, 1, most, look);
      case victim_choice::own_first: {
        const auto look_back = [&](unsigned thief) { return look_at_worker(thief, look); };
        return stolen_.some(thief_, look_back) || look_at_others(begins_anew, 0, most, look);
      }
      default:
        return look_at_others(begins_anew, 0, most, look);
    }
  }

  /// The one looked at last; requires that there was one.
  [[nodiscard]] unsigned latest() const { return latest_; }

  static constexpr std::size_t most_looks = engine::most_looks;
  static_assert(most_looks > 1, "a round begins at the victim of the last, and goes on to another");

 private:
  [[nodiscard]] bool is_random() const {
    return choice_ == victim_choice::random || choice_ == victim_choice::last ||
           choice_ == victim_choice::own_first;
  }

  // A round, of which `looks` have been.
  template <class Look>
  bool look_at_others(bool begins_anew, std::size_t looks, std::size_t most, const Look& look) {
    for (bool is_first = true; looks < most; ++looks, is_first = false) {
      if (is_first) {
        if (begins_anew) begin_anew();
      } else if (looks == 1 && most < others_.size() && is_random()) {
        place_ = random_place();
      } else {
        place_ = after(place_);
      }
      // The hot spot has been looked at.
      if (choice_ == victim_choice::first && place_ == 0) place_ = after(place_);
      if (look_at(place_, look)) return true;
    }
    return false;
  }

  // Where all seem to have none, the next in turn: it may be asked.
  template <class SizeOf, class Look>
  bool look_at_busiest(const SizeOf& size_of, const Look& look) {
    place_ = after(place_);
    std::size_t busiest = place_;
    std::size_t most = 0;
    for (std::size_t i = 0, at = place_; i < others_.size(); ++i, at = after(at)) {
      const std::size_t size = size_of(others_[at]);
      if (size > most) {
        most = size;
        busiest = at;
      }
    }
    return look_at(busiest, look);
  }

  template <class Look>
  bool look_at(std::size_t place, const Look& look) {
    return look_at_worker(others_[place], look);
  }

  template <class Look>
  bool look_at_worker(unsigned victim, const Look& look) {
    M::charge(engine::cost::look);
    latest_ = victim;
    found_ = look(victim);
    if (found_ && choice_ == victim_choice::own_first) stolen_.note(victim, thief_);
    return found_;
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
      case victim_choice::first:
      case victim_choice::busiest:
        break;
      case victim_choice::random:
      case victim_choice::own_first:
        place_ = random_place();
        break;
    }
  }

  [[nodiscard]] std::size_t after(std::size_t place) const {
    return place + 1 == others_.size() ? 0 : place + 1;
  }

  std::size_t random_place() { return schedulers::next_random(random_) % others_.size(); }

  const victim_choice choice_;
  const unsigned thief_;
  thefts<M>& stolen_;
  std::vector<unsigned> others_;
  std::uint32_t random_;
  unsigned latest_ = 0;
  std::size_t place_ = 0;  // In others_, of the one looked at last, in turn or at random.
  bool found_ = true;      // Whether the latest round ended with a job.
};

}  // namespace stealbench::work_stealing
