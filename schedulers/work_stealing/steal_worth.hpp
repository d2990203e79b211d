// Whether a worker's jobs are worth their steals.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>

#include "schedulers/engine/memory_model.hpp"
#include "schedulers/work_stealing/protocols/deque_limits.hpp"

namespace stealbench::work_stealing {

/// Of one victim. Each steal takes some transfers of a cache line from its owner, and thieves that
/// come for the next job make the owner wait for its own queue: where jobs are shorter than that,
/// the owner is faster alone. So after many short jobs in a row thieves *spare* the victim for 1
/// us, and after further ones for twice as long each time, up to 64 us, until a job is long.
///
/// Hints, and so relaxed: nothing is read through the word, and of two thieves that write it at the
/// same time one is forgotten. On a line of its own, which an owner reads only
/// before the sync of many children: it makes none public for thieves who spare it.
template <class M>
class alignas(64) steal_worth {
 public:
  steal_worth() { M::name(word_, "deques: whether jobs are worth their steals"); }

  /// A job that takes as long is long after any claim: some three transfers of a line in each
  /// direction take no longer.
  static constexpr std::chrono::nanoseconds long_anyway = std::chrono::microseconds{1};
  /// A job that takes less is short, where thieves claim one in `claim` on average: about one
  /// transfer. Its owner waits for two, of the state of its deque and of the job's slot, which
  /// overlap in part; and meanwhile for those of each other thief.
  static constexpr std::chrono::nanoseconds least_length(std::chrono::nanoseconds claim,
                                                         unsigned workers) {
    return (std::min)(long_anyway, claim * 3 / 2 * (workers - 1));
  }
  /// For how many a thief's note stands, so that the line of the word moves less often: each fourth
  /// of its short jobs, whomever the three before were from.
  static constexpr unsigned short_jobs_per_note = 4;

  /// Whether thieves look elsewhere. Any thread. Reads the clock only after many short jobs.
  [[nodiscard]] bool is_spared() const {
    const std::uint64_t until = word_.load(engine::order::relaxed) / one_step;
    return until != 0 && step_now() < until;
  }

  /// Of the jobs that a thief has stolen here, the latest was long.
  void note_long() {
    if (word_.load(engine::order::relaxed) != 0) word_.store(0, engine::order::relaxed);
  }

  /// Four jobs, one after the other, were short.
  void note_short() {
    constexpr unsigned enough = deque_limits_on<M>.short_jobs;
    if (enough == 0) return;
    const std::uint64_t in_a_row = (std::min)(
        word_.load(engine::order::relaxed) % one_step + short_jobs_per_note, one_step - 1);
    std::uint64_t until = 0;
    if (in_a_row > enough) {
      const std::uint64_t doublings = (in_a_row - enough - 1) / short_jobs_per_note;
      until = step_now() + (std::uint64_t{1} << (std::min)(doublings, most_doublings));
    }
    word_.store(until * one_step + in_a_row, engine::order::relaxed);
  }

 private:
  static constexpr std::uint64_t most_doublings = 6;
  static constexpr std::uint64_t one_step = std::uint64_t{1} << 16;

  // In steps of 1024 ns.
  static std::uint64_t step_now() {
    const std::chrono::nanoseconds now = M::now().time_since_epoch();
    return static_cast<std::uint64_t>(now.count()) / 1024;
  }

  // Until when the victim is spared, in steps; below, in 16 bits, the short jobs in a row.
  typename M::template atomic<std::uint64_t> word_;  // Written by thieves.
};

}  // namespace stealbench::work_stealing
