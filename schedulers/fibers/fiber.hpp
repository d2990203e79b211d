// A fiber: a stack and what runs on it. Its header is what a workload sees as its worker.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <type_traits>
#include <utility>

#include "schedulers/engine/jobs/job.hpp"
#include "schedulers/engine/loop_pace.hpp"
#include "schedulers/engine/machine.hpp"
#include "schedulers/engine/queue_policy.hpp"
#include "schedulers/fibers/continuation.hpp"
#include "schedulers/fibers/steps.hpp"
#include "schedulers/fibers/task_group.hpp"
#include "schedulers/in_order.hpp"
#include "schedulers/operating_system/context.hpp"
#include "schedulers/outcome.hpp"

namespace stealbench::fibers {

template <class Policy, bool Counting>
struct worker;

/// A pointer to it is the handle. It stays the same when the fiber migrates: it leads to the
/// worker that runs the fiber now.
template <class Policy, bool Counting>
class alignas(64) fiber {
 public:
  using machine = typename Policy::machine;
  using worker = fibers::worker<Policy, Counting>;
  using policy = Policy;
  // For tests that ask whether work is dealt out beforehand.
  using team_type = engine::whole_pool;
  using continuation_type = continuation<fiber>;
  using branch_type = branch<fiber>;

  /// What fork_join returns for closures of these types.
  template <class F, class G>
  using results = std::pair<schedulers::result_of<F&, fiber*>, schedulers::result_of<G&, fiber*>>;

  fiber() { rest.owner = this; }
  fiber(const fiber&) = delete;
  fiber& operator=(const fiber&) = delete;
  ~fiber() = default;

  /// See schedulers::worker. The rest of the caller, which is g and what is behind the join, may be
  /// stolen while f runs. If g is, whoever is later at the join goes on behind it: the caller then
  /// does so on another thread, perhaps. No allocation, and no stack but where g was stolen.
  template <class F, class G>
  [[gnu::always_inline]] results<F, std::decay_t<G>> fork_join(F&& f, G&& g) {
    using closure = std::decay_t<G>;
    using left = schedulers::result_of<F&, fiber*>;
    using both = results<F, closure>;

    assert(runner->is_this_thread());  // see schedulers::worker
    machine::charge(engine::cost::fork_join);
    forked<fiber, closure> second(*this, std::forward<G>(g));
    machine::writes(second.finished);
    if (!runner->offer(second, *this)) [[unlikely]] {
      return both(run_in_order(*this, f, second.closure));
    }
    // To be run once it is taken back: the caller's closure where it is as good, since its captures
    // are still in registers.
    auto& taken_back = closure_of(second, g);
    left first = run_first(f, second, taken_back);
    if (join(second)) [[likely]] {
      [[maybe_unused]] const auto live = runner->counts.until_finished();
      return both(std::forward<left>(first), schedulers::call(taken_back, this));
    }
    return both(std::forward<left>(first), second.take());
  }

  /// See schedulers::worker. Cut in two where another worker asks for work, which is looked for
  /// between pieces (lazy splitting: Tzannes, Caragea, Barua & Vishkin, PPoPP 2010; how often:
  /// loop_pace).
  template <class Body>
  void parallel_for(std::size_t first, std::size_t last, std::size_t grain, const Body& body) {
    if (first >= last) return;
    const std::size_t piece = std::max<std::size_t>(grain, 1);
    if ((last - first) / engine::loop_pace<machine>::least_pieces >= piece) {
      return run_long_loop(first, last, piece, body);
    }
    while ((last - first) / 2 >= piece) {
      if (runner->is_requested()) return cut_in_two(first, last, piece, body);
      machine::charge(engine::cost::piece);
      const std::size_t end = first + piece;
      for (; first < end; ++first) static_cast<void>(body(this, first));
    }
    for (; first < last; ++first) static_cast<void>(body(this, first));
  }

  /// See schedulers::task_group.
  [[nodiscard]] fibers::task_group<fiber> task_group() { return fibers::task_group(*this); }

  // What follows is the schedulers' own.

  /// The life of a fiber with a stack of its own: one job after the other.
  [[noreturn]] static void live(void* self) {
    auto& own = *static_cast<fiber*>(self);
    for (;;) own.job(own, own.argument);
  }

