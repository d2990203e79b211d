// oneTBB: parallel_invoke, parallel_for and task_group in a task_arena of the asked size.
//
// The trap: an exception that reaches TBB cancels its group, and tasks that have not begun are then
// never run. Here every closure runs exactly once, so each keeps its own exception, and the join
// rethrows one. Three smaller ones: TBB starts no more threads than there are processors unless a
// global_control allows it; a blocked_range is cut into pieces of half its grain; and a task_group
// that is destroyed before it was waited for cancels its children and throws.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include <tbb/blocked_range.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_invoke.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>
#include <tbb/task_scheduler_observer.h>
#include <tbb/version.h>

#include "schedulers/adapters/spawning_group.hpp"
#include "schedulers/counters.hpp"
#include "schedulers/description.hpp"
#include "schedulers/first_error.hpp"
#include "schedulers/operating_system/thread.hpp"
#include "schedulers/options.hpp"
#include "schedulers/outcome.hpp"
#include "schedulers/scheduler.hpp"

namespace stealbench::onetbb {

/// TBB finds the calling thread's arena by itself; the handle holds the scheduler's context, which
/// is never cancelled. Without one, every parallel_invoke makes its own and links it to its
/// parent's: 94 ns per fork became 62 (fib 30, one worker). A task_group keeps its own, since its
/// wait resets it, which must not happen to one that others use.
class worker {
 public:
  explicit worker(tbb::task_group_context& context) : context_(&context) {}
  const worker* operator->() const { return this; }

  template <class F, class G>
  auto fork_join(F&& f, G&& g) const {
    schedulers::outcome<schedulers::result_of<F&, worker>> first;
    schedulers::outcome<schedulers::result_of<G&, worker>> second;
    // With a context, TBB spawns the first closure and runs the second at once.
    tbb::parallel_invoke([&] { second.capture(g, *this); }, [&] { first.capture(f, *this); },
                         *context_);
    return schedulers::take_both(first, second);
  }

  /// With TBB's default partitioner, which cuts on demand.
  template <class Body>
  void parallel_for(std::size_t first, std::size_t last, std::size_t grain,
                    const Body& body) const {
    using range = tbb::blocked_range<std::size_t>;
    if (first >= last) return;
    // A range is halved while it is longer than its grain: to get no half below ours, that must not
    // happen below twice ours.
    const std::size_t half = std::clamp<std::size_t>(grain, 1, last - first);
    const std::size_t twice = half + (std::min)(half - 1, ~half);  // Or all.
    schedulers::first_error error;
    const auto run_piece = [&](const range& piece) {
      try {
        for (std::size_t i = piece.begin(); i != piece.end(); ++i)
          static_cast<void>(body(*this, i));
      } catch (...) {
        error.keep(piece.begin());
      }
    };
    tbb::parallel_for(range(first, last, twice), run_piece, *context_);
    error.rethrow();
  }

  [[nodiscard]] auto task_group() const {
    return schedulers::spawning_group<worker, tbb::task_group>(*this);
  }

 private:
  tbb::task_group_context* context_;
};

/// Threads belong to TBB and are shared by all schedulers that live at the same time; the last one
/// to go ends them. Their stacks are as large as the first one asked.
template <class Worker>
class scheduler_of {
 public:
  using worker = Worker;
  // TBB runs the children of a group, and the halves of a loop, in an order of its own.
  static constexpr bool serial_order_on_one_worker = false;

  /// The library that schedules, with its version.
  static std::string library() { return std::string("oneTBB ") + TBB_runtime_version(); }

  explicit scheduler_of(const schedulers::options& options)
      : allowed_(tbb::global_control::max_allowed_parallelism, schedulers::max_workers),
        stacks_(tbb::global_control::thread_stack_size, options.stack_bytes),
        workers_(options.workers),
        arena_(static_cast<int>(options.workers), /*reserved_for_masters=*/1) {
    if (options.pin) pinning_.emplace(arena_);
  }
  ~scheduler_of() {
    pinning_.reset();
    arena_.terminate();
    // Refused while another scheduler lives; the threads then stay for that one.
    static_cast<void>(tbb::finalize(threads_, std::nothrow));
  }

  [[nodiscard]] unsigned worker_count() const { return workers_; }

  template <class F>
  auto run(F&& f) -> std::invoke_result_t<F&, worker> {
    schedulers::outcome<schedulers::result_of<F&, worker>> ended;
    std::optional<operating_system::affinity_scope> affinity;
    if (pinning_) affinity.emplace();
    arena_.execute([&] { ended.capture(f, worker(context_)); });
    return static_cast<std::invoke_result_t<F&, worker>>(ended.take());
  }

  [[nodiscard]] static std::optional<schedulers::counters> counters() { return std::nullopt; }

 private:
  class pinning : public tbb::task_scheduler_observer {
   public:
    explicit pinning(tbb::task_arena& arena) : task_scheduler_observer(arena) { observe(true); }
    ~pinning() override { observe(false); }
    void on_scheduler_entry(bool /*is_worker*/) override {
      operating_system::pin_this_thread(
          static_cast<unsigned>(tbb::this_task_arena::current_thread_index()));
    }
  };

  tbb::global_control allowed_;
  tbb::global_control stacks_;
  tbb::task_scheduler_handle threads_{tbb::attach{}};
  unsigned workers_;
  tbb::task_group_context context_{tbb::task_group_context::isolated};
  tbb::task_arena arena_;
  std::optional<pinning> pinning_;
};

class scheduler : public scheduler_of<worker> {
 public:
  using scheduler_of::scheduler_of;
  static constexpr std::string_view name = "onetbb";
  static schedulers::description describe() {
    return {.group = schedulers::group::library,
            .summary = "oneTBB: parallel_invoke, parallel_for, task_group",
            .paper = "Kukanov & Voss 2007"};
  }
};

static_assert(schedulers::scheduler<scheduler>);

}  // namespace stealbench::onetbb
