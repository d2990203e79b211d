// Continuation stealing: a worker goes on with the first branch of a fork, or with the child of a
// spawn, and leaves the rest of the parent on its deque; who has no work steals the oldest rest of
// a random other worker; whoever is last at a join goes on behind it (Blumofe & Leiserson 1999;
// Frigo, Leiserson & Randall 1998). README.md has the bounds, and what differs from the papers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "schedulers/description.hpp"
#include "schedulers/engine/queue_policy.hpp"
#include "schedulers/engine/std_machine.hpp"
#include "schedulers/fibers/continuation.hpp"
#include "schedulers/fibers/queue_policy.hpp"
#include "schedulers/fibers/scheduler.hpp"
#include "schedulers/work_stealing/protocols/deque.hpp"
#include "schedulers/work_stealing/protocols/deque_limits.hpp"
#include "schedulers/work_stealing/victims.hpp"

namespace stealbench::continuation_stealing {

/// One worker's continuations, in a deque as one of deques/ names it.
template <class Fiber, class Deque>
class queue {
  using machine = typename Fiber::machine;
  using continuation = fibers::continuation<Fiber>;
  using deque = typename Deque::template deque<continuation*, machine>;

 public:
  static constexpr engine::capabilities can{.tell_bytes = true};
  using shared = work_stealing::deque_table<deque, machine>;

  queue(shared& all, unsigned index)
      : deque_(work_stealing::deque_limits_on<machine>.capacity, max_capacity),
        all_(all),
        victims_(index, static_cast<unsigned>(all.deques.size()), all.own.victim, all.stolen) {
    all.deques[index] = &deque_;
    machine::name(requested, "workers: requests for work");
  }
  queue(const queue&) = delete;
  queue& operator=(const queue&) = delete;
  ~queue() = default;

  [[gnu::always_inline]] bool push(continuation& rest, Fiber& /*here*/) {
    return deque_.push(&rest);
  }

  /// What is left at the bottom is this one, or it has been stolen and so have all older ones. That
  /// is so on whichever worker the fiber has come back from its first branch: one that it has
  /// migrated to had nothing else to do, and so an empty deque.
  [[gnu::always_inline]] bool take_back(continuation& /*rest*/) { return deque_.pop() != nullptr; }
  // A branch that is not taken back is another's: all are in turn.
  static bool take_back_out_of_turn(const continuation& /*rest*/) { return false; }
  /// No other child of the spawner can have left it on this deque.
  struct ticket {};
  static ticket ticket_of(const continuation& /*spawner*/) { return {}; }
  bool take_back(continuation& spawner, ticket /*of_push*/) { return take_back(spawner); }

  continuation* find_work(engine::steal_attempts& tried, Fiber& /*spare*/) {
    continuation* found = nullptr;
    const auto size_of = [this](unsigned victim) { return all_.deques[victim]->size_hint(); };
    victims_.some(size_of, [&](unsigned victim) {
      const auto result = all_.deques[victim]->steal();
      work_stealing::note(result.outcome, tried);
      found = result.job;
      return found != nullptr;
    });
    tried.latest = victims_.latest();
    return found;
  }
  // No order among fibers: who can go on with one does.
  static void ended(Fiber& /*left*/, Fiber* /*next*/) {}
  static bool comes_first(const Fiber& /*next*/) { return true; }
  static bool was_resumed(const continuation& /*found*/) { return false; }

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

/// `Deque` is one of deques/: it has a name, and is a ring of pointers. Runs on the machine `M`.
template <class Deque, class M = engine::std_machine>
struct policy : engine::policy_on<M> {
  static constexpr std::string_view name = "continuation-stealing";
  static constexpr std::string_view deque = Deque::name;
  static constexpr bool thieves_take_no_lock = true;
  static schedulers::description describe() {
    return {
        .group = schedulers::group::stealing,
        .summary =
            "runs the first branch or the child; idle workers steal the oldest rest of a parent",
        .paper = "Blumofe & Leiserson 1999; Frigo, Leiserson & Randall 1998",
        .bound = "T1/P + O(T∞) expected time, space P · S1",
        .compared_with = "work-stealing:deque=asymmetric"};
  }
  template <class Fiber>
  struct links {};
  template <class Fiber>
  using queue = continuation_stealing::queue<Fiber, Deque>;
};

template <class Deque, class M = engine::std_machine>
using scheduler_over = fibers::scheduler<policy<Deque, M>>;

}  // namespace stealbench::continuation_stealing
