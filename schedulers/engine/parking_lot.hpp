// Where idle workers sleep, and how a new job wakes one: an event count with a searcher throttle.
//
// Words. One word counts the workers that sleep and those that search (awake, without work). A list
// of the sleepers, under a mutex, is touched only by who goes to sleep or wakes another.
//
//   working --start_searching--> searching --park--> sleeping --wake_any, wake--> searching
//   searching --stop_searching--> working
//
// The rule: a pusher wakes a sleeper only if no worker searches. So a burst of jobs costs one
// wake-up, not one each, and a pool whose workers are all busy or searching costs a push one
// relaxed load.
//
// Why no wake-up is lost. A pusher publishes a job, passes a light fence and reads the word (A). A
// worker that gives up changes the word, passes a heavy fence and looks for work again (B). The two
// fences order like two seq_cst fences, so either A reads B's change, or B sees A's job. A pusher
// that asks anyone_idle() first passes a compiler fence, which is as good; where it is not, one bit
// of the word is always set, and the pusher goes on to wake_any().
//   1. A reads a word in which some worker S searches, and wakes none. S cannot have left
//      searching before A's read, so S's later change and look see the job: S goes to sleep only
//      after looking (park), and if it leaves for another job as the last searcher, it looks
//      whether more is there and wakes the next (stop_searching). The hand-over is the chain by
//      which one push that no worker answered still wakes as many as there are jobs.
//   2. A reads that none searches and one sleeps: it wakes one.
//   3. A reads that none sleeps and none searches: every worker is working and looks for work
//      when it is done, or has not yet changed the word and will then see the job (B).
// A job that only one worker may take (wake) does not rely on the throttle: case 1 does not occur.
//
// Case 1 relies on a searcher that runs. One that the operating system has stopped would keep the
// others asleep for as long. So a sleeper looks again by itself, after 1 ms and then after twice as
// long each time, up to a bound (naps). It looks with plain loads and counts as asleep meanwhile;
// nothing above relies on it, and verify/ checks the lot without naps.
//
//   K1  wake_any/wake -> park: the store-load order above, by the asymmetric pair of fences.
// The changes of the word are relaxed: K1 alone orders them with the jobs, and what the list holds
// is ordered by the mutex.
//
// Papers and models: the event count of Reed & Kanodia 1979; the throttle is that of the Go
// scheduler's spinning threads (V'jukov 2012), the light side of the fence that of folly's
// EventCount and of Linux membarrier.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <vector>

#include "schedulers/engine/memory_model.hpp"
#include "schedulers/engine/parker.hpp"

namespace stealbench::engine {

struct parking_lot_orderings {
  order look_at_idle = order::relaxed;    // K1: ordered by the light or compiler fence before it.
  order count_searcher = order::relaxed;  // Says nothing about jobs; a stale count wakes too many.
  order leave_search = order::relaxed;    // K1: ordered by the heavy fence after it.
  order fall_asleep = order::relaxed;     // K1: ordered by the heavy fence after it.
  order wake_up = order::relaxed;         // Under the mutex.
  bool light = true;                      // K1: the pusher's fence. False only in a mutant.
  bool heavy = true;                      // K1: the idle worker's fence. False only in a mutant.
  bool always_look = true;                // K1: sends anyone_idle() on to a fence. Likewise.
};
inline constexpr parking_lot_orderings parking_lot_shipped{};
/// What a lot on `M` takes: the above, but for a mutant of verify/.
template <class M>
inline constexpr const parking_lot_orderings& parking_lot_orderings_on = parking_lot_shipped;

/// How long a sleeper sleeps before it looks for work by itself: the first time, and at most, after
/// twice as long each time. Zero: until it is woken.
struct naps {
  std::chrono::nanoseconds first{};
  std::chrono::nanoseconds longest{};
};

template <class M, const parking_lot_orderings& Orderings = parking_lot_orderings_on<M>>
class parking_lot {
 public:
  /// The sleep state of one worker. Made before, and outlives, every call that names it.
  struct alignas(64) sleeper {
    engine::parker<M> parker;
    // Under mutex_: in sleepers_, so that no worker has been sent to wake it.
    typename M::template plain<bool> listed{false};
  };

  explicit parking_lot(unsigned workers)
      : idle_(Orderings.always_look && !M::asymmetric() ? always_look : 0) {
    sleepers_.reserve(workers);
    M::name(idle_, "parking lot: counts of idle workers");
    M::name(mutex_, "parking lot: mutex of the sleepers");
  }

