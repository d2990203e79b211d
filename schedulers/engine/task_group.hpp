// n-ary spawns: children that are joined together.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <exception>
#include <utility>

#include "schedulers/engine/job.hpp"
#include "schedulers/engine/memory_model.hpp"

namespace stealbench::engine {

/// See schedulers::task_group. Each child takes a slot of the worker that spawns it, and no lock;
/// one for which there is no slot runs at its spawn. Children that nobody has begun at the sync are
/// run by the owner, youngest first.
///
/// The children of all open groups of a worker lie on one stack, so where two groups of one frame
/// take turns in spawning, a sync joins also those children of the other that lie above its own
/// eldest one.
template <class Worker>
class task_group {
 public:
  explicit task_group(Worker& owner) noexcept : owner_(&owner), eldest_(owner.own_state().limit) {
    if constexpr (Worker::share_type::is_fixed) unassigned_ = eldest_;
  }
  task_group(const task_group&) = delete;
  task_group& operator=(const task_group&) = delete;
  ~task_group() { join_all(); }

  /// Throws what copying the closure throws, and std::bad_alloc; the group then lacks that child.
  template <class F>
  void spawn(F&& f) {
    using child = spawned_child<Worker, task_group, std::decay_t<F>>;
    auto& own = owner_->own_state();
    Worker* const slot = std::max(owner_, own.above_children);
    assert(!slot->entry.is_open(order::relaxed) ||
           slot == own.limit);  // see schedulers::task_group
    if (error_) [[unlikely]]
      error_place_ = std::min(error_place_, slot);
    if (owner_->share.alone()) {
      run_now(f, *slot);
      return;
    }
    if (slot >= own.limit) [[unlikely]] {
      own.counts.inlined();
      run_now(f, *slot);
      return;
    }
    child::make(*slot, *this, std::forward<F>(f));
    if constexpr (Worker::share_type::is_fixed) {
      // Marks the slot as used, for its owner alone; the job is offered at the sync.
      slot->entry.open(child::kind(), order::relaxed);
      unassigned_ = std::min(unassigned_, slot);
    } else if (!own.spawn(*slot, child::kind())) [[unlikely]] {
      run_here(child::kind(), *slot);
      return;
    }
    if (slot < eldest_) {
      eldest_ = slot;
      above_children_before_ = own.above_children;
    }
    own.above_children = slot + 1;
  }

  void sync() {
    join_all();
    if (error_) [[unlikely]]
      std::rethrow_exception(std::exchange(error_, nullptr));
  }

 private:
  using head = child_head<task_group>;
  using kind = child_kind<Worker>;

  static task_group& group_of(Worker& slot) { return *static_cast<head*>(slot.payload())->group; }
  static const kind& kind_of(Worker& slot) {
    return static_cast<const kind&>(*slot.entry.kind(order::relaxed));  // the owner's own write
  }

  // Of the errors of a group that of the eldest child is kept. Children are joined youngest first,
  // and some have run at their spawn, so an error has a place among them: a slot, which is above
  // the elder children that have not ended, and not above the younger ones.
  [[gnu::noinline, gnu::cold]] void keep(std::exception_ptr error, Worker& place) noexcept {
    if (error_ && error_place_ <= &place) return;
    error_ = std::move(error);
    error_place_ = &place;
  }

  template <class F>
  void run_now(F& f, Worker& place) noexcept {
    try {
      static_cast<void>(f(owner_));
    } catch (...) {
      keep(std::current_exception(), place);
    }
  }
  void run_here(const kind& its, Worker& slot) noexcept {
    try {
      its.run_here(slot);
    } catch (...) {
      keep(std::current_exception(), slot);
    }
  }

  void join_all() noexcept {
    auto& own = owner_->own_state();
    Worker* above = own.above_children;
    if (above <= eldest_) return;  // none, or another group's sync has joined them
    do {
      --above;
      group_of(*above).join(own, *above);
    } while (above > eldest_);
    own.above_children = above_children_before_;
    eldest_ = own.limit;
  }

  // Joins a child of this group, the topmost one of the worker. The slot is then free.
  template <class State>
  [[gnu::always_inline]] void join(State& own, Worker& slot) noexcept {
    if constexpr (Worker::share_type::is_fixed) assign_children(own);
    const kind& its = kind_of(slot);
    if (own.take_back_or_wait(slot)) [[likely]] {
      [[maybe_unused]] const auto live = own.counts.until_finished();
      own.above_children = &slot;
      run_here(its, slot);
      return;
    }
    if (std::exception_ptr error = its.dispose(slot)) [[unlikely]]
      keep(std::move(error), slot);
    own.above_children = &slot;
  }

  // A fixed share is divided once the number of children is known: each to its part of the workers,
  // or several to a worker. The caller's own children run here, while the others are under way.
  template <class State>
  void assign_children(State& own) noexcept {
    Worker* const above = own.above_children;
    if (unassigned_ >= above) return;
    const auto for_each = [&](auto&& act) {
      for (Worker* each = above; each-- != unassigned_;) {
        if (&group_of(*each) == this) act(*each);
      }
    };
    std::size_t count = 0;
    for_each([&](Worker& /*child*/) { ++count; });
    std::size_t rank = count;
    for_each([&](Worker& child) {
      child.assigned_to = owner_->share.part(--rank, count);
      if (child.assigned_to.leader() != own.index) own.spawn(child, kind_of(child));
    });
    for_each([&](Worker& child) {
      if (child.assigned_to.leader() == own.index) own.execute_unoffered(child, *above);
    });
    unassigned_ = own.limit;
  }

  Worker* const owner_;            // The handle of the frame that made the group.
  Worker* eldest_;                 // Its slot, of the children not yet joined; else the limit.
  Worker* unassigned_;             // With a fixed share: of those that no worker has been given.
  Worker* above_children_before_;  // What the owner's was before the eldest one.
  std::exception_ptr error_;       // Of the eldest child known to have thrown,
  Worker* error_place_;            // and its place.
};

}  // namespace stealbench::engine
