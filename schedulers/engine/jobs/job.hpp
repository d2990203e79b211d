// Branches that another worker may run, and where their closures and outcomes are.
#pragma once

#include <algorithm>
#include <cstddef>
#include <exception>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

#include "schedulers/engine/jobs/closure_stack.hpp"
#include "schedulers/outcome.hpp"

namespace stealbench::engine {

/// What all jobs of one type have in common. A slot's entry names it.
template <class Slot>
struct job_kind {
  /// Runs the job in `slot` by a worker whose next free slot is `next_free`, and keeps its outcome.
  /// For a worker that is not about to join it. The job may be gone when the slot's latch has been
  /// opened.
  void (*execute)(Slot& slot, Slot& next_free) noexcept;
};

/// A closure that may be in a slot: copying it is all there is to it.
template <class F>
inline constexpr bool is_plain_closure = std::is_trivially_copyable_v<F>&&
    std::is_copy_constructible_v<F>&& std::is_trivially_destructible_v<F>;

/// The second branch of a fork: a copy of the closure for a thief, and room for the outcome. `Slot`
/// is what its closure receives a pointer to.
template <class Slot, class G>
struct forked_branch {
  using value = schedulers::result_of<G&, Slot*>;

  template <class Closure>
  forked_branch(std::in_place_t /*unused*/, Closure&& source)
      : closure(std::forward<Closure>(source)) {}
  forked_branch(const forked_branch&) = delete;
  forked_branch& operator=(const forked_branch&) = delete;
  ~forked_branch() {}  // The union's outcome is often never made.

  void run(Slot& worker) noexcept {
    std::construct_at(&outcome);
    outcome.capture(closure, &worker);
  }
  /// The outcome, once, after run.
  value take() {
    const drop_on_exit guard{*this};
    return outcome.take();
  }
  /// Instead of take.
  void drop() noexcept { std::destroy_at(&outcome); }

  G closure;
  union {
    schedulers::outcome<value> outcome;  // Made by who runs the job: one taken back never has it.
  };

 private:
  struct drop_on_exit {
    forked_branch& taken;
    ~drop_on_exit() { taken.drop(); }
  };
};

/// Keeps a forked branch while it may be stolen: in the slot if it fits there, so that nothing of
/// the forking frame has an address that escapes, and else in the frame.
template <class Slot, class G>
class branch_in_slot {
  using branch = forked_branch<Slot, G>;

 public:
  static constexpr bool possible =
      is_plain_closure<G> && Slot::fits(sizeof(branch), alignof(branch));

  branch_in_slot(Slot& slot, const G& closure) {
    ::new (slot.payload()) branch(std::in_place, closure);
  }
  template <class Closure>
  Closure& in_frame_or(Closure& callers) {
    return callers;
  }
  static branch& of(Slot& slot) { return *std::launder(static_cast<branch*>(slot.payload())); }
};

template <class Slot, class G>
class branch_in_frame {
  using branch = forked_branch<Slot, G>;

 public:
  template <class Closure>
  branch_in_frame(Slot& slot, Closure&& closure)
      : branch_(std::in_place, std::forward<Closure>(closure)) {
    ::new (slot.payload()) branch*(&branch_);
  }
  template <class Closure>
  G& in_frame_or(Closure& /*callers*/) {
    return branch_.closure;
  }
  static branch& of(Slot& slot) { return **std::launder(static_cast<branch**>(slot.payload())); }

 private:
  branch branch_;
};

template <class Slot, class G>
using stored_branch = std::conditional_t<branch_in_slot<Slot, G>::possible, branch_in_slot<Slot, G>,
                                         branch_in_frame<Slot, G>>;

template <class Slot, class G>
inline constexpr job_kind<Slot> forked_kind{.execute = [](Slot& slot, Slot& next_free) noexcept {
  stored_branch<Slot, G>::of(slot).run(next_free);
}};

/// What the children have thrown that a sync joins.
template <class Slot>
struct join_errors {
  std::exception_ptr eldest;
  Slot* place = nullptr;  ///< Its child's slot, or the place of one that ran at its spawn.

