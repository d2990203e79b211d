// Pull migration, as operating systems do: a locked queue for each worker, and an idle worker takes
// a job out of the longest one. README.md has the strategy, its sources and its costs.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

#include "schedulers/description.hpp"
#include "schedulers/engine/jobs/job_list.hpp"
#include "schedulers/engine/queue_policy.hpp"
#include "schedulers/engine/scheduler.hpp"
#include "schedulers/engine/std_machine.hpp"

namespace stealbench::pull_migration {

template <class Slot>
class queue : public engine::listed_queue<Slot> {
  using machine = typename Slot::machine;
  using list = engine::job_list<Slot, machine>;

 public:
  struct shared {
    explicit shared(const schedulers::options& chosen) : lists(chosen.workers) {}
    std::vector<list> lists;  // By worker.
  };

  queue(shared& all, unsigned index, Slot* /*first*/, Slot* /*limit*/)
      : all_(all), index_(index), found_at_(index), asked_(index) {
    machine::name(requested, "workers: requests for work");
  }

  engine::placement push(Slot& job, const typename Slot::kind_type& kind) {
    this->push_onto(all_.lists[index_], job, kind);
    return {engine::placement::shared};
  }
  bool take_back(Slot& job) { return this->take_back_from(all_.lists[index_], job); }

  Slot* find_work(engine::steal_attempts& tried) {
    if (Slot* const own = take_from(index_)) return own;
    const unsigned busiest = busiest_other(tried);
    if (busiest != index_) {
      Slot* const found = take_from(busiest);
      ++(found != nullptr ? tried.taken : tried.lost);
      if (found != nullptr) return found;
    }
    tried.latest = asked_ = after(asked_);
    return nullptr;
  }
  [[nodiscard]] bool has_work() const {
    return std::any_of(all_.lists.begin(), all_.lists.end(),
                       [](const list& each) { return !each.looks_empty(); });
  }
  [[nodiscard]] bool sees_more() const { return !all_.lists[found_at_].looks_empty(); }

  alignas(64) typename Slot::lot::request_flag requested;

 private:
  [[nodiscard]] unsigned after(unsigned worker) const {
    return worker + 1 == all_.lists.size() ? 0 : worker + 1;
  }

  Slot* take_from(unsigned worker) {
    Slot* const found = all_.lists[worker].take();
    if (found != nullptr) found_at_ = worker;
    return found;
  }

  // Who has the longest queue, the next one of several; this worker, if all others have none.
  // The lengths are read without the locks: they may have changed since.
  unsigned busiest_other(engine::steal_attempts& tried) const {
    unsigned busiest = index_;
    std::int32_t most = 0;
    for (unsigned other = after(index_); other != index_; other = after(other)) {
      machine::charge(engine::cost::look);
      const std::int32_t jobs = all_.lists[other].size();
      tried.empty += jobs == 0 ? 1 : 0;
      if (jobs > most) {
        most = jobs;
        busiest = other;
      }
    }
    return busiest;
  }

  shared& all_;
  const unsigned index_;
  unsigned found_at_;  // Whose queue the latest job that it found was in.
  unsigned asked_;  // The worker asked for work last: each in turn, since a loop may go on at any.
};

template <class M>
struct policy : engine::policy_on<M, queue, engine::job_list_links<M>> {
  static constexpr std::string_view name = "pull-migration";
  static schedulers::description describe() {
    return {.group = schedulers::group::stealing,
            .summary =
                "puts a forked branch into a locked queue of its own; idle workers take the "
                "oldest job of the longest queue",
            .paper = "Silberschatz, Galvin & Gagne, Operating System Concepts",
            .bound = "T1/P + T∞ but for scans and locks",
            .compared_with = "work-stealing:deque=locked"};
  }
};

template <class M>
using scheduler_on = engine::scheduler<policy<M>>;
using scheduler = scheduler_on<engine::std_machine>;

static_assert(schedulers::counting_scheduler<scheduler>);

}  // namespace stealbench::pull_migration
