// n-ary spawns: children that are joined together.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <exception>
#include <utility>

#include "schedulers/engine/job.hpp"
#include "schedulers/engine/machine.hpp"

namespace stealbench::engine {

/// See schedulers::task_group. Each child takes a slot of the worker that spawns it, and no lock;
/// one for which there is no slot runs at its spawn. Children that no worker has begun at the sync
/// are run by the owner, youngest first.
///
/// The children of all open groups of a worker lie on one stack, so where two groups of one frame
/// take turns in spawning, a sync joins also those children of the other that lie above its own
/// eldest one.
template <class Slot>
class task_group {
  using machine = typename Slot::machine;

 public:
  explicit task_group(Slot& frame) noexcept : frame_(&frame), eldest_(frame.owner().limit) {
    if constexpr (Slot::team_type::is_fixed) unassigned_ = eldest_;
  }
  task_group(const task_group&) = delete;
  task_group& operator=(const task_group&) = delete;
  ~task_group() { join_all(); }

  /// Throws what copying the closure throws, and std::bad_alloc; the group then lacks that child.
  template <class F>
  void spawn(F&& f) {
    using child = spawned_child<Slot, task_group, std::decay_t<F>>;
    auto& own = frame_->owner();
    assert(own.is_this_thread());  // see schedulers::worker
    machine::charge(cost::spawn);
    Slot* const slot = std::max(frame_, own.above_children);
    assert(!slot->entry.is_open(order::relaxed) ||
           slot == own.limit);  // see schedulers::task_group
    if (error_) [[unlikely]]
      error_place_ = std::min(error_place_, slot);
    if (frame_->team.alone()) {
      run_now(f, *slot);
      return;
    }
    if (slot >= own.limit) [[unlikely]] {
      own.counts.inlined();
      run_now(f, *slot);
      return;
    }
    child::make(*slot, *this, std::forward<F>(f));
    if constexpr (Slot::team_type::is_fixed) {
      // Marks the slot as used, for its owner alone; the job is offered at the sync.
      slot->entry.open(child::kind(), order::relaxed);
      unassigned_ = std::min(unassigned_, slot);
    } else if (!own.offer(*slot, child::kind())) [[unlikely]] {
      run_here(child::kind(), *slot);
      return;
    }
    if (slot < eldest_) {
      eldest_ = slot;
      above_children_before_ = own.above_children;
    }
    if (machine::steps.raise_children) own.above_children = slot + 1;
  }

  void sync() {
    join_all();
    if (error_) [[unlikely]]
      std::rethrow_exception(std::exchange(error_, nullptr));
  }

 private:
  using kind = child_kind<Slot>;

  static task_group& group_of(Slot& slot) { return child_head<task_group>::group_of(slot); }
  static const kind& kind_of(Slot& slot) {
    return static_cast<const kind&>(*slot.entry.kind(order::relaxed));  // the owner's own write
  }

  // Of the errors of a group that of the eldest child is kept. Children are joined youngest first,
  // and some have run at their spawn, so an error has a place among them: a slot, which is above
  // the elder children that have not ended, and not above the younger ones.
  [[gnu::noinline, gnu::cold]] void keep(std::exception_ptr error, Slot& place) noexcept {
    if (!machine::steps.keep_error) return;
    if (error_ && error_place_ <= &place) return;
    error_ = std::move(error);
    error_place_ = &place;
  }

  template <class F>
  void run_now(F& f, Slot& place) noexcept {
    try {
      static_cast<void>(f(frame_));
    } catch (...) {
      keep(std::current_exception(), place);
    }
  }
  void run_here(const kind& its, Slot& slot) noexcept {
    try {
      its.run_here(slot);
    } catch (...) {
      keep(std::current_exception(), slot);
    }
  }

  void join_all() noexcept {
    auto& own = frame_->owner();
    Slot* above = own.above_children;
    if (above <= eldest_) return;  // none, or another group's sync has joined them
    do {
      --above;
      group_of(*above).join(own, *above);
    } while (above > eldest_);
    own.above_children = above_children_before_;
    eldest_ = own.limit;
  }

  // Joins a child of this group, the topmost one of the worker. The slot is then free.
  template <class Worker>
  [[gnu::always_inline]] void join(Worker& own, Slot& slot) noexcept {
    if constexpr (Slot::team_type::is_fixed) assign_children(own);
    const kind& its = kind_of(slot);
    if (own.join(slot)) [[likely]] {
      [[maybe_unused]] const auto live = own.counts.until_finished();
      own.above_children = &slot;
      run_here(its, slot);
      return;
    }
    if (std::exception_ptr error = its.dispose(slot)) [[unlikely]]
      keep(std::move(error), slot);
    own.above_children = &slot;
  }

  // A fixed team is divided once the number of children is known: each to its part of the workers,
  // or several to a worker. The caller's own children run here, while the others are under way.
  template <class Worker>
  void assign_children(Worker& own) noexcept {
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

  Slot* const frame_;            // The handle of the frame that made the group.
  Slot* eldest_;                 // Its slot, of the children not yet joined; else the limit.
  Slot* unassigned_;             // With a fixed team: of those that no worker has been given.
  Slot* above_children_before_;  // What the owner's was before the eldest one.
  std::exception_ptr error_;     // Of the eldest child known to have thrown,
  Slot* error_place_;            // and its place.
};

}  // namespace stealbench::engine
