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
#include "schedulers/engine/heart.hpp"
#include "schedulers/engine/machine.hpp"
#include "schedulers/engine/queue_policy.hpp"
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
  static constexpr std::string_view name = Policy::name;
  static constexpr bool serial_order_on_one_worker = true;
  static schedulers::description describe() { return Policy::describe(); }

  /// Throws std::invalid_argument for a worker count outside 1 to machine::max_workers,
  /// std::system_error when a thread cannot be started or pinned or there is no address space for a
  /// stack, and std::bad_alloc; the threads already started are then stopped.
  explicit scheduler(const schedulers::options& options)
      : pin_(options.pin), pool_(checked<machine>(options)) {
    workers_.reserve(options.workers);  // First, so that a failure loses no worker.
    for (unsigned i = 0; i < options.workers; ++i) {
      stacks_.push_back(std::make_unique<job_stack>());
      workers_.emplace_back(::new (static_cast<void*>(stacks_.back()->begin()))
                                on_job_stack(pool_, i));
    }
    threads_.reserve(options.workers - 1);
    try {
      for (unsigned i = 1; i < options.workers; ++i) start(i, options.stack_bytes);
      start_heart(options);
    } catch (...) {
      stop();
      throw;
    }
  }
  scheduler(const scheduler&) = delete;
  scheduler& operator=(const scheduler&) = delete;
  ~scheduler() { stop(); }

  [[nodiscard]] unsigned worker_count() const { return static_cast<unsigned>(workers_.size()); }

  template <class F>
  decltype(auto) run(F&& f) {
    const exclusive_run alone(running_);
    std::optional<typename machine::pin_scope> pinned;
    if (pin_) pinned.emplace(0U);
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
    schedulers::counters sum;
    pool_.counts.add_to(sum);
    for (const auto& each : workers_) {
      each->counts.add_to(sum);
      if constexpr (engine::has_bytes<decltype(each->queue)>)
        sum.queue_bytes += each->queue.bytes();
    }
    if constexpr (may_beat) sum.beats = heart_ ? heart_->beats() : 0;
    return sum;
  }

 private:
  using on_job_stack = engine::worker<Policy, Counting>;
  using job_stack = typename machine::job_stack;
  using thread = typename machine::thread;
  using heart_type = heart<machine>;
  static constexpr bool may_beat = chooses_answers<typename pool<Policy, Counting>::queue>;

  void start(unsigned index, std::size_t stack_bytes) {
    const std::optional<unsigned> processor = pin_ ? std::optional(index) : std::nullopt;
    threads_.push_back(std::make_unique<thread>(
        stack_bytes, processor, [this, index] { workers_[index]->work_until_stopped(); }));
  }

  // Where workers answer beats, and so by one option of one strategy.
  void start_heart([[maybe_unused]] const schedulers::options& options) {
    if constexpr (may_beat) {
      if (pool_.lot.is_beaten()) {
        heart_.emplace(options.stealing.beat, [this] { pool_.lot.beat(); });
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

  void stop() noexcept {
    if constexpr (may_beat) heart_.reset();
    if (!machine::steps.stop_before_tokens) wake_all();
    // Relaxed: publishes nothing but itself. A worker that is about to sleep finds the token, which
    // tells of the flag (parker.hpp, P1), however early it looked.
    pool_.stop.store(true, order::relaxed);
    if (machine::steps.stop_before_tokens) wake_all();
    threads_.clear();  // Joins.
  }

  void wake_all() noexcept {
    if (!machine::steps.wake_at_stop) return;
    for (std::size_t i = 1; i < pool_.sleepers.size(); ++i) {  // Worker 0 is the caller.
      pool_.sleepers[i].parker.unpark();
      if (!machine::steps.wake_all_at_stop) break;
    }
  }

  const bool pin_;
  bool running_ = false;
  pool<Policy, Counting> pool_;
  struct end_of_life {
    void operator()(on_job_stack* w) const { std::destroy_at(w); }
  };
  std::vector<std::unique_ptr<job_stack>> stacks_;
  // Each at the beginning of its stack.
  std::vector<std::unique_ptr<on_job_stack, end_of_life>> workers_;
  std::vector<std::unique_ptr<thread>> threads_;
  std::optional<heart_type> heart_;
};

}  // namespace stealbench::engine
