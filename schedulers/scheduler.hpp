// The contract: what a workload may ask of a worker, and what the suite may ask of a scheduler.
//
// The laws, each of which contract/ checks on every scheduler:
//
//   1. Every closure runs exactly once, also when another one throws.
//   2. Nothing after a join starts before both branches have finished.
//   3. If branches throw, the join rethrows one exception, after all branches have finished: the
//      one whose branch comes first in the serial order. The others are dropped.
//   4. Forks nest to any depth that the stacks allow.
//   5. `run` may be called again after it has returned or thrown.
//   6. No more than `worker_count()` closures run at once.
//   7. With one worker, the branches of forks and the indices of loops run in the serial order,
//      if the strategy promises it (`S::serial_order_on_one_worker`). A group's children need not.
//
// Two more are about the process. Libraries need not keep them, and contract/ checks them on the
// in-house schedulers:
//
//   8. A process that calls exit() while a run is under way, in a branch or on another thread, ends
//      with the status that it was given. The run may go on until then.
//   9. In a child of fork(), a run of a scheduler that its parent made has its caller alone, and a
//      new scheduler all its workers. A run that was under way does not go on there: where it would
//      wait for a worker, a message ends the child.
//
// What is behind a join, a loop, a spawn or a sync may run on another thread than what was before
// it. So thread-local state in a workload is a bug, and so is a lock that is held across one.
#pragma once

#include <concepts>
#include <cstddef>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>

#include "schedulers/counters.hpp"
#include "schedulers/options.hpp"

namespace stealbench::schedulers {

namespace archetype {
struct returns_int {
  int operator()(auto) const { return 0; }
};
struct returns_void {
  void operator()(auto) const {}
};
struct body {
  void operator()(auto, std::size_t) const {}
};
}  // namespace archetype

/// Collects spawned children until they are joined. Lives in one frame, and only the closure that
/// made it calls it, never while a fork or a loop of that closure is under way.
template <class G>
concept task_group = requires(G group) {
  /// Runs `f(worker)` some time before `sync` returns, perhaps at once. `f` is copied or moved in.
  group.spawn(archetype::returns_void{});
  /// Waits for all children spawned since the last sync; rethrows as law 3 says. The destructor
  /// waits too, and drops exceptions.
  group.sync();
};

/// The right to fork: a cheap handle, passed explicitly and by value, a pointer or used like one.
/// It is valid only in the closure that received it and in what that closure calls.
template <class W>
concept worker = std::is_trivially_copyable_v<W> && requires(const W self, std::size_t index) {
  /// Runs `f(worker)` and `g(worker)`, possibly in parallel; returns both results when both are
  /// done, a void result as std::monostate. Either may be called on a copy: its state is not read
  /// back, and its result must not refer into it.
  {
    self->fork_join(archetype::returns_int{}, archetype::returns_void{})
    } -> std::same_as<std::pair<int, std::monostate>>;
  /// Calls `body(worker, i)` once for each i in [first, last); no piece of the loop holds fewer
  /// than `grain` indices unless the loop does (grain >= 1). A piece ends at its first exception;
  /// the other pieces still run.
  self->parallel_for(index, index, index, archetype::body{});
  /// Makes a group for n-ary spawns.
  { self->task_group() } -> task_group;
};

/// A strategy: a set of workers that is entered from outside.
template <class S>
concept scheduler = std::constructible_from<S, const options&> && !std::copy_constructible<S> &&
                    requires(S & self, const S& constant) {
  typename S::worker;
  requires worker<typename S::worker>;
  /// As on the command line: lower case, words joined by hyphens.
  { S::name } -> std::convertible_to<std::string_view>;
  { S::serial_order_on_one_worker } -> std::convertible_to<bool>;
  { constant.worker_count() } -> std::same_as<unsigned>;
  /// Runs `f(worker)` with the caller as worker 0, on the caller's own stack; returns its
  /// result or rethrows. One caller at a time, never from inside a run: an in-house scheduler gives
  /// such a run its caller alone, and does not count it.
  { self.run(archetype::returns_int{}) } -> std::same_as<int>;
  self.run(archetype::returns_void{});
  /// What was counted; nothing where the scheduler does not count. Between runs only.
  { constant.counters() } -> std::same_as<std::optional<counters>>;
};

/// One that may be made to count, by another type.
template <class S>
concept counting_scheduler = scheduler<S> && scheduler<typename S::counting_variant>;

}  // namespace stealbench::schedulers
