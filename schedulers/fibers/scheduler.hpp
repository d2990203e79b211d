// A scheduler whose fibers migrate. Its queue policy says where the rest of a fiber goes.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

#include "schedulers/counters.hpp"
#include "schedulers/engine/base_scheduler.hpp"
#include "schedulers/fibers/fiber.hpp"
#include "schedulers/fibers/queue_policy.hpp"
#include "schedulers/fibers/worker.hpp"
#include "schedulers/options.hpp"
#include "schedulers/outcome.hpp"
#include "schedulers/scheduler.hpp"

namespace stealbench::fibers {

/// The root runs on the caller's stack: mostly on the caller's thread, and for a while on another
/// one where that one was the last at a join; but `run` returns on the caller's.
template <class Policy, bool Counting = false>
class scheduler
    : public engine::base_scheduler<engine::crew<Policy, fibers::worker<Policy, Counting>>> {
  static_assert(queue_policy<Policy>);
  using on_thread = fibers::worker<Policy, Counting>;
  using base = engine::base_scheduler<engine::crew<Policy, on_thread>>;

 public:
  using worker = fiber<Policy, Counting>*;
  using counting_variant = scheduler<Policy, true>;
  /// What is behind a join may run on another thread than what was before it.
  static constexpr bool fibers_migrate = true;

  /// Throws what an engine::scheduler throws.
  explicit scheduler(const schedulers::options& options) : base(options) {
    auto& own = this->own_;
    for (unsigned i = 0; i < options.workers; ++i) {
      own.workers.push_back(std::make_unique<on_thread>(own.pool, i));
    }
    own.workers.front()->begin_beside_root(*own.pool.stacks.make());
    own.start_threads(thread_stack_bytes);
  }

  template <class F>
  std::invoke_result_t<F&, worker> run(F&& f) {
    const typename base::entry entered(*this);
    if (entered) [[likely]]
      return run_entered(f);
    scheduler by_itself(this->alone());
    const typename base::entry entered_alone(by_itself);
    return by_itself.run_entered(f);
  }

  [[nodiscard]] std::optional<schedulers::counters> counters() const {
    if constexpr (!Counting) return std::nullopt;
    schedulers::counters sum = this->own_.sum_of_counts();
    const auto sizes = this->own_.pool.stacks.measure();
    sum.stacks = sizes.stacks;
    sum.stack_bytes = sizes.committed_bytes;
    return sum;
  }

 private:
  template <class F>
  std::invoke_result_t<F&, worker> run_entered(F& f) {
    on_thread& first = *this->own_.workers.front();
    [[maybe_unused]] const auto busy = first.counts.in_run();
    fiber<Policy, Counting> root;
    root.runner = &first;
    schedulers::outcome<schedulers::result_of<F&, worker>> result;
    result.capture(f, &root);
    first.take_root_back(root);
    return static_cast<std::invoke_result_t<F&, worker>>(result.take());
  }

  // What a worker needs to look for work: the fibers have stacks of their own.
  static constexpr std::size_t thread_stack_bytes = std::size_t{256} << 10;
};

}  // namespace stealbench::fibers
