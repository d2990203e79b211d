// The handle that a workload sees: fork_join, parallel_for and task_group over any queue policy.
#pragma once

#include <algorithm>
#include <cstddef>
#include <type_traits>
#include <utility>
#include <variant>

#include "schedulers/engine/job.hpp"
#include "schedulers/engine/task_group.hpp"
#include "schedulers/engine/worker_state.hpp"
#include "schedulers/in_order.hpp"
#include "schedulers/outcome.hpp"

namespace stealbench::engine {

/// One pointer wide where any worker may come; see share.hpp for where not.
template <class Policy, bool Counting>
class worker {
 public:
  using state = worker_state<Policy, Counting>;
  using share_type = typename Policy::share;

  worker(state& own, share_type share) noexcept : state_(&own), share_(share) {}

  /// See schedulers::worker. g is offered to other workers while the caller runs f; g is then taken
  /// back if nobody has begun it, and else waited for. No allocation.
  template <class F, class G>
  [[gnu::always_inline]] auto fork_join(F&& f, G&& g) const {
    using closure = std::decay_t<G>;
    using left = schedulers::result_of<F&, worker>;
    using right = schedulers::result_of<closure&, worker>;
    using both = std::pair<left, right>;

    if (share_.alone()) return both(schedulers::fork_join_in_order(*this, f, g));
    const auto [own, other] = share_.divide();
    forked_job<Policy, Counting, closure> job(std::forward<G>(g), other);
    if (!state_->spawn(job)) [[unlikely]] {
      return both(schedulers::fork_join_in_order(*this, f, job.closure()));
    }
    left first = run_first(f, worker(*state_, own), job);
    if (state_->take_back(job)) [[likely]] {
      if constexpr (std::is_trivially_copyable_v<closure>) {
        // The caller's closure and not the job's: its captures are still in registers.
        return both(std::forward<left>(first), schedulers::call(g, *this));
      } else {
        return both(std::forward<left>(first), schedulers::call(job.closure(), *this));
      }
    }
    state_->wait(job);
    return both(std::forward<left>(first), job.take());
  }

  /// See schedulers::worker. Cuts the range while both parts keep a grain.
  template <class Body>
  void parallel_for(std::size_t first, std::size_t last, std::size_t grain,
                    const Body& body) const {
    if (first >= last) return;
    const std::size_t length = last - first;
    const std::size_t ahead = share_.cut(length);
    if (share_.alone() || std::min(ahead, length - ahead) < std::max<std::size_t>(grain, 1)) {
      for (std::size_t i = first; i < last; ++i) body(*this, i);
      return;
    }
    const std::size_t middle = first + ahead;
    fork_join([=, &body](worker w) { w.parallel_for(first, middle, grain, body); },
              [=, &body](worker w) { w.parallel_for(middle, last, grain, body); });
  }

  /// See schedulers::task_group.
  [[nodiscard]] engine::task_group<Policy, Counting> task_group() const {
    return engine::task_group<Policy, Counting>(*state_, share_);
  }

 private:
  // The first branch; if it throws, the second one is still run or waited for, and its own outcome
  // dropped: the first branch's exception comes first in the serial order.
  template <class F, class Job>
  [[gnu::always_inline]] static schedulers::result_of<F&, worker> run_first(F& f, worker own,
                                                                            Job& job) {
    try {
      return schedulers::call(f, own);
    } catch (...) {
      own.state_->join(job);
      job.discard();
      throw;
    }
  }

  state* state_;
  [[no_unique_address]] share_type share_;
};

}  // namespace stealbench::engine
