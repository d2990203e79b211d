// One worker's counts, or nothing: counting is compiled in or out.
#pragma once

#include <chrono>
#include <cstdint>

#include "schedulers/counters.hpp"
#include "schedulers/engine/std_model.hpp"

namespace stealbench::engine {

/// What the tallies of a pool's workers share: nothing.
template <bool Counting>
class pool_tally {
 public:
  void add_to(schedulers::counters& /*sum*/) const {}
};

/// The live jobs of all workers, and the most that there were. Relaxed is enough: the changes of
/// one word have one order whatever else they order, and the number after each is exact. A job
/// comes before it goes, since its spawner adds it before the queue publishes it. Whoever reads the
/// greatest number has joined the jobs, and so their spawners' raises.
template <>
class alignas(64) pool_tally<true> {
 public:
  /// Returns how many are live with this one.
  std::uint64_t add_live_job() { return live_.fetch_add(1, order::relaxed) + 1; }
  void remove_live_job() { live_.fetch_sub(1, order::relaxed); }

  void raise_most_live(std::uint64_t to) {
    std::uint64_t most = most_live_.load(order::relaxed);
    while (most < to && !most_live_.compare_exchange_strong(most, to, order::relaxed,  //
                                                            order::relaxed)) {
    }
  }

  void add_to(schedulers::counters& sum) const {
    sum.most_live_jobs = most_live_.load(order::relaxed);
  }

 private:
  std_model::atomic<std::uint64_t> live_;
  std_model::atomic<std::uint64_t> most_live_;
};

/// Counts nothing, costs nothing: for timed runs.
template <bool Counting>
class tally {
 public:
  struct nothing {};

  explicit tally(pool_tally<Counting>& /*all*/) {}

  [[nodiscard]] nothing in_run() { return {}; }
  [[nodiscard]] nothing until_finished() { return {}; }
  void offered() {}
  void refused() {}
  void spawned() {}
  void ran() {}
  void finished() {}
  void inlined() {}
  void stole() {}
  void missed(std::uint64_t /*times*/) {}
  void parked() {}
  void woke(std::uint64_t /*times*/) {}
  void searches() {}
  void goes_on() {}
  void add_to(schedulers::counters& /*sum*/) const {}
};

/// Written by its worker alone, so a relaxed load and a relaxed store make an increment. Relaxed is
/// enough: whoever reads a sum has joined the jobs that it counts, and what belongs to a job is
/// written before its latch is opened. The clock is read only where the worker begins or ceases to
/// be busy, never for a job that its owner takes back.
template <>
class tally<true> {
 public:
  explicit tally(pool_tally<true>& all) : all_(all) {}

  /// The caller of `run` is busy as worker 0 for as long as the result lives.
  [[nodiscard]] auto in_run() {
    become_busy();
    return at_exit<&tally::cease_to_be_busy>(*this);
  }
  /// A job that its owner took back is live for as long as the result lives.
  [[nodiscard]] auto until_finished() { return at_exit<&tally::finished>(*this); }

  void offered() { live_with_offered_ = all_.add_live_job(); }  ///< Before the queue has it.
  void refused() {  ///< The queue has not taken what was offered.
    all_.remove_live_job();
    inlined();
  }
  void spawned() {  ///< The queue has taken what was offered.
    add(spawned_, 1);
    all_.raise_most_live(live_with_offered_);
  }
  void ran() { add(ran_, 1); }
  void finished() { all_.remove_live_job(); }
  void inlined() { add(inlined_, 1); }
  void stole() {
    add(stole_, 1);
    become_busy();
  }
  void missed(std::uint64_t times) { add(missed_, times); }
  void parked() { add(parked_, 1); }
  void woke(std::uint64_t times) { add(woke_, times); }
  void searches() { cease_to_be_busy(); }  ///< The worker has nothing to do, or has to wait.
  void goes_on() { become_busy(); }        ///< It no longer has to wait.

  /// Appends the worker to `sum.per_worker`.
  void add_to(schedulers::counters& sum) const {
    sum.jobs_spawned += spawned_.load(order::relaxed);
    sum.jobs_run += ran_.load(order::relaxed);
    sum.jobs_inlined += inlined_.load(order::relaxed);
    sum.steals += stole_.load(order::relaxed);
    sum.failed_steals += missed_.load(order::relaxed);
    sum.parks += parked_.load(order::relaxed);
    sum.wakes += woke_.load(order::relaxed);
    sum.per_worker.push_back(
        {.jobs_run = ran_.load(order::relaxed), .busy_ns = busy_ns_.load(order::relaxed)});
  }

 private:
  using count = std_model::atomic<std::uint64_t>;
  using clock = std::chrono::steady_clock;

  template <void (tally::*Act)()>
  class at_exit {
   public:
    explicit at_exit(tally& of) : of_(of) {}
    at_exit(const at_exit&) = delete;
    at_exit& operator=(const at_exit&) = delete;
    ~at_exit() { (of_.*Act)(); }

   private:
    tally& of_;
  };

  static void add(count& to, std::uint64_t times) {
    to.store(to.load(order::relaxed) + times, order::relaxed);
  }

  void become_busy() {
    if (is_busy_) return;
    is_busy_ = true;
    busy_since_ = clock::now();
  }
  void cease_to_be_busy() {
    if (!is_busy_) return;
    is_busy_ = false;
    const std::chrono::nanoseconds lasted = clock::now() - busy_since_;
    add(busy_ns_, static_cast<std::uint64_t>(lasted.count()));
  }

  pool_tally<true>& all_;
  std::uint64_t live_with_offered_ = 0;  // The live jobs as the latest one was offered.
  bool is_busy_ = false;
  clock::time_point busy_since_;
  count spawned_;
  count ran_;
  count inlined_;
  count stole_;
  count missed_;
  count parked_;
  count woke_;
  count busy_ns_;
};

}  // namespace stealbench::engine
