// Taskflow: a task group for each fork, and its loop over an index range. Tried with 4.1.0, GCC
// 12.2 and Clang 14: all laws hold but that the caller of `run` is no worker, because only a thread
// that the executor has started may wait inside of it.
//
// The trap: an exception that reaches a group cancels it, and tasks that have not begun are then
// never run. So each closure keeps its own exception. Smaller ones: a task is a std::function,
// which copies its closure, and allocates for more than two pointers; the last piece of a loop may
// be shorter than was asked for; and a queue holds 256 tasks, behind which they go to one that all
// workers share, the oldest first: so there is no order to promise.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include <taskflow/algorithm/for_each.hpp>
#include <taskflow/taskflow.hpp>

#include "schedulers/adapters/pieces.hpp"
#include "schedulers/adapters/spawning_group.hpp"
#include "schedulers/counters.hpp"
#include "schedulers/description.hpp"
#include "schedulers/operating_system/thread.hpp"
#include "schedulers/options.hpp"
#include "schedulers/outcome.hpp"
#include "schedulers/scheduler.hpp"

namespace stealbench::taskflow {

struct worker {
  tf::Executor* executor;

  const worker* operator->() const { return this; }

  template <class F, class G>
  auto fork_join(F&& f, G&& g) const {
    schedulers::outcome<schedulers::result_of<F&, worker>> first;
    schedulers::outcome<schedulers::result_of<G&, worker>> second;
    auto run_second = [&] { second.capture(g, *this); };
    tf::TaskGroup forked = executor->task_group();
    forked.silent_async(std::ref(run_second));
    first.capture(f, *this);
    forked.corun();
    return schedulers::take_both(first, second);
  }

  /// With Taskflow's default partitioner: ever shorter ranges, which workers take from a counter.
  template <class Body>
  void parallel_for(std::size_t first, std::size_t last, std::size_t grain,
                    const Body& body) const {
    using range = tf::IndexRange<std::size_t>;
    schedulers::pieces pieces(first, last, grain);
    auto run = [&](const range& some) { pieces.run(some.begin(), some.end(), *this, body); };
    tf::TaskGroup loop = executor->task_group();
    loop.silent_async(tf::make_for_each_by_index_task(range(0, pieces.count(), 1), std::ref(run)));
    loop.corun();
    pieces.rethrow();
  }

  [[nodiscard]] auto task_group() const {
    return schedulers::spawning_group<worker, group>(*this, *executor);
  }

 private:
  struct group {
    explicit group(tf::Executor& executor) : own(executor.task_group()) {}
    template <class Task>
    void run(Task task) {
      own.silent_async([held = new Task(std::move(task))] { (*std::unique_ptr<Task>(held))(); });
    }
    void wait() { own.corun(); }

    tf::TaskGroup own;
  };
};

class scheduler {
 public:
  using worker = taskflow::worker;
  static constexpr std::string_view name = "taskflow";
  static schedulers::description describe() {
    return {.group = schedulers::group::from_source,
            .summary = "Taskflow: a TaskGroup for each fork, for_each_by_index",
            .paper = "Huang, Lin, Lin & Lin 2022"};
  }
  static constexpr bool serial_order_on_one_worker = false;
  static constexpr bool root_has_another_thread = true;

  static std::string library() { return std::string("Taskflow ") + tf::version(); }

  explicit scheduler(const schedulers::options& options) : executor_(started(options)) {}

  [[nodiscard]] unsigned worker_count() const {
    return static_cast<unsigned>(executor_.num_workers());
  }

  template <class F>
  auto run(F&& f) -> std::invoke_result_t<F&, worker> {
    schedulers::outcome<schedulers::result_of<F&, worker>> ended;
    executor_.silent_async([&] { ended.capture(f, worker{&executor_}); });
    executor_.wait_for_all();
    return static_cast<std::invoke_result_t<F&, worker>>(ended.take());
  }

  [[nodiscard]] static std::optional<schedulers::counters> counters() { return std::nullopt; }

 private:
  struct pinned final : tf::WorkerInterface {
    void scheduler_prologue(tf::Worker& self) override {
      operating_system::pin_this_thread(static_cast<unsigned>(self.id()));
    }
    void scheduler_epilogue(tf::Worker& /*self*/, std::exception_ptr /*error*/) override {}
  };

  static tf::Executor started(const schedulers::options& options) {
    const operating_system::default_stack_scope stacks(options.stack_bytes);
    return tf::Executor(options.workers, options.pin ? std::make_shared<pinned>() : nullptr);
  }

  tf::Executor executor_;
};

static_assert(schedulers::scheduler<scheduler>);

}  // namespace stealbench::taskflow
