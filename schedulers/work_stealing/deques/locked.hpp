// `deque=locked`.
#pragma once

#include <string_view>

#include "schedulers/description.hpp"
#include "schedulers/work_stealing/deque_queue.hpp"
#include "schedulers/work_stealing/policy.hpp"
#include "schedulers/work_stealing/protocols/locked_deque.hpp"

namespace stealbench::work_stealing::deques {

struct locked : deque_choice<locked> {
  static constexpr std::string_view name = "locked";
  static schedulers::description describe() {
    return {.summary = "a ring under a mutex, the baseline"};
  }
  template <class T, class M = engine::std_machine>
  using deque = locked_deque<T, M>;
  template <class Slot>
  using queue = deque_queue<Slot, deque>;
};

static_assert(engine::queue_policy<policy<locked>>);
static_assert(schedulers::scheduler<scheduler_over<locked>>);

}  // namespace stealbench::work_stealing::deques
