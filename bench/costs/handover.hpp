// The hand-over of a job from the worker that forks it to another one.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <random>
#include <vector>

#include <benchmark/benchmark.h>

#include "bench/costs/times.hpp"
#include "schedulers/operating_system/thread.hpp"

namespace stealbench::costs {

/// A branch, child or index with nothing in it, which the compiler must take for something. No
/// call: the processor would do the scheduler's work in the shadow of calls.
[[gnu::always_inline]] inline void do_nothing() { benchmark::ClobberMemory(); }

/// How often a thread has given up its processor so far.
struct thread_switches {
  std::int64_t slept = 0;
  std::int64_t forced = 0;  ///< It was preempted, or yielded to another thread.

  friend bool operator==(const thread_switches&, const thread_switches&) = default;
};

/// Of the calling thread.
[[nodiscard]] thread_switches switches_so_far();

/// The job's answer. Written by the thread that runs the job, on lines of its own. The other
/// members may be read once the answer of the round is given, or the job has been joined.
struct alignas(128) answer {
  clock::time_point begun;   ///< The job's first act.
  clock::time_point ended;   ///< Its last act.
  thread_switches switches;  ///< Of the thread that ran it, so far.
  const void* by = nullptr;  ///< That thread: operating_system::this_thread().
  std::atomic<std::uint32_t> round{0};

  void give(clock::time_point now, std::uint32_t number) {
    begun = now;
    switches = switches_so_far();
    by = operating_system::this_thread();
    ended = clock::now();
    acknowledge(number);
  }
  /// No answer but the number.
  void acknowledge(std::uint32_t number) {
    round.store(number, std::memory_order_release);  // A: after the other members
  }
  [[nodiscard]] bool is_given(std::uint32_t number) const {
    return round.load(std::memory_order_acquire) == number;  // pairs with A
  }
  void await(std::uint32_t number) const {
    while (!is_given(number)) {
    }
  }
  /// Gives up after `patience`: not every scheduler hands every job to another worker.
  void await(std::uint32_t number, std::chrono::nanoseconds patience) const {
    const clock::time_point end = clock::now() + patience;
    while (!is_given(number) && clock::now() < end) {
    }
  }
};

/// The forking worker's side of a round, from the branch that it runs itself: no other code is
/// certain to be on its thread, because a fiber may be on another one behind each join.
struct forker {
  clock::time_point gone_on;  ///< Its branch's first act.
  const void* by = nullptr;   ///< Its thread.
  thread_switches switches;   ///< Of that thread, so far; for workers that sleep alone.
};

/// What the other worker does when the job is forked, and how many rounds are timed so.
namespace other_worker {
struct state {
  std::chrono::nanoseconds still;  ///< For so long the pool is left alone before each fork.
  bool sleeps = false;             ///< Then `still` grows while the other worker does not sleep.
  std::size_t least_times = 101;
  std::size_t most_times = 2001;
  std::chrono::nanoseconds long_enough = std::chrono::milliseconds(300);  ///< For `least_times`,
  std::chrono::nanoseconds too_long = std::chrono::seconds(5);            ///< and in any case.
};

inline constexpr state just_done{.still = std::chrono::nanoseconds(0)};
inline constexpr state awake{.still = std::chrono::microseconds(2)};  // Every scheduler still looks
inline constexpr state long_awake{.still = std::chrono::microseconds(10)};  // for work.
// Our own workers sleep after some 60 microseconds, GCC's OpenMP after some milliseconds, LLVM's
// after 200 milliseconds.
inline constexpr state asleep{.still = std::chrono::milliseconds(20),
                              .sleeps = true,
                              .least_times = 11,
                              .most_times = 31,
                              .long_enough = std::chrono::milliseconds(1500),
                              .too_long = std::chrono::seconds(10)};
}  // namespace other_worker

/// The end of the time from the fork on.
enum class handover_end : bool {
  job_begins,    ///< The job's first instruction on the other worker.
  waker_goes_on  ///< The forking worker's first instruction after the fork.
};

/// Decides which hand-overs count, how many there are, and how long the pool is left alone before
/// each. For the fiber that forks, or the thread that wakes another.
class handover_rounds {
 public:
  explicit handover_rounds(const other_worker::state& before)
      : before_(before), still_(before.still) {}

