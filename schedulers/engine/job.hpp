// Branches that another worker may run, and where their closures and outcomes lie.
#pragma once

#include <exception>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

#include "schedulers/engine/block_pool.hpp"
#include "schedulers/outcome.hpp"

namespace stealbench::engine {

/// What all jobs of one type have in common. A slot's entry names it.
template <class Worker>
struct job_kind {
  /// Runs the job in `slot` as `here`, a worker at another slot, and keeps its outcome. For whoever
  /// is not about to join it. The job may be gone when the slot's latch has been opened.
  void (*execute)(Worker& slot, Worker& here) noexcept;
};

/// A closure that may lie in a slot: copying it is all there is to it.
template <class F>
inline constexpr bool is_plain_closure =
    std::is_trivially_copyable_v<F>&& std::is_trivially_destructible_v<F>;

/// The second branch of a fork: a copy of the closure for a thief, and room for the outcome.
template <class Worker, class G>
struct forked_branch {
  using value = schedulers::result_of<G&, Worker*>;

  template <class Closure>
  forked_branch(std::in_place_t /*unused*/, Closure&& from)
      : closure(std::forward<Closure>(from)) {}
  forked_branch(const forked_branch&) = delete;
  forked_branch& operator=(const forked_branch&) = delete;
  // NOLINTNEXTLINE(modernize-use-equals-default): the union's outcome is often never made.
  ~forked_branch() {}

  void run(Worker& here) noexcept {
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
template <class Worker, class G>
class branch_in_slot {
  using branch = forked_branch<Worker, G>;

 public:
  static constexpr bool possible = is_plain_closure<G> && Worker::template has_room_for<branch>;

  branch_in_slot(Worker& slot, const G& closure) {
    ::new (slot.payload()) branch(std::in_place, closure);
  }
  template <class Closure>
  Closure& in_frame_or(Closure& callers) {
    return callers;
  }
  static branch& of(Worker& slot) { return *std::launder(static_cast<branch*>(slot.payload())); }
};

template <class Worker, class G>
class branch_in_frame {
  using branch = forked_branch<Worker, G>;

 public:
  template <class Closure>
  branch_in_frame(Worker& slot, Closure&& closure)
      : branch_(std::in_place, std::forward<Closure>(closure)) {
    ::new (slot.payload()) branch*(&branch_);
  }
  template <class Closure>
  G& in_frame_or(Closure& /*callers*/) {
    return branch_.closure;
  }
  static branch& of(Worker& slot) { return **static_cast<branch**>(slot.payload()); }

 private:
  branch branch_;
};

template <class Worker, class G>
using stored_branch = std::conditional_t<branch_in_slot<Worker, G>::possible,
                                         branch_in_slot<Worker, G>, branch_in_frame<Worker, G>>;

template <class Worker, class G>
inline constexpr job_kind<Worker> forked_kind{.execute = [](Worker& slot, Worker& here) noexcept {
  stored_branch<Worker, G>::of(slot).run(here);
}};

/// The head of every child of a task group; the closure follows.
template <class Group>
struct child_head {
  Group* group;
};

template <class Worker>
struct child_kind : job_kind<Worker> {
  /// Runs the child in `slot` as the worker at that very slot: the slot is free as soon as the
  /// closure is out of it. Throws what the closure throws. Only for the owner, who has taken the
  /// child back.
  void (*run_here)(Worker& slot);
  /// Ends the life of a child that was executed; returns what it threw, or null.
  std::exception_ptr (*dispose)(Worker& slot) noexcept;
};

/// A child whose closure lies in the slot, or in a block of the spawning worker.
template <class Worker, class Group, class F>
class spawned_child {
 public:
  /// Throws what copying the closure throws, and std::bad_alloc; the slot then holds nothing.
  template <class Closure>
  static void make(Worker& slot, Group& group, Closure&& closure) {
    if constexpr (in_slot) {
      ::new (slot.payload()) layout(group, std::forward<Closure>(closure));
    } else {
      block_pool& blocks = slot.own_state().blocks;
      void* const memory = blocks.allocate(sizeof(F), alignof(F));
      try {
        ::new (memory) F(std::forward<Closure>(closure));
      } catch (...) {
        blocks.deallocate(memory, sizeof(F), alignof(F));
        throw;
      }
      ::new (slot.payload()) layout(group, static_cast<F*>(memory));
    }
  }

  static const child_kind<Worker>& kind() {
    static constexpr child_kind<Worker> its{{&execute}, &run_here, &dispose};
    return its;
  }

 private:
  // What is kept of the closure: itself, or a pointer to it.
  template <class Kept>
  struct child : child_head<Group> {
    template <class From>
    child(Group& of, From&& from) : child_head<Group>{&of}, kept(std::forward<From>(from)) {}
    child(const child&) = delete;
    child& operator=(const child&) = delete;
    // NOLINTNEXTLINE(modernize-use-equals-default): the union's error is often never made.
    ~child() {}

    Kept kept;
    union {
      std::exception_ptr error;  // Made by who executes the job: one taken back never has it.
    };
  };
  static constexpr bool in_slot = is_plain_closure<F> && Worker::template has_room_for<child<F>>;
  using layout = child<std::conditional_t<in_slot, F, F*>>;

  static layout& of(Worker& slot) { return *std::launder(static_cast<layout*>(slot.payload())); }

  struct free_on_exit {
    F* closure;
    Worker& owner;
    ~free_on_exit() {
      std::destroy_at(closure);
      owner.own_state().blocks.deallocate(closure, sizeof(F), alignof(F));
    }
  };

  static void execute(Worker& slot, Worker& here) noexcept {
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

  static void run_here(Worker& slot) {
    if constexpr (in_slot) {
      F closure = of(slot).kept;
      static_cast<void>(closure(&slot));
    } else {
      const free_on_exit guard{of(slot).kept, slot};
      static_cast<void>((*guard.closure)(&slot));
    }
  }

  static std::exception_ptr dispose(Worker& slot) noexcept {
    layout& its = of(slot);
    if constexpr (!in_slot) static_cast<void>(free_on_exit{its.kept, slot});
    std::exception_ptr error = std::move(its.error);
    std::destroy_at(&its.error);
    return error;
  }
};

}  // namespace stealbench::engine
