// Who may use the threads of a pool: one run at a time, in the process that has them, and no run
// once the pool has ended. verify/engine/run_gate_relacy.cpp checks this very file.
//
//   open --enter--> entered --leave--> open
//   open --close--> closed: whoever has closed it may give back what the pool has
//   entered --close--> closed: it may not, since a run is under way, whose branch has called
//   exit(),
//     say. That run goes on, and gives back what the pool has when it ends.
//
//   R1  leave -> enter, close: what a run has left is seen by the next one, and by the pool's end.
//
// It can be asked when the pool has ended too, as long as its memory is there, as that of an object
// with static storage duration is: threads may run on while such objects are destroyed.
#pragma once

#include <cstdint>

#include "schedulers/engine/memory_model.hpp"
#include "schedulers/operating_system/sanitizers.hpp"

namespace stealbench::engine {

struct run_gate_orderings {
  order enter = order::acquire;    // R1: pairs with leave.
  order refuse = order::relaxed;   // Publishes nothing: such a run has its caller alone.
  order leave = order::release;    // R1: pairs with enter and close.
  order closed = order::relaxed;   // Likewise nothing: the gate stays as it is.
  order close = order::acquire;    // R1: pairs with leave.
  order end = order::relaxed;      // Orders nothing: what it tells of has no other data.
  order see_end = order::relaxed;  // The same.
};
inline constexpr run_gate_orderings run_gate_shipped{};

/// Of one pool. Wait-free.
template <class M, const run_gate_orderings& Orderings = run_gate_shipped>
class run_gate {
 public:
  /// True if the caller may use the pool's threads, until it leaves. Any thread.
  [[nodiscard]] bool enter() noexcept {
    std::uint32_t seen = open;
    const bool enters = made_in_.is_here() && state_.compare_exchange_strong(
                                                  seen, entered, Orderings.enter, Orderings.refuse);
    if (enters) operating_system::note_run(1);
    return enters;
  }
  /// Whoever has entered. Does nothing where the pool has ended meanwhile.
  void leave() noexcept {
    operating_system::note_run(-1);
    std::uint32_t seen = entered;
    state_.compare_exchange_strong(seen, open, Orderings.leave, Orderings.closed);
  }
  /// The pool ends. True if its threads can be joined, and its memory given back. One thread, once.
  [[nodiscard]] bool close() noexcept {
    return state_.exchange(closed, Orderings.close) == open && made_in_.is_here();
  }

  /// Tells a run that its pool, and so the gate, has ended before it. Beside what the threads use,
  /// which stays.
  class end_mark {
   public:
    void set() noexcept { is_set_.store(true, Orderings.end); }
    [[nodiscard]] bool is_set() const noexcept { return is_set_.load(Orderings.see_end); }

   private:
    typename M::template atomic<bool> is_set_{false};
  };

 private:
  static constexpr std::uint32_t open = 0;
  static constexpr std::uint32_t entered = 1;
  static constexpr std::uint32_t closed = 2;

  [[no_unique_address]] const typename M::process_mark made_in_{};
  typename M::template atomic<std::uint32_t> state_{open};
};

/// Of a machine on which no process exits or forks, and programs keep to the contract.
struct open_gate {
  static constexpr bool enter() { return true; }
  static constexpr void leave() {}
  static constexpr bool close() { return true; }
  struct end_mark {
    static constexpr void set() {}
    static constexpr bool is_set() { return false; }
  };
};

/// The gate of a machine's pools: the above, unless the machine brings its own.
template <class M>
struct run_gate_on {
  using type = run_gate<M>;
};
template <class M>
requires requires { typename M::run_gate; }
struct run_gate_on<M> {
  using type = typename M::run_gate;
};

}  // namespace stealbench::engine
