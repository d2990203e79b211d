// The in-house scheduler: workers that differ in nothing but their queue policy.
#pragma once

#include <memory>
#include <new>
#include <optional>
#include <type_traits>
#include <utility>

#include "schedulers/counters.hpp"
#include "schedulers/engine/base_scheduler.hpp"
#include "schedulers/engine/machine.hpp"
#include "schedulers/engine/queue_policy.hpp"
#include "schedulers/engine/sleep/heart.hpp"
#include "schedulers/engine/task_slot.hpp"
#include "schedulers/engine/worker.hpp"
#include "schedulers/options.hpp"
#include "schedulers/scheduler.hpp"

namespace stealbench::engine {

/// Owns the job stack at whose beginning a worker is.
template <class Worker>
struct end_of_worker {
  std::unique_ptr<typename Worker::machine::job_stack> stack;

  void operator()(Worker* ended) const { std::destroy_at(ended); }
};

/// With the heart where workers answer beats, and so by one option of one strategy.
template <class Policy, bool Counting>
struct crew_on_job_stacks : crew<Policy, engine::worker<Policy, Counting>,
                                 end_of_worker<engine::worker<Policy, Counting>>> {
  using base = typename crew_on_job_stacks::crew;
  using base::base;
  using typename base::machine;

  [[nodiscard]] bool has_calling_thread() const {
    return base::has_calling_thread() || (beating && beating->has_calling_thread());
  }

  std::optional<heart<machine>> beating;  // Ends before the workers.
};

template <class Policy, bool Counting = false>
class scheduler : public base_scheduler<crew_on_job_stacks<Policy, Counting>> {
  static_assert(queue_policy<Policy>);
  using on_job_stack = engine::worker<Policy, Counting>;
  using base = base_scheduler<crew_on_job_stacks<Policy, Counting>>;

 public:
  using typename base::machine;
  using worker = task_slot<Policy, Counting>*;
  using counting_variant = scheduler<Policy, true>;

  /// Throws std::invalid_argument for a worker count outside 1 to its machine's limits,
  /// std::system_error when a thread cannot be started or pinned or there is no address space for a
  /// stack, and std::bad_alloc; the threads already started are then stopped.
  explicit scheduler(const schedulers::options& options) : base(options) {
    auto& own = this->own_;
    for (unsigned i = 0; i < options.workers; ++i) {
      auto stack = std::make_unique<typename machine::job_stack>();
      auto* const placed = ::new (static_cast<void*>(stack->begin())) on_job_stack(own.pool, i);
      own.workers.emplace_back(placed, end_of_worker<on_job_stack>{std::move(stack)});
    }
    own.start_threads(options.stack_bytes);
    if constexpr (may_beat) {
      if (own.pool.lot.is_beaten()) {
        own.beating.emplace(on_job_stack::queue_type::beat_of(options),
                            [&lot = own.pool.lot] { lot.beat(); });
      }
    }
  }

  template <class F>
  std::invoke_result_t<F, worker> run(F&& f) {
    const typename base::entry entered(*this);
    if (entered) [[likely]]
      return run_entered(std::forward<F>(f));
    scheduler by_itself(this->alone());
    const typename base::entry entered_alone(by_itself);
    return by_itself.run_entered(std::forward<F>(f));
  }

  [[nodiscard]] std::optional<schedulers::counters> counters() const {
    if constexpr (!Counting) return std::nullopt;
    schedulers::counters sum = this->own_.sum_of_counts();
    if constexpr (may_beat) sum.beats = this->own_.beating ? this->own_.beating->beats() : 0;
    return sum;
  }

 private:
  static constexpr bool may_beat = base::can.choose_answers;

  template <class F>
  std::invoke_result_t<F, worker> run_entered(F&& f) {
    on_job_stack& first = *this->own_.workers.front();
    const worker root = first.above_children;
    root->team = typename Policy::team(this->worker_count());
    [[maybe_unused]] const auto beats = beats_in_run();
    [[maybe_unused]] const auto busy = first.counts.in_run();
    return std::forward<F>(f)(root);
  }

  auto beats_in_run() {
    if constexpr (may_beat) {
      auto& beating = this->own_.beating;
      return typename heart<machine>::run_scope(beating ? &*beating : nullptr);
    } else {
      return nullptr;
    }
  }
};

}  // namespace stealbench::engine
