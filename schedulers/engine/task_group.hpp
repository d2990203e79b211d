// n-ary spawns: children that are joined together.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <exception>
#include <type_traits>
#include <utility>
#include <vector>

#include "schedulers/engine/jobs/job.hpp"
#include "schedulers/engine/machine.hpp"
#include "schedulers/engine/queue_policy.hpp"
#include "schedulers/engine/steps.hpp"

namespace stealbench::engine {

/// See schedulers::task_group. Each child takes a slot of the worker that spawns it, and no lock;
/// one for which there is no slot runs at its spawn. Children that no worker has begun at the sync
/// are run by the owner, youngest first.
///
/// The children of all open groups of a worker are on one stack, those of a group side by side.
/// Where two groups of one frame take turns, a child therefore runs at its spawn while children of
/// the other group are on top of its own group's, and a sync joins those too that are on top.
///
/// Nobody but its frame has the address of a group, so compilers keep it in registers: what is not
/// inline gets by value what it needs of it.
template <class Slot>
class task_group {
  using machine = typename Slot::machine;
  using worker = typename Slot::worker;
  using errors = join_errors<Slot>;
  static constexpr bool is_fixed = Slot::team_type::is_fixed;

 public:
  explicit task_group(Slot& frame) noexcept : frame_(&frame), own_(&frame.owner()) {}
  task_group(const task_group&) = delete;
  task_group& operator=(const task_group&) = delete;
  // Inline also where a frame is unwound.
  [[gnu::always_inline]] ~task_group() {
    join_all();
    [[maybe_unused]] const std::exception_ptr dropped = std::exchange(error_, nullptr);
  }

  /// Throws what copying the closure throws, and std::bad_alloc; the group then lacks that child.
  template <class F>
  [[gnu::always_inline]] void spawn(F&& f) {
    using closure = std::decay_t<F>;
    using child = spawned_child<Slot, closure>;
    worker& own = *own_;
    assert(own.is_this_thread());  // see schedulers::worker
    machine::charge(cost::spawn);
    Slot* slot = own.above_children;
    if (slot != above_) [[unlikely]] {  // The first child, or another group's have come between.
      if (above_ != nullptr) [[unlikely]] {
        if (slot > above_) {
          own.counts.inlined();
          if constexpr (is_fixed) return run_now(std::forward<F>(f), above_);
          child::make(*slot, std::forward<F>(f));
          return keep(run_at_spawn<closure>(*slot), above_);
        }
        errors thrown;  // Another group's sync has joined children, down to the slot.
        meet_others(own, eldest_, above_, thrown);
        keep(std::move(thrown.eldest.error), thrown.eldest.place);
        error_place_ = (std::min)(error_place_, slot);
      }
      if (above_ == nullptr || slot <= eldest_) {
        above_children_before_ = slot;
        eldest_ = slot = (std::max)(frame_, slot);
      }
    }
    assert(!slot->entry.is_open(order::relaxed) ||
           slot == own.limit);  // see schedulers::task_group
    if constexpr (is_fixed) {
      if (frame_->team.alone() || slot >= own.limit) {
        if (!frame_->team.alone()) own.counts.inlined();
        return run_now(std::forward<F>(f), slot);
      }
      child::make(*slot, std::forward<F>(f));
      // Marks the slot as used, for its owner alone; the job is offered at the sync.
      slot->entry.open(kind_for<closure>(), order::relaxed);
    } else {
      // Also at the end of the stack, whose slot no job needs: were the closure run where it is,
      // the compiler would keep it in memory for a call that is hardly ever made.
      child::make(*slot, std::forward<F>(f));
      const bool has_slot = slot < own.limit;
      if (!has_slot) [[unlikely]]
        own.counts.inlined();
      if (!has_slot || !own.template offer<offered::child>(*slot, kind_for<closure>())) [[unlikely]]
        return keep(run_at_spawn<closure>(*slot), slot);
    }
    above_ = slot + 1;
    if (steps_on<machine>.raise_children) own.above_children = above_;
  }

  [[gnu::always_inline]] void sync() {
    join_all();
    if (error_) [[unlikely]]
      std::rethrow_exception(std::exchange(error_, nullptr));
  }

 private:
  using kind = child_kind<Slot>;
  template <class F>
  [[gnu::always_inline]] static const kind& kind_for() {
    static constexpr kind of_f{{&spawned_child<Slot, F>::execute}, &join_run<F>};
    return of_f;
  }

  // Of the errors of a group that of the eldest child is kept. Children are joined youngest first,
  // and some have run at their spawn, so an error has a place among them: the lowest slot that is
  // above all elder children that have not ended, and so not above any younger one, be it spawned
  // later.
  [[gnu::always_inline]] void keep(std::exception_ptr error, Slot* place) noexcept {
    if (!steps_on<machine>.keep_error || !error || (error_ && error_place_ <= place)) return;
    error_ = std::move(error);
    error_place_ = place;
  }

  template <class F>
  [[gnu::always_inline]] void run_now(F&& f, Slot* place) {
    std::decay_t<F> child(std::forward<F>(f));
    try {
      static_cast<void>(child(frame_));
    } catch (...) {
      keep(std::current_exception(), place);
    }
  }
  // The child was never offered.
  template <class F>
  [[gnu::noinline, gnu::cold]] static std::exception_ptr run_at_spawn(Slot& slot) noexcept {
    try {
      spawned_child<Slot, F>::run_here(slot);
      return nullptr;
    } catch (...) {
      return std::current_exception();
    }
  }

