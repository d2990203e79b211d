// Busy leaves: as continuation stealing, with one pool of continuations instead of the workers'
// deques (Blumofe 1995; section 3 of Blumofe & Leiserson 1999). A worker whose child has returned
// goes on with the parent if no other has taken it, and else with anything from the pool. README.md
// has the property that gives it its name.
#pragma once

#include <cstdint>
#include <string_view>

#include "schedulers/description.hpp"
#include "schedulers/engine/jobs/job_list.hpp"
#include "schedulers/engine/queue_policy.hpp"
#include "schedulers/engine/std_machine.hpp"
#include "schedulers/fibers/continuation.hpp"
#include "schedulers/fibers/queue_policy.hpp"
#include "schedulers/fibers/scheduler.hpp"
#include "schedulers/fibers/shared_list_queue.hpp"

namespace stealbench::busy_leaves {

/// What a continuation has while it is in the pool.
template <class M>
struct pool_links : engine::job_list_links<M> {
  pool_links() : engine::job_list_links<M>{} {}

  typename M::template plain<unsigned> worker{0};  ///< Who has put it there.
  /// How often a worker that looked for work has taken it. It is a suspended fiber, and its
  /// children tell by that number whether it is there for them. Written by the worker that has
  /// taken it, and read under the lock by those who find it in the pool.
  typename M::template plain<std::uint32_t> thefts{0};
};

/// The one pool of continuations of all workers, the oldest first.
template <class Fiber>
struct pool : engine::job_list<fibers::continuation<Fiber>, typename Fiber::machine> {
  pool() : pool::job_list("continuation pool: mutex and ends") {}

  /// Takes this one out, unless it was taken since a push before which it had been `thefts` times.
  bool take_back(fibers::continuation<Fiber>& rest, std::uint32_t thefts) {
    return this->take_out(rest, [&] { return rest.thefts.read() == thefts; });
  }
};

/// One worker's view of the pool.
template <class Fiber>
class queue : public fibers::shared_list_queue<Fiber, pool<Fiber>>, public fibers::unordered_queue {
  using base = fibers::shared_list_queue<Fiber, pool<Fiber>>;
  using continuation = fibers::continuation<Fiber>;

 public:
  using base::base;

  bool push(continuation& rest, Fiber& /*running*/) {
    rest.worker.write(this->own_index);
    this->list.push(rest);
    return true;
  }
  using base::take_back;
  /// The record of a fork is pushed once.
  bool take_back(continuation& branch) { return this->list.take_back(branch, 0); }

  continuation* find_work(engine::steal_attempts& tried, Fiber& /*spare*/) {
    continuation* const oldest = this->list.take();
    if (oldest != nullptr) oldest->thefts.write(oldest->thefts.read() + 1);
    return this->looked(oldest, tried);
  }
};

template <class M>
struct policy : engine::policy_on<M, queue> {
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
};

template <class M>
using scheduler_on = fibers::scheduler<policy<M>>;
using scheduler = scheduler_on<engine::std_machine>;

static_assert(schedulers::counting_scheduler<scheduler>);

}  // namespace stealbench::busy_leaves
