// Continuation stealing over its default deque, which is argued for in README.md.
#pragma once

#include "schedulers/continuation_stealing/deques/asymmetric.hpp"
#include "schedulers/continuation_stealing/policy.hpp"

namespace stealbench::continuation_stealing {

template <class M>
using scheduler_on = scheduler_over<deques::asymmetric, M>;
using scheduler = scheduler_on<engine::std_machine>;

static_assert(fibers::queue_policy<scheduler::policy>);
static_assert(schedulers::counting_scheduler<scheduler>);

}  // namespace stealbench::continuation_stealing