  /// Children are joined youngest first, so the latest one is the eldest's.
  [[gnu::noinline, gnu::cold]] void keep(std::exception_ptr error, Slot* slot) noexcept {
    eldest = std::move(error);
    place = slot;
  }
};

/// Of a task group that began above another one's children, what that one's sync needs, since it
/// joins its children too.
template <class Slot>
struct upper_group {
  Slot* eldest;  ///< Its children's lowest slot.
  Slot* above;   ///< Above them.
  join_errors<Slot> thrown;

  /// Whether all its children were joined.
  [[nodiscard]] bool ended() const { return above == eldest; }
};

template <class Slot>
struct child_kind : job_kind<Slot> {
  /// Joins the child in `topmost`, which is of this kind, and those below it, down to the first one
  /// of another kind or to `eldest`. Returns the last that it has joined. One call for many
  /// children, with their closure inlined into it, is what makes a child as cheap as a fork.
  Slot* (*join_run)(Slot& topmost, Slot* eldest, join_errors<Slot>& errors) noexcept;
};

/// A child whose closure is in the slot, or on the stack of closures of the spawning worker.
template <class Slot, class Kept>
class spawned_child {
 public:
  /// Throws what copying the closure throws, and std::bad_alloc; the slot then holds nothing.
  template <class Closure>
  [[gnu::always_inline]] static void make(Slot& slot, Closure&& closure) {
    if constexpr (in_slot) {
      ::new (slot.payload()) Kept(std::forward<Closure>(closure));
    } else {
      auto& closures = slot.owner().closures;
      void* const memory = closures.template allocate<Kept>();
      try {
        ::new (slot.payload()) outside{::new (memory) Kept(std::forward<Closure>(closure))};
      } catch (...) {
        closures.release(static_cast<Kept*>(memory));
        throw;
      }
    }
  }

  /// For another worker, or the owner before the child is offered. What it throws is kept.
  static void execute(Slot& slot, Slot& next_free) noexcept {
    if constexpr (in_slot) {
      std::exception_ptr error = error_of(closure_in(slot), next_free);
      // Over the closure, which needs no destructor.
      ::new (slot.payload()) std::exception_ptr(std::move(error));
    } else {
      outside_of(slot).error = error_of(*outside_of(slot).closure, next_free);
    }
  }

  /// Runs the child in `slot` as the worker at that very slot: the slot is free as soon as the
  /// closure, or the pointer to it, is out of it. Throws what the closure throws. Only for the
  /// owner, who has taken the child back.
  [[gnu::always_inline]] static void run_here(Slot& slot) {
    if constexpr (in_slot) {
      Kept closure = closure_in(slot);
      static_cast<void>(closure(&slot));
    } else {
      const release_on_exit guard{outside_of(slot).closure, slot};
      static_cast<void>((*guard.closure)(&slot));
    }
  }

  /// Ends the life of a child that was executed; returns what it threw, or null.
  static std::exception_ptr dispose(Slot& slot) noexcept {
    if constexpr (in_slot) {
      return take(*std::launder(static_cast<std::exception_ptr*>(slot.payload())));
    } else {
      static_cast<void>(release_on_exit{outside_of(slot).closure, slot});
      return take(outside_of(slot).error);
    }
  }

 private:
  // What a slot holds of a closure that is elsewhere, and what that has thrown.
  struct outside {
    Kept* closure;
    std::exception_ptr error{};
  };
  static constexpr bool in_slot =
      is_plain_closure<Kept> &&
      Slot::fits((std::max)(sizeof(Kept), sizeof(std::exception_ptr)), alignof(Kept));

  static Kept& closure_in(Slot& slot) { return *std::launder(static_cast<Kept*>(slot.payload())); }
  static outside& outside_of(Slot& slot) {
    return *std::launder(static_cast<outside*>(slot.payload()));
  }

  static std::exception_ptr error_of(Kept& closure, Slot& next_free) noexcept {
    try {
      static_cast<void>(closure(&next_free));
    } catch (...) {
      return std::current_exception();
    }
    return nullptr;
  }
  static std::exception_ptr take(std::exception_ptr& kept) noexcept {
    std::exception_ptr error = std::move(kept);
    std::destroy_at(&kept);
    return error;
  }

  struct release_on_exit {
    Kept* closure;
    Slot& spawner;
    ~release_on_exit() {
      std::destroy_at(closure);
      spawner.owner().closures.release(closure);
    }
  };
};

}  // namespace stealbench::engine
