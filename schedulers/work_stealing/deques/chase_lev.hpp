// `deque=chase-lev`.
#pragma once

#include <string_view>

#include "schedulers/description.hpp"
#include "schedulers/work_stealing/deque_queue.hpp"
#include "schedulers/work_stealing/policy.hpp"
#include "schedulers/work_stealing/protocols/chase_lev_deque.hpp"

namespace stealbench::work_stealing::deques {

struct chase_lev : deque_choice<chase_lev> {
  static constexpr std::string_view name = "chase-lev";
  static schedulers::description describe() {
    return {.summary = "a ring of pointers that grows; a fence in each pop",
            .paper = "Chase & Lev 2005; Lê, Pop, Cohen & Zappa Nardelli 2013"};
  }
  template <class T, class M = engine::std_machine>
  using deque = chase_lev_deque<T, M>;
  template <class Slot>
  using queue = deque_queue<Slot, deque>;
};

static_assert(engine::queue_policy<policy<chase_lev>>);
static_assert(schedulers::scheduler<scheduler_over<chase_lev>>);

}  // namespace stealbench::work_stealing::deques
