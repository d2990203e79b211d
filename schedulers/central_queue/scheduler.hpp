// Central queue: one list under one lock, shared by all workers.
//
// The oldest job goes first, which in a fork-join program is the largest: what a thief would take.
// With `order=lifo` it is the newest one: a program then runs nearly depth first and needs the
// least space, but who takes the smallest jobs comes back the most often.
// A worker that joins takes its own child back out of the middle of the list, so it does not pile
// up frames by running arbitrary jobs while it waits.
#pragma once

#include <string_view>

#include "schedulers/central_queue/options.hpp"
#include "schedulers/description.hpp"
#include "schedulers/engine/jobs/job_list.hpp"
#include "schedulers/engine/queue_policy.hpp"
#include "schedulers/engine/scheduler.hpp"
#include "schedulers/engine/std_machine.hpp"

namespace stealbench::central_queue {

template <class Slot>
class queue : public engine::listed_queue<Slot> {
 public:
  struct shared {
    explicit shared(const schedulers::options& chosen)
        : workers(chosen.workers), order(schedulers::own_options<options>(chosen).order) {}

    const unsigned workers;
    const taking_order order;
    engine::job_list<Slot, typename Slot::machine> jobs;
  };

  queue(shared& all, unsigned index, Slot* /*first*/, Slot* /*limit*/) : all_(all), latest_(index) {
    Slot::machine::name(requested, "workers: requests for work");
  }

  engine::placement push(Slot& job, const typename Slot::kind_type& kind) {
    this->push_onto(all_.jobs, job, kind);
    return {engine::placement::shared};
  }
  bool take_back(Slot& job) { return this->take_back_from(all_.jobs, job); }
  Slot* find_work(engine::steal_attempts& tried) {
    Slot* const found =
        all_.order == taking_order::fifo ? all_.jobs.take() : all_.jobs.take_newest();
    // Never lost: who waits for the lock finds what is left then.
    ++(found != nullptr ? tried.taken : tried.empty);
    if (found == nullptr) tried.latest = latest_ = (latest_ + 1) % all_.workers;
    return found;
  }
  [[nodiscard]] bool has_work() const { return !all_.jobs.looks_empty(); }
  [[nodiscard]] bool sees_more() const { return has_work(); }

  alignas(64) typename Slot::lot::request_flag requested;

 private:
  shared& all_;
  unsigned latest_;  // The worker asked for work last: each in turn, since a loop may go on at any.
};

template <class M>
struct policy : engine::policy_on<M, queue, engine::job_list_links<M>> {
  static constexpr std::string_view name = "central-queue";
  static schedulers::description describe() {
    return {.group = schedulers::group::pool,
            .summary = "offers a forked branch in the one queue that all workers share",
            .paper = "Graham 1966",
            .bound = "T1/P + T∞, were its lock free"};
  }
};

template <class M>
using scheduler_on = engine::scheduler<policy<M>>;
using scheduler = scheduler_on<engine::std_machine>;

static_assert(schedulers::counting_scheduler<scheduler>);

}  // namespace stealbench::central_queue
