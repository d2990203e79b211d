// n-ary spawns: children that are joined together.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <type_traits>
#include <utility>

#include "schedulers/engine/machine.hpp"
#include "schedulers/fibers/continuation.hpp"
#include "schedulers/fibers/join.hpp"
#include "schedulers/fibers/steps.hpp"
#include "schedulers/first_error.hpp"

namespace stealbench::fibers {

/// See schedulers::task_group. A child runs at its spawn, on a stack of its own, while the rest of
/// the spawner may be stolen. If it is not, the spawner goes on when the child has returned, and
/// no thread counts anything. So there are never more children under way than workers, but for
/// those that are nested or wait.
template <class Fiber>
class task_group {
  using machine = typename Fiber::machine;
  using worker = typename Fiber::worker;
  static constexpr const fiber_steps& steps = steps_on<machine>;

 public:
  explicit task_group(Fiber& frame) noexcept : frame_(&frame) {}
  ~task_group() { join_all(); }

  /// Throws what copying the closure throws; the group then lacks that child. If there is no memory
  /// for a stack, the child runs on the caller's, and the caller cannot be stolen meanwhile.
  template <class F>
  void spawn(F&& f) {
    assert(frame_->runner->is_this_thread());  // see schedulers::worker
    machine::charge(engine::cost::spawn);
    Fiber* const child = frame_->runner->take_stack();
    if (child == nullptr) [[unlikely]] {
      frame_->runner->counts.inlined();
      return run_here(std::forward<F>(f));
    }
    beginning<F> first{*this, std::forward<F>(f), spawned_++};
    child->job = &run_child<F>;
    child->argument = &first;
    child->runner = frame_->runner;
    frame_->was_stolen = false;
    machine::writes(*frame_);
    switch_context(frame_->state, child->state, frame_->runner->exceptions);
    if (frame_->was_stolen) {
      if (steps.count_stolen) ++stolen_;
      return;
    }
    // The child has returned here, and nothing was stolen.
    frame_->runner->give_stack(*child);
    if (first.error) [[unlikely]]
      std::rethrow_exception(std::move(first.error));
  }

  void sync() {
    join_all();
    errors_.rethrow();
  }

  // What follows is the schedulers' own.

  /// A stolen-from child is done. Returns the fiber to go on with, if this was the last child of a
  /// sync. Else the group may be gone.
  [[nodiscard]] Fiber* arrive() { return counter_.arrive() ? frame_ : nullptr; }
  /// After the group's fiber has been left at its sync. Returns it if all children have arrived.
  [[nodiscard]] Fiber* suspend() { return counter_.add(stolen_) ? frame_ : nullptr; }

 private:
  // What a child finds in the frame of its spawn: to be read before that goes on.
  template <class F>
  struct beginning {
    task_group& group;
    F&& closure;
    std::size_t rank;
    std::exception_ptr error = nullptr;  // What copying the closure has thrown.
  };

  // A copy of the closure, on the child's stack.
  template <class F>
  class copied {
   public:
    copied() {}
    copied(const copied&) = delete;
    copied& operator=(const copied&) = delete;
    ~copied() {}  // run() has destroyed it.

    /// False, and the error kept, if it throws.
    [[nodiscard]] bool make(beginning<F>& first) noexcept {
      try {
        std::construct_at(&closure_, std::forward<F>(first.closure));
        return true;
      } catch (...) {
        first.error = std::current_exception();
        return false;
      }
    }
    /// Runs it and destroys it.
    void run(Fiber& running, task_group& group, std::size_t rank) noexcept {
      group.run(closure_, running, rank);
      std::destroy_at(&closure_);
    }

   private:
    union {
      // Private, though clang-tidy takes an anonymous union's members for public ones.
      std::decay_t<F> closure_;  // NOLINT(readability-identifier-naming)
    };
  };

  // The job of a child's fiber.
  template <class F>
  static void run_child(Fiber& own, void* argument) {
    auto& first = *static_cast<beginning<F>*>(argument);
    task_group& group = first.group;
    Fiber& spawner = *group.frame_;
    const std::size_t rank = first.rank;
    copied<F> closure;
    if (!closure.make(first)) {
      return switch_context(own.state, spawner.state, own.runner->exceptions);
    }

    // The spawner has been left: now it may be stolen, and its frame goes on.
    const auto ticket = own.runner->queue.ticket_of(spawner.rest);
    const bool was_offered = own.runner->offer(spawner.rest, own);
    if (was_offered) own.runner->counts.ran();
    closure.run(own, group, rank);

    worker& runner = *own.runner;
    if (was_offered) runner.counts.finished();
    if (!was_offered || runner.queue.take_back(spawner.rest, ticket)) {
      runner.queue.ended(own, nullptr);
      runner.receive(spawner);
      return switch_context(own.state, spawner.state, runner.exceptions);
    }
    runner.leave(own, {.why = departs::ended_child, .at_sync = &group});
  }

  template <class F>
  [[gnu::noinline, gnu::cold]] void run_here(F&& f) {
    std::decay_t<F> closure(std::forward<F>(f));
    run(closure, *frame_, spawned_++);
  }

  template <class Closure>
  void run(Closure& closure, Fiber& running, std::size_t rank) noexcept {
    try {
      static_cast<void>(closure(&running));
    } catch (...) {
      if (steps.keep_error) errors_.keep(rank);
    }
  }

  void join_all() noexcept {
    if (stolen_ == 0) return;
    if (!counter_.all_arrived(stolen_)) {
      frame_->runner->leave(*frame_, {.why = departs::waits_at_sync, .at_sync = this});
    }
    stolen_ = 0;
  }

  Fiber* const frame_;       // Of the closure that made the group.
  std::size_t spawned_ = 0;  // Children, by their rank in the serial order.
  std::int64_t stolen_ = 0;  // Of these, since the last sync: after which the spawner was stolen.
  sync_counter<machine> counter_;
  schedulers::first_error errors_;
};

}  // namespace stealbench::fibers