  /// The job of a fiber that runs a stolen second branch.
  static void run_branch(fiber& own, void* argument) {
    auto& stolen = *static_cast<branch_type*>(argument);
    stolen.execute(stolen, own);
    own.runner->counts.finished();
    own.runner->leave(own, {.why = departs::ended_branch, .at_fork = &stolen});
  }

  /// Written by the worker that is about to run the fiber; read by the fiber.
  worker* runner = nullptr;
  operating_system::context state;  ///< While it is suspended, or has no job.
  continuation_type rest{};         ///< Of the fiber itself, suspended at a spawn.
  bool was_stolen = false;  ///< Since its latest spawn. Written by the worker that resumes it.
  // Of a fiber with a stack of its own: what it does next, and the next one without a job.
  void (*job)(fiber& own, void* argument) = nullptr;
  void* argument = nullptr;
  fiber* next_free = nullptr;

 private:
  static constexpr const fiber_steps& steps = steps_on<machine>;

  // True if the second branch is the caller's to run, and counted as run. False once another worker
  // has run it: the calling thread may then be another one than before.
  [[gnu::always_inline]] bool join(branch_type& second) {
    worker& own = *runner;
    if (!own.queue.take_back(second)) [[unlikely]] {
      if (!wait(second)) return false;
    }
    own.counts.ran();  // No thread has left it meanwhile.
    return true;
  }

  // As join. A worker without a spare stack could run nothing else instead of a branch that is
  // there but not first in its order: all workers might wait so.
  [[gnu::noinline, gnu::cold]] bool wait(branch_type& second) {
    if (second.finished.done()) return false;
    if (steps.run_own_without_stack && !runner->has_spare() &&
        runner->queue.take_back_out_of_turn(second)) {
      return true;
    }
    runner->leave(*this, {.why = departs::waits_at_fork, .at_fork = &second});
    return false;
  }

  template <class G, class Callers>
  [[gnu::always_inline]] static auto& closure_of(forked<fiber, G>& second, Callers& callers) {
    if constexpr (engine::is_plain_closure<G>) {
      return callers;
    } else {
      return second.closure;
    }
  }

  // The first branch; if it throws, the second one is still run or waited for, and its own outcome
  // dropped: the first branch's exception comes first in the serial order.
  template <class F, class Forked, class G>
  [[gnu::always_inline]] schedulers::result_of<F&, fiber*> run_first(F& f, Forked& second, G& g) {
    using closure = std::remove_const_t<G>;
    try {
      return schedulers::call(f, this);
    } catch (...) {
      if (!steps.await_when_first_throws) throw;
      // By value where that costs nothing, lest the fork path keep it in memory.
      finish<std::conditional_t<engine::is_plain_closure<closure>, closure, closure&>>(second, g);
      throw;
    }
  }

  // Runs the second branch, or waits for it, and drops its outcome.
  template <class G, class Forked>
  [[gnu::noinline, gnu::cold]] void finish(Forked& second, G g) noexcept {
    using closure = std::decay_t<G>;
    if (join(second)) {
      [[maybe_unused]] const auto live = runner->counts.until_finished();
      schedulers::outcome<schedulers::result_of<closure&, fiber*>>().capture(g, this);
    } else {
      second.drop();
    }
  }

  template <class F, class G>
  [[gnu::noinline, gnu::cold]] static results<F, G> run_in_order(fiber& self, F& f, G& g) {
    return schedulers::fork_join_in_order(&self, f, g);
  }

  template <class Body>
  [[gnu::noinline]] void cut_in_two(std::size_t first, std::size_t last, std::size_t piece,
                                    const Body& body) {
    const std::size_t middle = first + (last - first) / 2;
    fork_join([=, &body](fiber* w) { w->parallel_for(first, middle, piece, body); },
              [=, &body](fiber* w) { w->parallel_for(middle, last, piece, body); });
  }

  // A loop of many pieces. Not inline, so that a short one does without its registers.
  template <class Body>
  [[gnu::noinline]] void run_long_loop(std::size_t first, std::size_t last, std::size_t piece,
                                       const Body& body) {
    engine::loop_pace<machine> pace;
    while (last - first >= pace.most_pieces * piece) {
      if (runner->is_requested()) return cut_in_two(first, last, piece, body);
      machine::charge(engine::cost::piece);
      const std::size_t end = first + piece * pace.next();
      for (; first < end; ++first) static_cast<void>(body(this, first));
    }
    parallel_for(first, last, piece, body);
  }
};

}  // namespace stealbench::fibers
