// Work stealing: every worker keeps its jobs in a deque of its own; who has none takes the oldest
// job of a random other worker (Blumofe & Leiserson 1999, with child stealing: the forking worker
// goes on with the first branch and leaves the second one to be stolen).
#pragma once

#include <string_view>

#include "schedulers/engine/scheduler.hpp"
#include "schedulers/engine/share.hpp"
#include "schedulers/work_stealing/asymmetric_deque.hpp"
#include "schedulers/work_stealing/chase_lev_deque.hpp"
#include "schedulers/work_stealing/deque_queue.hpp"
#include "schedulers/work_stealing/locked_deque.hpp"
#include "schedulers/work_stealing/split_queue.hpp"

namespace stealbench::work_stealing {

/// `Deque` names a deque, and gives the queue of one worker over it.
template <class Deque>
struct policy {
  static constexpr std::string_view name = "work-stealing";
  static constexpr std::string_view deque = Deque::name;
  static constexpr bool directed = false;
  struct job_links {};
  using share = engine::whole_pool;
  template <class Slot>
  using queue = typename Deque::template queue<Slot>;
};

struct split {
  static constexpr std::string_view name = "split";
  template <class Slot>
  using queue = split_queue<Slot>;
};
struct chase_lev {
  static constexpr std::string_view name = "chase-lev";
  template <class T>
  using deque = chase_lev_deque<T>;
  template <class Slot>
  using queue = deque_queue<Slot, deque>;
};
struct asymmetric {
  static constexpr std::string_view name = "asymmetric";
  template <class T>
  using deque = asymmetric_deque<T>;
  template <class Slot>
  using queue = deque_queue<Slot, deque>;
};
struct locked {
  static constexpr std::string_view name = "locked";
  template <class T>
  using deque = locked_deque<T>;
  template <class Slot>
  using queue = deque_queue<Slot, deque>;
};

/// The variants, by their deques. The default is argued for in README.md.
template <class Deque>
using scheduler_over = engine::scheduler<policy<Deque>>;
using chase_lev_scheduler = scheduler_over<chase_lev>;
using asymmetric_scheduler = scheduler_over<asymmetric>;
using locked_scheduler = scheduler_over<locked>;
using scheduler = scheduler_over<split>;

static_assert(schedulers::scheduler<scheduler>);
static_assert(schedulers::scheduler<scheduler::counting_variant>);

}  // namespace stealbench::work_stealing
