// `deque=asymmetric`.
#pragma once

#include <string_view>

#include "schedulers/work_stealing/asymmetric_deque.hpp"
#include "schedulers/work_stealing/deque_queue.hpp"
#include "schedulers/work_stealing/policy.hpp"

namespace stealbench::work_stealing::deques {

struct asymmetric {
  static constexpr std::string_view name = "asymmetric";
  template <class T, class M = engine::std_machine>
  using deque = asymmetric_deque<T, M>;
  template <class M>
  using scheduler_on = scheduler_over<asymmetric, M>;
  using scheduler = scheduler_on<engine::std_machine>;
  template <class Slot>
  using queue = deque_queue<Slot, deque>;
};

static_assert(engine::queue_policy<policy<asymmetric>>);
static_assert(schedulers::scheduler<scheduler_over<asymmetric>>);

}  // namespace stealbench::work_stealing::deques
