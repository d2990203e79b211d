// Push migration, as operating systems do: a locked queue for each worker, and once in a period
// whoever has pushed a job moves jobs from the longest queue to the shortest one. An idle worker
// looks into its own queue only. README.md has the strategy, its sources and its costs.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "schedulers/description.hpp"
#include "schedulers/engine/jobs/job_list.hpp"
#include "schedulers/engine/queue_policy.hpp"
#include "schedulers/engine/scheduler.hpp"
#include "schedulers/engine/std_machine.hpp"
#include "schedulers/push_migration/options.hpp"

namespace stealbench::push_migration {

template <class M>
struct job_links : engine::job_list_links<M> {
  /// The worker in whose queue the job is, or was last. Changed to or from a worker under the lock
  /// of its queue, so under a lock it is exact whether the job is there; else a hint, and relaxed
  /// is enough.
  typename M::template zeroed_atomic<std::uint32_t> queued_at;
};

/// A worker with an empty queue counts as idle, any other one has a job under way as well. So a
/// lone job goes from a busy worker to an idle one, and none goes back and forth between two busy
/// ones.
constexpr std::int32_t load_of(std::int32_t jobs) { return jobs == 0 ? 0 : jobs + 1; }

/// As many as make the loads equal. Both queues are locked meanwhile, so at most 32: what Linux
/// looks at in one balancing (sched_nr_migrate).
constexpr std::int32_t jobs_to_move(std::int32_t longest, std::int32_t shortest) {
  constexpr std::int32_t most = 32;
  return std::clamp((load_of(longest) - load_of(shortest)) / 2, 0, most);
}

template <class Slot>
class queue : public engine::listed_queue<Slot> {
  using machine = typename Slot::machine;
  using list = engine::job_list<Slot, machine>;

 public:
  struct shared {
    explicit shared(const schedulers::options& chosen)
        : lists(chosen.workers),
          period((std::max)(schedulers::own_options<options>(chosen).period, 1U)) {}
    std::vector<list> lists;  // By worker.
    const unsigned period;
  };

  queue(shared& all, unsigned index, Slot* /*first*/, Slot* /*limit*/)
      : all_(all), index_(index), left_(all.period), latest_(index) {}

  engine::placement push(Slot& job, const typename Slot::kind_type& kind) {
    job.queued_at.store(index_, engine::order::relaxed);  // in no list, so its owner's alone
    this->push_onto(all_.lists[index_], job, kind);
    if (--left_ > 0) return {static_cast<int>(index_)};
    left_ = all_.period;
    return {static_cast<int>(balance())};
  }

  bool take_back(Slot& job) {
    std::optional<bool> taken;
    while (!taken) {
      const auto at = job.queued_at.load(engine::order::relaxed);
      taken = all_.lists[at].take_out_if(
          job, [&] { return job.queued_at.load(engine::order::relaxed) == at; });
    }
    if (*taken) this->retire(job);
    return *taken;
  }
  Slot* find_work(engine::steal_attempts& /*tried*/) { return all_.lists[index_].take(); }
  [[nodiscard]] bool has_work() const { return !all_.lists[index_].looks_empty(); }

 private:
  // The balancing step. Returns the worker that has received jobs, whom the engine wakes; this one,
  // if the loads are equal.
  [[gnu::noinline]] unsigned balance() {
    const auto workers = static_cast<unsigned>(all_.lists.size());
    unsigned longest = index_;
    unsigned shortest = index_;
    std::int32_t most = all_.lists[index_].size();
    std::int32_t fewest = most;
    // Of several queues of one length the next after the latest receiver's: jobs that are pushed in
    // a row go to different idle workers, though one of them may have begun its job by now.
    unsigned worker = latest_;
    for (unsigned i = 0; i < workers; ++i) {
      worker = worker + 1 == workers ? 0 : worker + 1;
      machine::charge(engine::cost::look);
      const std::int32_t jobs = all_.lists[worker].size();
      if (jobs > most) {
        most = jobs;
        longest = worker;
      }
      if (jobs < fewest) {
        fewest = jobs;
        shortest = worker;
      }
    }
    if (longest == shortest || jobs_to_move(most, fewest) == 0) return index_;
    const std::int32_t moved = list::move_oldest(
        all_.lists[longest], all_.lists[shortest],
        [](std::int32_t longer, std::int32_t shorter) { return jobs_to_move(longer, shorter); },
        // Under both locks.
        [shortest](Slot& job) { job.queued_at.store(shortest, engine::order::relaxed); });
    if (moved == 0) return index_;
    return latest_ = shortest;
  }

  shared& all_;
  const unsigned index_;
  unsigned left_;    // Pushes of this worker until its next step.
  unsigned latest_;  // The worker that got jobs in this worker's latest step.
};

template <class M>
struct policy : engine::policy_on<M, queue, job_links<M>> {
  static constexpr std::string_view name = "push-migration";
  static schedulers::description describe() {
    return {.group = schedulers::group::placement,
            .summary =
                "puts a forked branch into a locked queue of its own; now and then jobs move "
                "from the longest queue to the shortest",
            .paper = "Silberschatz, Galvin & Gagne, Operating System Concepts",
            .compared_with = "pull-migration"};
  }
  static constexpr bool directed = true;
};

template <class M>
using scheduler_on = engine::scheduler<policy<M>>;
using scheduler = scheduler_on<engine::std_machine>;

static_assert(schedulers::counting_scheduler<scheduler>);

}  // namespace stealbench::push_migration
