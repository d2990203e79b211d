// One worker: its queue, its job stack, its sleep state; offering, joining and looking for work.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>
#include <type_traits>
#include <vector>

#include "schedulers/engine/closure_stack.hpp"
#include "schedulers/engine/directed_lot.hpp"
#include "schedulers/engine/machine.hpp"
#include "schedulers/engine/parking_lot.hpp"
#include "schedulers/engine/patience.hpp"
#include "schedulers/engine/queue_policy.hpp"
#include "schedulers/engine/tally.hpp"
#include "schedulers/engine/task_slot.hpp"
#include "schedulers/options.hpp"

namespace stealbench::engine {

/// What all workers of a scheduler have in common.
template <class Policy, bool Counting>
struct pool {
  using machine = typename Policy::machine;
  using slot = task_slot<Policy, Counting>;
  using queue = typename Policy::template queue<slot>;

  explicit pool(const schedulers::options& chosen)
      : options(chosen),
        jobs(chosen),
        patience(chosen),
        lot(make_lot(chosen, patience.most_searchers())),
        sleepers(chosen.workers),
        counts(chosen) {}

  const schedulers::options options;

  typename queue::shared jobs;
  const engine::patience<machine> patience;
  typename slot::lot lot;
  std::vector<typename slot::sleeper> sleepers;
  typename machine::template atomic<bool> stop{false};  // Written by the scheduler's destructor.
  [[no_unique_address]] pool_tally<machine, Counting> counts;

 private:
  static typename slot::lot make_lot(const schedulers::options& chosen, unsigned most_searchers) {
    if constexpr (chooses_answers<queue>) {
      return typename slot::lot(chosen.workers, most_searchers, queue::answers_of(chosen));
    } else {
      return typename slot::lot(chosen.workers, most_searchers);
    }
  }
};

/// Lies at the beginning of its job stack; the slots follow.
template <class Policy, bool Counting>
struct alignas(128) worker {
  using machine = typename Policy::machine;
  using slot = task_slot<Policy, Counting>;
  using kind = typename slot::kind_type;
  using sleeper = typename slot::sleeper;
  using pool_type = engine::pool<Policy, Counting>;

  /// Requires: `this` is the beginning of a job stack.
  worker(pool_type& all, unsigned own_index)
      : pool(all),
        index(own_index),
        split(all.options.split),
        above_children(first_slot(this)),
        limit(above_children + (slots - 1)),
        counts(all.counts, own_index),
        queue(all.jobs, own_index, above_children, limit) {
    limit->entry.open(no_job, order::relaxed);  // never free; before any other thread
    if constexpr (!Policy::directed) pool.lot.enlist(index, queue.requested);
  }
  worker(const worker&) = delete;
  worker& operator=(const worker&) = delete;
  ~worker() { machine::job_stack::end_slots(limit - (slots - 1), slots); }

  /// The slot to fork into for a handle whose own slot is in use: above the children of all open
  /// groups. Null if it is not one of these that uses it, but the end of the stack.
  [[gnu::noinline, gnu::cold]] slot* free_slot(slot* in_use) {
    return in_use < above_children && above_children < limit ? above_children : nullptr;
  }

  /// Offers the job in the slot to other workers. False: the queue took nothing, the caller must
  /// run it.
  [[gnu::always_inline]] bool offer(slot& topmost, const kind& of) {
    counts.offered();
    if constexpr (!Policy::directed) {
      if (!machine::steps.offer_before_wake) pool.lot.wake_any();
    }
    const placement where = queue.push(topmost, of);
    if (where.worker == placement::refused) [[unlikely]] {
      counts.refused();
      return false;
    }
    counts.spawned();
    if constexpr (Counting) {  // Else GCC spends a register on it.
      counts.occupied(reinterpret_cast<const std::byte*>(&topmost + 1) -
                      reinterpret_cast<const std::byte*>(limit - (slots - 1)));
    }
    if (!machine::steps.offer_before_wake || !machine::steps.wake_idle) return true;
    if constexpr (Policy::directed) {
      if (static_cast<unsigned>(where.worker) != index) {
        counts.woke(pool.lot.wake(pool.sleepers[static_cast<unsigned>(where.worker)]));
      }
    } else if (is_requested()) [[unlikely]] {
      answer(topmost);
    }
    return true;
  }

  /// Whether the next job that this worker offers is one that another waits for.
  [[nodiscard, gnu::always_inline]] bool is_requested() const {
    if constexpr (Policy::directed) {
      return true;
    } else {
      return slot::lot::is_requested(queue.requested);
    }
  }

  /// Between two pieces of a loop whose jobs have been offered: answers who asks for work.
  /// `topmost` is the topmost slot in use.
  void look_around(slot& topmost) {
    if (is_requested()) answer(topmost);
  }

