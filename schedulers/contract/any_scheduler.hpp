// A scheduler whose type is erased, for tests of what does not depend on that type: they are
// compiled once, and linked with any_scheduler.cpp, which is compiled once per scheduler. Slower
// than the scheduler itself, and each closure reaches it in the same shape.
#pragma once

#include <cstddef>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "schedulers/counters.hpp"
#include "schedulers/description.hpp"
#include "schedulers/options.hpp"
#include "schedulers/outcome.hpp"
#include "schedulers/scheduler.hpp"

namespace stealbench::schedulers::contract {

class any_worker;
using any_task = std::function<void(any_worker)>;
using any_body = std::function<void(any_worker, std::size_t)>;

class any_group {
 public:
  any_group(std::function<void(any_task)> spawn, std::function<void()> sync)
      : spawn_(std::move(spawn)), sync_(std::move(sync)) {}

  template <class F>
  void spawn(F&& f);
  void sync() { sync_(); }

 private:
  std::function<void(any_task)> spawn_;
  std::function<void()> sync_;
};

/// What any_worker passes on.
class worker_interface {
 public:
  virtual ~worker_interface() = default;
  virtual void fork_join(const any_task& f, const any_task& g) = 0;
  virtual void parallel_for(std::size_t first, std::size_t last, std::size_t grain,
                            const any_body& body) = 0;
  [[nodiscard]] virtual any_group task_group() = 0;
};

/// What any_scheduler passes on.
struct erased_scheduler {
  unsigned worker_count;
  std::function<void(const any_task&)> run;
  std::function<std::optional<schedulers::counters>()> counters;
};

/// The scheduler that is linked: any_scheduler.cpp.
[[nodiscard]] erased_scheduler make_linked_scheduler(const options& chosen);
/// The same with counting compiled in. Requires: it counts.
[[nodiscard]] erased_scheduler make_counting_scheduler(const options& chosen);

class any_worker {
 public:
  explicit any_worker(worker_interface& inner) : inner_(&inner) {}
  const any_worker* operator->() const { return this; }

  template <class F, class G>
  auto fork_join(F&& f, G&& g) const {
    outcome<result_of<F&, any_worker>> left;
    outcome<result_of<G&, any_worker>> right;
    inner_->fork_join([&](any_worker w) { capture(left, f, w); },
                      [&](any_worker w) { capture(right, g, w); });
    return take_both(left, right);
  }
  template <class Body>
  void parallel_for(std::size_t first, std::size_t last, std::size_t grain,
                    const Body& body) const {
    inner_->parallel_for(first, last, grain, std::cref(body));
  }
  [[nodiscard]] any_group task_group() const { return inner_->task_group(); }

 private:
  friend class any_scheduler;

  /// Keeps the result, but lets an exception go to the scheduler, whose business it is.
  template <class Result, class F>
  static void capture(outcome<Result>& result, F& f, any_worker w) {
    result.capture(f, w);
    if (result.failed()) std::rethrow_exception(result.error());
  }

  worker_interface* inner_;
};

template <class F>
void any_group::spawn(F&& f) {
  // A std::function must be copyable, which a closure need not be.
  spawn_([own = std::make_shared<std::decay_t<F>>(std::forward<F>(f))](any_worker w) {
    std::invoke(*own, w);
  });
}

/// What it says of itself is what the linked scheduler says.
class any_scheduler {
 public:
  using worker = any_worker;
  struct policy {
    static const std::string_view deque;
  };
  class counting_variant;

  static const std::string_view name;
  static constexpr bool serial_order_on_one_worker = false;
  static const bool counts;
  static description describe();
  static std::string library();

  explicit any_scheduler(const options& chosen) : any_scheduler(make_linked_scheduler(chosen)) {}
  any_scheduler(const any_scheduler&) = delete;
  any_scheduler& operator=(const any_scheduler&) = delete;

  [[nodiscard]] unsigned worker_count() const { return inner_.worker_count; }
  template <class F>
  std::invoke_result_t<F&, any_worker> run(F&& f) {
    outcome<result_of<F&, any_worker>> result;
    inner_.run([&](any_worker w) { any_worker::capture(result, f, w); });
    if constexpr (!std::is_void_v<std::invoke_result_t<F&, any_worker>>) return result.take();
  }
  [[nodiscard]] std::optional<schedulers::counters> counters() const { return inner_.counters(); }

 private:
  explicit any_scheduler(erased_scheduler inner) : inner_(std::move(inner)) {}

  const erased_scheduler inner_;
};

class any_scheduler::counting_variant : public any_scheduler {
 public:
  explicit counting_variant(const options& chosen)
      : any_scheduler(make_counting_scheduler(chosen)) {}
};

static_assert(scheduler<any_scheduler>);

}  // namespace stealbench::schedulers::contract
