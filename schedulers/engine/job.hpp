// Branches that another worker may run, and where their closures and outcomes lie.
#pragma once

#include <cstddef>
#include <exception>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

#include "schedulers/engine/block_pool.hpp"
#include "schedulers/outcome.hpp"

namespace stealbench::engine {

/// What all jobs of one type have in common. A slot's entry names it.
template <class Slot>
struct job_kind {
  /// Runs the job in `slot` as `here`, a worker at another slot, and keeps its outcome. For whoever
  /// is not about to join it. The job may be gone when the slot's latch has been opened.
  void (*execute)(Slot& slot, Slot& here) noexcept;
};

/// A closure that may lie in a slot: copying it is all there is to it.
template <class F>
inline constexpr bool is_plain_closure =
    std::is_trivially_copyable_v<F>&& std::is_trivially_destructible_v<F>;

/// The second branch of a fork: a copy of the closure for a thief, and room for the outcome.
template <class Slot, class G>
struct forked_branch {
  using value = schedulers::result_of<G&, Slot*>;

  template <class Closure>
  forked_branch(std::in_place_t /*unused*/, Closure&& from)
      : closure(std::forward<Closure>(from)) {}
  forked_branch(const forked_branch&) = delete;
  forked_branch& operator=(const forked_branch&) = delete;
  // NOLINTNEXTLINE(modernize-use-equals-default): the union's outcome is often never made.
  ~forked_branch() {}

  void run(Slot& here) noexcept {
    std::construct_at(&outcome);
    outcome.capture(closure, &here);
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
    forked_branch& from;
    ~drop_on_exit() { from.drop(); }
  };
};

/// Keeps a forked branch while it may be stolen: in the slot if it fits there, so that nothing of
/// the forking frame has an address that escapes, and else in the frame.
template <class Slot, class G>
class branch_in_slot {
  using branch = forked_branch<Slot, G>;

 public:
  static constexpr bool possible = is_plain_closure<G> && Slot::template has_room_for<branch>;

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
inline constexpr job_kind<Slot> forked_kind{
    .execute = [](Slot& slot, Slot& here) noexcept { stored_branch<Slot, G>::of(slot).run(here); }};

/// The first object in the payload of every child of a task group, whatever its closure.
template <class Group>
class child_head {
 public:
  template <class Slot>
  static void make(Slot& slot, Group& group) {
    ::new (slot.payload()) child_head(group);
  }
  template <class Slot>
  static Group& group_of(Slot& slot) {
    return *std::launder(static_cast<child_head*>(slot.payload()))->group_;
  }

 private:
  explicit child_head(Group& group) : group_(&group) {}

  Group* group_;
};

template <class Slot>
struct child_kind : job_kind<Slot> {
  /// Runs the child in `slot` as the worker at that very slot: the slot is free as soon as the
  /// closure is out of it. Throws what the closure throws. Only for the owner, who has taken the
  /// child back.
  void (*run_here)(Slot& slot);
  /// Ends the life of a child that was executed; returns what it threw, or null.
  std::exception_ptr (*dispose)(Slot& slot) noexcept;
};

/// A child whose closure lies in the slot, or in a block of the spawning worker.
template <class Slot, class Group, class F>
class spawned_child {
 public:
  /// Throws what copying the closure throws, and std::bad_alloc; the slot then holds nothing.
  template <class Closure>
  static void make(Slot& slot, Group& group, Closure&& closure) {
    if constexpr (in_slot) {
      ::new (place_in(slot)) layout(std::in_place, std::forward<Closure>(closure));
    } else {
      block_pool& blocks = slot.owner().blocks;
      void* const memory = blocks.allocate(sizeof(F), alignof(F));
      try {
        ::new (memory) F(std::forward<Closure>(closure));
      } catch (...) {
        blocks.deallocate(memory, sizeof(F), alignof(F));
        throw;
      }
      ::new (place_in(slot)) layout(std::in_place, static_cast<F*>(memory));
    }
    child_head<Group>::make(slot, group);
  }

  static const child_kind<Slot>& kind() {
    static constexpr child_kind<Slot> its{{&execute}, &run_here, &dispose};
    return its;
  }

 private:
  // What is kept of the closure (itself, or a pointer to it), and what it throws.
  template <class Kept>
  struct child {
    template <class From>
    explicit child(std::in_place_t /*unused*/, From&& from) : kept(std::forward<From>(from)) {}
    child(const child&) = delete;
    child& operator=(const child&) = delete;
    // NOLINTNEXTLINE(modernize-use-equals-default): the union's error is often never made.
    ~child() {}

    Kept kept;
    union {
      std::exception_ptr error;  // Made by who executes the job: one taken back never has it.
    };
  };
  static constexpr bool in_slot =
      is_plain_closure<F> &&
      Slot::fits(sizeof(child_head<Group>) + sizeof(child<F>), alignof(child<F>));
  using layout = child<std::conditional_t<in_slot, F, F*>>;

  static void* place_in(Slot& slot) {
    return static_cast<std::byte*>(slot.payload()) + sizeof(child_head<Group>);
  }
  static layout& of(Slot& slot) { return *std::launder(static_cast<layout*>(place_in(slot))); }

  struct free_on_exit {
    F* closure;
    Slot& owner;
    ~free_on_exit() {
      std::destroy_at(closure);
      owner.owner().blocks.deallocate(closure, sizeof(F), alignof(F));
    }
  };

  static void execute(Slot& slot, Slot& here) noexcept {
    layout& its = of(slot);
    std::construct_at(&its.error);
    try {
      if constexpr (in_slot) {
        static_cast<void>(its.kept(&here));
      } else {
        static_cast<void>((*its.kept)(&here));
      }
    } catch (...) {
      its.error = std::current_exception();
    }
  }

  static void run_here(Slot& slot) {
    if constexpr (in_slot) {
      F closure = of(slot).kept;
      static_cast<void>(closure(&slot));
    } else {
      const free_on_exit guard{of(slot).kept, slot};
      static_cast<void>((*guard.closure)(&slot));
    }
  }

  static std::exception_ptr dispose(Slot& slot) noexcept {
    layout& its = of(slot);
    if constexpr (!in_slot) static_cast<void>(free_on_exit{its.kept, slot});
    std::exception_ptr error = std::move(its.error);
    std::destroy_at(&its.error);
    return error;
  }
};

}  // namespace stealbench::engine
