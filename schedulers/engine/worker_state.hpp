// What a worker has and does: its queue, its jobs' blocks, its bed; spawning, waiting and idling.
#pragma once

#include <cstdint>
#include <vector>

#include <sched.h>

#include "schedulers/engine/block_pool.hpp"
#include "schedulers/engine/job.hpp"
#include "schedulers/engine/parking_lot.hpp"
#include "schedulers/engine/std_model.hpp"
#include "schedulers/engine/tally.hpp"

namespace stealbench::engine {

/// Where a queue put a job, and so whom the engine tells of it.
struct placement {
  static constexpr int refused = -1;  ///< Nowhere: the queue is full. The caller runs the job.
  static constexpr int shared = -2;   ///< Where any worker may take it.
  int worker;                         ///< Where only this worker takes it, or one of the above.
};

/// What all workers of a scheduler have in common.
template <class Policy, bool Counting>
struct pool {
  using queue = typename Policy::template queue<job<Policy, Counting>>;

  explicit pool(unsigned workers) : jobs(workers), lot(workers), beds(workers) {}

  typename queue::shared jobs;
  parking_lot<std_model> lot;
  std::vector<bed> beds;
  std_model::atomic<bool> stop{false};  // Written by the scheduler's destructor.
};

template <class Policy, bool Counting>
struct alignas(128) worker_state {
  using job_type = job<Policy, Counting>;
  using pool_type = engine::pool<Policy, Counting>;

  worker_state(pool_type& all, unsigned own_index)
      : queue(all.jobs, own_index), pool(all), index(own_index) {}
  worker_state(const worker_state&) = delete;
  worker_state& operator=(const worker_state&) = delete;
  ~worker_state() = default;

  /// Offers the job to other workers. False: the queue took nothing, the caller must run it.
  [[gnu::always_inline]] bool spawn(job_type& offered) {
    const placement where = queue.push(offered);
    if (where.worker == placement::refused) [[unlikely]] {
      counts.inlined();
      return false;
    }
    counts.spawned();
    if constexpr (Policy::directed) {
      if (static_cast<unsigned>(where.worker) != index) {
        counts.woke(pool.lot.wake(pool.beds[static_cast<unsigned>(where.worker)]));
      }
    } else {
      counts.woke(pool.lot.wake_any());
    }
    return true;
  }

  /// Whether nobody has begun the job: then it is the caller's to run, and counted as run.
  [[gnu::always_inline]] bool take_back(job_type& mine) {
    for (;;) {
      job_type* const newest = queue.take_back(mine);
      if (newest == &mine) [[likely]] {
        counts.ran();
        return true;
      }
      if (newest == nullptr) return false;
      // A child of another open group of this worker lies above: it has to be run some time.
      execute(*newest);
    }
  }

  /// Runs other jobs, or sleeps, until someone else has run this one.
  [[gnu::noinline]] void wait(job_type& taken) {
    const auto finished = [&] { return taken.finished.done(); };
    const auto no_wake = [&] { return !taken.finished.register_waiter(pool.beds[index]); };
    while (!finished()) {
      if (job_type* const other = look_for_work(finished, no_wake)) run_found(*other);
    }
  }

  /// The life of a started worker.
  void work_until_stopped() {
    // Pairs with the release in scheduler::stop; nothing but the flag itself is published by it.
    const auto stopped = [&] { return pool.stop.load(order::acquire); };
    while (job_type* const found = look_for_work(stopped, stopped)) run_found(*found);
  }

  /// Has the job executed, by this worker or another; its outcome is then in the job.
  void join(job_type& mine) {
    if (take_back(mine)) {
      mine.execute(mine, *this);
    } else {
      wait(mine);
    }
  }

  /// Executes a job whose owner will look at its latch. The job may be gone when this returns.
  void execute(job_type& found) noexcept {
    found.execute(found, *this);
    counts.ran();
    if (bed* const sleeper = found.finished.set()) sleeper->parker.unpark();
  }

  typename pool_type::queue queue;
  pool_type& pool;
  const unsigned index;
  block_pool blocks;
  [[no_unique_address]] tally<Counting> counts;

 private:
  // How long a worker looks before it sleeps. Spinning pays up to about the price of a sleep and a
  // wake-up (some 15 microseconds); yields then let another thread have the processor.
  static constexpr unsigned spin_rounds = 100;
  static constexpr unsigned yield_rounds = 20;
  static constexpr unsigned longest_pause = 16;

  void run_found(job_type& found) noexcept {
    counts.stole();
    execute(found);
  }

  // Returns a job, or null once `over`. `no_wake` is asked before each sleep and says whether
  // `over` could come true without waking this worker; it need not look for work.
  template <class Over, class NoWake>
  job_type* look_for_work(const Over& over, const NoWake& no_wake) {
    pool.lot.start_searching();
    job_type* found = nullptr;
    for (unsigned round = 0; !over(); ++round) {
      std::uint32_t misses = 0;
      found = queue.find_work(misses);
      counts.missed(misses);
      if (found != nullptr) break;
      if (round < spin_rounds) {
        for (unsigned i = 0; i <= round && i < longest_pause; ++i) std_model::spin();
      } else if (round < spin_rounds + yield_rounds) {
        sched_yield();
      } else {
        counts.parked();
        pool.lot.park(pool.beds[index], [&] { return no_wake() || queue.has_work(); });
        round = 0;
      }
    }
    counts.woke(pool.lot.stop_searching([&] { return !Policy::directed && queue.has_work(); }));
    return found;
  }
};

}  // namespace stealbench::engine
