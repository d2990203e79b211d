// Puts one thread to sleep until another one wakes it: a binary token on a futex.
//
//   empty --park()--> asleep --unpark()--> token --park() returns--> empty
//   empty --unpark()--> token: the next park() returns at once, so a wake-up is never lost.
//
//   P1  unpark -> park: what the waker did before happens before park() returns. The token is taken
//       with a read-modify-write, never with a plain store: a store could overwrite the token of a
//       second waker without acquiring what that one published, and the sleeper would then look,
//       see nothing, and sleep for ever.
#pragma once

#include <chrono>
#include <cstdint>

#include "schedulers/engine/memory_model.hpp"

namespace stealbench::engine {

struct parker_orderings {
  order fall_asleep = order::relaxed;  // Publishes nothing; the futex call reads the word itself.
  order token_found = order::relaxed;  // Only a hint to skip the sleep: take_token acquires.
  order look = order::relaxed;         // Likewise, after a return of the futex.
  order take_token = order::acquire;   // P1: pairs with leave_token.
  order leave_token = order::release;  // P1: publishes why the sleeper is woken.
};
inline constexpr parker_orderings parker_shipped{};

template <class M, const parker_orderings& Orderings = parker_shipped>
class parker {
 public:
  parker() noexcept : word_(empty) { M::name(word_, "sleepers: wake-up tokens"); }

  /// Sleeps until there is a token, and takes it; or for `at_most`, unless that is zero. One thread
  /// only. False if the time has passed. May return true without a reason that the caller still
  /// sees (a token left earlier), so it is called in a loop over a condition.
  bool park(std::chrono::nanoseconds at_most = {}) noexcept {
    std::uint32_t seen = empty;
    if (word_.compare_exchange_strong(seen, asleep, Orderings.fall_asleep, Orderings.token_found)) {
      do {
        if (!M::wait(word_, asleep, at_most)) break;
      } while (word_.load(Orderings.look) == asleep);
    }
    return word_.exchange(empty, Orderings.take_token) == token;
  }

  /// Leaves a token and wakes the sleeper if there is one. Any thread; wait-free but for the
  /// kernel.
  void unpark() noexcept {
    if (word_.exchange(token, Orderings.leave_token) == asleep) M::notify_one(word_);
  }

 private:
  static constexpr std::uint32_t empty = 0;
  static constexpr std::uint32_t asleep = 1;
  static constexpr std::uint32_t token = 2;

  typename M::template atomic<std::uint32_t> word_;  // Written by the sleeper and its wakers.
};

}  // namespace stealbench::engine
