// Work stealing over its default deque, which is argued for in README.md.
#pragma once

#include "schedulers/work_stealing/deques/split.hpp"
#include "schedulers/work_stealing/policy.hpp"

namespace stealbench::work_stealing {

template <class M>
using scheduler_on = scheduler_over<deques::split, M>;
using scheduler = scheduler_on<engine::std_machine>;

static_assert(schedulers::counting_scheduler<scheduler>);

}  // namespace stealbench::work_stealing
