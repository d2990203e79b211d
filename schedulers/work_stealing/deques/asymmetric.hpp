// `deque=asymmetric`.
#pragma once

#include <string_view>

#include "schedulers/description.hpp"
#include "schedulers/work_stealing/deque_queue.hpp"
#include "schedulers/work_stealing/policy.hpp"
#include "schedulers/work_stealing/protocols/asymmetric_deque.hpp"

namespace stealbench::work_stealing::deques {

struct asymmetric : deque_choice<asymmetric> {
  static constexpr std::string_view name = "asymmetric";
  static schedulers::description describe() {
    return {.summary =
                "the ring of chase-lev with a border, above which only thieves pay for the fence",
            .paper = "Dice, Huang & Yang 2001; Ladan-Mozes, Lee & Vyukov 2011"};
  }
  template <class T, class M = engine::std_machine>
  using deque = asymmetric_deque<T, M>;
  template <class Slot>
  using queue = deque_queue<Slot, deque>;
};

static_assert(engine::queue_policy<policy<asymmetric>>);
static_assert(schedulers::scheduler<scheduler_over<asymmetric>>);

}  // namespace stealbench::work_stealing::deques
