// The real machine, but no sleeper looks for work by itself: what a lost wake-up leaves asleep
// stays asleep, and a test that waits for it notices.
#pragma once

#include "schedulers/engine/machine.hpp"
#include "schedulers/engine/std_machine.hpp"
#include "schedulers/options.hpp"
#include "schedulers/work_stealing/protocols/deque_limits.hpp"

namespace stealbench::schedulers::contract {

struct sleeps_until_woken_machine : engine::std_machine {
  // So few that a worker is as often about to fall asleep as asleep.
  static constexpr engine::limits limits() {
    return {.max_workers = schedulers::max_workers,
            .spin_rounds = 4,
            .yield_rounds = 1,
            .longest_pause = 4,
            .rounds_unseen = 2};
  }
  static constexpr unsigned join_rounds(unsigned /*workers*/) { return limits().spin_rounds; }
};

static_assert(engine::machine<sleeps_until_woken_machine>);

}  // namespace stealbench::schedulers::contract

namespace stealbench::work_stealing {

template <>
inline constexpr deque_limits deque_limits_on<schedulers::contract::sleeps_until_woken_machine>{
    .force_after = 2};

}  // namespace stealbench::work_stealing
