// The steps of the engine that a mutant leaves out or turns round, one at a time, to see whether
// verify/ notices: what parking_lot_orderings is to the parking lot, for the code that joins the
// protocols.
#pragma once

namespace stealbench::engine {

/// Of search.hpp, which both engines share. All true where an engine is used. Each is read where
/// the step is taken.
struct search_steps {
  // New work.
  bool offer_before_wake = true;  ///< It is offered before an idle worker is woken for it.
  bool wake_idle = true;          ///< An idle worker is told of it.
  // Looking for work.
  bool second_look = true;      ///< A worker looks again once it counts as asleep.
  bool look_after_wake = true;  ///< A worker that was woken looks again.
  bool stop_search = true;      ///< A worker that has found work no longer counts as a searcher.
  bool hand_over_behind_wait = true;  ///< One whose wait is over wakes another in its stead.
  // The end of a scheduler.
  bool stop_before_tokens = true;  ///< The stop flag is raised before the sleepers are woken.
  bool wake_at_stop = true;        ///< Sleepers are woken to see it,
  bool wake_all_at_stop = true;    ///< and not only one of them.
};
inline constexpr search_steps all_search_steps{};
/// What both engines on `M` take: all, but for a mutant of verify/. Constant, so that the tests
/// cost nothing.
template <class M>
inline constexpr const search_steps& search_steps_on = all_search_steps;

/// Of the engine in which children are stolen.
struct engine_steps {
  bool expose = true;  ///< The owner makes private jobs public for an idle worker.
  // A join.
  bool register_at_latch = true;        ///< A waiter has itself woken when its job is done.
  bool reset_latch = true;              ///< A slot's latch is pending again for the next job.
  bool retire = true;                   ///< The queue learns that a stolen job is done with.
  bool await_when_first_throws = true;  ///< A fork whose first branch throws waits for the second.
  // A job that was taken.
  bool open_after_run = true;  ///< The latch is opened after the job has run.
  bool wake_waiter = true;     ///< Who opens a latch wakes the worker that waits for it.
  bool wake_declined = true;   ///< So does who declines the job.
  // A task group.
  bool raise_children = true;  ///< A spawn moves the next free slot above the child.
  bool keep_error = true;      ///< What a child has thrown reaches the sync.
};
inline constexpr engine_steps all_steps{};
template <class M>
inline constexpr const engine_steps& steps_on = all_steps;

}  // namespace stealbench::engine
