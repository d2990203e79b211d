// Work sharing: every job is placed on a worker at its spawn, and stays there. On whom is the
// option `place`: in turn; at random; or with the fewest jobs in its inbox, which takes a look at
// each.
//
// A worker looks into its own inbox only: no worker steals, so a job placed on a busy worker waits,
// or is taken back by the worker that spawned it. The classical counterpart of work stealing: the
// one who creates work distributes it, whether anyone is idle or not (Eager, Lazowska & Zahorjan
// 1986).
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "schedulers/description.hpp"
#include "schedulers/engine/jobs/job_list.hpp"
#include "schedulers/engine/queue_policy.hpp"
#include "schedulers/engine/scheduler.hpp"
#include "schedulers/engine/std_machine.hpp"
#include "schedulers/random.hpp"
#include "schedulers/work_sharing/options.hpp"

namespace stealbench::work_sharing {

template <class M>
struct job_links : engine::job_list_links<M> {
  unsigned placed_on;  // Written by the spawning worker before the job is in an inbox.
};

template <class Slot>
class queue : public engine::listed_queue<Slot> {
 public:
  struct shared {
    explicit shared(const schedulers::options& options)
        : inboxes(options.workers),
          place(schedulers::own_options<work_sharing::options>(options).place) {}
    std::vector<engine::job_list<Slot, typename Slot::machine>> inboxes;
    const placement_rule place;
  };

  // A worker's first child goes to its right-hand neighbour: itself has work already.
  queue(shared& all, unsigned index, Slot* /*first*/, Slot* /*limit*/)
      : all_(all),
        index_(index),
        in_turn_below_(all.place == placement_rule::turn ? workers() : 0),
        latest_(index),
        random_(index + 1) {}

  engine::placement push(Slot& job, const typename Slot::kind_type& kind) {
    if (++latest_ >= in_turn_below_) [[unlikely]]
      latest_ = choose(latest_ - 1);
    job.placed_on = latest_;
    this->push_onto(all_.inboxes[latest_], job, kind);
    return {static_cast<int>(latest_)};
  }
  bool take_back(Slot& job) { return this->take_back_from(all_.inboxes[job.placed_on], job); }
  Slot* find_work(engine::steal_attempts& /*tried*/) { return all_.inboxes[index_].take(); }
  [[nodiscard]] bool has_work() const { return !all_.inboxes[index_].looks_empty(); }

 private:
  [[nodiscard]] unsigned workers() const { return static_cast<unsigned>(all_.inboxes.size()); }
  [[nodiscard]] unsigned after(unsigned worker) const {
    return worker + 1 == workers() ? 0 : worker + 1;
  }

  [[gnu::noinline]] unsigned choose(unsigned latest) {
    if (all_.place == placement_rule::least) return least_loaded(latest);
    return all_.place == placement_rule::random ? schedulers::next_random(random_) % workers() : 0;
  }

  // By the lengths as they are seen without the locks. An inbox says nothing of the job that its
  // worker runs.
  [[nodiscard]] unsigned least_loaded(unsigned latest) const {
    const unsigned first = after(latest);
    unsigned chosen = first;
    std::int32_t fewest = all_.inboxes[chosen].size();
    for (unsigned each = after(first); fewest > 0 && each != first; each = after(each)) {
      Slot::machine::charge(engine::cost::look);
      const std::int32_t jobs = all_.inboxes[each].size();
      if (jobs < fewest) {
        fewest = jobs;
        chosen = each;
      }
    }
    return chosen;
  }

  shared& all_;
  const unsigned index_;
  // Where jobs are placed in turn the number of workers, else 0: so that a push has one comparison.
  const unsigned in_turn_below_;
  unsigned latest_;       // The worker that got this worker's latest job.
  std::uint32_t random_;  // Not zero.
};

template <class M>
struct policy : engine::policy_on<M, queue, job_links<M>> {
  static constexpr std::string_view name = "work-sharing";
  static schedulers::description describe() {
    return {.group = schedulers::group::placement,
            .summary = "puts a forked branch into the inbox of one worker, chosen at the fork",
            .paper = "Eager, Lazowska & Zahorjan 1986"};
  }
  static constexpr bool directed = true;
};

template <class M>
using scheduler_on = engine::scheduler<policy<M>>;
using scheduler = scheduler_on<engine::std_machine>;

static_assert(schedulers::counting_scheduler<scheduler>);

}  // namespace stealbench::work_sharing
