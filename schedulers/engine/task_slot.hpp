// A worker as its program sees it at one depth: fork_join, parallel_for and task_group over any
// queue policy and machine.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "schedulers/engine/jobs/job.hpp"
#include "schedulers/engine/jobs/job_entry.hpp"
#include "schedulers/engine/loop_pace.hpp"
#include "schedulers/engine/loop_split.hpp"
#include "schedulers/engine/machine.hpp"
#include "schedulers/engine/sleep/directed_lot.hpp"
#include "schedulers/engine/sleep/latch.hpp"
#include "schedulers/engine/sleep/parking_lot.hpp"
#include "schedulers/engine/steps.hpp"
#include "schedulers/engine/task_group.hpp"
#include "schedulers/in_order.hpp"
#include "schedulers/outcome.hpp"

namespace stealbench::engine {

template <class Policy, bool Counting>
struct worker;

/// A slot of a worker's job stack, and so the worker at one depth of its program: a pointer to the
/// lowest free slot is the handle, one register that tells both where the next job goes and, by its
/// upper bits, whose it is. A slot of zero bits is free, and needs no constructor.
template <class Policy, bool Counting>
class alignas(64) task_slot : public Policy::job_links {
 public:
  using machine = typename Policy::machine;
  using kind_type = const job_kind<task_slot>;
  using worker = engine::worker<Policy, Counting>;
  using team_type = typename Policy::team;
  using lot = lot_for<Policy>;
  using sleeper = typename lot::sleeper;

  /// What fork_join returns for closures of these types.
  template <class F, class G>
  using results =
      std::pair<schedulers::result_of<F&, task_slot*>, schedulers::result_of<G&, task_slot*>>;

  /// See schedulers::worker. g is offered to other workers while the caller runs f; g is then taken
  /// back if no worker has begun it, and else waited for. No allocation.
  template <class F, class G>
  [[gnu::always_inline]] results<F, std::decay_t<G>> fork_join(F&& f, G&& g) {
    using closure = std::decay_t<G>;
    using left = schedulers::result_of<F&, task_slot*>;
    using both = results<F, closure>;
    using branch = stored_branch<task_slot, closure>;

    worker& own = owner();
    assert(own.is_this_thread());  // see schedulers::worker
    if (team.alone()) {
      machine::charge(cost::call);
      return both(schedulers::fork_join_in_order(this, f, g));
    }
    // Open where a child of a group is that was spawned through this handle, and at the end.
    if (entry.is_open(order::relaxed)) [[unlikely]] {  // the owner's own write
      return both(out_of_line<instead::fork_higher>(*this, std::forward<F>(f), std::forward<G>(g)));
    }
    if constexpr (team_type::is_fixed) {
      const auto [mine, yours] = team.divide();
      this->assigned_to = yours;
      this[1].team = mine;
    }
    machine::charge(cost::fork_join);
    branch kept(*this, std::forward<G>(g));
    if (!own.offer(*this, forked_kind<task_slot, closure>)) [[unlikely]] {
      // One slot higher, since the closure may be in this one.
      return both(out_of_line<instead::run_in_order>(this[1], f, branch::of(*this).closure));
    }
    // To be run once it is taken back: the caller's closure if the job's is in the slot, since
    // its captures are still in registers; else the job's, which is in the frame as well.
    auto& second = kept.in_frame_or(g);
    left first = run_first(f, own, second);
    if (own.join(*this)) [[likely]] {
      [[maybe_unused]] const auto live = own.counts.until_finished();
      return both(std::forward<left>(first), schedulers::call(second, this));
    }
    return both(std::forward<left>(first), branch::of(*this).take());
  }

  /// See schedulers::worker. Inlined, so that a loop of known bounds keeps no test of them.
  template <class Body>
  [[gnu::always_inline]] void parallel_for(std::size_t first, std::size_t last, std::size_t grain,
                                           const Body& body) {
    if (first >= last) return;
    const std::size_t piece = std::max<std::size_t>(grain, 1);
    cut_lazily<true>(first, last, piece, body);
  }

  /// See schedulers::task_group.
  [[nodiscard]] engine::task_group<task_slot> task_group() { return engine::task_group(*this); }

  // What follows is the engine's own.

  [[gnu::always_inline]] worker& owner() {
    return *static_cast<worker*>(machine::job_stack::beginning_of(this));
  }

  /// So that a slot without links is one cache line on the real machine.
  static constexpr std::size_t payload_bytes = 40;
  static constexpr std::size_t payload_alignment = alignof(void*);
  static constexpr bool fits(std::size_t bytes, std::size_t alignment) {
    return bytes <= payload_bytes && alignment <= payload_alignment;
  }
  [[gnu::always_inline]] void* payload() { return payload_; }

  [[no_unique_address]] job_entry<kind_type, machine> entry;  ///< Written by the owner.
  /// The worker that has claimed the job, plus one, or 0. Written by that worker and the owner; a
  /// hint, so relaxed is enough.
  typename machine::template zeroed_atomic<std::uint32_t> runner;
  /// Opened by who took the job, once it is executed or declined.
  latch<sleeper, machine> finished;
  [[no_unique_address]] team_type team;  ///< Which workers may run what is forked here.