  // See child_kind.
  template <class F>
  static Slot* join_run(Slot& topmost, Slot* eldest, errors& thrown) noexcept {
    Slot* slot = &topmost;
    for (;;) {
      // Found anew for each child: two instructions, and not a register that a loop would keep.
      worker& own = slot->owner();
      if (own.template join<offered::child>(*slot)) [[likely]] {
        [[maybe_unused]] const auto live = own.counts.until_finished();
        own.above_children = slot;
        try {
          spawned_child<Slot, F>::run_here(*slot);
        } catch (...) {
          thrown.keep(std::current_exception(), slot);
        }
      } else {
        slot = end_stolen<F>(slot, eldest, thrown);
      }
      if (slot <= eldest || slot[-1].entry.kind(order::relaxed) != &kind_for<F>()) return slot;
      --slot;
    }
  }

  // Another worker has run the child; and perhaps those below it, which are then joined too. Their
  // slots are then free. Returns the lowest.
  template <class F>
  [[gnu::noinline, gnu::cold]] static Slot* end_stolen(Slot* slot, Slot* eldest,
                                                       errors& thrown) noexcept {
    worker& own = slot->owner();
    for (;;) {
      if (std::exception_ptr error = spawned_child<Slot, F>::dispose(*slot)) {
        thrown.keep(std::move(error), slot);
      }
      const bool has_next =
          slot > eldest && slot[-1].entry.kind(order::relaxed) == &kind_for<F>();  // own writes
      if (!has_next || !own.join_next_if_finished(slot[-1])) break;
      --slot;
    }
    own.retire_children(*slot);
    own.above_children = slot;
    return slot;
  }

  // Joins the children from the topmost one down to the eldest.
  [[gnu::always_inline]] static Slot* join_down(Slot* above, Slot* eldest, errors& thrown) {
    do {
      // The kind is the owner's own write.
      const auto& of_topmost = static_cast<const kind&>(*above[-1].entry.kind(order::relaxed));
      above = of_topmost.join_run(above[-1], eldest, thrown);
    } while (above > eldest);
    return above;
  }

  [[gnu::always_inline]] void join_all() noexcept {
    if (above_ == nullptr) return;
    worker& own = *own_;
    Slot* const eldest = eldest_;
    Slot* above = own.above_children;
    if constexpr (is_fixed) assign_children(own, eldest, above);
    errors thrown;
    if (above != above_) [[unlikely]]
      above = meet_others(own, eldest, above_, thrown);
    if (above > eldest) {
      using queue = typename worker::queue_type;
      if constexpr (queue::can.expose_rest) {
        if (above - eldest >= queue::many_children) [[unlikely]]
          own.expose_rest(above[-1], *eldest);
      }
      join_down(above, eldest, thrown);
      own.above_children = above_children_before_;
    }
    above_ = nullptr;
    keep(std::move(thrown.eldest.error), thrown.eldest.place);
  }

  // Takes what children in [eldest, above) have thrown that another group's sync has joined. Joins
  // what other groups have on top, and returns what is then above the group's children.
  [[gnu::noinline, gnu::cold]] static Slot* meet_others(worker& own, Slot* eldest, Slot* above,
                                                        errors& thrown) noexcept {
    std::erase_if(own.unclaimed_errors, [&](const child_error<Slot>& each) {
      if (each.place < eldest || each.place >= above) return false;
      if (!thrown.eldest.error || each.place < thrown.eldest.place) thrown.eldest = each;
      return true;
    });
    if (own.above_children <= above) return own.above_children;
    thrown.of_others = &own.unclaimed_errors;
    join_down(own.above_children, above, thrown);
    thrown.of_others = nullptr;
    return above;
  }

  // A fixed team is divided once the number of children is known: each to its part of the workers,
  // or several to a worker. The caller's own children run here, while the others are under way.
  [[gnu::always_inline]] void assign_children(worker& own, Slot* eldest, Slot* above) noexcept {
    if (above <= eldest) return;
    const auto count = static_cast<std::size_t>(above - eldest);
    for (std::size_t rank = count; rank-- > 0;) {
      Slot& child = eldest[rank];
      child.assigned_to = frame_->team.part(rank, count);
      const auto& of_child = static_cast<const kind&>(*child.entry.kind(order::relaxed));
      if (child.assigned_to.leader() != own.index) own.offer(child, of_child);
    }
    for (std::size_t rank = count; rank-- > 0;) {
      Slot& child = eldest[rank];
      if (child.assigned_to.leader() == own.index) own.execute_unoffered(child, *above);
    }
  }

  Slot* const frame_;            // The handle of the frame that made the group.
  worker* const own_;            // The frame's worker.
  Slot* above_ = nullptr;        // Above its children, of those not yet joined; null if none is.
  Slot* eldest_;                 // Their lowest slot.
  Slot* above_children_before_;  // What the owner's was before the eldest one.
  Slot* error_place_;
  // Of the eldest child known to have thrown. In a union, as else its destructor would be called
  // with an address in the group.
  union {
    std::exception_ptr error_{};  // NOLINT(readability-identifier-naming): private
  };
};

}  // namespace stealbench::engine
