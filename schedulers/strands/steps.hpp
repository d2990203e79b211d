// The steps of strands that a mutant leaves out or turns round, one at a time, to see whether
// verify/ notices: what engine/steps.hpp is to the other engine.
#pragma once

namespace stealbench::strands {

/// All true where strands are used. Each is read where the step is taken.
struct strand_steps {
  // The rest of a strand.
  bool offer_before_wake = true;  ///< It is offered before an idle worker is woken for it.
  bool wake_idle = true;          ///< An idle worker is told of it.
  bool wake_for_resumed = true;   ///< So is one of a strand that has to let others go first.
  // A join.
  bool await_when_first_throws = true;  ///< A fork whose first branch throws waits for the second.
  bool run_own_without_stack = true;    ///< Without a spare stack a branch is run out of its turn.
  bool go_on_behind_branch = true;      ///< Who ends a branch last goes on behind the join,
  bool go_on_behind_child = true;       ///< who ends a child last behind the sync,
  bool go_on_behind_fork = true;        ///< and who leaves a strand last, at a fork,
  bool go_on_behind_sync = true;        ///< or at a sync.
  bool count_stolen = true;             ///< A sync waits for the children that were stolen from.
  bool keep_error = true;               ///< What a child has thrown reaches the sync.
  // Looking for work.
  bool second_look = true;      ///< A worker looks again once it counts as asleep.
  bool look_after_wake = true;  ///< A worker that was woken looks again.
  bool stop_search = true;      ///< A worker that has found work no longer counts as a searcher.
  // The end of a run elsewhere than at worker 0.
  bool flag_before_token = true;  ///< Its flag is set before worker 0 is woken,
  bool wake_for_root = true;      ///< which it is.
  // A scheduler.
  bool stop_before_tokens = true;  ///< The stop flag is raised before the sleepers are woken.
  bool wake_at_stop = true;        ///< Sleepers are woken to see it,
  bool wake_all_at_stop = true;    ///< and not only one of them.
};
inline constexpr strand_steps all_steps{};

/// What strands on `M` take: all, but for a mutant of verify/. Constant, so that the tests cost
/// nothing.
template <class M>
inline constexpr const strand_steps& steps_on = all_steps;

}  // namespace stealbench::strands
