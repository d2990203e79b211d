// Busy leaves: as continuation stealing, with one pool of continuations instead of the workers'
// deques (Blumofe 1995; section 3 of Blumofe & Leiserson 1999). A worker whose child has returned
// goes on with the parent if no other has taken it, and else with anything from the pool. README.md
// has the property that gives it its name.
#pragma once

#include <string_view>

#include "schedulers/busy_leaves/continuation_pool.hpp"
#include "schedulers/description.hpp"
#include "schedulers/engine/queue_policy.hpp"
#include "schedulers/engine/std_machine.hpp"
#include "schedulers/fibers/continuation.hpp"
#include "schedulers/fibers/queue_policy.hpp"
#include "schedulers/fibers/scheduler.hpp"
#include "schedulers/fibers/shared_list_queue.hpp"

namespace stealbench::busy_leaves {

template <class Fiber>
using pool = continuation_pool<fibers::continuation<Fiber>, typename Fiber::machine>;

/// One worker's view of the pool.
template <class Fiber>
class queue : public fibers::shared_list_queue<Fiber, pool<Fiber>> {
  using base = fibers::shared_list_queue<Fiber, pool<Fiber>>;
  using continuation = fibers::continuation<Fiber>;

 public:
  using base::base;

  bool push(continuation& rest, Fiber& /*here*/) {
    this->list.push(rest, this->own_index);
    return true;
  }
  using base::take_back;
  /// The record of a fork is pushed once.
  bool take_back(continuation& branch) { return this->list.take_back(branch, 0); }
  // A branch that is not taken back is another's: all are in turn.
  static bool take_back_out_of_turn(const continuation& /*branch*/) { return false; }

  continuation* find_work(engine::steal_attempts& tried, Fiber& /*spare*/) {
    return this->looked(this->list.take(), tried);
  }
  // No order among fibers: who can go on with one does.
  static void ended(Fiber& /*left*/, Fiber* /*next*/) {}
  static bool comes_first(const Fiber& /*next*/) { return true; }
  static bool was_resumed(const continuation& /*found*/) { return false; }
};

/// Runs on the machine `M`.
template <class M = engine::std_machine>
struct policy : engine::policy_on<M> {
  static constexpr std::string_view name = "busy-leaves";
  static schedulers::description describe() {
    return {.group = schedulers::group::pool,
            .summary =
                "runs the first branch or the child, and leaves the rest of the parent in one pool",
            .paper = "Blumofe 1995",
            .bound = "T1/P + T∞, were its lock free; space P · S1",
            .compared_with = "continuation-stealing"};
  }
  template <class Fiber>
  using links = pool_links<M>;
  template <class Fiber>
  using queue = busy_leaves::queue<Fiber>;
};

template <class M>
using scheduler_on = fibers::scheduler<policy<M>>;
using scheduler = scheduler_on<engine::std_machine>;

static_assert(fibers::queue_policy<policy<>>);
static_assert(schedulers::counting_scheduler<scheduler>);

}  // namespace stealbench::busy_leaves
