// How a worker's attempts to get a job ended.
#pragma once

#include <cstdint>

namespace stealbench::engine {

/// At how many victims a thief looks in a round, at most, unless its order of victims has it look
/// at one, or at some others first. Where one worker in ten has a job, a search of some rounds
/// finds it; and a round of a thousand workers takes no longer than one of ten.
inline constexpr unsigned most_looks = 4;

/// Of one search. An attempt is a look into another worker's queue, or into one that all share.
struct steal_attempts {
  std::uint32_t taken = 0;  ///< They took a job.
  std::uint32_t empty = 0;  ///< There was no job.
  std::uint32_t lost = 0;   ///< Another thread took it first, so there may be more.
  unsigned latest = 0;      ///< The worker at which it failed last: the one to ask for work.
};

}  // namespace stealbench::engine
