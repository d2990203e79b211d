// What the schedulers of both engines share: workers, their threads, and checks of those who make
// and enter them.
#pragma once

#include <algorithm>
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
#include "schedulers/engine/run_gate.hpp"
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

/// The workers of a scheduler, what they share, and the threads of all workers but the first, which
/// sleep between runs. Apart from the scheduler, since it outlives one that is destroyed while a
/// run is under way, until that run ends. The destructor stops the threads.
template <class Policy, class Worker, class Deleter = std::default_delete<Worker>>
class crew {
 public:
  using machine = typename Policy::machine;
  using policy = Policy;
  using worker = Worker;
  using pool_type = typename Worker::pool_type;

  /// Throws as checked() does.
  explicit crew(const schedulers::options& options) : pool(checked<machine>(options)) {
    workers.reserve(options.workers);  // First, so that a failure loses no worker.
  }
  crew(const crew&) = delete;
  crew& operator=(const crew&) = delete;
  ~crew() {
    if (!searching.stop_before_tokens) wake_all();
    // Relaxed: publishes nothing but itself. A worker that is about to sleep finds the token, which
    // tells of the flag (parker.hpp, P1), however early it looked.
    pool.stop.store(true, order::relaxed);
    if (searching.stop_before_tokens) wake_all();
    threads_.clear();  // Joins.
  }

  /// Throws what a thread throws.
  void start_threads(std::size_t stack_bytes) {
    threads_.reserve(workers.size() - 1);  // So that no thread is joined before it can be stopped.
    for (std::size_t i = 1; i < workers.size(); ++i) {
      const auto processor =
          pool.options.pin ? std::optional(static_cast<unsigned>(i)) : std::nullopt;
      threads_.push_back(std::make_unique<thread>(
          stack_bytes, processor, [&own = *workers[i]] { own.work_until_stopped(); }));
    }
  }

  /// Whether the calling thread is one of these, as when a signal's handler calls exit().
  [[nodiscard]] bool has_calling_thread() const {
    return std::any_of(threads_.begin(), threads_.end(),
                       [](const auto& started) { return started->is_calling(); });
  }

  [[nodiscard]] schedulers::counters sum_of_counts() const {
    schedulers::counters sum;
    pool.counts.add_to(sum);
    for (const auto& counting : workers) {
      counting->counts.add_to(sum);
      if constexpr (pool_type::queue::can.tell_bytes) sum.queue_bytes += counting->queue.bytes();
    }
    return sum;
  }

  pool_type pool;
  std::vector<std::unique_ptr<Worker, Deleter>> workers;
  typename run_gate_on<machine>::type::end_mark is_abandoned;

 private:
  using thread = typename machine::thread;
  static constexpr const search_steps& searching = search_steps_on<machine>;

  void wake_all() noexcept {
    if (!searching.wake_at_stop) return;
    for (std::size_t i = 1; i < pool.sleepers.size(); ++i) {
      pool.sleepers[i].parker.unpark();
      if (!searching.wake_all_at_stop) break;
    }
  }

  std::vector<std::unique_ptr<thread>> threads_;
};

/// Worker 0 is the caller of `run`; the others are threads, which the constructor of the derived
/// class starts. The destructor stops them: also where that constructor has thrown, but not where
/// they cannot be joined (run_gate.hpp).
template <class Crew>
class base_scheduler {
 public:
  using machine = typename Crew::machine;
  using policy = typename Crew::policy;
  static constexpr capabilities can = Crew::pool_type::queue::can;
  static constexpr std::string_view name = policy::name;
  static constexpr bool serial_order_on_one_worker = true;
  static schedulers::description describe() { return policy::describe(); }

  base_scheduler(const base_scheduler&) = delete;
  base_scheduler& operator=(const base_scheduler&) = delete;

  [[nodiscard]] unsigned worker_count() const { return static_cast<unsigned>(own_.workers.size()); }

 private:
  using gate_type = typename run_gate_on<machine>::type;

 protected:
  /// A run: the calling thread is that of worker 0 for as long as it lives. False: it is not, since
  /// another run is under way, or the pool has ended, or the process is a child of the pool's.
  class entry {
   public:
    explicit entry(base_scheduler& entered) : admitted_(entered) {
      if (!admitted_.is_true) return;
      if (entered.own_.pool.options.pin) pinned_.emplace(0U);
      entered.own_.workers.front()->bind_to_this_thread();
    }
    explicit operator bool() const { return admitted_.is_true; }

   private:
    struct admission {
      explicit admission(base_scheduler& entered)
          : own(entered.own_), gate(entered.gate_), is_true(gate.enter()) {}
      admission(const admission&) = delete;
      admission& operator=(const admission&) = delete;
      ~admission() {
        if (is_true && !own.is_abandoned.is_set()) {
          gate.leave();
        } else if (is_true) {
          operating_system::note_run(-1);
          if (own.pool.patience.made_in.is_here()) delete &own;  // Its workers have nothing to do.
        }
      }
      Crew& own;
      gate_type& gate;
      const bool is_true;
    };
    admission admitted_;
    std::optional<typename machine::pin_scope> pinned_;
  };

  explicit base_scheduler(const schedulers::options& options)
      : own_(*new Crew(options)), stack_bytes_(options.stack_bytes) {}
  ~base_scheduler() {
    if (gate_.close() && !own_.has_calling_thread()) {
      delete &own_;
    } else {
      own_.is_abandoned.set();
    }
  }

  /// What a run has that is not admitted: its caller alone. Reads nothing but the object itself,
  /// which may have been destroyed.
  [[nodiscard]] schedulers::options alone() const {
    return {.workers = 1, .stack_bytes = stack_bytes_};
  }

  Crew& own_;  // NOLINT(readability-identifier-naming): protected

 private:
  const std::size_t stack_bytes_;
  gate_type gate_;
};

}  // namespace stealbench::engine
