// `deque=private`, which is a keyword of C++ without the underscore.
#pragma once

#include <string_view>

#include "schedulers/description.hpp"
#include "schedulers/work_stealing/policy.hpp"
#include "schedulers/work_stealing/private_queue.hpp"

namespace stealbench::work_stealing::deques {

// NOLINTNEXTLINE(readability-identifier-naming): see above
struct private_ : deque_choice<private_> {
  static constexpr std::string_view name = "private";
  static schedulers::description describe() {
    return {.summary = "the job stack, its owner's alone: a thief asks for a job and is given it",
            .paper = "Acar, Charguéraud & Rainey 2013, receiver-initiated",
            .bound = "T1/P + O(T∞) expected, beside terms of the branching depth"};
  }
  template <class Slot>
  using queue = private_queue<Slot>;
};

static_assert(engine::queue_policy<policy<private_>>);
static_assert(schedulers::scheduler<scheduler_over<private_>>);

}  // namespace stealbench::work_stealing::deques
