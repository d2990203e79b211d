// What the workers of both engines share: how a worker looks for work and falls asleep, and how it
// answers those who ask for work.
#pragma once

#include <utility>
#include <vector>

#include "schedulers/engine/memory_model.hpp"
#include "schedulers/engine/queue_policy.hpp"
#include "schedulers/engine/sleep/directed_lot.hpp"
#include "schedulers/engine/sleep/patience.hpp"
#include "schedulers/engine/steal_attempts.hpp"
#include "schedulers/engine/steps.hpp"
#include "schedulers/engine/tally.hpp"
#include "schedulers/options.hpp"

namespace stealbench::engine {

/// What all workers of a scheduler have in common.
template <class Policy, class Queue, bool Counting>
struct search_pool {
  using machine = typename Policy::machine;
  using queue = Queue;
  using lot_type = lot_for<Policy>;

  explicit search_pool(const schedulers::options& chosen)
      : options(chosen),
        shared(chosen),
        patience(chosen),
        lot(make_lot(chosen, patience.most_searchers())),
        sleepers(chosen.workers),
        counts(chosen) {}

  const schedulers::options options;
  typename queue::shared shared;
  const engine::patience<machine> patience;
  lot_type lot;
  std::vector<typename lot_type::sleeper> sleepers;
  typename machine::template atomic<bool> stop{false};  // Written by the scheduler.
  [[no_unique_address]] pool_tally<machine, Counting> counts;

 private:
  static lot_type make_lot(const schedulers::options& chosen, unsigned most_searchers) {
    if constexpr (queue::can.choose_answers) {
      return lot_type(chosen.workers, most_searchers, queue::answers_of(chosen));
    } else {
      return lot_type(chosen.workers, most_searchers);
    }
  }
};

/// The base of a worker, which has `pool`, `index`, `queue` and `counts`, and
///  - `bound_to`: what the machine says of its thread;
///  - `take_up(found)`: does what was found;
/// and where it differs from what is here
///  - `can_take(round)`: whether it could do anything that it found. If not, it has waited a while;
///  - `find_work(tried)`: one look;
///  - `expose(what, topmost)`: makes jobs public, where the queue can expose; whether to go on so
///    at the next push.
template <class Worker, class Policy>
class searcher {
 public:
  /// The life of a started worker.
  void work_until_stopped() {
    self().bind_to_this_thread();
    // Relaxed: nothing is read through the flag. A worker that sleeps is woken by a token that was
    // left after the flag was raised (parker.hpp, P1).
    work_until([this] { return self().pool.stop.load(order::relaxed); });
    self().counts.leaves();
  }

  /// Whether the next job that this worker offers is one that another waits for.
  [[nodiscard, gnu::always_inline]] bool is_requested() const {
    if constexpr (Policy::directed) {
      return true;
    } else {
      return lot_for<Policy>::is_requested(self().queue.requested);
    }
  }

  /// For assertions: whether the calling thread is the one that this worker runs on. Kept with
  /// NDEBUG too, since a program may have been compiled in part with it.
  void bind_to_this_thread() { self().bound_to = machine::this_thread(); }
  [[nodiscard]] bool is_this_thread() const { return self().bound_to == machine::this_thread(); }

 protected:
  using machine = typename Policy::machine;
  static constexpr const search_steps& searching = search_steps_on<machine>;

  // Another worker has asked for work, or sleeps; or it is time for a job to become public. Where
  // it is to answer at its next push too, to wake another one or to make its job public, it sets
  // its own request.
  template <offered What = offered::branch, class... Topmost>
  [[gnu::noinline, gnu::cold]] void answer(Topmost&... topmost) {
    auto& lot = self().pool.lot;
    const bool wakes = lot.answer(self().queue.requested);
    bool goes_on = false;
    if constexpr (Worker::pool_type::queue::can.expose) goes_on = self().expose(What, topmost...);
    const unsigned woken = wakes ? lot.wake_any(self().index) : 0;
    self().counts.woke(woken);
    if (woken > 0 || (goes_on && lot.answers_requests())) lot.request(self().index);
  }

  template <class Over>
  void work_until(const Over& over) {
    while (auto* const found = look_for_work<purpose::any_job>(over, over)) self().take_up(*found);
  }

  // Returns what it has found, or null once `over`. `no_wake` is asked before each sleep and says
  // whether `over` could come true without waking this worker; it need not look for work.
  template <purpose For, class Over, class NoWake>
  auto look_for_work(const Over& over, const NoWake& no_wake) {
    auto& pool = self().pool;
    auto& counts = self().counts;
    auto& queue = self().queue;
    counts.searches();
    bool searches = false;  // Whether it counts as a searcher in the parking lot.
    decltype(self().find_work(std::declval<steal_attempts&>())) found = nullptr;
    for (unsigned round = 0; !over();) {
      if (!self().can_take(round)) [[unlikely]] {
        ++round;
        continue;
      }
      steal_attempts tried;
      found = self().find_work(tried);
      counts.tried(tried);
      if (found != nullptr) break;
      pool.lot.request(tried.latest);
      if (may_go_on<For>(round, searches) && pool.patience.pause(For, round, over)) {
        round = next_round(round, tried);
      } else {
        pool.patience.made_in.expect_here();
        counts.parked();
        searches = pool.lot.park(
            self().pool.sleepers[self().index], searches, no_wake,
            [&] { return searching.second_look && queue.has_work(); }, machine::limits().sleeps);
        counts.unparked();
        if constexpr (Worker::pool_type::queue::can.begin_at) {
          queue.begin_at(pool.sleepers[self().index].woken_by());
        }
        if (!searching.look_after_wake) break;
        round = 0;
      }
    }
    if constexpr (Worker::pool_type::queue::can.ask) {
      if (found == nullptr) found = withdraw();
    }
    if (searches && searching.stop_search) {
      const auto end = [&] {
        if (found == nullptr) return search_end::nothing;
        return sees_more() ? search_end::more_jobs : search_end::job;
      };
      counts.woke(pool.lot.stop_searching(self().index, end,
                                          found != nullptr || searching.hand_over_behind_wait));
    }
    return found;
  }

  // Before it stops looking: what it was given though, or null.
  auto withdraw() {
    steal_attempts tried;
    auto* const given = self().queue.withdraw(tried);
    self().counts.tried(tried);
    return given;
  }

  // A steal that was lost says that there was work a moment ago: no step towards sleep.
  static unsigned next_round(unsigned round, const steal_attempts& tried) {
    return tried.lost == 0 ? round + 1 : round;
  }

  static constexpr bool can_take(unsigned /*round*/) { return true; }
  auto find_work(steal_attempts& tried) { return self().queue.find_work(tried); }

 private:
  // Whether it may look on: after some rounds only as one of a few. Who waits at a join has
  // something to wait for, and so looks on by itself until it is time to sleep.
  template <purpose For>
  bool may_go_on(unsigned round, bool& searches) {
    if (For == purpose::any_job && !searches && round >= machine::limits().rounds_unseen &&
        self().pool.options.idle == schedulers::idle_policy::park) {
      searches = self().pool.lot.start_searching();
      return searches;
    }
    return true;
  }

  bool sees_more() const {
    if constexpr (Policy::directed) {
      return false;
    } else {
      return self().queue.sees_more();
    }
  }

  Worker& self() { return static_cast<Worker&>(*this); }
  const Worker& self() const { return static_cast<const Worker&>(*this); }
};

}  // namespace stealbench::engine
