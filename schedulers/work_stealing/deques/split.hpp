// `deque=split`.
#pragma once

#include <string_view>

#include "schedulers/description.hpp"
#include "schedulers/work_stealing/policy.hpp"
#include "schedulers/work_stealing/split_queue.hpp"

namespace stealbench::work_stealing::deques {

struct split : deque_choice<split> {
  static constexpr std::string_view name = "split";
  static schedulers::description describe() {
    return {.summary = "the job stack itself, split into a public and a private part",
            .paper = "Faxén 2010; van Dijk & van de Pol 2014"};
  }
  template <class Slot>
  using queue = split_queue<Slot>;
};

static_assert(engine::queue_policy<policy<split>>);
static_assert(schedulers::scheduler<scheduler_over<split>>);

}  // namespace stealbench::work_stealing::deques
