// n-ary spawns: children that are joined together.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
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
/// the other group are on top of its own group's, and a sync joins those too that are on top. A
/// group that begins above another's children has a tag, by which it sees that they were joined.
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
  explicit task_group(Slot& frame) noexcept : frame_(&frame), own_(&frame.owner()) {}
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
    Slot* slot = own.above_children;
    if constexpr (is_fixed) {
      if (frame_->team.alone()) return run_now(std::forward<F>(f), slot);
      if (slot > frame_) slot->team = frame_->team;  // Should the child run there at its spawn.
    }
    if (slot != above_) [[unlikely]] {  // The first child, or there is another group.
      if (is_robbed()) keep_unclaimed(own);
      if (has_children()) {
        if (tag_ == 0 || slot[-1].group_tag != tag_) {  // Another group's children are on top.
          own.counts.inlined();
          child::make(*slot, std::forward<F>(f));
          return keep(run_at_spawn<closure>(*slot), tag_ == 0 ? above_ : end_of(tag_, slot));
        }
      } else {
        error_place_ = frame_;  // All elder children have ended.
        above_children_before_ = slot;
        if (slot > frame_) tag_ = ++own.last_group_tag;
        eldest_ = slot = (std::max)(frame_, slot);
      }
      if (tag_ != 0) {
        child::make(*slot, std::forward<F>(f));
        keep(offer<closure>(own, *slot, tag_), slot);
        if (slot == eldest_ && own.above_children == slot) tag_ = 0;  // It has run.
        return;
      }
    }
    assert(!slot->entry.is_open(order::relaxed) ||
           slot == own.limit);  // see schedulers::task_group
    // Also at the end of the stack, whose slot no job needs: were the closure run where it is, the
    // compiler would keep it in memory for a call that is hardly ever made.
    child::make(*slot, std::forward<F>(f));
    if (slot >= own.limit) [[unlikely]] {
      own.counts.inlined();
      return keep(run_at_spawn<closure>(*slot), slot);
    }
    if constexpr (is_fixed) {
      // Marks the slot as used, for its owner alone; the job is offered at the sync.
      slot->entry.open(kind_for<closure>(), order::relaxed);
    } else if (!own.template offer<offered::child>(*slot, kind_for<closure>())) [[unlikely]] {
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

  [[nodiscard]] bool has_children() const { return above_ != nullptr || tag_ != 0; }
  // Whether another group's sync has joined the children.
  [[nodiscard]] bool is_robbed() const { return tag_ != 0 && eldest_->group_tag != tag_; }
  [[gnu::always_inline]] void keep_unclaimed(worker& own) noexcept {
    errors thrown;
    claim(own, tag_, thrown);
    keep(std::move(thrown.eldest.error), thrown.eldest.place);
    tag_ = 0;
  }

  // Above the topmost slot with the tag, of those below `top`.
  static Slot* end_of(std::uint32_t tag, Slot* top) {
    while (top[-1].group_tag != tag) --top;
    return top;
  }
  // A child of a group above another one's children.
  template <class F>
  [[gnu::noinline, gnu::cold]] static std::exception_ptr offer(worker& own, Slot& slot,
                                                               std::uint32_t tag) noexcept {
    slot.group_tag = tag;
    if (&slot >= own.limit) {
      own.counts.inlined();
      return run_at_spawn<F>(slot);
    }
    if constexpr (is_fixed) {
      slot.entry.open(kind_for<F>(), order::relaxed);
    } else if (!own.template offer<offered::child>(slot, kind_for<F>())) {
      return run_at_spawn<F>(slot);
    }
    if (steps_on<machine>.raise_children) own.above_children = &slot + 1;
    return nullptr;
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

  [[gnu::always_inline]] static void join_down(Slot* above, Slot* eldest, errors& thrown) {
    do {
      // The kind is the owner's own write.
      const auto& of_topmost = static_cast<const kind&>(*above[-1].entry.kind(order::relaxed));
      above = of_topmost.join_run(above[-1], eldest, thrown);
    } while (above > eldest);
  }

  [[gnu::always_inline]] void join_all() noexcept {
    if (!has_children()) return;
    worker& own = *own_;
    if (is_robbed()) [[unlikely]]
      return keep_unclaimed(own);
    Slot* const eldest = eldest_;
    Slot* above = own.above_children;
    if constexpr (is_fixed) assign_children(own, eldest, above);
    errors thrown;
    if (above != above_) [[unlikely]]
      above = join_others(own, above_, tag_, thrown);
    using queue = typename worker::queue_type;
    if constexpr (queue::can.expose_rest) {
      if (above - eldest >= queue::many_children) [[unlikely]]
        own.expose_rest(above[-1], *eldest);
    }
    join_down(above, eldest, thrown);
    own.above_children = above_children_before_;
    above_ = nullptr;
    tag_ = 0;
    keep(std::move(thrown.eldest.error), thrown.eldest.place);
  }

  // Joins what other groups of the frame have above the group's children, which end at `above`, or
  // below the topmost slot with the tag. Returns where they end.
  [[gnu::noinline, gnu::cold]] static Slot* join_others(worker& own, Slot* above, std::uint32_t tag,
                                                        errors& thrown) noexcept {
    Slot* const top = own.above_children;
    if (tag != 0) above = end_of(tag, top);
    if (above == top) return top;
    thrown.of_others = &own.unclaimed_errors;
    join_down(top, above, thrown);
    thrown.of_others = nullptr;
    for (Slot* slot = above; slot != top; ++slot) slot->group_tag = 0;
    return above;
  }
  // Takes what the children of a group have thrown at another group's sync.
  [[gnu::noinline, gnu::cold]] static void claim(worker& own, std::uint32_t tag,
                                                 errors& thrown) noexcept {
    std::erase_if(own.unclaimed_errors, [&](const child_error<Slot>& each) {
      if (each.group_tag == tag) thrown.eldest = each;  // The latest is the eldest's.
      return each.group_tag == tag;
    });
  }

  // A fixed team is divided once the number of children is known: each to its part of the workers,
  // or several to a worker. The caller's own children run here, while the others are under way.
  [[gnu::always_inline]] void assign_children(worker& own, Slot* eldest, Slot* above) noexcept {
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

  Slot* const frame_;  // The handle of the frame that made the group.
  worker* const own_;  // The frame's worker.
  // Above its children, of those not yet joined; null if there is none, or a tag.
  Slot* above_ = nullptr;
  std::uint32_t tag_ = 0;        // In the slots of these, if others are below; else 0.
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
