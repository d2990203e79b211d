// The options of work stealing alone.
#pragma once

#include <cstdint>

namespace stealbench::work_stealing {

/// Which victim a thief tries first; it then tries all others in turn.
enum class victim_choice : std::uint8_t {
  random,       ///< Another worker each time.
  last,         ///< The victim of its latest steal, and a random one after a round without a job.
  round_robin,  ///< The one after the first victim of the last round, or after the one with a job.
  nearest,      ///< The nearest one by the machine's topology; the workers should be pinned.
};

struct options {
  victim_choice victim = victim_choice::random;
};

}  // namespace stealbench::work_stealing
