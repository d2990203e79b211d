// `deque=bwos`.
#pragma once

#include <string_view>

#include "schedulers/work_stealing/deque_queue.hpp"
#include "schedulers/work_stealing/policy.hpp"
#include "schedulers/work_stealing/protocols/bwos_deque.hpp"

namespace stealbench::work_stealing::deques {

struct bwos : deque_choice<bwos> {
  static constexpr std::string_view name = "bwos";
  static schedulers::description describe() {
    return {.summary = "blocks, of which the owner has one for itself; no fence within it",
            .paper = "Wang et al. 2023"};
  }
  template <class T, class M = engine::std_machine>
  using deque = bwos_deque<T, M>;
  template <class Slot>
  using queue = deque_queue<Slot, deque>;
};

static_assert(engine::queue_policy<policy<bwos>>);
static_assert(schedulers::scheduler<scheduler_over<bwos>>);

}  // namespace stealbench::work_stealing::deques
