// The order in which a thief asks the other workers.
#pragma once

#include <cstdint>
#include <vector>

namespace stealbench::work_stealing {

/// All deques of a scheduler, by worker.
template <class Deque>
struct deque_table {
  explicit deque_table(unsigned workers) : deques(workers) {}
  std::vector<Deque*> deques;  // Each entry is written by its worker's state, before any thread.
};

/// Of one thief.
class victims {
 public:
  explicit victims(unsigned thief) : thief_(thief), random_(thief + 1) {}

  /// Calls ask(victim) for every other worker once, from a random one on, until it returns true.
  template <class Ask>
  bool any(unsigned workers, const Ask& ask) {
    unsigned victim = next_random() % workers;
    for (unsigned i = 0; i < workers; ++i) {
      if (victim != thief_ && ask(victim)) return true;
      victim = victim + 1 == workers ? 0 : victim + 1;
    }
    return false;
  }

 private:
  // xorshift32 (Marsaglia 2003): a victim needs no better, and the state is one word of the
  // thief's.
  std::uint32_t next_random() {
    random_ ^= random_ << 13;
    random_ ^= random_ >> 17;
    random_ ^= random_ << 5;
    return random_;
  }

  const unsigned thief_;
  std::uint32_t random_;
};

}  // namespace stealbench::work_stealing
