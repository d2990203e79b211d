// The in-house scheduler: workers that differ in nothing but their queue policy.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "schedulers/counters.hpp"
#include "schedulers/engine/job_stack.hpp"
#include "schedulers/engine/thread.hpp"
#include "schedulers/engine/worker.hpp"
#include "schedulers/engine/worker_state.hpp"
#include "schedulers/options.hpp"
#include "schedulers/scheduler.hpp"

namespace stealbench::engine {

/// A policy names a strategy and answers its questions:
///   name                    as on the command line
///   job_links               what a queue keeps in each slot; where the share is fixed, also
///                           `assigned_to`, the share of the job
///   share                   which workers a branch may count on (share.hpp)
///   directed                whether a job is meant for one worker, or for any
///   queue<Slot>             one worker's queue, made from the queues' `shared` state, the worker's
///                           index and its slots:
///     push(slot, kind)      where does a new job go?  (placement) Opens the slot's entry.
///     take_back(slot)       is it still unstarted, and can its owner have it? Closes the entry.
///     retire(slot)          the job was not taken back, and who took it is done with it
///     share(topmost)        somebody is idle: is there a job that nobody else can see?
///     find_work(misses)     where does an idle worker look?
///     find_work_of(worker, misses)
///                           the same, at one worker's; only if options::join may be leapfrog
///     has_work()            would find_work find something?
///
/// Worker 0 is the caller of `run`; the others are threads, started here and asleep between runs.
template <class Policy, bool Counting = false>
class scheduler {
 public:
  using worker = engine::worker<Policy, Counting>*;
  using counting_variant = scheduler<Policy, true>;
  using policy = Policy;
  static constexpr std::string_view name = Policy::name;
  static constexpr bool serial_order_on_one_worker = true;

  /// Throws std::invalid_argument for a worker count outside 1 to max_workers, std::system_error
  /// when a thread or the address space of a stack cannot be had, and std::bad_alloc; the threads
  /// already started are then stopped.
  explicit scheduler(const schedulers::options& options)
      : pin_(options.pin), pool_(checked(options)) {
    states_.reserve(options.workers);  // First, so that a failure loses no state.
    for (unsigned i = 0; i < options.workers; ++i) {
      stacks_.push_back(std::make_unique<job_stack>());
      states_.emplace_back(::new (static_cast<void*>(stacks_.back()->begin())) state(pool_, i));
    }
    threads_.reserve(options.workers - 1);
    try {
      for (unsigned i = 1; i < options.workers; ++i) start(i, options.stack_bytes);
    } catch (...) {
      stop();
      throw;
    }
  }
  scheduler(const scheduler&) = delete;
  scheduler& operator=(const scheduler&) = delete;
  ~scheduler() { stop(); }

  [[nodiscard]] unsigned worker_count() const { return static_cast<unsigned>(states_.size()); }

  template <class F>
  decltype(auto) run(F&& f) {
    std::optional<affinity_scope> pinned;
    if (pin_) {
      pinned.emplace();
      pin_this_thread(0);
    }
    const worker root = states_.front()->above_children;
    root->share = typename Policy::share(worker_count());
    [[maybe_unused]] const auto busy = states_.front()->counts.in_run();
    return std::forward<F>(f)(root);
  }

  [[nodiscard]] std::optional<schedulers::counters> counters() const {
    if constexpr (!Counting) return std::nullopt;
    schedulers::counters sum;
    pool_.counts.add_to(sum);
    for (const auto& each : states_) each->counts.add_to(sum);
    return sum;
  }

 private:
  using state = worker_state<Policy, Counting>;

  static const schedulers::options& checked(const schedulers::options& options) {
    if (options.workers < 1 || options.workers > schedulers::max_workers) {
      throw std::invalid_argument("a scheduler has 1 to " +
                                  std::to_string(schedulers::max_workers) + " workers");
    }
    return options;
  }

  void start(unsigned index, std::size_t stack_bytes) {
    threads_.push_back(std::make_unique<thread>(stack_bytes, [this, index] {
      if (pin_) pin_this_thread(index);
      states_[index]->work_until_stopped();
    }));
  }

  void stop() noexcept {
    // Relaxed: publishes nothing but itself. A worker that is about to sleep finds the token, which
    // tells of the flag (parker.hpp, P1), however early it looked.
    pool_.stop.store(true, order::relaxed);
    for (auto& each : pool_.beds) each.parker.unpark();
    threads_.clear();  // Joins.
  }

  const bool pin_;
  pool<Policy, Counting> pool_;
  struct end_of_life {
    void operator()(state* s) const { std::destroy_at(s); }
  };
  std::vector<std::unique_ptr<job_stack>> stacks_;
  std::vector<std::unique_ptr<state, end_of_life>> states_;  // Each at the beginning of its stack.
  std::vector<std::unique_ptr<thread>> threads_;
};

}  // namespace stealbench::engine
