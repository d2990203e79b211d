// Work sharing: every job is placed on a worker at its spawn, in turn, and stays there.
//
// A worker looks into its own inbox only: nobody steals, so a job placed on a busy worker waits, or
// is taken back by the worker that spawned it. The classical counterpart of work stealing: the one
// who creates work distributes it, whether anyone is idle or not (Eager, Lazowska & Zahorjan 1986).
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "schedulers/description.hpp"
#include "schedulers/engine/job_list.hpp"
#include "schedulers/engine/queue_policy.hpp"
#include "schedulers/engine/scheduler.hpp"
#include "schedulers/engine/std_machine.hpp"
#include "schedulers/engine/team.hpp"

namespace stealbench::work_sharing {

template <class M>
struct job_links : engine::job_list_links<M> {
  unsigned placed_on;  // Written by the spawning worker before the job is in an inbox.
};

template <class Slot>
class queue {
 public:
  struct shared {
    explicit shared(const schedulers::options& options) : inboxes(options.workers) {}
    std::vector<engine::job_list<Slot, typename Slot::machine>> inboxes;
  };

  // A worker's first child goes to its right-hand neighbour: itself has work already.
  queue(shared& all, unsigned index, Slot* /*first*/, Slot* /*limit*/)
      : all_(all), index_(index), latest_(index) {}

  engine::placement push(Slot& job, const typename Slot::kind_type& kind) {
    job.entry.open(kind, engine::order::relaxed);  // published by the list's lock
    latest_ = latest_ + 1 == all_.inboxes.size() ? 0 : latest_ + 1;
    job.placed_on = latest_;
    all_.inboxes[latest_].push(job);
    return {static_cast<int>(latest_)};
  }
  bool take_back(Slot& job) {
    if (!all_.inboxes[job.placed_on].take_out(job)) return false;
    retire(job);
    return true;
  }
  void retire(Slot& job) {
    job.entry.close(engine::order::relaxed);  // says to its owner alone that the slot is free
  }
  void expose(Slot& /*topmost*/) {}
  Slot* find_work(engine::failed_steals& /*failed*/) { return all_.inboxes[index_].take(); }
  [[nodiscard]] bool has_work() const { return !all_.inboxes[index_].looks_empty(); }

 private:
  shared& all_;
  const unsigned index_;
  unsigned latest_;  // The worker that got this worker's latest job.
};

/// Runs on the machine `M`.
template <class M = engine::std_machine>
struct policy {
  static constexpr std::string_view name = "work-sharing";
  static schedulers::description describe() {
    return {.group = schedulers::group::placement,
            .summary = "puts a forked branch into the inbox of one worker, chosen at the fork",
            .paper = "Eager, Lazowska & Zahorjan 1986"};
  }
  using machine = M;
  static constexpr bool directed = true;
  using job_links = work_sharing::job_links<M>;
  using team = engine::whole_pool;
  template <class Slot>
  using queue = work_sharing::queue<Slot>;
};

template <class M>
using scheduler_on = engine::scheduler<policy<M>>;
using scheduler = scheduler_on<engine::std_machine>;

static_assert(engine::queue_policy<policy<>>);
static_assert(schedulers::scheduler<scheduler>);
static_assert(schedulers::scheduler<scheduler::counting_variant>);

}  // namespace stealbench::work_sharing
