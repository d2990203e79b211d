// std::async: a thread of its own for a branch while a worker is free, else a call.
//
// The trap: a thread for each branch, as it is first written, dies of any recursion. fib n=35 forks
// 15 million times, and Linux gives all processes together some ten thousands of threads; nor would
// a number of workers mean anything. So no more closures run at once than there are workers.
// Another one: the destructor of a future waits, so a fork whose future is dropped is a call.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "schedulers/adapters/deferred_group.hpp"
#include "schedulers/counters.hpp"
#include "schedulers/description.hpp"
#include "schedulers/in_order.hpp"
#include "schedulers/operating_system/thread.hpp"
#include "schedulers/options.hpp"
#include "schedulers/outcome.hpp"
#include "schedulers/scheduler.hpp"

namespace stealbench::std_async {

/// Workers without a closure: how many threads may be started now.
class free_workers {
  struct give_back {
    void operator()(free_workers* to) const { ++to->count_; }
  };

 public:
  using one = std::unique_ptr<free_workers, give_back>;  ///< Null: there was none.

  explicit free_workers(unsigned count) : count_(count) {}
  [[nodiscard]] one take() {
    unsigned seen = count_;
    while (seen > 0 && !count_.compare_exchange_weak(seen, seen - 1)) {
    }
    return one(seen > 0 ? this : nullptr);
  }

 private:
  std::atomic<unsigned> count_;
};

struct worker {
  free_workers* free;

  const worker* operator->() const { return this; }

  template <class F, class G>
  auto fork_join(F&& f, G&& g) const {
    free_workers::one taken = free->take();
    if (!taken) return schedulers::fork_join_in_order(*this, f, g);
    schedulers::outcome<schedulers::result_of<F&, worker>> first;
    schedulers::outcome<schedulers::result_of<G&, worker>> second;
    // The worker is free again where the thread ends its call, whose argument it is.
    const auto branch = [&](free_workers::one /*taken*/) { second.capture(g, *this); };
    std::future<void> forked;
    try {
      forked = std::async(std::launch::async, branch, std::move(taken));
    } catch (const std::exception&) {
      // There is no thread to be had, or no memory for it: as without a free worker. What a branch
      // throws is in its outcome.
    }
    first.capture(f, *this);
    if (forked.valid()) {
      forked.wait();
    } else {
      second.capture(g, *this);
    }
    return schedulers::take_both(first, second);
  }

  template <class Body>
  void parallel_for(std::size_t first, std::size_t last, std::size_t grain,
                    const Body& body) const {
    if (first < last && (last - first) / 2 >= std::max<std::size_t>(grain, 1)) {
      const std::size_t middle = first + (last - first) / 2;
      fork_join([&](worker w) { w->parallel_for(first, middle, grain, body); },
                [&](worker w) { w->parallel_for(middle, last, grain, body); });
    } else {
      for (; first < last; ++first) static_cast<void>(body(*this, first));
    }
  }

  [[nodiscard]] schedulers::deferred_group<worker> task_group() const {
    return schedulers::deferred_group<worker>(*this);
  }
  /// Children begin at the sync: a thread for each as it is spawned would be one too many.
  template <class Child>
  void run_all(std::size_t count, const Child& child) const {
    parallel_for(0, count, 1, child);
  }
};

class scheduler {
 public:
  using worker = std_async::worker;
  static constexpr std::string_view name = "std-async";
  static schedulers::description describe() {
    return {.group = schedulers::group::library,
            .summary = "std::async for a forked branch while a worker is free, else a call"};
  }
  static constexpr bool serial_order_on_one_worker = true;
  static constexpr bool pins = false;  // Its threads are new ones each time.

  static std::string library() { return "libstdc++ " + std::to_string(_GLIBCXX_RELEASE); }

  explicit scheduler(const schedulers::options& options)
      : options_(options), free_(options.workers - 1) {}

  [[nodiscard]] unsigned worker_count() const { return options_.workers; }

  template <class F>
  auto run(F&& f) -> std::invoke_result_t<F&, worker> {
    const operating_system::default_stack_scope stacks(options_.stack_bytes);
    return f(worker{&free_});
  }

  [[nodiscard]] static std::optional<schedulers::counters> counters() { return std::nullopt; }

 private:
  schedulers::options options_;
  free_workers free_;
};

static_assert(schedulers::scheduler<scheduler>);

}  // namespace stealbench::std_async
