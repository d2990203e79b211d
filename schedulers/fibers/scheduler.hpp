// A scheduler whose fibers migrate. Its queue policy says where the rest of a fiber goes.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "schedulers/counters.hpp"
#include "schedulers/description.hpp"
#include "schedulers/engine/entry_checks.hpp"
#include "schedulers/engine/machine.hpp"
#include "schedulers/engine/search.hpp"
#include "schedulers/fibers/fiber.hpp"
#include "schedulers/fibers/worker.hpp"
#include "schedulers/options.hpp"
#include "schedulers/outcome.hpp"
#include "schedulers/scheduler.hpp"

namespace stealbench::fibers {

/// Worker 0 is the caller of `run`; the others are threads, started here and asleep between runs.
/// The root runs on the caller's stack: mostly on the caller's thread, and for a while on another
/// one where that one was the last at a join; but `run` returns on the caller's.
template <class Policy, bool Counting = false>
class scheduler {
 public:
  using machine = typename Policy::machine;
  using worker = fiber<Policy, Counting>*;
  using counting_variant = scheduler<Policy, true>;
  using policy = Policy;
  static constexpr engine::capabilities can = queue_on<Policy, Counting>::can;
  static constexpr std::string_view name = Policy::name;
  static constexpr bool serial_order_on_one_worker = true;
  static schedulers::description describe() { return Policy::describe(); }
  /// Law 7 holds for groups too: a child begins at its spawn.
  static constexpr bool serial_order_of_children = true;
  /// What is behind a join may run on another thread than what was before it.
  static constexpr bool fibers_migrate = true;

  /// Throws std::invalid_argument for a worker count outside 1 to its machine's limits,
  /// std::system_error when a thread cannot be started or pinned or there is no address space for a
  /// stack, and std::bad_alloc; the threads already started are then stopped.
  explicit scheduler(const schedulers::options& options)
      : pool_(engine::checked<machine>(options)), threads_(pool_) {
    workers_.reserve(options.workers);  // First, so that a failure loses no worker.
    for (unsigned i = 0; i < options.workers; ++i) {
      workers_.push_back(std::make_unique<on_thread>(pool_, i));
    }
    workers_.front()->begin_beside_root(*pool_.stacks.make());
    for (unsigned i = 1; i < options.workers; ++i) {
      threads_.start(*workers_[i], thread_stack_bytes);
    }
  }
  scheduler(const scheduler&) = delete;
  scheduler& operator=(const scheduler&) = delete;
  ~scheduler() = default;

  [[nodiscard]] unsigned worker_count() const { return static_cast<unsigned>(workers_.size()); }

  template <class F>
  std::invoke_result_t<F&, worker> run(F&& f) {
    const engine::exclusive_run alone(running_);
    std::optional<typename machine::pin_scope> pinned;
    if (pool_.options.pin) pinned.emplace(0U);
    on_thread& first = *workers_.front();
    first.bind_to_this_thread();
    [[maybe_unused]] const auto busy = first.counts.in_run();
    fiber<Policy, Counting> root;
    root.runner = &first;
    schedulers::outcome<schedulers::result_of<F&, worker>> result;
    result.capture(f, &root);
    first.take_root_back(root);
    if constexpr (std::is_void_v<std::invoke_result_t<F&, worker>>) {
      static_cast<void>(result.take());
    } else {
      return result.take();
    }
  }

  [[nodiscard]] std::optional<schedulers::counters> counters() const {
    if constexpr (!Counting) return std::nullopt;
    schedulers::counters sum = engine::sum_of_counts(pool_, workers_);
    const auto sizes = pool_.stacks.measure();
    sum.stacks = sizes.stacks;
    sum.stack_bytes = sizes.committed_bytes;
    return sum;
  }

 private:
  using on_thread = fibers::worker<Policy, Counting>;

  // What a worker needs to look for work: the fibers have stacks of their own.
  static constexpr std::size_t thread_stack_bytes = std::size_t{256} << 10;

  bool running_ = false;
  pool<Policy, Counting> pool_;
  std::vector<std::unique_ptr<on_thread>> workers_;
  engine::worker_threads<pool<Policy, Counting>> threads_;
};

}  // namespace stealbench::fibers
