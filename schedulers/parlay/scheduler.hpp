// ParlayLib: its par_do and parallel_for, on its own scheduler. Tried with 2.3.3 (5101769), GCC
// 12.2 and Clang 14: all laws hold but that runs come from the thread that made the scheduler,
// which Parlay knows its workers by.
//
// The trap: a worker's deque holds 999 jobs, and one more ends the program. So a worker knows how
// many second branches wait below the branch that it runs, and where there is no room, a fork calls
// one branch after the other. Smaller ones: the last piece of a loop may be shorter than was asked
// for; no exception may leave a branch; and threads start in the constructor, with no call to pin
// them.
#pragma once

#include <bit>
#include <cstddef>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <parlay/parallel.h>

#include "schedulers/adapters/deferred_group.hpp"
#include "schedulers/adapters/pieces.hpp"
#include "schedulers/counters.hpp"
#include "schedulers/description.hpp"
#include "schedulers/in_order.hpp"
#include "schedulers/operating_system/thread.hpp"
#include "schedulers/options.hpp"
#include "schedulers/outcome.hpp"
#include "schedulers/scheduler.hpp"

#ifndef PARLAY_USING_PARLAY_SCHEDULER
#error "This ParlayLib is installed to run on another scheduler than its own"
#endif

namespace stealbench::parlay {

/// Parlay finds the calling thread's scheduler by itself.
struct worker {
  unsigned waiting;  ///< Second branches in the deque, of the forks on the way to this branch.

  static constexpr unsigned room = ::parlay::internal::Deque<::parlay::WorkStealingJob>::q_size - 1;

  const worker* operator->() const { return this; }

  template <class F, class G>
  auto fork_join(F&& f, G&& g) const {
    if (waiting >= room) return schedulers::fork_join_in_order(*this, f, g);
    schedulers::outcome<schedulers::result_of<F&, worker>> first;
    schedulers::outcome<schedulers::result_of<G&, worker>> second;
    ::parlay::par_do([&] { first.capture(f, worker{waiting + 1}); },
                     [&] { second.capture(g, *this); });
    return schedulers::take_both(first, second);
  }

  /// Parlay chooses how many pieces to run in a row; all, where the deque may not have room.
  template <class Body>
  void parallel_for(std::size_t first, std::size_t last, std::size_t grain,
                    const Body& body) const {
    schedulers::pieces pieces(first, last, grain);
    // The first branch of each of its forks has 9/16 of the pieces.
    const worker below{waiting + 2 * static_cast<unsigned>(std::bit_width(pieces.count()))};
    const auto in_a_row = below.waiting > room ? static_cast<long>(pieces.count()) : 0L;
    ::parlay::parallel_for(
        0, pieces.count(), [&](std::size_t i) { pieces.run(i, i + 1, below, body); }, in_a_row);
    pieces.rethrow();
  }

  [[nodiscard]] schedulers::deferred_group<worker> task_group() const {
    return schedulers::deferred_group<worker>(*this);
  }
  /// By forks, because a loop could not tell how many branches wait below each child.
  template <class Child>
  void run_all(std::size_t count, const Child& child, std::size_t first = 0) const {
    if (count == 1) return child(*this, first);
    const std::size_t half = count / 2;
    fork_join([&](worker w) { w.run_all(half, child, first); },
              [&](worker w) { w.run_all(count - half, child, first + half); });
  }
};

class scheduler {
 public:
  using worker = parlay::worker;
  static constexpr std::string_view name = "parlay";
  static schedulers::description describe() {
    return {.group = schedulers::group::from_source,
            .summary = "ParlayLib: par_do, parallel_for",
            .paper = "Blelloch, Anderson & Dhulipala 2020"};
  }
  static constexpr bool serial_order_on_one_worker = true;
  static constexpr bool runs_for_its_maker_only = true;

  static std::string library() { return "ParlayLib " STEALBENCH_LIBRARY_VERSION; }

  /// Throws std::system_error if a thread cannot be started or pinned.
  explicit scheduler(const schedulers::options& options)
      : scheduler(options, operating_system::threads()) {}

  [[nodiscard]] unsigned worker_count() const { return pool_.num_threads; }

  /// Throws std::logic_error unless this is the latest scheduler that the calling thread has made.
  template <class F>
  auto run(F&& f) -> std::invoke_result_t<F&, worker> {
    if (pool::get_current_scheduler() != &pool_)
      throw std::logic_error("ParlayLib: a run must come from the thread that made the scheduler");
    std::optional<operating_system::pin_scope> pin;
    if (pinned_) pin.emplace(0U);
    return f(worker{0});
  }

  [[nodiscard]] static std::optional<schedulers::counters> counters() { return std::nullopt; }

 private:
  using pool = ::parlay::internal::scheduler_type;

  scheduler(const schedulers::options& options, const std::vector<int>& threads_before)
      : pinned_(options.pin), pool_(started(options)) {
    if (pinned_) operating_system::pin_threads_since(threads_before);
  }

  static pool started(const schedulers::options& options) {
    const operating_system::default_stack_scope stacks(options.stack_bytes);
    return pool(options.workers);
  }

  bool pinned_;
  pool pool_;
};

static_assert(schedulers::scheduler<scheduler>);

}  // namespace stealbench::parlay
