// What a counting scheduler has counted.
#pragma once

#include <cstdint>

namespace stealbench::schedulers {

/// Sums over all workers and all runs since construction. Exact between runs for everything that
/// belongs to a job; idle workers go on counting failed steals and parks.
struct counters {
  std::uint64_t jobs_spawned = 0;   ///< Branches offered to other workers (forks and spawns).
  std::uint64_t jobs_run = 0;       ///< Of these, how many ran, wherever. Equal to jobs_spawned.
  std::uint64_t jobs_inlined = 0;   ///< Branches run at once: the job stack or the queue was full.
  std::uint64_t steals = 0;         ///< Jobs started by a worker that looked for work.
  std::uint64_t failed_steals = 0;  ///< Looks into another worker's queue that came back without.
  std::uint64_t parks = 0;          ///< Times that a worker went to sleep.
  std::uint64_t wakes = 0;          ///< Times that a worker was woken for a new job.
};

}  // namespace stealbench::schedulers
