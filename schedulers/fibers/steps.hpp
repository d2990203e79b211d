// The steps of fibers that a mutant leaves out or turns round, one at a time, to see whether
// verify/ notices: what engine/steps.hpp is to the other engine.
#pragma once

namespace stealbench::fibers {

/// Beside engine::search_steps. All true where fibers are used. Each is read where the step is
/// taken.
struct fiber_steps {
  bool wake_for_resumed = true;  ///< An idle worker is told of a fiber that lets others go first.
  // A join.
  bool await_when_first_throws = true;  ///< A fork whose first branch throws waits for the second.
  bool run_own_without_stack = true;    ///< Without a spare stack a branch is run out of its turn.
  bool go_on_behind_branch = true;      ///< Who ends a branch last goes on behind the join,
  bool go_on_behind_child = true;       ///< who ends a child last behind the sync,
  bool go_on_behind_fork = true;        ///< and who leaves a fiber last, at a fork,
  bool go_on_behind_sync = true;        ///< or at a sync.
  bool count_stolen = true;             ///< A sync waits for the children that were stolen from.
  bool keep_error = true;               ///< What a child has thrown reaches the sync.
  // The end of a run elsewhere than at worker 0.
  bool flag_before_token = true;  ///< Its flag is set before worker 0 is woken,
  bool wake_for_root = true;      ///< which it is.
};
inline constexpr fiber_steps all_steps{};

/// What fibers on `M` take: all, but for a mutant of verify/. Constant, so that the tests cost
/// nothing.
template <class M>
inline constexpr const fiber_steps& steps_on = all_steps;

}  // namespace stealbench::fibers
