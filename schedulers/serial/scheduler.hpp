// Serial elision: a fork is two calls. The baseline Ts of every comparison.
#pragma once

#include <cstddef>
#include <exception>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>

#include "schedulers/counters.hpp"
#include "schedulers/description.hpp"
#include "schedulers/in_order.hpp"
#include "schedulers/operating_system/thread.hpp"
#include "schedulers/options.hpp"
#include "schedulers/scheduler.hpp"

namespace stealbench::serial {

/// Runs each child at its spawn.
template <class Worker>
class task_group {
 public:
  explicit task_group(Worker owner) : owner_(owner) {}
  task_group(const task_group&) = delete;
  task_group& operator=(const task_group&) = delete;

  template <class F>
  void spawn(F&& f) {
    std::decay_t<F> child(std::forward<F>(f));
    try {
      static_cast<void>(child(owner_));
    } catch (...) {
      if (!error_) error_ = std::current_exception();
    }
  }

  void sync() {
    if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
  }

 private:
  [[no_unique_address]] Worker owner_;
  std::exception_ptr error_;
};

/// What an empty handle offers that runs every branch at once.
template <class Worker>
class elision {
 public:
  const Worker* operator->() const { return static_cast<const Worker*>(this); }

  template <class F, class G>
  auto fork_join(F&& f, G&& g) const {
    return schedulers::fork_join_in_order(Worker(), f, g);
  }

  /// One piece, whatever the grain.
  template <class Body>
  void parallel_for(std::size_t first, std::size_t last, std::size_t /*grain*/,
                    const Body& body) const {
    for (std::size_t i = first; i < last; ++i) static_cast<void>(body(Worker(), i));
  }

  [[nodiscard]] serial::task_group<Worker> task_group() const {
    return serial::task_group<Worker>(Worker());
  }
};

/// The only worker there is.
class worker : public elision<worker> {};

/// Has one worker, however many are asked for, so that a run script need not treat it apart.
class scheduler {
 public:
  using worker = serial::worker;
  static constexpr std::string_view name = "serial";
  static schedulers::description describe() {
    return {.group = schedulers::group::baseline,
            .summary = "calls one branch after the other: the serial elision",
            .paper = "Frigo, Leiserson & Randall 1998"};
  }
  static constexpr bool serial_order_on_one_worker = true;

  explicit scheduler(const schedulers::options& options) : pins_(options.pin) {}
  scheduler(const scheduler&) = delete;
  scheduler& operator=(const scheduler&) = delete;

  [[nodiscard]] static unsigned worker_count() { return 1; }

  template <class F>
  decltype(auto) run(F&& f) {
    std::optional<operating_system::pin_scope> pinned;
    if (pins_) pinned.emplace(0U);
    return std::forward<F>(f)(worker{});
  }

  [[nodiscard]] static std::optional<schedulers::counters> counters() { return std::nullopt; }

 private:
  const bool pins_;
};

static_assert(schedulers::scheduler<scheduler>);

}  // namespace stealbench::serial
