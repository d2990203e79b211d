// rayon: its join and a parallel iterator, which are Rust's, behind functions of C.
//
// A closure crosses as the address of a C++ object and of a function that calls it, so that nothing
// of it is inlined into rayon's join: README.md has the price. Two traps. rayon's scope encloses
// the code that spawns, and our groups do not: so a group keeps its children until it is waited
// for. And no exception may enter Rust: each is caught on this side.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>

#include "schedulers/adapters/deferred_group.hpp"
#include "schedulers/counters.hpp"
#include "schedulers/description.hpp"
#include "schedulers/first_error.hpp"
#include "schedulers/operating_system/process_mark.hpp"
#include "schedulers/operating_system/thread.hpp"
#include "schedulers/options.hpp"
#include "schedulers/outcome.hpp"
#include "schedulers/rayon/bridge.hpp"
#include "schedulers/scheduler.hpp"

namespace stealbench::rayon {

/// A closure and how it ended, as rayon gets them.
template <class F, class Worker>
struct branch {
  std::remove_reference_t<F>& closure;
  schedulers::outcome<schedulers::result_of<F&, Worker>> ended;

  static void run(void* self) {
    auto& [closure, ended] = *static_cast<branch*>(self);
    ended.capture(closure, Worker{});
  }
};

/// rayon finds the calling thread's pool by itself, so the handle is empty.
class worker {
 public:
  const worker* operator->() const { return this; }

  template <class F, class G>
  auto fork_join(F&& f, G&& g) const {
    branch<F, worker> first{f, {}};
    branch<G, worker> second{g, {}};
    stealbench_rayon_join(first.run, &first, second.run, &second);
    return schedulers::take_both(first.ended, second.ended);
  }

  template <class Body>
  void parallel_for(std::size_t first, std::size_t last, std::size_t grain,
                    const Body& body) const {
    if (first >= last) return;
    loop<Body> whole{body, {}};
    stealbench_rayon_loop(first, last, std::max<std::size_t>(grain, 1), whole.run, &whole);
    whole.error.rethrow();
  }

  [[nodiscard]] schedulers::deferred_group<worker> task_group() const {
    return schedulers::deferred_group<worker>(*this);
  }
  template <class Child>
  static void run_all(std::size_t count, Child child) {
    stealbench_rayon_children(
        count, [](void* self, std::size_t i) { (*static_cast<Child*>(self))(worker{}, i); },
        &child);
  }

 private:
  template <class Body>
  struct loop {
    const Body& body;
    schedulers::first_error error;

    static void run(void* self, std::size_t first, std::size_t last) {
      auto& [body, error] = *static_cast<loop*>(self);
      try {
        for (std::size_t i = first; i != last; ++i) static_cast<void>(body(worker{}, i));
      } catch (...) {
        error.keep(first);
      }
    }
  };
};

/// A pool of threads of its own. The caller of `run` is none of them: it sleeps meanwhile, because
/// this version of rayon cannot make it a worker.
class scheduler {
 public:
  using worker = rayon::worker;
  static constexpr std::string_view name = "rayon";
  static schedulers::description describe() {
    return {.group = schedulers::group::library,
            .summary = "Rust's rayon, through C: join, a parallel iterator"};
  }
  static constexpr bool serial_order_on_one_worker = true;
  static constexpr bool root_has_another_thread = true;

  /// The library that schedules, with its version and that of its compiler.
  static std::string library() { return STEALBENCH_RAYON_VERSION; }

  /// Throws std::runtime_error if rayon cannot start the threads.
  explicit scheduler(const schedulers::options& options)
      : workers_(options.workers),
        threads_(stealbench_rayon_start(options.workers, options.stack_bytes,
                                        options.pin ? pin : leave)) {
    if (!threads_) throw std::runtime_error("rayon cannot start its threads");
  }

  scheduler(const scheduler&) = delete;
  scheduler& operator=(const scheduler&) = delete;
  ~scheduler() {
    if (!made_in_.is_here()) static_cast<void>(threads_.release());  // There are none to stop.
  }

  [[nodiscard]] unsigned worker_count() const { return workers_; }
  [[nodiscard]] const pool* threads() const { return threads_.get(); }

  /// Throws std::logic_error in a child of the process that has made it.
  template <class F>
  auto run(F&& f) -> std::invoke_result_t<F&, worker> {
    if (!made_in_.is_here())
      throw std::logic_error("rayon: its threads are not in a child of fork()");
    branch<F, worker> whole{f, {}};
    stealbench_rayon_run(threads_.get(), whole.run, &whole);
    return static_cast<std::invoke_result_t<F&, worker>>(whole.ended.take());
  }

  [[nodiscard]] static std::optional<schedulers::counters> counters() { return std::nullopt; }

 private:
  struct stop {
    void operator()(pool* threads) const { stealbench_rayon_stop(threads); }
  };

  // Nothing may be thrown into Rust: a processor that was taken away since ends the process.
  static void pin(std::size_t index) noexcept {
    operating_system::pin_this_thread(static_cast<unsigned>(index));
  }
  static void leave(std::size_t /*index*/) {}

  const operating_system::process_mark made_in_;
  unsigned workers_;
  std::unique_ptr<pool, stop> threads_;
};

static_assert(schedulers::scheduler<scheduler>);

}  // namespace stealbench::rayon
