// n-ary spawns: children that are joined together.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <exception>
#include <list>
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
/// The children of all open groups of a worker are on one stack, those of a group side by side.
/// Where two groups of one frame take turns, a child therefore runs at its spawn while children of
/// the other group are on top of its own group's, and a sync joins those too that are on top. What
/// such a sync needs of a group that began above another's children, an upper one, its worker
/// keeps.
///
/// Only its frame has the address of a group, so compilers keep it in registers: what is not inline
/// gets by value what it needs of it.
template <class Slot>
class task_group {
  using machine = typename Slot::machine;
  using worker = typename Slot::worker;
  using errors = join_errors<Slot>;
  static constexpr bool is_fixed = Slot::team_type::is_fixed;

 public:
  explicit task_group(Slot& frame) noexcept : frame_(&frame), own_(&frame.owner()) { begin(*own_); }
  task_group(const task_group&) = delete;
  task_group& operator=(const task_group&) = delete;
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
    if constexpr (is_fixed) {
      if (frame_->team.alone()) return run_now(std::forward<F>(f));
    }
    if (above_->entry.is_open(order::relaxed)) [[unlikely]] {  // the owner's own write
      if (!begin_again(own)) return spawn_aside(own, std::forward<F>(f));
    }
    Slot* const slot = above_;
    child::make(*slot, std::forward<F>(f));
    if (!offer<closure>(own, *slot)) [[unlikely]] {
      return keep({run_at_spawn<closure>(*slot), slot});
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

  // At its frame, or nowhere if children of another group are there.
  [[gnu::always_inline]] void begin(worker& own) noexcept {
    above_children_before_ = own.above_children;
    above_ = eldest_ = above_children_before_ <= frame_ ? frame_ : own.limit;
  }
  // Without children also above another group's. Whether the next child's slot is free.
  [[gnu::always_inline]] bool begin_again(worker& own) {
    if (is_upper() && upper_->ended()) end_upper(own);
    if (above_ != eldest_) return false;
    begin(own);
    error_place_ = frame_;
    if (above_children_before_ > frame_) {
      upper_ = begin_upper(own, above_children_before_);
      eldest_ = nullptr;
    }
    return !above_->entry.is_open(order::relaxed);
  }
  [[nodiscard]] bool is_upper() const { return eldest_ == nullptr; }
  [[gnu::noinline, gnu::cold]] static auto begin_upper(worker& own, Slot* at) {
    return own.upper_groups.insert(own.upper_groups.end(), upper_group<Slot>{at, at, {}});
  }
  [[gnu::always_inline]] void end_upper(worker& own) noexcept {
    keep(std::move(upper_->thrown));
    own.upper_groups.erase(upper_);
    above_ = eldest_ = own.limit;
  }
  // A child of an upper group, or one that runs at its spawn.
  template <class F>
  [[gnu::always_inline]] void spawn_aside(worker& own, F&& f) {
    Slot* const slot = (std::max)(frame_, own.above_children);
    assert(!slot->entry.is_open(order::relaxed) ||
           slot == own.limit);  // see schedulers::task_group
    slot->team = frame_->team;  // Should the child run there.
    // Also at the end of the stack, whose slot no job needs: were the closure run where it is, the
    // compiler would keep it in memory for a call that is hardly ever made.
    spawned_child<Slot, std::decay_t<F>>::make(*slot, std::forward<F>(f));
    upper_group<Slot>* const upper = is_upper() ? &*upper_ : nullptr;
    Slot* const place = upper != nullptr ? upper->above : above_;
    keep({offer_or_run<std::decay_t<F>>(own, *slot, upper), place});
  }
  template <class F>
  [[gnu::noinline, gnu::cold]] static std::exception_ptr offer_or_run(
      worker& own, Slot& slot, upper_group<Slot>* upper) noexcept {
    if (upper == nullptr || upper->above != &slot || &slot == own.limit) {
      own.counts.inlined();
      return run_at_spawn<F>(slot);
    }
    if (!offer<F>(own, slot)) return run_at_spawn<F>(slot);
    upper->above = &slot + 1;
    if (steps_on<machine>.raise_children) own.above_children = upper->above;
    return nullptr;
  }
  template <class F>
  [[gnu::always_inline]] static bool offer(worker& own, Slot& slot) {
    if constexpr (is_fixed) {
      // Marks the slot as used, for its owner alone; the job is offered at the sync.
      slot.entry.open(kind_for<F>(), order::relaxed);
      return true;
    } else {
      return own.template offer<offered::child>(slot, kind_for<F>());
    }
  }

  // Of the errors of a group that of the eldest child is kept. Children are joined youngest first,
  // and some have run at their spawn, so an error has a place among them: the lowest slot that is
  // above all elder children that have not ended, and so not above any younger one, be it spawned
  // later.
  [[gnu::always_inline]] void keep(errors thrown) noexcept {
    if (!steps_on<machine>.keep_error || !thrown.eldest ||
        (error_ && error_place_ <= thrown.place)) {
      return;
    }
    error_ = std::move(thrown.eldest);
    error_place_ = thrown.place;
  }

  template <class F>
  [[gnu::always_inline]] void run_now(F&& f) {
    std::decay_t<F> child(std::forward<F>(f));
    try {
      static_cast<void>(child(frame_));
    } catch (...) {
      keep({std::current_exception(), frame_});
    }
  }
  template <class F>
  [[gnu::noinline, gnu::cold]] static std::exception_ptr run_at_spawn(Slot& slot) noexcept {
    try {
      spawned_child<Slot, F>::run_here(slot);
      return nullptr;
    } catch (...) {
      return std::current_exception();
    }
  }

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

  [[gnu::always_inline]] static void join_down(worker& own, Slot* above, Slot* eldest,
                                               errors& thrown) {
    if constexpr (is_fixed) assign_children(own, eldest, above);
    using queue = typename worker::queue_type;
    if constexpr (queue::can.expose_rest) {
      if (above - eldest >= queue::many_children) [[unlikely]]
        own.expose_rest(above[-1], *eldest);
    }
    do {
      // The kind is the owner's own write.
      const auto& of_topmost = static_cast<const kind&>(*above[-1].entry.kind(order::relaxed));
      above = of_topmost.join_run(above[-1], eldest, thrown);
    } while (above > eldest);
  }

  [[gnu::always_inline]] void join_all() noexcept {
    if (above_ == eldest_) return;
    worker& own = *own_;
    if (is_upper()) [[unlikely]] {
      if (!upper_->ended()) join_upper_groups(own, upper_->eldest);
      return end_upper(own);
    }
    if (own.above_children != above_) [[unlikely]]
      join_upper_groups(own, above_);
    errors thrown;
    join_down(own, above_, eldest_, thrown);
    own.above_children = above_children_before_;
    above_ = eldest_;
    keep(std::move(thrown));
  }

  // Joins the children of upper groups, down to a slot. Those that have any are in the list in
  // their order on the stack.
  [[gnu::noinline, gnu::cold]] static void join_upper_groups(worker& own, Slot* lowest) noexcept {
    auto group = own.upper_groups.end();
    while (own.above_children != lowest && group != own.upper_groups.begin()) {
      --group;
      if (group->ended()) continue;
      // First, as a group of a child may ask.
      Slot* const above = std::exchange(group->above, group->eldest);
      join_down(own, above, group->eldest, group->thrown);
    }
  }

  // A fixed team is divided once the number of children is known: each to its part of the workers,
  // or several to a worker. The caller's own children run here, while the others are under way.
  [[gnu::always_inline]] static void assign_children(worker& own, Slot* eldest,
                                                     Slot* above) noexcept {
    const auto count = static_cast<std::size_t>(above - eldest);
    for (std::size_t rank = count; rank-- > 0;) {
      Slot& child = eldest[rank];
      child.assigned_to = eldest->team.part(rank, count);
      const auto& of_child = static_cast<const kind&>(*child.entry.kind(order::relaxed));
      if (child.assigned_to.leader() != own.index) own.offer(child, of_child);
    }
    for (std::size_t rank = count; rank-- > 0;) {
      Slot& child = eldest[rank];
      if (child.assigned_to.leader() == own.index) own.execute_unoffered(child, *above);
    }
  }

  Slot* const frame_;  // The handle of the frame that made the group.
  worker* const own_;  // The frame's worker.
  // Where its next child goes, above those not yet joined; the last slot, which is never free, for
  // an upper group.
  Slot* above_;
  Slot* eldest_;                 // Their lowest slot; `above_` if there is none; null: upper group.
  Slot* above_children_before_;  // What the owner's was before the eldest one.
  typename std::list<upper_group<Slot>>::iterator upper_;
  Slot* error_place_;
  // Of the eldest child known to have thrown. In a union, as else its destructor would be called
  // with an address in the group.
  union {
    std::exception_ptr error_{};  // NOLINT(readability-identifier-naming): private
  };
};

}  // namespace stealbench::engine
