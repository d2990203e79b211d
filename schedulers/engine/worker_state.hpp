// What a worker has and does: its queue, its job stack, its bed; spawning, waiting and idling.
#pragma once

#include <cstdint>
#include <vector>

#include <sched.h>

#include "schedulers/engine/block_pool.hpp"
#include "schedulers/engine/job_stack.hpp"
#include "schedulers/engine/parking_lot.hpp"
#include "schedulers/engine/std_model.hpp"
#include "schedulers/engine/tally.hpp"
#include "schedulers/engine/worker.hpp"
#include "schedulers/options.hpp"

namespace stealbench::engine {

/// Where a queue put a job, and so whom the engine tells of it.
struct placement {
  static constexpr int refused = -1;  ///< Nowhere: the queue is full. The caller runs the job.
  static constexpr int shared = -2;   ///< Where any worker may take it.
  int worker;                         ///< Where only this worker takes it, or one of the above.
};

/// What all workers of a scheduler have in common.
template <class Policy, bool Counting>
struct pool {
  using queue = typename Policy::template queue<worker<Policy, Counting>>;

  explicit pool(const schedulers::options& chosen)
      : options(chosen), jobs(chosen), lot(chosen.workers), beds(chosen.workers), counts(chosen) {}

  const schedulers::options options;

  typename queue::shared jobs;
  parking_lot<std_model> lot;
  std::vector<bed> beds;
  std_model::atomic<bool> stop{false};  // Written by the scheduler's destructor.
  [[no_unique_address]] pool_tally<Counting> counts;
};

/// Lies at the beginning of its worker's job stack; the slots follow.
template <class Policy, bool Counting>
struct alignas(128) worker_state {
  using worker = engine::worker<Policy, Counting>;
  using kind = typename worker::kind_type;
  using pool_type = engine::pool<Policy, Counting>;

  /// Requires: `this` is the beginning of a job_stack.
  worker_state(pool_type& all, unsigned own_index)
      : pool(all),
        index(own_index),
        above_children(reinterpret_cast<worker*>(this + 1)),
        limit(reinterpret_cast<worker*>(reinterpret_cast<std::byte*>(this) + job_stack::bytes) - 1),
        counts(all.counts, own_index),
        queue(all.jobs, own_index, above_children, limit) {
    static_assert(
        sizeof(worker_state) % sizeof(worker) == 0 && job_stack::bytes % sizeof(worker) == 0,
        "a handle that goes up slot by slot must come to the limit");
    limit->entry.open(no_job, order::relaxed);  // never free; before any other thread
  }
  worker_state(const worker_state&) = delete;
  worker_state& operator=(const worker_state&) = delete;
  ~worker_state() = default;

  /// The slot to fork into for a handle whose own slot is in use: above the children of all open
  /// groups. Null if it is not one of these that uses it, but the end of the stack.
  [[gnu::noinline, gnu::cold]] worker* free_slot(worker* in_use) {
    return in_use < above_children && above_children < limit ? above_children : nullptr;
  }

  /// Offers the job in the slot to other workers. False: the queue took nothing, the caller must
  /// run it.
  [[gnu::always_inline]] bool spawn(worker& slot, const kind& of) {
    counts.offered();
    const placement where = queue.push(slot, of);
    if (where.worker == placement::refused) [[unlikely]] {
      counts.refused();
      return false;
    }
    counts.spawned();
    if constexpr (Policy::directed) {
      if (static_cast<unsigned>(where.worker) != index) {
        counts.woke(pool.lot.wake(pool.beds[static_cast<unsigned>(where.worker)]));
      }
    } else if (pool.lot.anyone_idle()) [[unlikely]] {
      tell(slot);
    }
    return true;
  }

  /// True if the job is the caller's to run, and counted as run: nobody had begun it, or who had
  /// claimed it has declined. False when another worker has run it. The slot is then free.
  [[gnu::always_inline]] bool take_back_or_wait(worker& slot) {
    if (!queue.take_back(slot)) [[unlikely]] {
      if (!wait(slot)) return false;
    }
    counts.ran();
    return true;
  }

  /// The life of a started worker.
  void work_until_stopped() {
    // Relaxed: nothing is read through the flag. A worker that sleeps is woken by a token that was
    // left after the flag was raised (parker.hpp, P1).
    const auto stopped = [&] { return pool.stop.load(order::relaxed); };
    while (worker* const found = look_for_work(stopped, stopped))
      run_found(*found, *above_children);
    counts.leaves();
  }

  /// Executes a job of this worker's own that it has offered to nobody. Its latch is then open.
  void execute_unoffered(worker& own, worker& here) noexcept {
    run(own, *own.entry.kind(order::relaxed), here);  // the owner's own write
    static_cast<void>(own.finished.set());  // Nobody waits but this worker, which is awake.
  }

  pool_type& pool;
  const unsigned index;
  // The next free slot is the higher one of this and of the handle of the closure that runs:
  //  - a closure starts with a handle at or above this;
  //  - a fork uses the slot of its handle, runs its first branch one slot higher and its second one
  //    in its own slot, and leaves this alone;
  //  - a group raises this over its children, and lowers it again as it joins them;
  //  - a job that is run while another is awaited gets the slot above the awaited one.
  worker* above_children;  ///< Above the children of all open groups.
  worker* const limit;     ///< The last slot, which is never free.
  block_pool blocks;
  [[no_unique_address]] tally<Counting> counts;
  typename pool_type::queue queue;

