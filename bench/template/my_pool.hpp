// A scheduler of your own: std::async for a branch while a worker is free, else a call. A worker is
// free again at the join. It obeys the laws of schedulers/scheduler.hpp, but forks nest only as
// deep as `ulimit -s` allows: the threads of std::async have that stack, whatever the options say.
#pragma once

#include <atomic>
#include <cstddef>
#include <future>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include <stealbench/schedulers/adapters/deferred_group.hpp>
#include <stealbench/schedulers/description.hpp>
#include <stealbench/schedulers/in_order.hpp>
#include <stealbench/schedulers/scheduler.hpp>

namespace mine {

namespace schedulers = stealbench::schedulers;

class pool {
  struct give_back {
    // Publishes nothing: the future of the closure has been read. Pairs with `claim`.
    void operator()(pool* in) const { in->free_.fetch_add(1); }
  };
  using permit = std::unique_ptr<pool, give_back>;  ///< To occupy a worker; null: none is free.

 public:
  /// What a workload holds: here a pointer to the pool.
  struct worker {
    pool* in;

    const worker* operator->() const { return this; }

    template <class F, class G>
    auto fork_join(F&& f, G&& g) const {
      const permit free = in->claim();
      if (!free) return schedulers::fork_join_in_order(*this, f, g);
      using left = schedulers::result_of<F&, worker>;
      using right = schedulers::result_of<G&, worker>;
      // Its destructor waits, before the permit goes: if f throws, what g throws is dropped.
      std::future<right> second = std::async(
          std::launch::async, [&g, self = *this]() -> right { return schedulers::call(g, self); });
      left first = schedulers::call(f, *this);
      return std::pair<left, right>(std::forward<left>(first), second.get());
    }

    template <class Body>
    void parallel_for(std::size_t first, std::size_t last, std::size_t grain,
                      const Body& body) const {
      if (const std::size_t half = (last - first) / 2; half >= grain) {
        const std::size_t middle = first + half;
        fork_join([&](worker w) { w->parallel_for(first, middle, grain, body); },
                  [&](worker w) { w->parallel_for(middle, last, grain, body); });
      } else {
        for (; first < last; ++first) body(*this, first);
      }
    }

    [[nodiscard]] schedulers::deferred_group<worker> task_group() const {
      return schedulers::deferred_group<worker>(*this);
    }
    /// What such a group calls at its sync: `child(worker, i)` for each i below `count`.
    template <class Child>
    void run_all(std::size_t count, const Child& child) const {
      parallel_for(0, count, 1, child);
    }
  };

  static constexpr std::string_view name = "my-pool";
  static constexpr bool serial_order_on_one_worker = true;
  static constexpr bool pins = false;
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
  // Pairs with `give_back`, so that no more closures run than there are workers.
  [[nodiscard]] permit claim() {
    unsigned seen = free_.load();
    while (seen > 0 && !free_.compare_exchange_weak(seen, seen - 1)) {
    }
    return permit(seen > 0 ? this : nullptr);
  }

  unsigned worker_count_;
  std::atomic<unsigned> free_;  ///< Workers without a closure.
};

static_assert(schedulers::scheduler<pool>);

}  // namespace mine
