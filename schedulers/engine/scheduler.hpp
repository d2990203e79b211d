// The in-house scheduler: workers that differ in nothing but their queue policy.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "schedulers/counters.hpp"
#include "schedulers/description.hpp"
#include "schedulers/engine/entry_checks.hpp"
#include "schedulers/engine/machine.hpp"
#include "schedulers/engine/search.hpp"
#include "schedulers/engine/sleep/heart.hpp"
#include "schedulers/engine/task_slot.hpp"
#include "schedulers/engine/worker.hpp"
#include "schedulers/options.hpp"
#include "schedulers/scheduler.hpp"

namespace stealbench::engine {

/// Worker 0 is the caller of `run`; the others are threads, started here and asleep between runs.
template <class Policy, bool Counting = false>
class scheduler {
 public:
  using machine = typename Policy::machine;
  using worker = task_slot<Policy, Counting>*;
  using counting_variant = scheduler<Policy, true>;
  using policy = Policy;
  static constexpr engine::capabilities can =
      Policy::template queue<task_slot<Policy, Counting>>::can;
  static constexpr std::string_view name = Policy::name;
  static constexpr bool serial_order_on_one_worker = true;
  static schedulers::description describe() { return Policy::describe(); }

  /// Throws std::invalid_argument for a worker count outside 1 to its machine's limits,
  /// std::system_error when a thread cannot be started or pinned or there is no address space for a
  /// stack, and std::bad_alloc; the threads already started are then stopped.
  explicit scheduler(const schedulers::options& options)
      : pool_(checked<machine>(options)), threads_(pool_) {
    workers_.reserve(options.workers);  // First, so that a failure loses no worker.
    for (unsigned i = 0; i < options.workers; ++i) {
      stacks_.push_back(std::make_unique<job_stack>());
      workers_.emplace_back(::new (static_cast<void*>(stacks_.back()->begin()))
                                on_job_stack(pool_, i));
    }
    for (unsigned i = 1; i < options.workers; ++i) {
      threads_.start(*workers_[i], options.stack_bytes);
    }
    start_heart();
  }
  scheduler(const scheduler&) = delete;
  scheduler& operator=(const scheduler&) = delete;
  ~scheduler() = default;

  [[nodiscard]] unsigned worker_count() const { return static_cast<unsigned>(workers_.size()); }

  template <class F>
  decltype(auto) run(F&& f) {
    const exclusive_run alone(running_);
    std::optional<typename machine::pin_scope> pinned;
    if (pool_.options.pin) pinned.emplace(0U);
    on_job_stack& first = *workers_.front();
    first.bind_to_this_thread();
    const worker root = first.above_children;
    root->team = typename Policy::team(worker_count());
    [[maybe_unused]] const auto beats = beats_in_run();
    [[maybe_unused]] const auto busy = first.counts.in_run();
    return std::forward<F>(f)(root);
  }

  [[nodiscard]] std::optional<schedulers::counters> counters() const {
    if constexpr (!Counting) return std::nullopt;
    schedulers::counters sum = sum_of_counts(pool_, workers_);
    if constexpr (may_beat) sum.beats = heart_ ? heart_->beats() : 0;
    return sum;
  }

 private:
  using on_job_stack = engine::worker<Policy, Counting>;
  using job_stack = typename machine::job_stack;
  using heart_type = heart<machine>;
  using pool = typename on_job_stack::pool_type;
  static constexpr bool may_beat = pool::queue::can.choose_answers;

  // Where workers answer beats, and so by one option of one strategy.
  void start_heart() {
    if constexpr (may_beat) {
      if (pool_.lot.is_beaten()) {
        heart_.emplace(pool::queue::beat_of(pool_.options), [this] { pool_.lot.beat(); });
      }
    }
  }
  auto beats_in_run() {
    if constexpr (may_beat) {
      return typename heart_type::run_scope(heart_ ? &*heart_ : nullptr);
    } else {
      return nullptr;
    }
  }

  bool running_ = false;
  pool pool_;
  struct end_of_life {
    void operator()(on_job_stack* w) const { std::destroy_at(w); }
  };
  std::vector<std::unique_ptr<job_stack>> stacks_;
  // Each at the beginning of its stack.
  std::vector<std::unique_ptr<on_job_stack, end_of_life>> workers_;
  worker_threads<pool> threads_;
  std::optional<heart_type> heart_;
};

}  // namespace stealbench::engine