  /// True if the job is the caller's to run, and counted as run: no worker had begun it, or the
  /// one that had claimed it has declined. False when another worker has run it. The slot is then
  /// free.
  [[gnu::always_inline]] bool join(slot& awaited) {
    if (!queue.take_back(awaited)) [[unlikely]] {
      if (!wait(awaited)) return false;
    }
    counts.ran();
    return true;
  }

  /// The life of a started worker.
  void work_until_stopped() {
    bind_to_this_thread();
    // Relaxed: nothing is read through the flag. A worker that sleeps is woken by a token that was
    // left after the flag was raised (parker.hpp, P1).
    const auto stopped = [&] { return pool.stop.load(order::relaxed); };
    while (slot* const found = look_for_work<purpose::any_job>(stopped, stopped)) {
      run_found(*found, *above_children);
    }
    counts.leaves();
  }

  /// Executes a job of this worker's own that it has not offered. Its latch is then open.
  void execute_unoffered(slot& own, slot& here) noexcept {
    run(own, *own.entry.kind(order::relaxed), here);  // the owner's own write
    static_cast<void>(own.finished.set());            // Only this worker waits, and it is awake.
  }

  /// For checks in debug builds: whether the calling thread is the one that this worker runs on.
#ifdef NDEBUG
  void bind_to_this_thread() {}
#else
  void bind_to_this_thread() { thread_ = machine::this_thread(); }
  [[nodiscard]] bool is_this_thread() const { return thread_ == machine::this_thread(); }
#endif

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
  typename pool_type::queue queue;

 private:
  static constexpr kind no_job{nullptr};
  // All that have room behind the worker.
  static constexpr std::size_t slots = (machine::job_stack::bytes - sizeof(worker)) / sizeof(slot);

  static slot* first_slot(worker* beginning) {
    return machine::job_stack::template start_slots<slot>(
        reinterpret_cast<std::byte*>(beginning + 1), slots);
  }

  // Runs other jobs, or sleeps, until someone else has run this one or declined to. Returns
  // whether declined.
  [[gnu::noinline, gnu::cold]] bool wait(slot& awaited) {
    announce_kept(awaited);
    using schedulers::join_policy;
    if (chooses_at_joins && pool.options.join == join_policy::leapfrog) {
      wait_running(awaited,
                   [&](steal_attempts& tried) { return find_work_of_runner(awaited, tried); });
    } else if (chooses_at_joins && pool.options.join == join_policy::wait) {
      wait_running(awaited, [](steal_attempts& /*tried*/) -> slot* { return nullptr; });
    } else {
      const auto finished = [&] { return awaited.finished.done(); };
      const auto no_wake = [&] { return !will_be_woken(awaited); };
      while (!finished()) {
        slot* const other = look_for_work<purpose::join>(finished, no_wake);
        if (other != nullptr) run_found(*other, (&awaited)[1]);
      }
    }
    counts.goes_on();
    const bool declined = awaited.finished.declined();
    if (machine::steps.reset_latch) awaited.finished.reset();
    awaited.runner.store(0, order::relaxed);  // a hint to this worker, which is not to see it again
    if (machine::steps.retire) queue.retire(awaited);
    return declined;
  }

  // Whether who runs the awaited job will wake this worker.
  bool will_be_woken(slot& awaited) {
    return !machine::steps.register_at_latch ||
           awaited.finished.register_waiter(pool.sleepers[index]);
  }

  static void run(slot& job, kind& of, slot& here) noexcept {
    if constexpr (slot::team_type::is_fixed) here.team = job.assigned_to;
    of.execute(job, here);
  }

  // Another worker has asked for work, or sleeps; or it is time for a job to become public.
  [[gnu::noinline, gnu::cold]] void answer(slot& topmost) {
    const bool wakes = pool.lot.answer(queue.requested);
    if (machine::steps.expose) {
      if constexpr (std::is_void_v<decltype(queue.expose(topmost))>) {
        queue.expose(topmost);
      } else {
        const std::uint32_t exposed = queue.expose(topmost);
        counts.exposed(exposed);
        if constexpr (asks_for_work<typename pool_type::queue, slot>) {
          if (exposed > 0) pool.sleepers[queue.served()].parker.unpark();
        }
      }
    }
    if (wakes) counts.woke(pool.lot.wake_any());
  }

  // A queue may take jobs from other workers into its own, or have one of its own in hand for a
  // moment. A worker that has fallen asleep meanwhile has not seen these.
  void announce_kept(slot& topmost) {
    if constexpr (requires { queue.keeps_jobs_meanwhile(); }) {
      if (queue.keeps_jobs_meanwhile() && is_requested()) answer(topmost);
    }
  }

