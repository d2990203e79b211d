// Parallel depth-first: of all that is ready, workers run what comes first in the serial order
// (Blelloch, Gibbons & Matias, J. ACM 46, 1999; AsyncDF: Narlikar & Blelloch, TOPLAS 21, 1999).
// README.md has the bound, and what differs from the papers.
#pragma once

#include <string_view>

#include "schedulers/depth_first/serial_list.hpp"
#include "schedulers/description.hpp"
#include "schedulers/engine/queue_policy.hpp"
#include "schedulers/engine/std_machine.hpp"
#include "schedulers/fibers/continuation.hpp"
#include "schedulers/fibers/queue_policy.hpp"
#include "schedulers/fibers/scheduler.hpp"
#include "schedulers/fibers/shared_list_queue.hpp"

namespace stealbench::depth_first {

template <class Fiber>
using shared_list = serial_list<fibers::continuation<Fiber>, typename Fiber::machine>;

/// One worker's view of the list.
template <class Fiber>
class queue : public fibers::shared_list_queue<Fiber, shared_list<Fiber>> {
  using base = fibers::shared_list_queue<Fiber, shared_list<Fiber>>;
  using continuation = fibers::continuation<Fiber>;
  using branch = fibers::branch<Fiber>;

 public:
  using base::base;

  bool push(continuation& rest, Fiber& running) {
    if (rest.execute != nullptr) {
      this->list.push_behind(running.rest, rest, this->own_index);
    } else {
      this->list.push_before(rest, running.rest, this->own_index);
    }
    return true;
  }
  using base::take_back;
  bool take_back(branch& second) { return this->list.take_back(second); }
  bool take_back_out_of_turn(branch& second) { return this->list.take_back_out_of_turn(second); }

  continuation* find_work(engine::steal_attempts& tried, Fiber& spare) {
    return this->looked(this->list.take(spare.rest, found_as_), tried);
  }
  void ended(Fiber& left, Fiber* next) {
    this->list.end(left.rest, next == nullptr ? nullptr : &next->rest);
  }
  bool comes_first(Fiber& next) { return this->list.comes_first(next.rest, this->own_index); }
  [[nodiscard]] bool was_resumed(const continuation& /*found*/) const {
    return found_as_ == stage::resumed;
  }

 private:
  stage found_as_ = stage::absent;  // What was found last.
};

template <class M>
struct policy : engine::policy_on<M, queue> {
  static constexpr std::string_view name = "depth-first";
  static schedulers::description describe() {
    return {.group = schedulers::group::pool,
            .summary = "runs what comes first in the serial order of all that is ready",
            .paper = "Blelloch, Gibbons & Matias 1999; Narlikar & Blelloch 1999",
            .bound = "space S1 + O(P · T∞)",
            .compared_with = "busy-leaves"};
  }
  template <class Fiber>
  using links = list_links<fibers::continuation<Fiber>, M>;
};

template <class M>
using scheduler_on = fibers::scheduler<policy<M>>;
using scheduler = scheduler_on<engine::std_machine>;

static_assert(schedulers::counting_scheduler<scheduler>);

}  // namespace stealbench::depth_first
