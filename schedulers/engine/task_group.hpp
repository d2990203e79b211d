// n-ary spawns: children that are joined together.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <exception>
#include <type_traits>
#include <utility>

#include "schedulers/engine/jobs/job.hpp"
#include "schedulers/engine/machine.hpp"
#include "schedulers/engine/queue_policy.hpp"
#include "schedulers/engine/steps.hpp"

namespace stealbench::engine {

/// See schedulers::task_group. Each child takes a slot of the worker that spawns it, and no lock;
/// one for which there is no slot runs at its spawn. Children that no worker has begun at the sync
/// are run by the owner, youngest first.
///
/// The children of all open groups of a worker are on one stack, so where two groups of one frame
/// take turns in spawning, a sync joins also those children of the other that are above its own
/// eldest one.
template <class Slot>
class task_group {
  using machine = typename Slot::machine;
  using worker = typename Slot::worker;

 public:
  explicit task_group(Slot& frame) noexcept
      : frame_(&frame), own_(&frame.owner()), eldest_(own_->limit) {
    if constexpr (Slot::team_type::is_fixed) unassigned_ = eldest_;
  }
  task_group(const task_group&) = delete;
  task_group& operator=(const task_group&) = delete;
  ~task_group() { join_all(); }

  /// Throws what copying the closure throws, and std::bad_alloc; the group then lacks that child.
  template <class F>
  [[gnu::always_inline]] void spawn(F&& f) {
    using closure = std::decay_t<F>;
    using child = spawned_child<Slot, task_group, closure>;
    worker& own = *own_;
    assert(own.is_this_thread());  // see schedulers::worker
    machine::charge(cost::spawn);
    Slot* slot = own.above_children;
    // One comparison tells the first child of this group: a child that is not yet joined is below
    // the next free slot.
    if (slot <= eldest_) {
      above_children_before_ = slot;
      eldest_ = slot = (std::max)(frame_, slot);
    }
    assert(!slot->entry.is_open(order::relaxed) ||
           slot == own.limit);  // see schedulers::task_group
    if constexpr (Slot::team_type::is_fixed) {
      if (frame_->team.alone() || slot >= own.limit) {
        if (!frame_->team.alone()) own.counts.inlined();
        run_now(std::forward<F>(f), *slot);
        return;
      }
      child::make(*slot, *this, std::forward<F>(f));
      // Marks the slot as used, for its owner alone; the job is offered at the sync.
      slot->entry.open(kind_for<closure>(), order::relaxed);
      unassigned_ = (std::min)(unassigned_, slot);
    } else {
      // Also at the end of the stack, whose slot no job needs: were the closure run where it is,
      // the compiler would keep it in memory for a call that is hardly ever made.
      child::make(*slot, *this, std::forward<F>(f));
      if (slot >= own.limit) [[unlikely]] {
        own.counts.inlined();
        run_at_spawn<closure>(*slot);
        return;
      }
      if (!own.template offer<offered::child>(*slot, kind_for<closure>())) [[unlikely]] {
        run_at_spawn<closure>(*slot);
        return;
      }
    }
    if (steps_on<machine>.raise_children) own.above_children = slot + 1;
  }

  void sync() {
    join_all();
    if (error_) [[unlikely]]
      std::rethrow_exception(std::exchange(error_, nullptr));
  }

 private:
  using kind = child_kind<Slot>;
  template <class F>
  [[gnu::always_inline]] static const kind& kind_for() {
    static constexpr kind of_f{{&spawned_child<Slot, task_group, F>::execute}, &join_run<F>};
    return of_f;
  }

  static task_group& group_of(Slot& slot) { return child_head<task_group>::group_of(slot); }
  static const kind& kind_of(Slot& slot) {
    return static_cast<const kind&>(*slot.entry.kind(order::relaxed));  // the owner's own write
  }

  // Of the errors of a group that of the eldest child is kept. Children are joined youngest first,
  // and some have run at their spawn, so an error has a place among them: the lowest slot that is
  // above all elder children that have not ended, and so not above any younger one, be it spawned
  // later. In use are, from the eldest one up to where the error comes from, children of the groups
  // of this frame alone.
  [[gnu::noinline, gnu::cold]] void keep(std::exception_ptr error, Slot* place) noexcept {
    if (!steps_on<machine>.keep_error) return;
    if (error_ && error_place_ <= place) return;
    error_ = std::move(error);
    while (place > eldest_ && &group_of(place[-1]) != this) --place;
    error_place_ = place > eldest_ ? place : frame_;
  }

  template <class F>
  void run_now(F&& f, Slot& place) {
    std::decay_t<F> child(std::forward<F>(f));
    try {
      static_cast<void>(child(frame_));
    } catch (...) {
      keep(std::current_exception(), &place);
    }
  }
  // The child was never offered.
  template <class F>
  [[gnu::noinline, gnu::cold]] static void run_at_spawn(Slot& slot) noexcept {
    task_group& group = group_of(slot);
    try {
      spawned_child<Slot, task_group, F>::run_here(slot);
    } catch (...) {
      group.keep(std::current_exception(), &slot);
    }
  }

