// Work stealing: every worker keeps its jobs in a deque of its own; who has none takes the oldest
// job of a random other worker (Blumofe & Leiserson 1999, with child stealing: the forking worker
// goes on with the first branch and leaves the second one to be stolen).
#pragma once

#include <string_view>

#include "schedulers/engine/scheduler.hpp"
#include "schedulers/engine/share.hpp"
#include "schedulers/work_stealing/chase_lev_deque.hpp"
#include "schedulers/work_stealing/deque_queue.hpp"
#include "schedulers/work_stealing/split_queue.hpp"

namespace stealbench::work_stealing {

/// `Queue<Slot>` is the queue of one worker.
template <template <class> class Queue>
struct policy {
  static constexpr std::string_view name = "work-stealing";
  static constexpr bool directed = false;
  struct job_links {};
  using share = engine::whole_pool;
  template <class Slot>
  using queue = Queue<Slot>;
};

template <class T>
using shipped_chase_lev_deque = chase_lev_deque<T>;
template <class Slot>
using chase_lev_queue = deque_queue<Slot, shipped_chase_lev_deque>;

using chase_lev_scheduler = engine::scheduler<policy<chase_lev_queue>>;
using split_scheduler = engine::scheduler<policy<split_queue>>;
using scheduler = split_scheduler;

static_assert(schedulers::scheduler<scheduler>);
static_assert(schedulers::scheduler<scheduler::counting_variant>);

}  // namespace stealbench::work_stealing
