// The real machine, but no sleeper looks for work by itself: what a lost wake-up leaves asleep
// stays asleep, and a test that waits for it notices.
#pragma once

#include <chrono>

#include "schedulers/engine/machine.hpp"
#include "schedulers/engine/std_machine.hpp"

namespace stealbench::schedulers::contract {

struct sleeps_until_woken_machine : engine::std_machine {
  // So few that a worker is as often about to fall asleep as asleep.
  static constexpr unsigned spin_rounds = 4;
  static constexpr unsigned join_rounds(unsigned /*workers*/) { return spin_rounds; }
  static constexpr unsigned yield_rounds = 1;
  static constexpr unsigned rounds_unseen = 2;
  static constexpr unsigned force_after = 2;
  static constexpr std::chrono::nanoseconds first_sleep{0};
  static constexpr std::chrono::nanoseconds longest_sleep{0};
};

static_assert(engine::machine<sleeps_until_woken_machine>);

}  // namespace stealbench::schedulers::contract
