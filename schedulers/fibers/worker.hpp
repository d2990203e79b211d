// One worker of the schedulers whose fibers migrate: a thread, its queue, and the stack on which
// it looks for work and acts on what fibers have left.
#pragma once

#include "schedulers/engine/machine.hpp"
#include "schedulers/engine/search.hpp"
#include "schedulers/engine/sleep/patience.hpp"
#include "schedulers/engine/steal_attempts.hpp"
#include "schedulers/engine/tally.hpp"
#include "schedulers/fibers/fiber.hpp"
#include "schedulers/fibers/stack_pool.hpp"
#include "schedulers/fibers/steps.hpp"
#include "schedulers/operating_system/context.hpp"
#include "schedulers/options.hpp"

namespace stealbench::fibers {

template <class Policy, bool Counting>
using queue_on = typename Policy::template queue<fiber<Policy, Counting>>;

/// What all workers of a scheduler have in common.
template <class Policy, bool Counting>
struct pool : engine::search_pool<Policy, queue_on<Policy, Counting>, Counting> {
  using machine = typename Policy::machine;
  using fiber = fibers::fiber<Policy, Counting>;
  static constexpr const fiber_steps& steps = steps_on<machine>;

  explicit pool(const schedulers::options& chosen)
      : pool::search_pool(chosen), stacks(chosen.stack_bytes) {}

  /// The root goes on at worker 0. Its fiber has been left.
  void hand_over_root(fiber& left) {
    root.write(&left);
    const auto wake = [this] {
      if (steps.wake_for_root) this->sleepers.front().parker.unpark();
    };
    if (!steps.flag_before_token) wake();
    // Worker 0 may be about to sleep: it finds the token, which tells of the flag (parker.hpp, P1).
    root_is_due.set();
    if (steps.flag_before_token) wake();
  }

  stack_pool<fiber> stacks;
  root_flag<machine> root_is_due;  // Written by the worker that has left the root, and worker 0.
  typename machine::template plain<fiber*> root{nullptr};  // Written before the flag.
};

template <class Policy, bool Counting>
struct alignas(128) worker : engine::searcher<worker<Policy, Counting>, Policy> {
  using machine = typename Policy::machine;
  using fiber = fibers::fiber<Policy, Counting>;
  using continuation = typename fiber::continuation_type;
  using pool_type = fibers::pool<Policy, Counting>;

  /// Has a stack for its first stolen job. Throws what a stack_pool throws.
  worker(pool_type& all, unsigned own_index)
      : pool(all),
        index{own_index},
        counts(all.counts, own_index),
        queue(all.shared, own_index),
        stacks_(all.stacks),
        spare_(all.stacks.make()) {
    pool.lot.enlist(index, queue.requested);
  }

  // For the fiber that this worker runs, on its stack.

  /// Leaves the rest of a fiber to other workers, on behalf of `running`: that fiber itself, or its
  /// child. False: the queue took nothing, the caller must run it.
  [[gnu::always_inline]] bool offer(continuation& rest, fiber& running) {
    counts.offered();
    if (!base::searching.offer_before_wake) pool.lot.wake_any(index);
    if (!queue.push(rest, running)) [[unlikely]] {
      counts.refused();
      return false;
    }
    counts.spawned();
    if (!base::searching.offer_before_wake || !base::searching.wake_idle) return true;
    if (base::is_requested()) [[unlikely]]
      base::answer();
    return true;
  }

  /// Null if there is no memory for one more.
  [[nodiscard, gnu::always_inline]] fiber* take_stack() { return stacks_.take(); }
  [[gnu::always_inline]] void give_stack(fiber& unused) { stacks_.give(unused); }

  /// Before the fiber goes on here: it may have been left by another worker.
  [[gnu::always_inline]] void receive(fiber& next) {
    machine::reads(next, record_lines);
    next.runner = this;
  }

  /// Whether there is a stack for what this worker may find. There is, unless memory has run out.
  /// It keeps it until it finds a branch.
  [[nodiscard]] bool has_spare() {
    if (spare_ == nullptr) [[unlikely]]
      spare_ = take_stack();
    return spare_ != nullptr;
  }

  /// Suspends the fiber, and the thread does something else. Returns when a thread goes on with
  /// it.
  [[gnu::noinline]] void leave(fiber& left, const departure<fiber>& why) {
    machine::writes(left);
    left_ = &left;
    why_ = why;
    switch_context(left.state, home_, exceptions);
  }

  // On the worker's own stack.

  /// The life of worker 0 beside the root, on a stack from the pool: from when the root is first
  /// left. It never ends.
  void begin_beside_root(fiber& home) {
    home.job = [](fiber& /*own*/, void* self) { static_cast<worker*>(self)->work_beside_root(); };
    home.argument = this;
    home_ = home.state;
  }

