// A scheduler of your own: std::async while fewer closures run than there are workers, else a call.
// It obeys the laws of schedulers/scheduler.hpp, but forks nest only as deep as `ulimit -s` allows:
// the threads of std::async have that stack, whatever the options say.
#pragma once

#include <atomic>
#include <cstddef>
#include <future>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "schedulers/description.hpp"
#include "schedulers/in_order.hpp"
#include "schedulers/scheduler.hpp"

namespace mine {

namespace schedulers = stealbench::schedulers;

class pool {
 public:
  class group;

  /// What a workload holds: here a pointer to the pool.
  struct worker {
    pool* in;

    const worker* operator->() const { return this; }

    template <class F, class G>
    auto fork_join(F&& f, G&& g) const {
      if (!in->claim()) return schedulers::fork_join_in_order(*this, f, g);
      using left = schedulers::result_of<F&, worker>;
      using right = schedulers::result_of<G&, worker>;
      std::future<right> second = std::async(std::launch::async, [&]() -> right {
        const release end{*in};
        return schedulers::call(g, *this);
      });
      // If f throws, the destructor of `second` waits for g, whose exception is then dropped.
      left first = schedulers::call(f, *this);
      return std::pair<left, right>(std::forward<left>(first), second.get());
    }

    template <class Body>
    void parallel_for(std::size_t first, std::size_t last, std::size_t grain,
                      const Body& body) const {
      if (last - first >= 2 * grain) {
        const std::size_t middle = first + (last - first) / 2;
        fork_join([&](worker w) { w->parallel_for(first, middle, grain, body); },
                  [&](worker w) { w->parallel_for(middle, last, grain, body); });
      } else {
        for (; first < last; ++first) body(*this, first);
      }
    }

    [[nodiscard]] group task_group() const { return group(*this); }
  };

  class group {
   public:
    explicit group(worker owner) : owner_(owner) {}
    group(group&&) = delete;
    ~group() {
      for (const std::future<void>& each : children_) each.wait();
    }

    template <class F>
    void spawn(F&& f) {
      std::packaged_task<void()> child(
          [f = std::forward<F>(f), worker = owner_]() mutable { f(worker); });
      children_.push_back(child.get_future());
      pool& in = *owner_.in;
      if (!in.claim()) return child();
      threads_.push_back(std::async(std::launch::async, [&in, child = std::move(child)]() mutable {
        const release end{in};
        child();
      }));
    }

    /// Rethrows what the first child threw, once all have ended.
    void sync() {
      for (const std::future<void>& each : children_) each.wait();
      threads_.clear();
      for (std::future<void>& each : std::exchange(children_, {})) each.get();
    }

   private:
    worker owner_;
    std::vector<std::future<void>> children_;
    std::vector<std::future<void>> threads_;
  };

  static constexpr std::string_view name = "my-pool";
  static constexpr bool serial_order_on_one_worker = true;
  static schedulers::description describe() {
    return {.summary = "std::async for each forked branch while a worker is free"};
  }

  explicit pool(const schedulers::options& chosen)
      : worker_count_(chosen.workers), free_(chosen.workers - 1) {}
  pool(const pool&) = delete;
  pool& operator=(const pool&) = delete;

  [[nodiscard]] unsigned worker_count() const { return worker_count_; }

  template <class F>
  decltype(auto) run(F&& f) {
    return std::forward<F>(f)(worker{this});
  }

  [[nodiscard]] static std::optional<schedulers::counters> counters() { return std::nullopt; }

 private:
  struct release {
    // Publishes nothing: the future does. Pairs with `claim`, so that no two closures have a
    // worker.
    ~release() { in.free_.fetch_add(1); }
    pool& in;
  };

  // Takes a worker that `release` has given back, if there is one.
  [[nodiscard]] bool claim() {
    unsigned seen = free_.load();
    while (seen > 0 && !free_.compare_exchange_weak(seen, seen - 1)) {
    }
    return seen > 0;
  }

  unsigned worker_count_;
  std::atomic<unsigned> free_;  ///< Workers that no closure occupies.
};

static_assert(schedulers::scheduler<pool>);

}  // namespace mine
