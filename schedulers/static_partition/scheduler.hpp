// Static partition: every fork divides the current team of workers between its branches.
//
// What a branch may use is settled at the fork and never revised: a team of one runs serially,
// loops are cut into as many equal chunks as the team has workers, and the children of a task group
// are dealt out once their number is known, at the sync. No worker takes what was assigned to
// another, so an uneven program leaves workers idle: the price that dynamic strategies exist to
// avoid.
//
// A job waits only for its team's leader, and the leader of a team is idle when it gets one:
// until the fork that made the team it belonged to the forking worker's team and led nothing.
#pragma once

#include <cstddef>
#include <string_view>
#include <utility>
#include <vector>

#include "schedulers/description.hpp"
#include "schedulers/engine/jobs/job_list.hpp"
#include "schedulers/engine/queue_policy.hpp"
#include "schedulers/engine/scheduler.hpp"
#include "schedulers/engine/std_machine.hpp"

namespace stealbench::static_partition {

/// The workers `leader()` to `leader() + size - 1`.
class team {
 public:
  static constexpr bool is_fixed = true;

  team() = default;
  explicit constexpr team(unsigned size) : team(0, size) {}

  [[nodiscard]] constexpr bool alone() const { return size_ == 1; }
  [[nodiscard]] constexpr unsigned leader() const { return leader_; }

  /// The teams of the two branches of a fork: the larger half, which has the leader, and the rest.
  /// Requires: not alone.
  [[nodiscard]] constexpr std::pair<team, team> divide() const {
    return {team(leader_, own_half()), team(leader_ + own_half(), size_ - own_half())};
  }
  /// Of `length` loop indices, those of the first half: as many for each worker of the team.
  [[nodiscard]] constexpr std::size_t cut(std::size_t length) const {
    return length / size_ * own_half() + length % size_ * own_half() / size_;
  }
  /// What child `rank` of `count` gets: its part of the team, or one worker where there are more
  /// children than workers. Neighbouring children then share a worker.
  [[nodiscard]] constexpr team part(std::size_t rank, std::size_t count) const {
    const auto begin = static_cast<unsigned>(rank * size_ / count);
    const auto end = static_cast<unsigned>((rank + 1) * size_ / count);
    return {leader_ + begin, end > begin ? end - begin : 1};
  }

 private:
  constexpr team(unsigned leader, unsigned size) : leader_(leader), size_(size) {}
  [[nodiscard]] constexpr unsigned own_half() const { return size_ - size_ / 2; }

  unsigned leader_;
  unsigned size_;
};

template <class M>
struct job_links : engine::job_list_links<M> {
  team assigned_to;  // Written by the forking worker before the job is in a list.
};

template <class Slot>
class queue : public engine::listed_queue<Slot> {
 public:
  struct shared {
    explicit shared(const schedulers::options& options) : assigned(options.workers) {}
    std::vector<engine::job_list<Slot, typename Slot::machine>> assigned;
  };

  queue(shared& all, unsigned index, Slot* /*first*/, Slot* /*limit*/) : all_(all), index_(index) {}

  engine::placement push(Slot& job, const typename Slot::kind_type& kind) {
    this->push_onto(all_.assigned[job.assigned_to.leader()], job, kind);
    return {static_cast<int>(job.assigned_to.leader())};
  }
  bool take_back(Slot& /*job*/) { return false; }
  Slot* find_work(engine::steal_attempts& /*tried*/) { return all_.assigned[index_].take(); }
  [[nodiscard]] bool has_work() const { return !all_.assigned[index_].looks_empty(); }

 private:
  shared& all_;
  const unsigned index_;
};

template <class M>
struct policy : engine::policy_on<M, queue, job_links<M>> {
  static constexpr std::string_view name = "static-partition";
  static schedulers::description describe() {
    return {.group = schedulers::group::placement,
            .summary = "gives each branch a part of the forking worker's team, once and for all"};
  }
  static constexpr bool directed = true;
  using team = static_partition::team;
};

template <class M>
using scheduler_on = engine::scheduler<policy<M>>;
using scheduler = scheduler_on<engine::std_machine>;

static_assert(schedulers::counting_scheduler<scheduler>);

}  // namespace stealbench::static_partition
