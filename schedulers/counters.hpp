// What a counting scheduler has counted.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace stealbench::schedulers {

/// What one worker has done in all runs since construction. Exact between runs.
struct worker_counters {
  std::uint64_t jobs_run = 0;  ///< Jobs that it began: its own that it took back, and others'.
  /// Time in which it executed the program, ns of the steady clock. A worker is busy while it runs
  /// a closure: worker 0 from entering `run` to leaving it, any other from finding a job to having
  /// executed it. It is not while it looks for work, sleeps, or waits at a join for a job that
  /// another worker has begun; a job that it runs meanwhile counts. Spawning, taking back and
  /// joining a job that is done belong to the program.
  std::uint64_t busy_ns = 0;
};

/// Sums over all workers and all runs since construction. Exact between runs for everything that
/// belongs to a job; idle workers go on counting failed attempts and parks.
struct counters {
  std::uint64_t jobs_spawned = 0;  ///< Branches offered to other workers (forks and spawns).
  std::uint64_t jobs_run = 0;      ///< Of these, how many ran, wherever. Equal to jobs_spawned.
  std::uint64_t jobs_inlined = 0;  ///< Branches run at once: the job stack or the queue was full.
  std::uint64_t steals = 0;        ///< Jobs started by a worker that looked for work.
  /// Of these, how many another worker had spawned: the tasks moved. Where fibers migrate a job is
  /// the rest of a fiber, and moves if it is not found by the worker that left it; a fiber that
  /// goes on behind its join on another worker was not offered there, and does not count.
  std::uint64_t jobs_moved = 0;
  // Looks into another worker's queue, or into one that all share, by their outcomes. None where a
  // worker looks into its own queue alone.
  std::uint64_t attempts_taken = 0;  ///< They took a job, which may be taken again before it runs.
  std::uint64_t attempts_empty = 0;  ///< There was no job.
  std::uint64_t attempts_lost = 0;   ///< Another worker took it first.
  /// Times that a worker went to sleep, or had said so and saw work in its last look before.
  std::uint64_t parks = 0;
  /// Times that a worker was woken for a new job, or to search in another's stead. Not if it slept
  /// until it was given one that it had asked for (`deque=private`).
  std::uint64_t wakes = 0;
  /// Private jobs that their owner made public: 0 where all are public, or taken by force. A job
  /// that its owner has back may be made public again.
  std::uint64_t jobs_exposed = 0;
  std::uint64_t beats = 0;  ///< Of heartbeat scheduling: how often the clock has beaten.
  /// The most jobs that were live, spawned and not yet finished, at any one time over all workers:
  /// the space that the strategy took. The S of the bound S_P <= S_1 * P of Blumofe & Leiserson
  /// (J. ACM 46, 1999), in jobs; the bound itself is of their strategy and not promised here.
  /// A job that a full deque refuses counts while it is offered, one for each other worker at most.
  std::uint64_t most_live_jobs = 0;
  /// Stacks for fibers, where the rest of a fiber can be stolen (fibers/): how many there are,
  /// and the bytes of theirs that are in memory. None is given back before the scheduler's end.
  std::uint64_t stacks = 0;
  std::uint64_t stack_bytes = 0;
  /// What the queues needed at the most: for each worker the rings or blocks of its deque, as they
  /// were allocated, and the slots from the first one of its job stack up to the highest in which
  /// it has offered a job. Not what each queue has in any case: a lock, indices, list ends.
  std::uint64_t queue_bytes = 0;
  std::vector<worker_counters> per_worker = {};  ///< By the worker's index.

  [[nodiscard]] std::uint64_t failed_steals() const { return attempts_empty + attempts_lost; }
};

/// A counter's name, wherever one is written, and what it is.
struct counter {
  std::string_view name;
  std::uint64_t counters::*value;
  bool is_sum = true;  ///< Of events, and not the most that there was.
};

/// In this order in JSON, and so in every table that has them all.
inline constexpr std::array every_counter{
    counter{"jobs_spawned", &counters::jobs_spawned},
    counter{"jobs_run", &counters::jobs_run},
    counter{"jobs_inlined", &counters::jobs_inlined},
    counter{"steals", &counters::steals},
    counter{"jobs_moved", &counters::jobs_moved},
    counter{"attempts_taken", &counters::attempts_taken},
    counter{"attempts_empty", &counters::attempts_empty},
    counter{"attempts_lost", &counters::attempts_lost},
    counter{"parks", &counters::parks},
    counter{"wakes", &counters::wakes},
    counter{"jobs_exposed", &counters::jobs_exposed},
    counter{"beats", &counters::beats},
    counter{"most_live_jobs", &counters::most_live_jobs, false},
    counter{"stacks", &counters::stacks, false},
    counter{"stack_bytes", &counters::stack_bytes, false},
    counter{"queue_bytes", &counters::queue_bytes, false},
};
/// What `later` has counted since `earlier`, of the same pool; the most that there was stays.
[[nodiscard]] inline counters since(counters later, const counters& earlier) {
  for (const auto& [name, value, is_sum] : every_counter) {
    if (is_sum) later.*value -= earlier.*value;
  }
  for (std::size_t i = 0; i < later.per_worker.size(); ++i) {
    later.per_worker[i].jobs_run -= earlier.per_worker.at(i).jobs_run;
    later.per_worker[i].busy_ns -= earlier.per_worker.at(i).busy_ns;
  }
  return later;
}

static_assert(sizeof(counters) == every_counter.size() * sizeof(std::uint64_t) +
                                      sizeof(std::vector<worker_counters>),
              "each counter has a row");

}  // namespace stealbench::schedulers
