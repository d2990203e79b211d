// The completion word of a job: pending, done, or the address of the worker that sleeps until then.
//
// Protocol. One setter, at most one waiter.
//   pending --register_waiter()--> waiter --set()--> done
//   pending --------------set()-------------------> done
//   done --reset()--> pending
// decline() opens the latch as set() does, and tells the waiter that the job has not run.
// The waiter owns the memory that holds the latch and may use it anew as soon as it sees `done`; so
// the exchange in set() is the setter's last access, and what it needs afterwards (whom to wake) is
// the value that the exchange returned.
//
//   L1  set -> done, register_waiter: what the job wrote happens before the join returns. Without
//       the release or the acquire the joiner could read its result before it is written.
// That the waiter is not left asleep is no matter of ordering: the exchange and the
// compare-exchange are read-modify-writes of one word, so one of them comes first. If it is the
// exchange, the compare-exchange fails and says so; if it is the compare-exchange, the exchange
// returns the waiter.
#pragma once

#include <cstdint>

#include "schedulers/engine/memory_model.hpp"

namespace stealbench::engine {

struct latch_orderings {
  order set = order::release;   // L1: publishes the job's effects.
  order done = order::acquire;  // L1: pairs with set.
  // Says only who waits, and the waiter outlives the latch, so relaxed would do; but GCC warns of a
  // failure order that is stronger than the success order.
  order register_taken = order::acquire;
  order register_done = order::acquire;  // L1: pairs with set, on the path that finds it done.
  order look = order::relaxed;           // The waiter has acquired this value.
  order reset = order::relaxed;  // The next setter gets the latch with its job, and so sees this.
};
inline constexpr latch_orderings latch_shipped{};

/// One-shot, until it is reset. All zero bits: pending, so it needs no constructor in the memory of
/// a job stack; elsewhere it must be value-initialised. `Waiter` is what set() hands back to be
/// woken; it must outlive the latch.
template <class Waiter, class M, const latch_orderings& Orderings = latch_shipped>
class latch {
 public:
  /// Whether set() has been called; what preceded it is then visible. Wait-free. The waiter only.
  [[nodiscard]] bool done() const noexcept { return opened(word_.load(Orderings.done)); }

  /// The waiter only: it will soon ask.
  void prefetch() const noexcept { M::prefetch(word_); }

  /// Opens the latch, once. Returns the registered waiter, whom the caller must wake, or null. The
  /// latch may be gone when this returns. Wait-free.
  [[nodiscard]] Waiter* set() noexcept { return open(finished); }

  /// Instead of set(), by a setter that could not do what it is waited for.
  [[nodiscard]] Waiter* decline() noexcept { return open(refused); }
  /// Whether the latch was opened by decline(). The waiter only, once it is done.
  [[nodiscard]] bool declined() const noexcept { return word_.load(Orderings.look) == refused; }

  /// Makes the latch pending again, for the next job of its slot. The waiter only, once it is done.
  void reset() noexcept { word_.store(pending, Orderings.reset); }

  /// Asks to be handed to whoever calls set(). False if it has been called: there will be no wake.
  /// Repeatable by the same waiter. Wait-free.
  [[nodiscard]] bool register_waiter(Waiter& waiter) noexcept {
    std::uintptr_t seen = pending;
    return word_.compare_exchange_strong(seen, reinterpret_cast<std::uintptr_t>(&waiter),
                                         Orderings.register_taken, Orderings.register_done) ||
           !opened(seen);
  }

 private:
  // No object has any of these addresses.
  static constexpr std::uintptr_t pending = 0;
  static constexpr std::uintptr_t finished = 1;
  static constexpr std::uintptr_t refused = 2;
  static bool opened(std::uintptr_t word) { return word == finished || word == refused; }

  Waiter* open(std::uintptr_t how) noexcept {
    const std::uintptr_t before = word_.exchange(how, Orderings.set);
    return before == pending ? nullptr : reinterpret_cast<Waiter*>(before);
  }

  typename M::template zeroed_atomic<std::uintptr_t>
      word_;  // Written by the setter and the waiter.
};

}  // namespace stealbench::engine
