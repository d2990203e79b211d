// `deque=locked`.
#pragma once

#include <string_view>

#include "schedulers/work_stealing/deque_queue.hpp"
#include "schedulers/work_stealing/locked_deque.hpp"
#include "schedulers/work_stealing/policy.hpp"

namespace stealbench::work_stealing::deques {

struct locked {
  static constexpr std::string_view name = "locked";
  template <class T>
  using deque = locked_deque<T>;
  template <class Slot>
  using queue = deque_queue<Slot, deque>;
};

static_assert(schedulers::scheduler<scheduler_over<locked>>);

}  // namespace stealbench::work_stealing::deques
