// A worker as its program sees it: fork_join, parallel_for and task_group over any queue policy.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <variant>

#include "schedulers/engine/job.hpp"
#include "schedulers/engine/job_entry.hpp"
#include "schedulers/engine/job_stack.hpp"
#include "schedulers/engine/latch.hpp"
#include "schedulers/engine/parking_lot.hpp"
#include "schedulers/engine/std_model.hpp"
#include "schedulers/engine/task_group.hpp"
#include "schedulers/in_order.hpp"
#include "schedulers/outcome.hpp"

namespace stealbench::engine {

using bed = parking_lot<std_model>::bed;

template <class Policy, bool Counting>
struct worker_state;

/// A slot of a worker's job stack, and so the worker itself at one depth of its program: a pointer
/// to the lowest free slot is the handle, one register that tells both where the next job goes and,
/// by its upper bits, whose it is. A slot of zero bits is free; none is ever constructed.
template <class Policy, bool Counting>
class alignas(64) worker : public Policy::job_links {
 public:
  using kind_type = const job_kind<worker>;
  using state = worker_state<Policy, Counting>;
  using share_type = typename Policy::share;

  /// What fork_join returns for closures of these types.
  template <class F, class G>
  using results = std::pair<schedulers::result_of<F&, worker*>, schedulers::result_of<G&, worker*>>;

  /// See schedulers::worker. g is offered to other workers while the caller runs f; g is then taken
  /// back if nobody has begun it, and else waited for. No allocation.
  template <class F, class G>
  [[gnu::always_inline]] results<F, std::decay_t<G>> fork_join(F&& f, G&& g) {
    using closure = std::decay_t<G>;
    using left = schedulers::result_of<F&, worker*>;
    using both = results<F, closure>;
    using branch = stored_branch<worker, closure>;

    state& own = own_state();
    if (share.alone()) return both(schedulers::fork_join_in_order(this, f, g));
    // Open where a child of a group lies that was spawned through this handle, and at the end.
    if (entry.is_open(order::relaxed)) [[unlikely]] {  // the owner's own write
      return both(out_of_line<fork_higher>(*this, std::forward<F>(f), std::forward<G>(g)));
    }
    if constexpr (share_type::is_fixed) {
      const auto [mine, yours] = share.divide();
      this->assigned_to = yours;
      this[1].share = mine;
    }
    branch kept(*this, std::forward<G>(g));
    if (!own.spawn(*this, forked_kind<worker, closure>)) [[unlikely]] {
      // One slot higher, since the closure may lie in this one.
      return both(out_of_line<run_in_order>(this[1], f, branch::of(*this).closure));
    }
    // To be run once it is taken back: the caller's closure if the job's lies in the slot, since
    // its captures are still in registers; else the job's, which lies in the frame as well.
    auto& second = kept.in_frame_or(g);
    left first = run_first(f, own, second);
    if (own.take_back_or_wait(*this)) [[likely]] {
      [[maybe_unused]] const auto live = own.counts.until_finished();
      return both(std::forward<left>(first), schedulers::call(second, this));
    }
    return both(std::forward<left>(first), branch::of(*this).take());
  }

  /// See schedulers::worker. Where any worker may come, the range is cut in two when somebody is
  /// idle, which is looked for after every `grain` indices, and not before (lazy splitting:
  /// Tzannes, Caragea, Barua & Vishkin, PPoPP 2010). Else it is cut while both parts keep a grain.
  template <class Body>
  void parallel_for(std::size_t first, std::size_t last, std::size_t grain, const Body& body) {
    if (first >= last) return;
    const std::size_t piece = std::max<std::size_t>(grain, 1);
    while (!share.alone()) {
      const std::size_t ahead = share.cut(last - first);
      if (std::min(ahead, last - first - ahead) < piece) break;
      if (Policy::directed || own_state().pool.lot.anyone_idle()) {
        const std::size_t middle = first + ahead;
        fork_join([=, &body](worker* w) { w->parallel_for(first, middle, piece, body); },
                  [=, &body](worker* w) { w->parallel_for(middle, last, piece, body); });
        return;
      }
      const std::size_t end = first + piece;
      for (; first < end; ++first) body(this, first);
    }
    for (; first < last; ++first) body(this, first);
  }

