// Who goes on behind a join: the last to arrive. README.md has the protocols;
// verify/fibers/join_relacy.cpp checks this very file.
//
// Of a fork two arrive, the fiber that forked and the thief that has run its second branch: that
// is engine::latch, whose waiter is the suspended fiber. Of a group's sync any number arrive.
//
//   J1  arrival -> whoever goes on: what a branch or child wrote is seen behind the join.
//   J2  a suspended fiber -> who resumes it: its context and its frames are seen by the thread
//       that goes on with it. It is published once its thread has left its stack.
#pragma once

#include <cstdint>

#include "schedulers/engine/memory_model.hpp"
#include "schedulers/engine/sleep/latch.hpp"

namespace stealbench::fibers {

using engine::latch_orderings;
using engine::order;

/// For the latch of a fork. Other than a worker that sleeps, the waiter is data: the thief that
/// finds it registered goes on with it.
inline constexpr latch_orderings fork_orderings{
    .set = order::acq_rel,   // J1: publishes the branch; J2: pairs with register_taken.
    .done = order::acquire,  // J1: pairs with set.
    // J2: publishes the fiber. Release would do; but GCC warns of a failure order that is
    // stronger.
    .register_taken = order::acq_rel,
    .register_done = order::acquire,  // J1: pairs with set, on the path that finds it done.
};

struct sync_orderings {
  order arrive = order::acq_rel;  // J1: publishes the child; J2: pairs with add, as does the last.
  order add = order::acq_rel;     // J2: publishes the fiber; J1: pairs with arrive.
  order look = order::acquire;    // J1: pairs with arrive, of all: they are one release sequence.
  order reset = order::relaxed;   // Who arrives next was spawned after it.
};
inline constexpr sync_orderings sync_shipped{};

struct root_orderings {
  order due = order::release;    // J2: publishes the root's fiber, as register_taken does a waiter.
  order seen = order::acquire;   // J2: pairs with due.
  order taken = order::relaxed;  // Who next sets it is ordered by the next run.
};
inline constexpr root_orderings root_shipped{};

/// What a join on `M` takes: the above, but for a mutant of verify/.
template <class M>
inline constexpr const latch_orderings& fork_orderings_on = fork_orderings;
template <class M>
inline constexpr const sync_orderings& sync_orderings_on = sync_shipped;
template <class M>
inline constexpr const root_orderings& root_orderings_on = root_shipped;

/// Counts the children of a group that a sync has to wait for. Only the syncing fiber knows how
/// many they are, and only at the sync: until then arrivals count below zero (as in Nowa: Schmaus,
/// Pfeiffer, Hönig, Nolte & Schröder-Preikschat, IPDPS 2021). Wait-free.
template <class M, const sync_orderings& Orderings = sync_orderings_on<M>>
class sync_counter {
 public:
  /// A child is done, which the sync has to wait for. True if it is the last and the fiber has
  /// been suspended: the caller goes on with it. Else the counter may be gone.
  [[nodiscard]] bool arrive() { return missing_.fetch_sub(1, Orderings.arrive) == 1; }

  /// The fiber that syncs: whether all `children` have arrived. The counter is then as new.
  [[nodiscard]] bool all_arrived(std::int64_t children) {
    if (missing_.load(Orderings.look) != -children) return false;
    missing_.store(0, Orderings.reset);
    return true;
  }

  /// After the fiber that syncs has been suspended, by the thread that has left it. True if all
  /// have arrived: there is no other thread to go on with it. The counter is as new when it goes
  /// on.
  [[nodiscard]] bool add(std::int64_t children) {
    return missing_.fetch_add(children, Orderings.add) == -children;
  }

 private:
  typename M::template atomic<std::int64_t> missing_{0};
};

/// Where the root is handed back to worker 0, on whose thread `run` returns.
template <class M, const root_orderings& Orderings = root_orderings_on<M>>
class root_flag {
 public:
  /// The root has ended, and has been left. Worker 0 has yet to be woken.
  void set() { due_.store(true, Orderings.due); }
  /// Worker 0.
  [[nodiscard]] bool is_set() const { return due_.load(Orderings.seen); }
  void reset() { due_.store(false, Orderings.taken); }

 private:
  typename M::template atomic<bool> due_{false};
};

}  // namespace stealbench::fibers