  /// Worker 0, on the root's stack, when the root has ended: returns on worker 0's thread.
  void take_root_back(fiber& root) {
    root.runner->queue.ended(root, nullptr);
    if (root.runner != this) root.runner->leave(root, {.why = departs::ended_run});
  }

  /// The calling thread is the worker's from now on.
  void bind_to_this_thread() {
    exceptions = operating_system::exceptions_of_this_thread();
    base::bind_to_this_thread();
  }

  pool_type& pool;
  const unsigned index;
  [[no_unique_address]] engine::tally<machine, Counting> counts;
  queue_on<Policy, Counting> queue;
  void* exceptions = nullptr;  ///< Of its thread.
  decltype(machine::this_thread()) bound_to{};

 private:
  using base = engine::searcher<worker, Policy>;
  friend base;
  static constexpr const fiber_steps& steps = steps_on<machine>;

  void take_up(continuation& found) { go_on_with(take(found)); }
  continuation* find_work(engine::steal_attempts& tried) { return queue.find_work(tried, *spare_); }

  [[noreturn]] void work_beside_root() {
    go_on_with(follow());
    for (;;) {
      base::work_until([this] { return pool.root_is_due.is_set(); });
      pool.root_is_due.reset();
      go_on_with(pool.root.read());
    }
  }

  // The fiber that goes on with what was found.
  fiber* take(continuation& found) {
    if (queue.was_resumed(found)) {
      counts.goes_on();
      return found.owner;
    }
    counts.stole(queue.latest_victim());
    if (found.execute == nullptr) {
      found.owner->was_stolen = true;
      return found.owner;
    }
    counts.ran();
    auto& stolen = static_cast<typename fiber::branch_type&>(found);
    machine::reads(stolen.finished, record_lines);
    fiber* const on_it = spare_;
    spare_ = nullptr;
    on_it->job = &fiber::run_branch;
    on_it->argument = &stolen;
    return on_it;
  }

  // Runs a fiber, and those that go on behind it, until there is none.
  void go_on_with(fiber* next) {
    while (next != nullptr) {
      receive(*next);
      switch_context(home_, next->state, exceptions);
      next = follow();
    }
  }

  // Acts on what the fiber that was left has left to do. Returns the fiber to go on with: the
  // last to arrive at a join goes on behind it, but for a mutant.
  fiber* follow() {
    fiber& left = *left_;
    fiber* next = nullptr;
    bool goes_on = true;
    // Before another worker can go on behind the join and end the run: busy time is exact by then.
    counts.searches();
    switch (why_.why) {
      case departs::ended_branch:
        next = why_.at_fork->finished.set();
        goes_on = steps.go_on_behind_branch;
        end(left, next);
        break;
      case departs::ended_child:
        next = why_.at_sync->arrive();
        goes_on = steps.go_on_behind_child;
        end(left, next);
        break;
      case departs::waits_at_fork:
        next = why_.at_fork->finished.register_waiter(left) ? nullptr : &left;
        goes_on = steps.go_on_behind_fork;
        break;
      case departs::waits_at_sync:
        next = why_.at_sync->suspend();
        goes_on = steps.go_on_behind_sync;
        break;
      case departs::ended_run:
        pool.hand_over_root(left);
        break;
    }
    if (next == nullptr || !goes_on) return nullptr;
    if (queue.comes_first(*next)) {
      counts.goes_on();
      return next;
    }
    // Something that comes before it can be run, and it has been left to others.
    if (steps.wake_for_resumed && base::is_requested()) base::answer();
    return nullptr;
  }

  void end(fiber& left, fiber* next) {
    queue.ended(left, next);
    give_stack(left);
  }

  // There must be a stack for what it finds. Until it has one it counts neither as a sleeper nor as
  // a searcher: it could not take what it was woken for. What ends its search leaves a token. Where
  // it sleeps until then, the others can do all that there is: who finds a branch last has a stack
  // again when that ends (README.md).
  bool can_take(unsigned round) {
    if (has_spare()) [[likely]]
      return true;
    if (!pool.patience.pause(engine::purpose::any_job, round, [] { return false; })) {
      counts.parked();
      pool.sleepers[index].parker.park(machine::limits().sleeps.first);
      counts.unparked();
    }
    return false;
  }

  stack_list<fiber> stacks_;
  fiber* spare_;                    // For the next branch that it steals.
  operating_system::context home_;  // Of the worker's own stack, while it runs a fiber.
  // Written as a fiber is left, read on the worker's own stack.
  fiber* left_ = nullptr;
  departure<fiber> why_{};
};

}  // namespace stealbench::fibers
