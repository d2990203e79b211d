// What a worker leaves for others: the rest of a fiber, from a fork or a spawn on.
#pragma once

#include <cstdint>
#include <utility>

#include "schedulers/engine/jobs/job.hpp"
#include "schedulers/engine/sleep/latch.hpp"
#include "schedulers/fibers/join.hpp"

namespace stealbench::fibers {

/// The line of what a worker leaves, which travels to the worker that steals it or goes on with it:
/// of a branch that of its latch, of a suspended fiber that of its header.
inline constexpr const char* record_lines = "fibers: records of continuations";

/// Of a fiber that runs a child, this is the fiber itself, suspended. Of one that runs the first
/// branch of a fork it is the second branch: nothing else comes before the join, and so the frames
/// of the fiber can stay where they are, below those of the first branch.
template <class Fiber>
struct continuation : Fiber::policy::template links<Fiber> {
  /// Runs a second branch as `running`. Null if this is a suspended fiber.
  void (*execute)(continuation& self, Fiber& running) noexcept = nullptr;
  /// The fiber that has forked, or is suspended.
  Fiber* owner = nullptr;
};

/// The second branch of a fork, in the forking frame.
template <class Fiber>
struct branch : continuation<Fiber> {
  using machine = typename Fiber::machine;

  /// Opened by who has stolen the branch, once it has been run.
  engine::latch<Fiber, machine, fork_orderings_on<machine>> finished{};
};

template <class Fiber, class G>
struct forked : branch<Fiber>, engine::forked_branch<Fiber, G> {
  using kept = engine::forked_branch<Fiber, G>;

  template <class Closure>
  [[gnu::always_inline]] forked(Fiber& by, Closure&& source)
      : kept(std::in_place, std::forward<Closure>(source)) {
    this->owner = &by;
    this->execute = [](continuation<Fiber>& self, Fiber& running) noexcept {
      static_cast<forked&>(self).run(running);
    };
  }

  [[gnu::noinline, gnu::cold]] typename kept::value take() { return kept::take(); }
  [[gnu::noinline, gnu::cold]] void drop() noexcept { kept::drop(); }
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
/// fiber's stack. No thread goes on with a fiber before that.
template <class Fiber>
struct departure {
  departs why;
  branch<Fiber>* at_fork = nullptr;
  task_group<Fiber>* at_sync = nullptr;
};

}  // namespace stealbench::fibers
