// OpenMP: task and taskwait, and taskloop, in one parallel region of the asked size.
//
// The trap: taskwait waits for every child of the current task, whoever spawned it. If the first
// branch of a fork ran inside its parent's task, each join in it would wait for the second branch
// as well. So the first branch gets a task of its own, an undeferred one, which costs no queue.
// Others: an exception must not leave a task; firstprivate copies, which a closure may not allow,
// and aligns as the runtime likes; and a runtime whose queue is full runs a task at its spawn, so
// that there is no order to promise, not even with one worker.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include <omp.h>

#include "schedulers/adapters/spawning_group.hpp"
#include "schedulers/counters.hpp"
#include "schedulers/description.hpp"
#include "schedulers/first_error.hpp"
#include "schedulers/openmp/runtime.hpp"
#include "schedulers/operating_system/thread.hpp"
#include "schedulers/options.hpp"
#include "schedulers/outcome.hpp"
#include "schedulers/scheduler.hpp"

namespace stealbench::openmp {

/// Children of the task that made the group. Where that task has children in another group, `wait`
/// waits for those too: longer than it must, and never in vain.
struct group {
  template <class Task>
  static void run(Task task) {
    if constexpr (std::is_trivially_copyable_v<Task> && std::is_copy_constructible_v<Task> &&
                  alignof(Task) <= alignof(std::max_align_t)) {
#pragma omp task default(shared) firstprivate(task)
      task();
    } else {
      Task* const own = new Task(std::move(task));
#pragma omp task default(shared) firstprivate(own)
      (*std::unique_ptr<Task>(own))();
    }
  }
  static void wait() {
#pragma omp taskwait
  }
};

/// The runtime knows the current task by itself, so the handle is empty.
class worker {
 public:
  const worker* operator->() const { return this; }

  template <class F, class G>
  auto fork_join(F&& f, G&& g) const {
    schedulers::outcome<schedulers::result_of<F&, worker>> first;
    schedulers::outcome<schedulers::result_of<G&, worker>> second;
#pragma omp task default(shared)
    second.capture(g, worker{});
#pragma omp task default(shared) if (0)
    first.capture(f, worker{});
#pragma omp taskwait
    return schedulers::take_both(first, second);
  }

  /// Tasks of grain to twice the grain indices.
  template <class Body>
  void parallel_for(std::size_t first, std::size_t last, std::size_t grain,
                    const Body& body) const {
    if (first >= last) return;
    const std::size_t count = last - first;
    const std::size_t piece = std::clamp<std::size_t>(grain, 1, count);
    schedulers::first_error error;
    bool ended = false;  // Each task's own: set where its piece has thrown.
// Clang 14 warns of what it makes of an unsigned loop itself.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma omp taskloop default(shared) grainsize(piece) firstprivate(ended)
    for (std::size_t i = 0; i < count; ++i) {
      if (ended) continue;
      try {
        static_cast<void>(body(worker{}, first + i));
      } catch (...) {
        error.keep(i);
        ended = true;
      }
    }
#pragma GCC diagnostic pop
    error.rethrow();
  }

  [[nodiscard]] schedulers::spawning_group<worker, group> task_group() const {
    return schedulers::spawning_group<worker, group>(*this);
  }
};

/// A parallel region for each run; the runtime keeps the threads in between, for each calling
/// thread its own.
template <runtime Used>
class scheduler_on {
 public:
  using worker = openmp::worker;
  static schedulers::description describe() {
    return {.group = schedulers::group::library,
            .summary = "the compiler's OpenMP runtime: task, taskwait, taskloop",
            .paper = "Ayguadé et al. 2009"};
  }
  static constexpr bool serial_order_on_one_worker = false;
  /// Whether all runs of a process must come from one thread: under LLVM's libomp.
  static constexpr bool needs_one_calling_thread = Used == runtime::llvm;

  explicit scheduler_on(const schedulers::options& options) : options_(options) {}
  scheduler_on(const scheduler_on&) = delete;
  scheduler_on& operator=(const scheduler_on&) = delete;
  /// Ends the threads that the runtime keeps for the calling thread: another scheduler may want
  /// other stacks, or none of them pinned. (A soft pause leaves libomp its threads.)
  ~scheduler_on() {
    if (Used != runtime::gnu || has_begun_here()) omp_pause_resource_all(omp_pause_hard);
  }

  [[nodiscard]] unsigned worker_count() const { return options_.workers; }

  /// Throws std::runtime_error if the environment (OMP_THREAD_LIMIT) allows fewer workers, and
  /// std::logic_error where the runtime bears one calling thread, or process, only and this is
  /// another.
  template <class F>
  auto run(F&& f) -> std::invoke_result_t<F&, worker> {
    if constexpr (needs_one_calling_thread) check_calling_thread();
    if (Used == runtime::gnu && !has_begun_here()) {
      throw std::logic_error(
          "libgomp: a child of fork() cannot run what its parent has run before");
    }
    if constexpr (Used == runtime::llvm) kmp_set_stacksize_s(options_.stack_bytes);
    schedulers::outcome<schedulers::result_of<F&, worker>> ended;
    const operating_system::default_stack_scope stacks(options_.stack_bytes);
    const operating_system::affinity_scope affinity;
    const auto threads = static_cast<int>(options_.workers);
    bool complete = false;
    omp_set_dynamic(0);
#pragma omp parallel num_threads(threads) default(shared)
    {
      if (options_.pin)
        operating_system::pin_this_thread(static_cast<unsigned>(omp_get_thread_num()));
#pragma omp master
      {
        complete = omp_get_num_threads() == threads;
        if (complete) ended.capture(f, worker{});
      }
    }
    if (!complete) throw std::runtime_error("OpenMP has started fewer threads than asked for");
    return static_cast<std::invoke_result_t<F&, worker>>(ended.take());
  }

  [[nodiscard]] static std::optional<schedulers::counters> counters() { return std::nullopt; }

 private:
  schedulers::options options_;
};

/// With the runtime of the compiler.
class scheduler : public scheduler_on<of_the_compiler> {
 public:
  using scheduler_on::scheduler_on;
  static constexpr std::string_view name = "openmp";

  /// The runtime that schedules, by the compiler that it comes with, because it cannot be asked for
  /// its version; and the date of the specification that was compiled for.
  static std::string library() {
    return std::string(of_the_compiler == runtime::llvm ? "LLVM libomp of " : "libgomp of GCC ") +
           __VERSION__ + ", OpenMP " + std::to_string(_OPENMP);
  }
};

static_assert(schedulers::scheduler<scheduler>);

}  // namespace stealbench::openmp