  // The job may be gone when this returns: its owner looks at its latch.
  void run_found(slot& found, slot& here) noexcept {
    // Ordered by the claim of the job; null where the owner is already joining it.
    kind* const of = found.entry.kind(order::relaxed);
    if (of == nullptr) {
      sleeper* const waiter = found.finished.decline();
      if (waiter != nullptr && machine::steps.wake_declined) waiter->parker.unpark();
      return;
    }
    counts.stole(found.owner().index);
    found.runner.store(index + 1, order::relaxed);  // a hint: whom the owner may leapfrog
    if (!machine::steps.open_after_run) open_latch(found);
    run(found, *of, here);
    // Before the latch is opened, so that its owner counts with them after the join.
    counts.ran();
    counts.finished();
    counts.searches();
    if (machine::steps.open_after_run) open_latch(found);
  }

  static void open_latch(slot& done) noexcept {
    sleeper* const waiter = done.finished.set();
    if (waiter != nullptr && machine::steps.wake_waiter) waiter->parker.unpark();
  }

  // Whether a worker may choose what it does while it waits: one whose jobs any other may take.
  static constexpr bool chooses_at_joins = finds_work_of_one<typename pool_type::queue, slot>;

  slot* find_work_of_runner(slot& awaited, steal_attempts& tried) {
    if constexpr (chooses_at_joins) {
      const std::uint32_t runner = awaited.runner.load(order::relaxed);  // a hint
      if (runner != 0) return queue.find_work_of(runner - 1, tried);
    }
    return nullptr;
  }

  // Runs jobs of the worker that has the awaited one, or none. Not a searcher in the parking lot's
  // eyes: it could not take a job that it was woken for.
  template <class Find>
  void wait_running(slot& awaited, const Find& find) {
    const auto over = [&] { return awaited.finished.done(); };
    for (unsigned round = 0; !over();) {
      counts.searches();
      steal_attempts tried;
      slot* const found = find(tried);
      counts.tried(tried);
      if (found != nullptr) {
        run_found(*found, (&awaited)[1]);
        round = 0;
      } else if (pool.patience.pause(purpose::join, round, over)) {
        round = next_round(round, tried);
      } else {
        counts.parked();
        if (will_be_woken(awaited)) pool.sleepers[index].parker.park();
        counts.unparked();
        round = 0;
      }
    }
    if (slot* const given = withdraw()) run_found(*given, (&awaited)[1]);
  }

  // Before it stops looking: the job that it was given though, or null.
  slot* withdraw() {
    slot* given = nullptr;
    if constexpr (asks_for_work<typename pool_type::queue, slot>) {
      steal_attempts tried;
      given = queue.withdraw(tried);
      counts.tried(tried);
    }
    return given;
  }

  // A steal that was lost says that there was work a moment ago: no step towards sleep.
  static unsigned next_round(unsigned round, const steal_attempts& tried) {
    return tried.lost == 0 ? round + 1 : round;
  }

  // Returns a job, or null once `over`. `no_wake` is asked before each sleep and says whether
  // `over` could come true without waking this worker; it need not look for work.
  template <purpose For, class Over, class NoWake>
  slot* look_for_work(const Over& over, const NoWake& no_wake) {
    counts.searches();
    bool searches = false;  // Whether it counts as a searcher in the parking lot.
    slot* found = nullptr;
    for (unsigned round = 0; !over();) {
      steal_attempts tried;
      found = queue.find_work(tried);
      counts.tried(tried);
      if (found != nullptr) break;
      pool.lot.request(tried.latest);
      if (may_go_on<For>(round, searches) && pool.patience.pause(For, round, over)) {
        round = next_round(round, tried);
      } else {
        counts.parked();
        searches = pool.lot.park(pool.sleepers[index], searches, no_wake,
                                 [&] { return machine::steps.second_look && queue.has_work(); },
                                 {machine::first_sleep, machine::longest_sleep});
        counts.unparked();
        if (!machine::steps.look_after_wake) break;
        round = 0;
      }
    }
    if (found == nullptr) found = withdraw();
    if (searches && machine::steps.stop_search) {
      counts.woke(
          pool.lot.stop_searching([&] { return found != nullptr && sees_more(); },
                                  found != nullptr || machine::steps.hand_over_behind_wait));
    }
    if (found != nullptr) announce_kept(*found);
    return found;
  }

  // Whether it may look on: after some rounds only as one of a few. Who waits at a join has
  // something to wait for, and so looks on by itself until it is time to sleep.
  template <purpose For>
  bool may_go_on(unsigned round, bool& searches) {
    if (For == purpose::any_job && !searches && round >= machine::rounds_unseen &&
        pool.options.idle == schedulers::idle_policy::park) {
      searches = pool.lot.start_searching();
      return searches;
    }
    return true;
  }

  bool sees_more() const {
    if constexpr (Policy::directed) {
      return false;
    } else {
      return queue.sees_more();
    }
  }

#ifndef NDEBUG
  decltype(machine::this_thread()) thread_{};
#endif
};

}  // namespace stealbench::engine
