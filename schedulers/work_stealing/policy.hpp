// Work stealing: every worker keeps its jobs in a deque of its own; who has none takes the oldest
// job of a random other worker (Blumofe & Leiserson 1999, with child stealing: the forking worker
// goes on with the first branch and leaves the second one to be stolen).
#pragma once

#include <string_view>

#include "schedulers/description.hpp"
#include "schedulers/engine/scheduler.hpp"
#include "schedulers/engine/std_machine.hpp"
#include "schedulers/engine/team.hpp"

namespace stealbench::work_stealing {

/// `Deque` is one of deques/: it has a name, and gives the queue of one worker. Runs on the machine
/// `M`.
template <class Deque, class M = engine::std_machine>
struct policy {
  using machine = M;
  static constexpr std::string_view name = "work-stealing";
  static constexpr std::string_view deque = Deque::name;
  static constexpr bool directed = false;
  static schedulers::description describe() {
    return {.group = schedulers::group::stealing,
            .summary = "offers a forked branch in its own deque; idle workers steal the oldest",
            .paper = "Blumofe & Leiserson 1999, with child stealing",
            .bound = "T1/P + O(T∞) expected time"};
  }
  struct job_links {};
  using team = engine::whole_pool;
  template <class Slot>
  using queue = typename Deque::template queue<Slot>;
};

template <class Deque, class M = engine::std_machine>
using scheduler_over = engine::scheduler<policy<Deque, M>>;

/// What each of deques/ derives from, itself the argument.
template <class Deque>
struct deque_choice {
  template <class M>
  using scheduler_on = scheduler_over<Deque, M>;
  using scheduler = scheduler_on<engine::std_machine>;
};

}  // namespace stealbench::work_stealing
