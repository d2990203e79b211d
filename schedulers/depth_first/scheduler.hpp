// Parallel depth-first: of all that is ready, workers run what comes first in the serial order
// (Blelloch, Gibbons & Matias, J. ACM 46, 1999; AsyncDF: Narlikar & Blelloch, TOPLAS 21, 1999).
// README.md has the bound, and what differs from the papers.
#pragma once

#include <string_view>

#include "schedulers/depth_first/serial_list.hpp"
#include "schedulers/description.hpp"
#include "schedulers/engine/queue_policy.hpp"
#include "schedulers/engine/std_machine.hpp"
#include "schedulers/strands/continuation.hpp"
#include "schedulers/strands/queue_policy.hpp"
#include "schedulers/strands/scheduler.hpp"
#include "schedulers/strands/shared_list_queue.hpp"

namespace stealbench::depth_first {

template <class Strand>
using list = serial_list<strands::continuation<Strand>, typename Strand::machine>;

/// One worker's view of the list.
template <class Strand>
class queue : public strands::shared_list_queue<Strand, list<Strand>> {
  using base = strands::shared_list_queue<Strand, list<Strand>>;
  using continuation = strands::continuation<Strand>;
  using branch = strands::branch<Strand>;

 public:
  using base::base;

  bool push(continuation& rest, Strand& here) {
    if (rest.execute != nullptr) {
      this->list.push_behind(here.rest, rest, this->own_index);
    } else {
      this->list.push_before(rest, here.rest, this->own_index);
    }
    return true;
  }
  using base::take_back;
  bool take_back(branch& second) { return this->list.take_back(second); }
  bool take_back_out_of_turn(branch& second) { return this->list.take_back_out_of_turn(second); }

  continuation* find_work(engine::steal_attempts& tried, Strand& spare) {
    return this->looked(this->list.take(spare.rest, found_as_), tried);
  }
  void ended(Strand& left, Strand* next) {
    this->list.end(left.rest, next == nullptr ? nullptr : &next->rest);
  }
  bool comes_first(Strand& next) { return this->list.comes_first(next.rest, this->own_index); }
  [[nodiscard]] bool was_resumed(const continuation& /*found*/) const {
    return found_as_ == stage::resumed;
  }

 private:
  stage found_as_ = stage::absent;  // What was found last.
};

/// Runs on the machine `M`.
template <class M = engine::std_machine>
struct policy : engine::policy_on<M> {
  static constexpr std::string_view name = "depth-first";
  static schedulers::description describe() {
    return {.group = schedulers::group::pool,
            .summary = "runs what comes first in the serial order of all that is ready",
            .paper = "Blelloch, Gibbons & Matias 1999; Narlikar & Blelloch 1999",
            .bound = "space S1 + O(P · T∞)",
            .compared_with = "busy-leaves"};
  }
  template <class Strand>
  using links = list_links<strands::continuation<Strand>, M>;
  template <class Strand>
  using queue = depth_first::queue<Strand>;
};

template <class M>
using scheduler_on = strands::scheduler<policy<M>>;
using scheduler = scheduler_on<engine::std_machine>;

static_assert(strands::queue_policy<policy<>>);
static_assert(schedulers::counting_scheduler<scheduler>);

}  // namespace stealbench::depth_first
