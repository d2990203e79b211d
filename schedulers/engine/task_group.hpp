// n-ary spawns: children that are joined together.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <exception>
#include <type_traits>
#include <utility>
#include <variant>

#include "schedulers/engine/job.hpp"
#include "schedulers/engine/memory_model.hpp"
#include "schedulers/outcome.hpp"

namespace stealbench::engine {

/// See schedulers::task_group. Each child takes a slot of the worker that spawns it, and no lock;
/// one for which there is no slot runs at its spawn. Children that nobody has begun at the sync are
/// run by the owner, youngest first.
///
/// The children of all open groups of a worker lie on one stack, so where two groups of one frame
/// take turns in spawning, a sync joins also those children of the other that lie above its own.
template <class Worker>
class task_group {
 public:
  explicit task_group(Worker& owner) noexcept : owner_(&owner) {}
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
      keep_elder_error();
    if (owner_->share.alone()) {
      run_now(f);
      return;
    }
    if (slot >= own.limit) [[unlikely]] {
      own.counts.inlined();
      run_now(f);
      return;
    }
    child::make(*slot, *this, youngest_, std::forward<F>(f));
    if (youngest_ == nullptr) above_children_before_ = own.above_children;
    own.above_children = slot + 1;
    youngest_ = slot;
    if constexpr (Worker::share_type::is_fixed) {
      // Marks the slot as used, for its owner alone; the job is offered at the sync.
      slot->entry.open(child::kind(), order::relaxed);
    } else if (!own.spawn(*slot, child::kind())) [[unlikely]] {
      forget_youngest();
      child::kind().run_here(*slot);
    }
  }

  void sync() {
    join_all();
    if (error_) [[unlikely]]
      std::rethrow_exception(std::exchange(error_, nullptr));
  }

  /// Called as children are joined, youngest first, so a later error replaces an earlier one.
  void keep(std::exception_ptr error) noexcept { error_ = std::move(error); }

 private:
  using head = child_head<Worker, task_group>;
  using kind = child_kind<Worker, task_group>;

  static head& head_of(Worker& slot) { return *static_cast<head*>(slot.payload()); }
  static const kind& kind_of(Worker& slot) {
    return static_cast<const kind&>(*slot.entry.kind(order::relaxed));  // the owner's own write
  }

  template <class F>
  void run_now(F& f) {
    schedulers::outcome<std::monostate> ended;
    ended.capture([&f](Worker* w) { static_cast<void>(f(w)); }, owner_);
    if (ended.failed() && !inline_error_) {
      inline_error_ = ended.error();
      inline_elder_ = youngest_;
    }
  }

  void join_all() noexcept {
    auto& own = owner_->own_state();
    while (youngest_ != nullptr) {
      Worker& topmost = own.above_children[-1];
      head_of(topmost).group->join_youngest();
    }
    if (inline_error_) [[unlikely]]
      error_ = std::exchange(inline_error_, nullptr);
  }

  // Another group's sync has joined a child that threw: younger than those left, and elder than
  // those to come, as if it had run at its spawn.
  void keep_elder_error() noexcept {
    if (!inline_error_) {
      inline_error_ = error_;
      inline_elder_ = youngest_;
    }
    error_ = nullptr;
  }

  // The child's slot is free from now on.
  void forget_youngest() noexcept {
    Worker* const slot = youngest_;
    youngest_ = head_of(*slot).elder;
    if constexpr (Worker::share_type::is_fixed) assigned_ = youngest_;
    owner_->own_state().above_children = youngest_ == nullptr ? above_children_before_ : slot;
  }

  void join_youngest() noexcept {
    if constexpr (Worker::share_type::is_fixed) assign_children();
    Worker& slot = *youngest_;
    auto& own = owner_->own_state();
    if (inline_error_ && youngest_ == inline_elder_) [[unlikely]]
      error_ = std::exchange(inline_error_, nullptr);
    const kind& its = kind_of(slot);
    if (own.take_back_or_wait(slot)) [[likely]] {
      forget_youngest();
      its.run_here(slot);
      return;
    }
    if (head_of(slot).error) [[unlikely]]
      keep(head_of(slot).error);
    forget_youngest();
    its.dispose(slot);
  }

  // A fixed share is divided once the number of children is known: each to its part of the workers,
  // or several to a worker. The caller's own children run here, while the others are under way.
  void assign_children() noexcept {
    if (youngest_ == assigned_) return;
    auto& own = owner_->own_state();
    std::size_t count = 0;
    for (Worker* each = youngest_; each != assigned_; each = head_of(*each).elder) ++count;
    std::size_t rank = count;
    for (Worker* each = youngest_; each != assigned_; each = head_of(*each).elder) {
      each->assigned_to = owner_->share.part(--rank, count);
      if (each->assigned_to.leader() != own.index) own.spawn(*each, kind_of(*each));
    }
    for (Worker* each = youngest_; each != assigned_; each = head_of(*each).elder) {
      if (each->assigned_to.leader() != own.index) continue;
      own.execute_unoffered(*each, *own.above_children);
    }
    assigned_ = youngest_;
  }

  Worker* owner_;                            // The handle of the frame that made the group.
  Worker* youngest_ = nullptr;               // Of the children that are not yet joined.
  Worker* above_children_before_ = nullptr;  // What the owner's was before the first of them.
  Worker* assigned_ = nullptr;               // The youngest one that has been given to a worker.
  std::exception_ptr error_;                 // Of the eldest child joined so far that has thrown.
  std::exception_ptr inline_error_;          // Of the eldest child that threw at its spawn,
  Worker* inline_elder_ = nullptr;           // and its next elder sibling, null if there was none.
};

}  // namespace stealbench::engine
