// One worker: its queue, its job stack, its sleep state; offering, joining and looking for work.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <list>

#include "schedulers/engine/jobs/closure_stack.hpp"
#include "schedulers/engine/jobs/job.hpp"
#include "schedulers/engine/machine.hpp"
#include "schedulers/engine/queue_policy.hpp"
#include "schedulers/engine/search.hpp"
#include "schedulers/engine/sleep/patience.hpp"
#include "schedulers/engine/steps.hpp"
#include "schedulers/engine/tally.hpp"
#include "schedulers/engine/task_slot.hpp"
#include "schedulers/operating_system/sanitizers.hpp"
#include "schedulers/options.hpp"

namespace stealbench::engine {

/// Is at the beginning of its job stack; the slots follow.
template <class Policy, bool Counting>
struct alignas(128) worker : operating_system::leak_root<worker<Policy, Counting>>,
                             searcher<worker<Policy, Counting>, Policy> {
  using machine = typename Policy::machine;
  using slot = task_slot<Policy, Counting>;
  using kind = typename slot::kind_type;
  using sleeper = typename slot::sleeper;
  using queue_type = typename Policy::template queue<slot>;
  using pool_type = search_pool<Policy, queue_type, Counting>;

  /// Requires: `this` is the beginning of a job stack.
  worker(pool_type& all, unsigned own_index)
      : pool(all),
        index{own_index},
        split(all.options.split),
        above_children(first_slot(this)),
        limit(above_children + (slot_count - 1)),
        counts(all.counts, own_index),
        queue(all.shared, own_index, above_children, limit) {
    limit->entry.open(no_job, order::relaxed);  // never free; before any other thread
    if constexpr (!Policy::directed) pool.lot.enlist(index, queue.requested);
  }
  ~worker() {
    assert(upper_groups.empty());
    machine::job_stack::end_slots(bottom(), slot_count);
  }

  /// The slot to fork into for a handle whose own slot is in use: above the children of all open
  /// groups. Null if it is not one of these that uses it, but the end of the stack.
  [[gnu::noinline, gnu::cold]] slot* free_slot(slot* in_use) {
    return in_use < above_children && above_children < limit ? above_children : nullptr;
  }

  /// Offers the job in the slot to other workers. False: the queue took nothing, the caller must
  /// run it.
  template <offered What = offered::branch>
  [[gnu::always_inline]] bool offer(slot& topmost, const kind& what) {
    counts.offered();
    if constexpr (!Policy::directed) {
      if (!base::searching.offer_before_wake) pool.lot.wake_any(index);
    }
    const placement where = queue.push(topmost, what);
    if (where.worker == placement::refused) [[unlikely]] {
      counts.refused();
      return false;
    }
    counts.spawned();
    if constexpr (Counting) {  // Else GCC spends a register on it.
      counts.occupied(reinterpret_cast<const std::byte*>(&topmost + 1) -
                      reinterpret_cast<const std::byte*>(bottom()));
    }
    if (!base::searching.offer_before_wake || !base::searching.wake_idle) return true;
    if constexpr (Policy::directed) {
      if (static_cast<unsigned>(where.worker) != index) {
        counts.woke(pool.lot.wake(pool.sleepers[static_cast<unsigned>(where.worker)]));
      }
    } else if (base::is_requested()) [[unlikely]] {
      base::template answer<What>(topmost);
    }
    return true;
  }

  /// Between two pieces of a loop whose jobs have been offered: answers who asks for work.
  /// `topmost` is the topmost slot in use.
  void look_around(slot& topmost) {
    if (base::is_requested()) base::answer(topmost);
  }

  /// Before the sync of a group of many children, in the slots from `eldest` on: see capabilities.
  [[gnu::noinline, gnu::cold]] void expose_rest(slot& topmost, const slot& eldest) {
    counts.exposed(queue.expose_rest(topmost, eldest));
  }

  /// True if the job is the caller's to run, and counted as run: no worker had begun it, or the
  /// one that had claimed it has declined. False when another worker has run it. The slot is then
  /// free; but a child's, the topmost one of a group, only once it, or one below it, is retired.
  template <offered What = offered::branch>
  [[gnu::always_inline]] bool join(slot& awaited) {
    if (!queue.take_back(awaited)) [[unlikely]] {
      if (!wait<What>(awaited)) return false;
    }
    counts.ran();
    return true;
  }
  /// After join has returned false for the slot above, or this has returned true for it: true
  /// if another worker has run this child too, and is done with it. Likewise not free.
  bool join_next_if_finished(slot& awaited) {
    if (!retires_together || !awaited.finished.done()) return false;
    // Relaxed, as in take_back: who looks for a job here does so behind retire() and a fence.
    awaited.entry.close(order::relaxed);
    free_latch(awaited);
    return true;
  }
  /// The slots of the children that these two have joined, of which `lowest` is the lowest, are
  /// free.
  void retire_children(slot& lowest) {
    if (retires_together) retire(lowest);
  }

  /// Executes a job of this worker's own that it has not offered. Its latch is then open.
  void execute_unoffered(slot& own, slot& next_free) noexcept {
    run(own, *own.entry.kind(order::relaxed), next_free);  // the owner's own write
    static_cast<void>(own.finished.set());  // Only this worker waits, and it is awake.
  }

  pool_type& pool;
  const unsigned index;
  const schedulers::loop_split split;  ///< Here, so that a loop looks at one line.
  // The next free slot is the higher one of this and of the handle of the closure that runs:
  //  - a closure starts with a handle at or above this;
  //  - a fork uses the slot of its handle, runs its first branch one slot higher and its second one
  //    in its own slot, and leaves this alone;
  //  - a group raises this over its children, and lowers it again as it joins them;
  //  - a job that is run while another is awaited gets the slot above the awaited one.
  slot* above_children;  ///< Above the children of all open groups.
  slot* const limit;     ///< The last slot, which is never free.
  closure_stack closures;
  [[no_unique_address]] tally<machine, Counting> counts;
  queue_type queue;
  decltype(machine::this_thread()) bound_to{};  ///< Behind the queue: no fork reads it.
  std::list<upper_group<slot>> upper_groups;    ///< That are open.

 private:
  using base = searcher<worker, Policy>;
  friend base;
  static constexpr const engine_steps& steps = steps_on<machine>;
  static constexpr kind no_job{nullptr};
  // All that have room behind the worker.
  static constexpr std::size_t slot_count =
      (machine::job_stack::bytes - sizeof(worker)) / sizeof(slot);

  // Whether the queue is told of several stolen children at once.
  static constexpr bool retires_together = queue_type::can.retire_together;

  [[nodiscard]] slot* bottom() const { return limit - (slot_count - 1); }
  static slot* first_slot(worker* beginning) {
    return machine::job_stack::template start_slots<slot>(
        reinterpret_cast<std::byte*>(beginning + 1), slot_count);
  }

  void retire(slot& done) {
    if (steps.retire) queue.retire(done);
  }
  static void free_latch(slot& joined) {
    if (steps.reset_latch) joined.finished.reset();
    joined.runner.store(0, order::relaxed);  // a hint to this worker, which is not to see it again
  }

  // Waits until someone else has run this job or declined to. Returns whether declined; its slot is
  // free then. Children that have been run may be retired together.
  template <offered What>
  [[gnu::noinline, gnu::cold]] bool wait(slot& awaited) {
    constexpr bool is_child = What == offered::child;
    const bool declined = await(awaited, is_child ? bottom() : &awaited);
    if (declined || !is_child || !retires_together) retire(awaited);
    return declined;
  }

  // Runs other jobs, or sleeps, meanwhile. As long as it finds none, it prefetches the slots below,
  // down to `lowest`: if children are awaited, those are joined next, and most have ended.
  [[gnu::noinline, gnu::cold]] bool await(slot& awaited, const slot* lowest) {
    announce_kept(awaited);
    if constexpr (chooses_at_joins) {
      if (pool.options.join != schedulers::join_policy::any) wait_running(awaited);
    }
    const slot* next = nullptr;
    const auto finished = [&] {
      if (awaited.finished.done()) return true;
      if (next == nullptr) {
        next = &awaited;  // Before the first look for work.
      } else if (next > lowest) {
        (--next)->finished.prefetch();
      }
      return false;
    };
    const auto no_wake = [&] { return !will_be_woken(awaited); };
    while (!finished()) {
      slot* const other = base::template look_for_work<purpose::join>(finished, no_wake);
      if (other != nullptr) take_up(*other, (&awaited)[1]);
    }
    counts.goes_on();
    const bool declined = awaited.finished.declined();
    free_latch(awaited);
    return declined;
  }

  // Whether who runs the awaited job will wake this worker.
  bool will_be_woken(slot& awaited) {
    return !steps.register_at_latch || awaited.finished.register_waiter(pool.sleepers[index]);
  }

  static void run(slot& job, kind& what, slot& next_free) noexcept {
    if constexpr (slot::team_type::is_fixed) next_free.team = job.assigned_to;
    what.execute(job, next_free);
  }

  // Returns whether to expose at the next push too: children become public one by one, until enough
  // are.
  bool expose(offered what, slot& topmost) {
    if (!steps.expose) return false;
    const std::uint32_t exposed = queue.expose(topmost, what);
    counts.exposed(exposed);
    if constexpr (queue_type::can.ask) {
      if (exposed > 0) pool.sleepers[queue.served()].parker.unpark();
      return false;  // It was given to who had asked.
    }
    return what == offered::child && exposed > 0;
  }

  // A queue may take jobs from other workers into its own, or have one of its own in hand for a
  // moment. A worker that has fallen asleep meanwhile has not seen these.
  void announce_kept(slot& topmost) {
    if constexpr (queue_type::can.keep_jobs) {
      if (queue.keeps_jobs_meanwhile() && base::is_requested()) base::answer(topmost);
    }
  }

  void take_up(slot& found) noexcept { take_up(found, *above_children); }
  void take_up(slot& found, slot& next_free) noexcept {
    announce_kept(found);
    run_found(found, next_free);
  }

  // The job may be gone when this returns: its owner looks at its latch.
  void run_found(slot& found, slot& next_free) noexcept {
    // Ordered by the claim of the job; null where the owner is already joining it.
    kind* const what = found.entry.kind(order::relaxed);
    if (what == nullptr) {
      sleeper* const waiter = found.finished.decline();
      if (waiter != nullptr && steps.wake_declined) waiter->parker.unpark();
      return;
    }
    if constexpr (queue_type::can.weigh) {
      const unsigned victim = found.owner().index;
      const auto begin = machine::now();
      run_stolen(found, *what, next_free);
      queue.weigh(victim, machine::now() - begin);
    } else {
      run_stolen(found, *what, next_free);
    }
  }

  void run_stolen(slot& found, kind& what, slot& next_free) noexcept {
    counts.stole(found.owner().index);
    found.runner.store(index + 1, order::relaxed);  // a hint: whom the owner may leapfrog
    if (!steps.open_after_run) open_latch(found);
    run(found, what, next_free);
    // Before the latch is opened, so that its owner counts with them after the join.
    counts.ran();
    counts.finished();
    counts.searches();
    if (steps.open_after_run) open_latch(found);
  }

  static void open_latch(slot& done) noexcept {
    sleeper* const waiter = done.finished.set();
    if (waiter != nullptr && steps.wake_waiter) waiter->parker.unpark();
  }

  // Whether a worker may choose what it does while it waits: one whose jobs any other may take.
  static constexpr bool chooses_at_joins = queue_type::can.find_work_of_one;

  slot* find_work_of_runner(slot& awaited, steal_attempts& tried) {
    if (pool.options.join == schedulers::join_policy::wait) return nullptr;
    const std::uint32_t runner = awaited.runner.load(order::relaxed);  // a hint
    if (runner == 0) return nullptr;
    slot* const found = queue.find_work_of(runner - 1, tried);
    if constexpr (queue_type::can.ask) pool.lot.request(runner - 1);
    return found;
  }

  // Until it is done: runs jobs of the worker that has the awaited one, or none. Not a searcher in
  // the parking lot's eyes: it could not take a job that it was woken for.
  void wait_running(slot& awaited) {
    const auto over = [&] { return awaited.finished.done(); };
    for (unsigned round = 0; !over();) {
      counts.searches();
      steal_attempts tried;
      slot* const found = find_work_of_runner(awaited, tried);
      counts.tried(tried);
      if (found != nullptr) {
        run_found(*found, (&awaited)[1]);
        round = 0;
      } else if (pool.patience.pause(purpose::join, round, over)) {
        round = base::next_round(round, tried);
      } else {
        counts.parked();
        if (will_be_woken(awaited)) pool.sleepers[index].parker.park();
        counts.unparked();
        round = 0;
      }
    }
    if constexpr (queue_type::can.ask) {
      if (slot* const given = base::withdraw()) run_found(*given, (&awaited)[1]);
    }
  }
};

}  // namespace stealbench::engine
