// Central queue: one list under one lock, shared by all workers.
//
// The oldest job goes first, which in a fork-join program is the largest: what a thief would take.
// A worker that joins takes its own child back out of the middle of the list, so it does not pile
// up frames by running arbitrary jobs while it waits.
#pragma once

#include <cstdint>
#include <string_view>

#include "schedulers/engine/job_list.hpp"
#include "schedulers/engine/scheduler.hpp"
#include "schedulers/engine/share.hpp"

namespace stealbench::central_queue {

template <class Job>
class queue {
 public:
  struct shared {
    explicit shared(const schedulers::options& /*options*/) {}
    engine::job_list<Job> jobs;
  };

  queue(shared& all, unsigned /*index*/, Job* /*first*/, Job* /*limit*/) : all_(all) {}

  engine::placement push(Job& job, const typename Job::kind_type& kind) {
    job.entry.open(kind, engine::order::relaxed);  // published by the list's lock
    all_.jobs.push(job);
    return {engine::placement::shared};
  }
  bool take_back(Job& job) {
    if (!all_.jobs.take_out(job)) return false;
    retire(job);
    return true;
  }
  void retire(Job& job) {
    job.entry.close(engine::order::relaxed);  // says to its owner alone that the slot is free
  }
  void share(Job& /*topmost*/) {}
  Job* find_work(std::uint32_t& misses) {
    Job* const found = all_.jobs.take();
    misses += found == nullptr ? 1 : 0;
    return found;
  }
  [[nodiscard]] bool has_work() const { return !all_.jobs.looks_empty(); }

 private:
  shared& all_;
};

struct policy {
  static constexpr std::string_view name = "central-queue";
  static constexpr bool directed = false;
  using job_links = engine::job_list_links;
  using share = engine::whole_pool;
  template <class Job>
  using queue = central_queue::queue<Job>;
};

using scheduler = engine::scheduler<policy>;

static_assert(schedulers::scheduler<scheduler>);
static_assert(schedulers::scheduler<scheduler::counting_variant>);

}  // namespace stealbench::central_queue
