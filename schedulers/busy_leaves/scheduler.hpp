// Busy leaves: as continuation stealing, with one pool of continuations instead of the workers'
// deques (Blumofe 1995; section 3 of Blumofe & Leiserson 1999). A worker whose child has returned
// goes on with the parent if no other has taken it, and else with anything from the pool. README.md
// has the property that gives it its name.
#pragma once

#include <cstdint>
#include <string_view>

#include "schedulers/busy_leaves/continuation_pool.hpp"
#include "schedulers/description.hpp"
#include "schedulers/engine/queue_policy.hpp"
#include "schedulers/engine/std_machine.hpp"
#include "schedulers/engine/team.hpp"
#include "schedulers/strands/continuation.hpp"
#include "schedulers/strands/queue_policy.hpp"
#include "schedulers/strands/scheduler.hpp"

namespace stealbench::busy_leaves {

/// One worker's view of the pool.
template <class Strand>
class queue {
  using machine = typename Strand::machine;
  using continuation = strands::continuation<Strand>;

 public:
  static constexpr engine::capabilities can{};
  struct shared {
    explicit shared(const schedulers::options& chosen) : workers(chosen.workers) {}

    const unsigned workers;
    continuation_pool<continuation, machine> rests;
  };

  queue(shared& all, unsigned index) : all_(all), index_(index), latest_(index) {
    machine::name(requested, "workers: requests for work");
  }
  queue(const queue&) = delete;
  queue& operator=(const queue&) = delete;
  ~queue() = default;

  bool push(continuation& rest, Strand& /*here*/) {
    all_.rests.push(rest, index_);
    return true;
  }
  /// The record of a fork is pushed once.
  bool take_back(continuation& branch) { return all_.rests.take_back(branch, 0); }
  // A branch that is not taken back is another's: all are in turn.
  static bool take_back_out_of_turn(const continuation& /*branch*/) { return false; }

  /// A spawner that was stolen may be in the pool again, for another child: which of them it is
  /// there for shows by how often it was stolen. Of the strand that pushes next.
  using ticket = std::uint32_t;
  static ticket ticket_of(const continuation& spawner) { return spawner.thefts.read(); }
  bool take_back(continuation& spawner, ticket of_push) {
    return all_.rests.take_back(spawner, of_push);
  }

  continuation* find_work(engine::steal_attempts& tried, Strand& /*spare*/) {
    continuation* const found = all_.rests.take();
    if (found != nullptr) {
      ++tried.taken;
      latest_victim_ = found->worker.read();
    } else {
      ++tried.empty;
      tried.latest = latest_ = (latest_ + 1) % all_.workers;
    }
    return found;
  }
  // No order among strands: who can go on with one does.
  static void ended(Strand& /*left*/, Strand* /*next*/) {}
  static bool comes_first(const Strand& /*next*/) { return true; }
  static bool was_resumed(const continuation& /*found*/) { return false; }

  [[nodiscard]] unsigned latest_victim() const { return latest_victim_; }
  [[nodiscard]] bool has_work() const { return !all_.rests.looks_empty(); }
  [[nodiscard]] bool sees_more() const { return has_work(); }

  alignas(64) typename engine::parking_lot<machine>::request_flag requested;

 private:
  shared& all_;
  const unsigned index_;
  unsigned latest_;  // The worker asked for work last: each in turn, since a loop may go on at any.
  unsigned latest_victim_ = 0;
};

/// Runs on the machine `M`.
template <class M = engine::std_machine>
struct policy {
  static constexpr std::string_view name = "busy-leaves";
  static schedulers::description describe() {
    return {.group = schedulers::group::pool,
            .summary =
                "runs the first branch or the child, and leaves the rest of the parent in one pool",
            .paper = "Blumofe 1995",
            .bound = "T1/P + T∞, were its lock free; space P · S1",
            .compared_with = "continuation-stealing"};
  }
  using machine = M;
  static constexpr bool directed = false;
  using team = engine::whole_pool;
  template <class Strand>
  using links = pool_links<M>;
  template <class Strand>
  using queue = busy_leaves::queue<Strand>;
};

template <class M>
using scheduler_on = strands::scheduler<policy<M>>;
using scheduler = scheduler_on<engine::std_machine>;

static_assert(strands::queue_policy<policy<>>);
static_assert(schedulers::scheduler<scheduler>);
static_assert(schedulers::scheduler<scheduler::counting_variant>);

}  // namespace stealbench::busy_leaves
