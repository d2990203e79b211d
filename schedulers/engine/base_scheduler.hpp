// What the schedulers of both engines share: workers, their threads, and checks of those who make
// and enter them.
#pragma once

#include <cassert>
#include <cstddef>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "schedulers/counters.hpp"
#include "schedulers/description.hpp"
#include "schedulers/engine/memory_model.hpp"
#include "schedulers/engine/queue_policy.hpp"
#include "schedulers/engine/steps.hpp"
#include "schedulers/options.hpp"

namespace stealbench::engine {

/// The same options. Throws std::invalid_argument for a worker count outside 1 to
/// those of Machine::limits().
template <class Machine>
const schedulers::options& checked(const schedulers::options& options) {
  const unsigned most = Machine::limits().max_workers;
  if (options.workers < 1 || options.workers > most) {
    throw std::invalid_argument("a scheduler has 1 to " + std::to_string(most) + " workers");
  }
  return options;
}

/// Worker 0 is the caller of `run`; the others are threads, which the constructor of the derived
/// class starts, and which sleep between runs. The destructor stops them: also where that
/// constructor has thrown. `Owned` points to a worker.
template <class Policy, class Worker, class Owned = std::unique_ptr<Worker>>
class base_scheduler {
 public:
  using machine = typename Policy::machine;
  using policy = Policy;
  static constexpr capabilities can = Worker::pool_type::queue::can;
  static constexpr std::string_view name = Policy::name;
  static constexpr bool serial_order_on_one_worker = true;
  static schedulers::description describe() { return Policy::describe(); }

  [[nodiscard]] unsigned worker_count() const { return static_cast<unsigned>(workers_.size()); }

 protected:
  /// A run: the calling thread is that of worker 0 for as long as it lives.
  class entry {
   public:
    explicit entry(base_scheduler& entered) : running_(entered.running_) {
      assert(!running_ && "a scheduler's run is not entered from inside a run");
      if (entered.pool_.options.pin) pinned_.emplace(0U);
      running_ = true;
      entered.workers_.front()->bind_to_this_thread();
    }
    entry(const entry&) = delete;
    entry& operator=(const entry&) = delete;
    ~entry() { running_ = false; }

   private:
    bool& running_;
    std::optional<typename machine::pin_scope> pinned_;
  };

  explicit base_scheduler(const schedulers::options& options) : pool_(checked<machine>(options)) {
    workers_.reserve(options.workers);  // First, so that a failure loses no worker.
  }
  ~base_scheduler() {
    if (!searching.stop_before_tokens) wake_all();
    // Relaxed: publishes nothing but itself. A worker that is about to sleep finds the token, which
    // tells of the flag (parker.hpp, P1), however early it looked.
    pool_.stop.store(true, order::relaxed);
    if (searching.stop_before_tokens) wake_all();
    threads_.clear();  // Joins.
  }

  /// Throws what a thread throws.
  void start_threads(std::size_t stack_bytes) {
    threads_.reserve(workers_.size() - 1);  // So that no thread is joined before it can be stopped.
    for (unsigned i = 1; i < worker_count(); ++i) {
      const auto processor = pool_.options.pin ? std::optional(i) : std::nullopt;
      threads_.push_back(std::make_unique<thread>(
          stack_bytes, processor, [&own = *workers_[i]] { own.work_until_stopped(); }));
    }
  }

  [[nodiscard]] schedulers::counters sum_of_counts() const {
    schedulers::counters sum;
    pool_.counts.add_to(sum);
    for (const auto& each : workers_) {
      each->counts.add_to(sum);
      if constexpr (can.tell_bytes) sum.queue_bytes += each->queue.bytes();
    }
    return sum;
  }

  typename Worker::pool_type pool_;  // NOLINT(readability-identifier-naming): protected
  std::vector<Owned> workers_;       // NOLINT(readability-identifier-naming): the same

 private:
  using thread = typename machine::thread;
  static constexpr const search_steps& searching = search_steps_on<machine>;

  void wake_all() noexcept {
    if (!searching.wake_at_stop) return;
    for (std::size_t i = 1; i < pool_.sleepers.size(); ++i) {
      pool_.sleepers[i].parker.unpark();
      if (!searching.wake_all_at_stop) break;
    }
  }

  bool running_ = false;
  std::vector<std::unique_ptr<thread>> threads_;
};

}  // namespace stealbench::engine
