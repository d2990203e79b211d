// How long a job takes from its fork to its first instruction on another worker.
#pragma once

#include <chrono>
#include <cstdint>
#include <random>
#include <thread>

#include "bench/costs/answer.hpp"
#include "bench/costs/stopwatch.hpp"
#include "bench/costs/times.hpp"

namespace stealbench::costs {

enum class other_worker : bool { awake, asleep };

/// Decides which hand-overs count, how many are made, and how long the pool lies still before each.
/// For the thread that forks.
class handover_rounds {
 public:
  explicit handover_rounds(other_worker before);

  [[nodiscard]] bool is_another_wanted() const;
  /// Begins a round and returns its number, from 1.
  std::uint32_t begin() { return ++rounds_; }
  /// Whether to fork an empty job before this round: at random, lest a scheduler that deals its
  /// jobs out in turn give every second one to the forking worker for ever.
  [[nodiscard]] bool shifts_turn();
  void lie_still() const { busy_for(still_); }
  /// How long the forking worker waits for another one to begin the job, before it is free to run
  /// it itself. Grows while that happens: on a machine with other work to do, the other worker may
  /// wait for a processor.
  [[nodiscard]] std::chrono::nanoseconds patience() const { return patience_; }
  /// The job of the round that was forked at `start` has been joined.
  void add(clock::time_point start, const answer& said);

  /// Throws std::runtime_error if too few rounds count.
  [[nodiscard]] figure_times times() const;

 private:
  // Whether another worker ran the job that had slept since its latest one, or kept its processor.
  bool counts(double ns, const answer& said);

  const other_worker before_;
  const double clock_ns_;
  const std::thread::id self_ = std::this_thread::get_id();
  std::chrono::nanoseconds still_;
  std::chrono::nanoseconds patience_;
  clock::time_point begun_ = clock::now();
  system::usage used_before_;
  std::minstd_rand turns_;
  std::uint32_t rounds_ = 0;
  std::uint32_t shifts_ = 0;
  std::uint32_t kept_ = 0;      // Rounds whose job the forking worker ran itself.
  std::uint32_t reversed_ = 0;  // Rounds whose job began no later than its fork, by the clock.
  std::thread::id latest_;      // Who ran the latest job that was handed over,
  thread_switches switches_;    // and how often it had given up its processor by then.
  double first_run_seconds_ = 0;
  std::vector<double> times_;
};

/// From the fork to the job's first instruction. The pool has two workers.
template <class Pool>
figure_times time_handovers(Pool& pool, other_worker before) {
  return pool.run([before](auto worker) {
    handover_rounds rounds(before);
    answer said;
    while (rounds.is_another_wanted()) {
      const std::uint32_t number = rounds.begin();
      if (rounds.shifts_turn()) {
        worker->fork_join([](auto) { do_nothing(); }, [](auto) { do_nothing(); });
      }
      rounds.lie_still();
      const std::chrono::nanoseconds patience = rounds.patience();
      const clock::time_point start = clock::now();
      worker->fork_join([&said, number, patience](auto) { said.await(number, patience); },
                        [&said, number](auto) { said.give(clock::now(), number); });
      rounds.add(start, said);
    }
    return rounds.times();
  });
}

}  // namespace stealbench::costs
