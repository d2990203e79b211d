// `deque=abp`.
#pragma once

#include <string_view>

#include "schedulers/work_stealing/deque_queue.hpp"
#include "schedulers/work_stealing/policy.hpp"
#include "schedulers/work_stealing/protocols/abp_deque.hpp"

namespace stealbench::work_stealing::deques {

struct abp : deque_choice<abp> {
  static constexpr std::string_view name = "abp";
  static schedulers::description describe() {
    return {.summary = "a bounded array whose indices start over, with a tag; a fence in each pop",
            .paper = "Arora, Blumofe & Plaxton 1998",
            .bound = "T1/P_A + O(T∞ P/P_A) expected, with their loop"};
  }
  template <class T, class M = engine::std_machine>
  using deque = abp_deque<T, M>;
  template <class Slot>
  using queue = deque_queue<Slot, deque>;
};

static_assert(engine::queue_policy<policy<abp>>);
static_assert(schedulers::scheduler<scheduler_over<abp>>);

}  // namespace stealbench::work_stealing::deques
