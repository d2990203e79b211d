// What a worker leaves for others: the rest of a fiber, from a fork or a spawn on.
#pragma once

#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>

#include "schedulers/engine/sleep/latch.hpp"
#include "schedulers/fibers/join.hpp"
#include "schedulers/outcome.hpp"

namespace stealbench::fibers {

/// The line of what a worker leaves, which travels to the worker that steals it or goes on with it:
/// of a branch that of its latch, of a suspended fiber that of its header.
inline constexpr const char* record_lines = "fibers: records of continuations";

/// Of a fiber that runs a child, this is the fiber itself, suspended. Of one that runs the first
/// branch of a fork it is the second branch: nothing else comes before the join, and so the frames
/// of the fiber can stay where they are, below those of the first branch.
template <class Fiber>
struct continuation : Fiber::policy::template links<Fiber> {
  /// Runs a second branch as `here`. Null if this is a suspended fiber.
  void (*execute)(continuation& self, Fiber& here) noexcept = nullptr;
  /// The fiber that has forked, or is suspended.
  Fiber* of = nullptr;
};

/// The second branch of a fork, in the forking frame.
template <class Fiber>
struct branch : continuation<Fiber> {
  using machine = typename Fiber::machine;

  /// Opened by who has stolen the branch, once it has been run.
  engine::latch<Fiber, machine, fork_orderings_on<machine>> finished{};
};

template <class Fiber, class G>
struct forked : branch<Fiber> {
  using value = schedulers::result_of<G&, Fiber*>;

  template <class Closure>
  [[gnu::always_inline]] forked(Fiber& by, Closure&& from) : closure(std::forward<Closure>(from)) {
    this->of = &by;
    this->execute = [](continuation<Fiber>& self, Fiber& here) noexcept {
      auto& own = static_cast<forked&>(self);
      std::construct_at(&own.outcome);
      own.outcome.capture(own.closure, &here);
    };
  }
  forked(const forked&) = delete;
  forked& operator=(const forked&) = delete;
  // NOLINTNEXTLINE(modernize-use-equals-default): the union's outcome is often never made.
  ~forked() {}

  /// The outcome, once, after it was executed.
  [[gnu::noinline, gnu::cold]] value take() {
    const drop_on_exit guard{*this};
    return outcome.take();
  }
  /// Instead of take.
  [[gnu::noinline, gnu::cold]] void drop() noexcept { std::destroy_at(&outcome); }

  G closure;
  union {
    schedulers::outcome<value> outcome;  // Made by who executes it.
  };

 private:
  struct drop_on_exit {
    forked& from;
    ~drop_on_exit() { from.drop(); }
  };
};

template <class Fiber>
class task_group;

enum class departs : std::uint8_t {
  ended_branch,   ///< It has run a stolen branch, and has no job.
  ended_child,    ///< It has run a child whose spawner was stolen, and has no job.
  waits_at_fork,  ///< It goes on when a branch has been run.
  waits_at_sync,  ///< It goes on when the children of a group have arrived.
  ended_run,      ///< It is the root, and goes on at worker 0.
};

/// Why a fiber leaves its thread: for the worker, which acts on it once the thread is off the
/// fiber's stack. Nobody goes on with a fiber before that.
template <class Fiber>
struct departure {
  departs why;
  branch<Fiber>* at_fork = nullptr;
  task_group<Fiber>* at_sync = nullptr;
};

}  // namespace stealbench::fibers
