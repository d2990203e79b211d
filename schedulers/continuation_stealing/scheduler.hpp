// Continuation stealing: a worker goes on with the first branch of a fork, or with the child of a
// spawn, and leaves the rest of the parent on its deque; a worker without work steals the oldest
// rest of a random other one; whoever is last at a join goes on behind it (Blumofe & Leiserson
// 1999; Frigo, Leiserson & Randall 1998). README.md has the bounds, and what differs from the
// papers.
#pragma once

#include <cstddef>
#include <string_view>

#include "schedulers/description.hpp"
#include "schedulers/engine/queue_policy.hpp"
#include "schedulers/engine/std_machine.hpp"
#include "schedulers/fibers/continuation.hpp"
#include "schedulers/fibers/queue_policy.hpp"
#include "schedulers/fibers/scheduler.hpp"
#include "schedulers/work_stealing/protocols/chase_lev_deque.hpp"
#include "schedulers/work_stealing/protocols/deque.hpp"
#include "schedulers/work_stealing/protocols/deque_limits.hpp"
#include "schedulers/work_stealing/victims.hpp"

namespace stealbench::continuation_stealing {

/// One worker's continuations.
template <class Fiber>
class queue : public fibers::unordered_queue {
  using machine = typename Fiber::machine;
  using continuation = fibers::continuation<Fiber>;
  using deque = work_stealing::chase_lev_deque<continuation*, machine>;

 public:
  static constexpr engine::capabilities can{.begin_at = true, .tell_bytes = true};
  using shared = work_stealing::deque_table<deque, machine>;

  queue(shared& all, unsigned index)
      : deque_(work_stealing::deque_limits_on<machine>.capacity, max_capacity),
        all_(all),
        victims_(index, static_cast<unsigned>(all.deques.size()), all.own.victim, all.stolen) {
    all.deques[index] = &deque_;
    machine::name(requested, "workers: requests for work");
  }

  [[gnu::always_inline]] bool push(continuation& rest, Fiber& /*running*/) {
    return deque_.push(&rest);
  }

  /// What is left at the bottom is this one, or it has been stolen and so have all older ones. That
  /// is so on whichever worker the fiber has come back from its first branch: one that it has
  /// migrated to had nothing else to do, and so an empty deque.
  [[gnu::always_inline]] bool take_back(continuation& /*rest*/) { return deque_.pop() != nullptr; }
  /// No other child of the spawner can have left it on this deque.
  struct ticket {};
  static ticket ticket_of(const continuation& /*spawner*/) { return {}; }
  bool take_back(continuation& spawner, ticket /*of_push*/) { return take_back(spawner); }

  continuation* find_work(engine::steal_attempts& tried, Fiber& /*spare*/) {
    const auto size_of = [this](unsigned victim) { return all_.deques[victim]->size_hint(); };
    return victims_.find(size_of, tried, [&](unsigned victim) {
      const auto result = all_.deques[victim]->steal();
      work_stealing::note(result.outcome, tried);
      return result.job;
    });
  }

  void begin_at(unsigned worker) { victims_.begin_at(worker); }

  [[nodiscard]] unsigned latest_victim() const { return victims_.latest(); }
  [[nodiscard]] std::size_t bytes() const { return deque_.bytes(); }
  [[nodiscard]] bool has_work() const { return all_.has_work(); }
  [[nodiscard]] bool sees_more() const { return !all_.deques[victims_.latest()]->looks_empty(); }

  alignas(64) typename engine::parking_lot<machine>::request_flag requested;

 private:
  static constexpr std::size_t max_capacity = std::size_t{1} << 30;  // Then forks are calls.

  deque deque_;
  shared& all_;
  work_stealing::victims<machine> victims_;
};

template <class M>
struct policy : engine::policy_on<M, queue> {
  static constexpr std::string_view name = "continuation-stealing";
  static constexpr bool thieves_take_no_lock = true;
  static schedulers::description describe() {
    return {
        .group = schedulers::group::stealing,
        .summary =
            "runs the first branch or the child; idle workers steal the oldest rest of a parent",
        .paper = "Blumofe & Leiserson 1999; Frigo, Leiserson & Randall 1998",
        .bound = "T1/P + O(T∞) expected time, space P · S1",
        .compared_with = "work-stealing:deque=chase-lev"};
  }
  template <class Fiber>
  struct links {};
};

template <class M>
using scheduler_on = fibers::scheduler<policy<M>>;
using scheduler = scheduler_on<engine::std_machine>;

static_assert(schedulers::counting_scheduler<scheduler>);

}  // namespace stealbench::continuation_stealing