 private:
  // Where any worker may come, the range is cut in two when another one asks for work, which is
  // looked for between pieces, and not before (lazy splitting: Tzannes, Caragea, Barua & Vishkin,
  // PPoPP 2010; how often: loop_pace). Else it is cut while both parts keep a grain.
  // Unless a loop of several pieces `is_new` and is to be cut otherwise.
  template <bool IsNew, class Body>
  [[gnu::always_inline]] void cut_lazily(std::size_t first, std::size_t last, std::size_t piece,
                                         const Body& body) {
    if constexpr (IsNew && !Policy::directed) {
      const bool has_two_pieces = (last - first) / 2 >= piece;
      if (has_two_pieces && owner().split != schedulers::loop_split::lazy) [[unlikely]] {
        return cut_as_told(first, last, piece, body);
      }
    }
    if (!Policy::directed && (last - first) / loop_pace<machine>::least_pieces >= piece) {
      return run_long_loop(first, last, piece, body);
    }
    while (!team.alone()) {
      const std::size_t ahead = team.cut(last - first);
      if ((std::min)(ahead, last - first - ahead) < piece) break;
      if (owner().is_requested()) {
        return cut_in_two(first, first + ahead, last, piece, body);
      }
      machine::charge(cost::piece);
      const std::size_t end = first + piece;
      for (; first < end; ++first) static_cast<void>(body(this, first));
    }
    for (; first < last; ++first) static_cast<void>(body(this, first));
  }

  // As options::split = lazy has it.
  template <class Body>
  [[gnu::noinline]] void run_lazily(std::size_t first, std::size_t last, std::size_t piece,
                                    const Body& body) {
    cut_lazily<false>(first, last, piece, body);
  }

  template <class Body>
  [[gnu::noinline]] void cut_in_two(std::size_t first, std::size_t middle, std::size_t last,
                                    std::size_t piece, const Body& body) {
    fork_join([=, &body](task_slot* w) { w->run_lazily(first, middle, piece, body); },
              [=, &body](task_slot* w) { w->run_lazily(middle, last, piece, body); });
  }

  template <class Body>
  [[gnu::noinline, gnu::cold]] void cut_as_told(std::size_t first, std::size_t last,
                                                std::size_t piece, const Body& body) {
    worker& own = owner();
    const auto workers = static_cast<unsigned>(own.pool.sleepers.size());
    split_loop(this, own.split, workers, first, last, piece, body);
  }

  // A loop of many pieces. Not inline, so that a short one does without its registers.
  template <class Body>
  [[gnu::noinline]] void run_long_loop(std::size_t first, std::size_t last, std::size_t piece,
                                       const Body& body) {
    loop_pace<machine> pace;
    while (last - first >= pace.most_pieces * piece) {
      if (owner().is_requested()) {
        return cut_in_two(first, first + team.cut(last - first), last, piece, body);
      }
      machine::charge(cost::piece);
      const std::size_t end = first + piece * pace.next();
      for (; first < end; ++first) static_cast<void>(body(this, first));
    }
    run_lazily(first, last, piece, body);
  }

  // The first branch; if it throws, the second one is still run or waited for, and its own outcome
  // dropped: the first branch's exception comes first in the serial order.
  template <class F, class G>
  [[gnu::always_inline]] schedulers::result_of<F&, task_slot*> run_first(F& f, worker& own, G& g) {
    using closure = std::remove_const_t<G>;
    try {
      return schedulers::call(f, this + 1);
    } catch (...) {
      if (!steps_on<machine>.await_when_first_throws) throw;
      // By value where that costs nothing, lest the fork path keep it in memory.
      finish<std::conditional_t<is_plain_closure<closure>, closure, closure&>>(own, g);
      throw;
    }
  }

  // Runs the second branch, or waits for it, and drops its outcome.
  template <class G>
  [[gnu::noinline, gnu::cold]] void finish(worker& own, G g) noexcept {
    using closure = std::decay_t<G>;
    if (own.join(*this)) {
      [[maybe_unused]] const auto live = own.counts.until_finished();
      schedulers::outcome<schedulers::result_of<closure&, task_slot*>>().capture(g, this);
    } else {
      stored_branch<task_slot, closure>::of(*this).drop();
    }
  }

  // What a fork does instead: where its handle's own slot is in use, it forks from the lowest free
  // one, if there is one; where nothing was offered, it runs both branches in order.
  enum class instead : bool { fork_higher, run_in_order };
  // On copies where that costs nothing: the fork path need then not keep the closures in memory for
  // a call that it hardly ever makes.
  template <instead Does, class F, class G>
  static results<F, std::decay_t<G>> out_of_line(task_slot& handle, F&& f, G&& g) {
    using first = std::decay_t<F>;
    using second = std::decay_t<G>;
    if constexpr (is_plain_closure<first> && is_plain_closure<second>) {
      return out_of_line_on<Does, first, second>(handle, f, g);
    } else {
      return out_of_line_on<Does, F&&, G&&>(handle, std::forward<F>(f), std::forward<G>(g));
    }
  }
  template <instead Does, class F, class G>
  [[gnu::noinline, gnu::cold]] static results<F, std::decay_t<G>> out_of_line_on(task_slot& handle,
                                                                                 F f, G g) {
    if constexpr (Does == instead::fork_higher) {
      worker& own = handle.owner();
      if (task_slot* const slot = own.free_slot(&handle)) {
        slot->team = handle.team;
        return slot->fork_join(std::forward<F>(f), std::forward<G>(g));
      }
      own.counts.inlined();
    }
    return schedulers::fork_join_in_order(&handle, f, g);
  }

  // The job in this slot; see job.hpp.
  alignas(payload_alignment) std::byte payload_[payload_bytes];
};

}  // namespace stealbench::engine
