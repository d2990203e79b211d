// Work stealing: every worker keeps its jobs in a deque of its own; a worker without any takes the
// oldest job of another worker (Blumofe & Leiserson 1999, with child stealing: the forking
// worker goes on with the first branch and leaves the second one to be stolen). README.md argues
// for the default deque.
#pragma once

#include <string_view>

#include "schedulers/description.hpp"
#include "schedulers/engine/queue_policy.hpp"
#include "schedulers/engine/scheduler.hpp"
#include "schedulers/engine/std_machine.hpp"
#include "schedulers/work_stealing/deques.hpp"

namespace stealbench::work_stealing {

/// `Deque` is one of deques.hpp.
template <class Deque, class M = engine::std_machine>
struct policy : engine::policy_on<M, Deque::template queue> {
  static constexpr std::string_view name = "work-stealing";
  static constexpr std::string_view deque = Deque::name;
  static schedulers::description describe() {
    return {.group = schedulers::group::stealing,
            .summary = "offers a forked branch in its own deque; idle workers steal the oldest",
            .paper = "Blumofe & Leiserson 1999, with child stealing",
            .bound = "T1/P + O(T∞) expected time"};
  }
};

template <class Deque, class M = engine::std_machine>
using scheduler_over = engine::scheduler<policy<Deque, M>>;

/// The schedulers over one deque.
template <class Deque>
struct over {
  template <class M>
  using scheduler_on = scheduler_over<Deque, M>;
  using scheduler = scheduler_over<Deque>;
};

template <class M>
using scheduler_on = scheduler_over<deques::split, M>;
using scheduler = scheduler_on<engine::std_machine>;

static_assert(schedulers::counting_scheduler<scheduler>);

}  // namespace stealbench::work_stealing
