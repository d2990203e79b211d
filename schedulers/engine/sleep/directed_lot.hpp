// Where the workers of a directed strategy sleep: a job is meant for one worker, so who publishes
// it knows whom to wake, and there is nothing to count and no searcher to rely on. The interface is
// that of parking_lot.hpp.
//
//   K1  wake -> park: a publisher leaves a job, passes a light fence and reads whether the worker
//       is asleep; a worker says that it is asleep, passes a heavy fence and looks for a job. The
//       fences order like two seq_cst fences, so the publisher sees the sleeper, or the sleeper the
//       job.
// The wake-up itself is the parker's (parker.hpp, P1).
#pragma once

#include <type_traits>

#include "schedulers/engine/machine.hpp"
#include "schedulers/engine/memory_model.hpp"
#include "schedulers/engine/sleep/parker.hpp"
#include "schedulers/engine/sleep/parking_lot.hpp"

namespace stealbench::engine {

struct directed_lot_orderings {
  order fall_asleep = order::relaxed;      // K1: ordered by the heavy fence after it
  order look_at_sleeper = order::relaxed;  // K1: ordered by the light fence before it
  order claim_wake = order::relaxed;       // one of several publishers wakes; publishes nothing
  order rise = order::relaxed;             // a waker that sees it late leaves a token for nothing
  bool light = true;                       // K1: the publisher's fence. False only in a mutant.
  bool heavy = true;                       // K1: the sleeper's fence. Likewise.
};
inline constexpr directed_lot_orderings directed_lot_shipped{};
template <class M>
inline constexpr const directed_lot_orderings& directed_lot_orderings_on = directed_lot_shipped;

template <class M, const directed_lot_orderings& Orderings = directed_lot_orderings_on<M>>
class directed_lot {
 public:
  struct alignas(64) sleeper {
    sleeper() { M::name(asleep, "sleepers: who is asleep"); }

    engine::parker<M> parker;
    typename M::template atomic<std::uint32_t> asleep{0};  // Set by its worker, cleared by both.
  };

  directed_lot(unsigned /*workers*/, unsigned /*most_searchers*/) {}

  /// After publishing a job that only this worker may take. Any thread. One relaxed load where the
  /// worker is awake. Returns how many were woken, 0 or 1.
  unsigned wake(sleeper& target) {
    if (Orderings.light) M::light_fence();
    if (target.asleep.load(Orderings.look_at_sleeper) == 0) return 0;
    if (target.asleep.exchange(0, Orderings.claim_wake) == 0) return 0;
    target.parker.unpark();
    return 1;
  }

  void request(unsigned /*worker*/) {}
  [[nodiscard]] bool start_searching() { return true; }
  template <class End>
  unsigned stop_searching(unsigned /*waker*/, const End& /*end*/, bool /*hands_over*/) {
    return 0;
  }

  /// See parking_lot::park. Takes no naps, since who publishes a job for this worker wakes it.
  template <class NoWake, class HasWork>
  [[nodiscard]] bool park(sleeper& self, bool searches, const NoWake& no_wake,
                          const HasWork& has_work, naps /*look_every*/ = {}) {
    self.asleep.store(1, Orderings.fall_asleep);
    if (Orderings.heavy) M::heavy_fence();
    if (no_wake() || has_work()) {
      M::spin();
    } else {
      self.parker.park();
    }
    self.asleep.store(0, Orderings.rise);
    return searches;
  }
};

/// Where the workers of a strategy sleep.
template <class Policy>
using lot_for = std::conditional_t<Policy::directed, directed_lot<typename Policy::machine>,
                                   parking_lot<typename Policy::machine>>;

}  // namespace stealbench::engine