  // Of a child of this group that has thrown. Another group's sync may have joined it: then that
  // joins its other children here and now, so that the place of the error is none that a younger
  // child can take. Returns the lowest slot that is joined.
  [[gnu::noinline, gnu::cold]] Slot* keep_at_join(std::exception_ptr error, Slot* slot,
                                                  Slot* eldest) noexcept {
    keep(std::move(error), slot);
    if (eldest_ == eldest && &group_of(*eldest) == this) return slot;
    while (slot > eldest) slot = kind_of(slot[-1]).join_run(slot[-1], eldest);
    if (error_) error_place_ = (std::min)(error_place_, eldest);
    return slot;
  }

  // See child_kind.
  template <class F>
  static Slot* join_run(Slot& topmost, Slot* eldest) noexcept {
    Slot* slot = &topmost;
    for (;;) {
      // Found anew for each child: two instructions, and not a register that a loop would keep.
      worker& own = slot->owner();
      if constexpr (Slot::team_type::is_fixed) group_of(*slot).assign_children(own);
      if (own.join_child(*slot)) [[likely]] {
        [[maybe_unused]] const auto live = own.counts.until_finished();
        own.above_children = slot;
        task_group& group = group_of(*slot);
        try {
          spawned_child<Slot, task_group, F>::run_here(*slot);
        } catch (...) {
          slot = group.keep_at_join(std::current_exception(), slot, eldest);
        }
      } else {
        slot = end_stolen<F>(slot, eldest);
      }
      if (slot <= eldest || slot[-1].entry.kind(order::relaxed) != &kind_for<F>()) return slot;
      --slot;
    }
  }

  // Another worker has run the child; and perhaps those below it, which are then joined too. Their
  // slots are then free. Returns the lowest.
  template <class F>
  [[gnu::noinline, gnu::cold]] static Slot* end_stolen(Slot* slot, Slot* eldest) noexcept {
    worker& own = slot->owner();
    std::exception_ptr error;
    for (;;) {
      error = spawned_child<Slot, task_group, F>::dispose(*slot);
      const bool has_next =
          slot > eldest && slot[-1].entry.kind(order::relaxed) == &kind_for<F>();  // own writes
      if (error || !has_next || !own.join_next_if_finished(slot[-1])) break;
      --slot;
    }
    own.retire_children(*slot);
    own.above_children = slot;
    return error ? group_of(*slot).keep_at_join(std::move(error), slot, eldest) : slot;
  }

  [[gnu::always_inline]] void join_all() noexcept {
    worker& own = *own_;
    Slot* const above = own.above_children;
    if (above <= eldest_) return;  // none, or another group's sync has joined them
    Slot* const eldest = eldest_;
    using queue = typename worker::queue_type;
    if constexpr (queue::can.expose_rest) {
      if (above - eldest >= queue::many_children) [[unlikely]]
        own.expose_rest(above[-1], *eldest);
    }
    Slot* lowest = above;
    do {
      lowest = kind_of(lowest[-1]).join_run(lowest[-1], eldest);
    } while (lowest > eldest);
    own.above_children = above_children_before_;
    eldest_ = own.limit;
  }

  // A fixed team is divided once the number of children is known: each to its part of the workers,
  // or several to a worker. The caller's own children run here, while the others are under way.
  void assign_children(worker& own) noexcept {
    Slot* const above = own.above_children;
    if (unassigned_ >= above) return;
    const auto for_each = [&](auto&& act) {
      for (Slot* each = above; each-- != unassigned_;) {
        if (&group_of(*each) == this) act(*each);
      }
    };
    std::size_t count = 0;
    for_each([&](Slot& /*child*/) { ++count; });
    std::size_t rank = count;
    for_each([&](Slot& child) {
      child.assigned_to = frame_->team.part(--rank, count);
      if (child.assigned_to.leader() != own.index) own.offer(child, kind_of(child));
    });
    for_each([&](Slot& child) {
      if (child.assigned_to.leader() == own.index) own.execute_unoffered(child, *above);
    });
    unassigned_ = own.limit;
  }

  // In turn one that the constructor writes and one that it does not: GCC would put two together in
  // a vector register, which takes longer than two stores.
  Slot* const frame_;            // The handle of the frame that made the group.
  Slot* above_children_before_;  // What the owner's was before the eldest one.
  worker* const own_;            // The frame's worker.
  Slot* error_place_;            // The place of the error.
  Slot* eldest_;                 // Its slot, of the children not yet joined; else the limit.
  Slot* unassigned_;             // With a fixed team: of those that no worker has been given.
  std::exception_ptr error_;     // Of the eldest child known to have thrown.
};

}  // namespace stealbench::engine
