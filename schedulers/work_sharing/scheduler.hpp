// Work sharing: every job is placed on a worker at its spawn, in turn, and stays there.
//
// A worker looks into its own inbox only: nobody steals, so a job placed on a busy worker waits, or
// is taken back by the worker that spawned it. The classical counterpart of work stealing: the one
// who creates work distributes it, whether anyone is idle or not (Eager, Lazowska & Zahorjan 1986).
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "schedulers/engine/job_list.hpp"
#include "schedulers/engine/scheduler.hpp"
#include "schedulers/engine/share.hpp"

namespace stealbench::work_sharing {

struct job_links : engine::job_list_links {
  unsigned placed_on = 0;  // Written by the spawning worker before the job is in an inbox.
};

template <class Job>
class queue {
 public:
  struct shared {
    explicit shared(const schedulers::options& options) : inboxes(options.workers) {}
    std::vector<engine::job_list<Job>> inboxes;
  };

  // A worker's first child goes to its right-hand neighbour: itself has work already.
  queue(shared& all, unsigned index, Job* /*first*/, Job* /*limit*/)
      : all_(all), index_(index), latest_(index) {}

  engine::placement push(Job& job, const typename Job::kind_type& kind) {
    job.entry.open(kind, engine::order::relaxed);  // published by the list's lock
    latest_ = latest_ + 1 == all_.inboxes.size() ? 0 : latest_ + 1;
    job.placed_on = latest_;
    all_.inboxes[latest_].push(job);
    return {static_cast<int>(latest_)};
  }
  bool take_back(Job& job) {
    if (!all_.inboxes[job.placed_on].take_out(job)) return false;
    retire(job);
    return true;
  }
  void retire(Job& job) {
    job.entry.close(engine::order::relaxed);  // says to its owner alone that the slot is free
  }
  void share(Job& /*topmost*/) {}
  Job* find_work(std::uint32_t& /*misses*/) { return all_.inboxes[index_].take(); }
  [[nodiscard]] bool has_work() const { return !all_.inboxes[index_].looks_empty(); }

 private:
  shared& all_;
  const unsigned index_;
  unsigned latest_;  // The worker that got this worker's latest job.
};

struct policy {
  static constexpr std::string_view name = "work-sharing";
  static constexpr bool directed = true;
  using job_links = work_sharing::job_links;
  using share = engine::whole_pool;
  template <class Job>
  using queue = work_sharing::queue<Job>;
};

using scheduler = engine::scheduler<policy>;

static_assert(schedulers::scheduler<scheduler>);
static_assert(schedulers::scheduler<scheduler::counting_variant>);

}  // namespace stealbench::work_sharing