  /// See schedulers::task_group.
  [[nodiscard]] engine::task_group<worker> task_group() { return engine::task_group(*this); }

  // What follows is the engine's own.

  [[gnu::always_inline]] state& own_state() {
    return *static_cast<state*>(job_stack::beginning_of(this));
  }

  /// So that a slot without links is one cache line.
  static constexpr std::size_t payload_bytes = 40;
  static constexpr std::size_t payload_alignment = alignof(void*);
  static constexpr bool fits(std::size_t bytes, std::size_t alignment) {
    return bytes <= payload_bytes && alignment <= payload_alignment;
  }
  template <class T>
  static constexpr bool has_room_for = fits(sizeof(T), alignof(T));
  [[gnu::always_inline]] void* payload() { return payload_; }

  [[no_unique_address]] job_entry<kind_type, std_model> entry;  ///< Written by the owner.
  /// The worker that has claimed the job, plus one, or 0. Written by that worker and the owner; a
  /// hint, so relaxed is enough.
  std_model::atomic<std::uint32_t> runner;
  latch<bed, std_model> finished;  ///< Opened by who took the job, once it is executed or declined.
  [[no_unique_address]] share_type share;  ///< What the worker here may count on.

 private:
  // The first branch; if it throws, the second one is still run or waited for, and its own outcome
  // dropped: the first branch's exception comes first in the serial order.
  template <class F, class G>
  [[gnu::always_inline]] schedulers::result_of<F&, worker*> run_first(F& f, state& own, G& g) {
    using closure = std::remove_const_t<G>;
    try {
      return schedulers::call(f, this + 1);
    } catch (...) {
      // By value where that costs nothing, lest the fork path keep it in memory.
      finish<std::conditional_t<is_plain_closure<closure>, closure, closure&>>(own, g);
      throw;
    }
  }

  // Runs the second branch, or waits for it, and drops its outcome.
  template <class G>
  [[gnu::noinline, gnu::cold]] void finish(state& own, G g) noexcept {
    using closure = std::decay_t<G>;
    if (own.take_back_or_wait(*this)) {
      [[maybe_unused]] const auto live = own.counts.until_finished();
      schedulers::outcome<schedulers::result_of<closure&, worker*>>().capture(g, this);
    } else {
      stored_branch<worker, closure>::of(*this).drop();
    }
  }

  struct run_in_order {
    template <class F, class G>
    results<F, std::decay_t<G>> operator()(worker& here, F&& f, G&& g) const {
      return schedulers::fork_join_in_order(&here, f, g);
    }
  };
  // Forks from the lowest free slot, for a handle whose own slot is in use.
  struct fork_higher {
    template <class F, class G>
    results<F, std::decay_t<G>> operator()(worker& in_use, F&& f, G&& g) const {
      state& own = in_use.own_state();
      if (worker* const slot = own.free_slot(&in_use)) {
        slot->share = in_use.share;
        return slot->fork_join(std::forward<F>(f), std::forward<G>(g));
      }
      own.counts.inlined();
      return schedulers::fork_join_in_order(&in_use, f, g);
    }
  };

  // Calls `what` on copies where that costs nothing: the fork path need then not keep the closures
  // in memory for a call that it hardly ever makes.
  template <class What, class F, class G>
  static results<F, std::decay_t<G>> out_of_line(worker& here, F&& f, G&& g) {
    using first = std::decay_t<F>;
    using second = std::decay_t<G>;
    if constexpr (is_plain_closure<first> && is_plain_closure<second>) {
      return out_of_line_on<What, first, second>(here, f, g);
    } else {
      return out_of_line_on<What, F&&, G&&>(here, std::forward<F>(f), std::forward<G>(g));
    }
  }
  template <class What, class F, class G>
  [[gnu::noinline, gnu::cold]] static auto out_of_line_on(worker& here, F f, G g) {
    return What{}(here, std::forward<F>(f), std::forward<G>(g));
  }

  // The job in this slot; see job.hpp.
  alignas(payload_alignment) std::byte payload_[payload_bytes];
};

}  // namespace stealbench::engine