 private:
  // How long a worker looks before it sleeps. Spinning pays up to about the price of a sleep and a
  // wake-up (some 15 microseconds); yields then let another thread have the processor.
  static constexpr unsigned spin_rounds = 100;
  static constexpr unsigned yield_rounds = 20;
  static constexpr unsigned longest_pause = 4;

  static constexpr kind no_job{nullptr};

  // Runs other jobs, or sleeps, until someone else has run this one or declined to. Returns
  // whether declined.
  [[gnu::noinline, gnu::cold]] bool wait(worker& slot) {
    if (leaps_frogs && pool.options.join == schedulers::join_policy::leapfrog) {
      leapfrog(slot);
    } else {
      const auto finished = [&] { return slot.finished.done(); };
      const auto no_wake = [&] { return !slot.finished.register_waiter(pool.beds[index]); };
      while (!finished()) {
        if (worker* const other = look_for_work(finished, no_wake)) run_found(*other, (&slot)[1]);
      }
    }
    counts.goes_on();
    const bool declined = slot.finished.declined();
    slot.finished.reset();
    slot.runner.store(0, order::relaxed);  // a hint to this worker, which is not to see it again
    queue.retire(slot);
    return declined;
  }

  static void run(worker& job, kind& of, worker& here) noexcept {
    if constexpr (worker::share_type::is_fixed) here.share = job.assigned_to;
    of.execute(job, here);
  }

  // Somebody is idle: he may wait for this job.
  [[gnu::noinline, gnu::cold]] void tell(worker& topmost) {
    queue.share(topmost);
    counts.woke(pool.lot.wake_any());
  }

  // The job may be gone when this returns: its owner looks at its latch.
  void run_found(worker& found, worker& here) noexcept {
    // Ordered by the claim of the job; null where the owner is already joining it.
    kind* const of = found.entry.kind(order::relaxed);
    if (of == nullptr) {
      if (bed* const sleeper = found.finished.decline()) sleeper->parker.unpark();
      return;
    }
    counts.stole(found.own_state().index);
    found.runner.store(index + 1, order::relaxed);  // a hint: whom the owner may leapfrog
    run(found, *of, here);
    // Before the latch is opened, so that its owner counts with them after the join.
    counts.ran();
    counts.finished();
    counts.searches();
    if (bed* const sleeper = found.finished.set()) sleeper->parker.unpark();
  }

  // Whether one worker's jobs can be looked for.
  static constexpr bool leaps_frogs =
      requires(typename pool_type::queue & own, std::uint32_t& misses) {
    own.find_work_of(0U, misses);
  };

  worker* find_work_of_runner(worker& awaited, std::uint32_t& misses) {
    if constexpr (leaps_frogs) {
      const std::uint32_t runner = awaited.runner.load(order::relaxed);  // a hint
      if (runner != 0) return queue.find_work_of(runner - 1, misses);
    }
    return nullptr;
  }

  // Runs jobs of the worker that has the awaited one. Not a searcher in the parking lot's eyes: it
  // could not take a job that it was woken for.
  void leapfrog(worker& awaited) {
    for (unsigned round = 0; !awaited.finished.done(); ++round) {
      counts.searches();
      std::uint32_t misses = 0;
      worker* const found = find_work_of_runner(awaited, misses);
      counts.missed(misses);
      if (found != nullptr) {
        run_found(*found, (&awaited)[1]);
        round = 0;
      } else if (!pause(round)) {
        counts.parked();
        if (awaited.finished.register_waiter(pool.beds[index])) pool.beds[index].parker.park();
        counts.unparked();
        round = 0;
      }
    }
  }

  // One step of waiting; false when it is time to sleep.
  bool pause(unsigned round) {
    using schedulers::idle_policy;
    if (round < spin_rounds || pool.options.idle == idle_policy::spin) {
      for (unsigned i = 0; i <= round && i < longest_pause; ++i) std_model::spin();
      return true;
    }
    if (round < spin_rounds + yield_rounds || pool.options.idle == idle_policy::yield) {
      sched_yield();
      return true;
    }
    return false;
  }

  // Returns a job, or null once `over`. `no_wake` is asked before each sleep and says whether
  // `over` could come true without waking this worker; it need not look for work.
  template <class Over, class NoWake>
  worker* look_for_work(const Over& over, const NoWake& no_wake) {
    counts.searches();
    pool.lot.start_searching();
    worker* found = nullptr;
    for (unsigned round = 0; !over(); ++round) {
      std::uint32_t misses = 0;
      found = queue.find_work(misses);
      counts.missed(misses);
      if (found != nullptr) break;
      if (!pause(round)) {
        counts.parked();
        pool.lot.park(pool.beds[index], [&] { return no_wake() || queue.has_work(); });
        counts.unparked();
        round = 0;
      }
    }
    counts.woke(pool.lot.stop_searching([&] { return !Policy::directed && queue.has_work(); }));
    return found;
  }
};

}  // namespace stealbench::engine