  /// After publishing a job that any worker may take: false if no worker sleeps or searches, so
  /// that wake_any() need not be called. Any thread. One relaxed load, and never a fence.
  [[nodiscard, gnu::always_inline]] bool anyone_idle() const {
    M::compiler_fence();
    return idle_.load(Orderings.look_at_idle) != 0;
  }

  /// After publishing a job that any worker may take. Any thread. One relaxed load while none
  /// sleeps or somebody searches. Returns how many were woken, 0 or 1.
  unsigned wake_any() {
    if (Orderings.light) M::light_fence();
    const std::uint32_t idle = idle_.load(Orderings.look_at_idle);
    if (sleeping(idle) == 0 || searching(idle) != 0) [[likely]]
      return 0;
    return wake_a_sleeper();
  }

  /// After publishing a job that only this worker may take. Any thread.
  unsigned wake(sleeper& target) {
    if (Orderings.light) M::light_fence();
    if (sleeping(idle_.load(Orderings.look_at_idle)) == 0) return 0;
    {
      mutex_.lock();
      const bool was_listed = target.listed.read();
      if (was_listed) unlist(target);
      mutex_.unlock();
      if (!was_listed) return 0;
    }
    target.parker.unpark();
    return 1;
  }

  /// The caller has run out of work and begins to look for some.
  void start_searching() { idle_.fetch_add(one_searcher, Orderings.count_searcher); }

  /// The caller has found what it looked for. `more` tells whether there is work that any worker
  /// may take; it is called only by the last searcher while others sleep, who then wakes the next.
  template <class More>
  unsigned stop_searching(const More& more) {
    const std::uint32_t before = idle_.fetch_sub(one_searcher, Orderings.leave_search);
    if (searching(before) != 1 || sleeping(before) == 0) [[likely]]
      return 0;
    if (Orderings.heavy) M::heavy_fence();
    return more() ? wake_any() : 0;  // K1 anew: what `more` saw is ordered with the next look.
  }

  /// Sleeps unless `stay_awake`, which looks for work, for the end of the wait and for the stop
  /// sign once more, after the caller has been counted as a sleeper; and again after each nap.
  /// Called while searching; returns searching. May return for no reason.
  template <class StayAwake>
  void park(sleeper& self, const StayAwake& stay_awake, naps look_every = {}) {
    mutex_.lock();
    self.listed.write(true);
    sleepers_.push_back(&self);
    idle_.fetch_add(one_sleeper - one_searcher, Orderings.fall_asleep);
    mutex_.unlock();
    if (Orderings.heavy) M::heavy_fence();
    if (stay_awake()) {
      M::spin();  // The work that it saw may be another thread's by now: let that one go on.
    } else {
      std::chrono::nanoseconds nap = look_every.first;
      while (!self.parker.park(nap) && nap.count() != 0 && !stay_awake()) {
        nap = std::min(2 * nap, look_every.longest);
      }
    }
    mutex_.lock();
    // Else a waker has done so, and its token is or was under way.
    if (self.listed.read()) unlist(self);
    mutex_.unlock();
  }

 private:
  // Sleepers in the low half, searchers above; and one bit that keeps the word from ever being zero
  // where a compiler fence orders nothing: anyone_idle() then always sends its caller on to
  // wake_any(), which has a fence.
  static constexpr std::uint32_t one_sleeper = 1;
  static constexpr std::uint32_t one_searcher = 1U << 16;
  static constexpr std::uint32_t always_look = 1U << 31;
  static constexpr std::uint32_t sleeping(std::uint32_t idle) { return idle % one_searcher; }
  static constexpr std::uint32_t searching(std::uint32_t idle) {
    return idle % always_look / one_searcher;
  }

  // The woken worker counts as a searcher from now on, so that the next push wakes no other.
  // Under mutex_.
  void unlist(sleeper& woken) {
    std::erase(sleepers_, &woken);
    woken.listed.write(false);
    idle_.fetch_add(one_searcher - one_sleeper, Orderings.wake_up);
  }

  [[gnu::noinline]] unsigned wake_a_sleeper() {
    mutex_.lock();
    sleeper* chosen = nullptr;
    if (searching(idle_.load(Orderings.wake_up)) == 0 && !sleepers_.empty()) {
      chosen = sleepers_.back();  // The latest to fall asleep: its cache is the warmest.
      unlist(*chosen);
    }
    mutex_.unlock();
    if (chosen == nullptr) return 0;
    chosen->parker.unpark();
    return 1;
  }

  alignas(64) typename M::template atomic<std::uint32_t> idle_;  // Written by idle workers, wakers.
  alignas(64) typename M::mutex mutex_;
  std::vector<sleeper*> sleepers_;  // Under mutex_.
};

}  // namespace stealbench::engine