  [[nodiscard]] bool is_another_wanted() const;
  /// Begins a round and returns its number, from 1.
  std::uint32_t begin() { return ++rounds_; }
  /// Whether to fork an empty job before this round: at random, lest a scheduler that deals its
  /// jobs out in turn give every second one to the forking worker for ever.
  [[nodiscard]] bool shifts_turn();
  void leave_alone() const { busy_for(still_); }
  /// How long the forking worker waits for another one to begin the job, before it is free to run
  /// it itself. Grows while that happens: on a machine with other work to do, the other worker may
  /// wait for a processor.
  [[nodiscard]] std::chrono::nanoseconds patience() const { return patience_; }
  /// For the forking worker's branch, behind what is timed.
  [[nodiscard]] forker note_forker(clock::time_point gone_on) const;
  /// The job of the round that was forked at `start` has been joined; `end` is the end of the time.
  void add(clock::time_point start, clock::time_point end, const answer& said, const forker& self);

  /// Throws std::runtime_error if too few rounds count.
  [[nodiscard]] figure_times times() const;
  /// Rounds whose job the forking worker ran itself.
  [[nodiscard]] std::uint32_t kept() const { return kept_; }

 private:
  static constexpr std::chrono::milliseconds least_patience{1};
  static constexpr std::chrono::milliseconds most_patience{64};
  static constexpr std::chrono::milliseconds most_still{640};

  // Whether another worker ran the job that had slept since it was last seen, or kept its
  // processor.
  bool counts(double ns, const answer& said, const forker& self);
  // Returns what was seen of the thread last, or nothing.
  std::optional<thread_switches> see(const void* thread, const thread_switches& now);

  const other_worker::state before_;
  const double clock_ns_ = clock_nanoseconds();
  std::chrono::nanoseconds still_;
  std::chrono::nanoseconds patience_ = least_patience;
  clock::time_point begun_ = clock::now();
  system::usage used_before_ = system::usage_of_process();
  std::minstd_rand turns_;
  std::uint32_t rounds_ = 0;
  std::uint32_t shifts_ = 0;
  std::uint32_t kept_ = 0;
  std::uint32_t reversed_ = 0;  // Rounds whose job began no later than its fork, by the clock.
  std::map<const void*, thread_switches> seen_;  // Of each worker's thread, when last seen.
  double first_run_seconds_ = 0;
  std::vector<double> times_;
};

/// The pool has two workers.
template <class Pool>
handover_rounds hand_over_jobs(Pool& pool, const other_worker::state& before, handover_end timed) {
  handover_rounds rounds(before);
  pool.run([&rounds, timed](auto worker) {
    answer said;
    while (rounds.is_another_wanted()) {
      const std::uint32_t number = rounds.begin();
      if (rounds.shifts_turn()) {
        worker->fork_join([](auto) { do_nothing(); }, [](auto) { do_nothing(); });
      }
      rounds.leave_alone();
      const std::chrono::nanoseconds patience = rounds.patience();
      const clock::time_point start = clock::now();
      const auto [forked, none] = worker->fork_join(
          [&rounds, &said, number, patience](auto) {
            const clock::time_point now = clock::now();
            said.await(number, patience);
            return rounds.note_forker(now);
          },
          [&said, number](auto) { said.give(clock::now(), number); });
      rounds.add(start, timed == handover_end::job_begins ? said.begun : forked.gone_on, said,
                 forked);
    }
  });
  return rounds;
}

/// Throws std::runtime_error if too few hand-overs count.
template <const other_worker::state& Before, handover_end Timed, class Pool>
figure_times time_handovers(Pool& pool) {
  return hand_over_jobs(pool, Before, Timed).times();
}

}  // namespace stealbench::costs
