// Parallel depth-first: of all that is ready, workers run what comes first in the serial order
// (Blelloch, Gibbons & Matias, J. ACM 46, 1999; AsyncDF: Narlikar & Blelloch, TOPLAS 21, 1999).
// README.md has the bound, and what differs from the papers.
#pragma once

#include <cstdint>
#include <string_view>

#include "schedulers/depth_first/serial_list.hpp"
#include "schedulers/description.hpp"
#include "schedulers/engine/queue_policy.hpp"
#include "schedulers/engine/std_machine.hpp"
#include "schedulers/engine/team.hpp"
#include "schedulers/strands/continuation.hpp"
#include "schedulers/strands/queue_policy.hpp"
#include "schedulers/strands/scheduler.hpp"

namespace stealbench::depth_first {

/// One worker's view of the list.
template <class Strand>
class queue {
  using machine = typename Strand::machine;
  using continuation = strands::continuation<Strand>;
  using branch = strands::branch<Strand>;

 public:
  static constexpr engine::capabilities can{};
  struct shared {
    explicit shared(const schedulers::options& chosen) : workers(chosen.workers) {}

    const unsigned workers;
    serial_list<continuation, machine> all;
  };

  queue(shared& all, unsigned index) : list_(all), index_(index), latest_(index) {
    machine::name(requested, "workers: requests for work");
  }
  queue(const queue&) = delete;
  queue& operator=(const queue&) = delete;
  ~queue() = default;

  bool push(continuation& rest, Strand& here) {
    if (rest.execute != nullptr) {
      list_.all.push_behind(here.rest, rest, index_);
    } else {
      list_.all.push_before(rest, here.rest, index_);
    }
    return true;
  }
  bool take_back(branch& second) { return list_.all.take_back(second); }
  bool take_back_out_of_turn(branch& second) { return list_.all.take_back_out_of_turn(second); }

  /// A spawner that was stolen may be ready again, for another child: which of them it waits for
  /// shows by how often it was stolen. Of the strand that pushes next.
  using ticket = std::uint32_t;
  static ticket ticket_of(const continuation& spawner) { return spawner.thefts.read(); }
  bool take_back(continuation& spawner, ticket of_push) {
    return list_.all.take_back(spawner, of_push);
  }

  continuation* find_work(engine::steal_attempts& tried, Strand& spare) {
    continuation* const found = list_.all.take(spare.rest, found_as_);
    if (found != nullptr) {
      ++tried.taken;
      latest_victim_ = found->worker.read();
    } else {
      ++tried.empty;
      tried.latest = latest_ = (latest_ + 1) % list_.workers;
    }
    return found;
  }
  void ended(Strand& left, Strand* next) {
    list_.all.end(left.rest, next == nullptr ? nullptr : &next->rest);
  }
  bool comes_first(Strand& next) { return list_.all.comes_first(next.rest, index_); }
  [[nodiscard]] bool was_resumed(const continuation& /*found*/) const {
    return found_as_ == stage::resumed;
  }

  [[nodiscard]] unsigned latest_victim() const { return latest_victim_; }
  [[nodiscard]] bool has_work() const { return !list_.all.looks_empty(); }
  [[nodiscard]] bool sees_more() const { return has_work(); }

  alignas(64) typename engine::parking_lot<machine>::request_flag requested;

 private:
  shared& list_;
  const unsigned index_;
  unsigned latest_;  // The worker asked for work last: each in turn, since a loop may go on at any.
  unsigned latest_victim_ = 0;
  stage found_as_ = stage::absent;  // What was found last.
};

/// Runs on the machine `M`.
template <class M = engine::std_machine>
struct policy {
  static constexpr std::string_view name = "depth-first";
  static schedulers::description describe() {
    return {.group = schedulers::group::pool,
            .summary = "runs what comes first in the serial order of all that is ready",
            .paper = "Blelloch, Gibbons & Matias 1999; Narlikar & Blelloch 1999",
            .bound = "space S1 + O(P · T∞)",
            .compared_with = "busy-leaves"};
  }
  using machine = M;
  static constexpr bool directed = false;
  using team = engine::whole_pool;
  template <class Strand>
  using links = list_links<strands::continuation<Strand>, M>;
  template <class Strand>
  using queue = depth_first::queue<Strand>;
};

template <class M>
using scheduler_on = strands::scheduler<policy<M>>;
using scheduler = scheduler_on<engine::std_machine>;

static_assert(strands::queue_policy<policy<>>);
static_assert(schedulers::scheduler<scheduler>);
static_assert(schedulers::scheduler<scheduler::counting_variant>);

}  // namespace stealbench::depth_first
