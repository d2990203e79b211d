// The options of work stealing alone.
#pragma once

#include <cstdint>

namespace stealbench::work_stealing {

/// Which victim a thief tries first, once it has run a job; it then tries others in rounds of a few
/// (victims.hpp).
enum class victim_choice : std::uint8_t {
  random,       ///< Any other worker, and in each round others anew.
  last,         ///< The victim of its latest steal; in each round others at random.
  round_robin,  ///< The one after that, and all others in turn.
  nearest,      ///< The nearest one by the machine's topology, and all others in turn; the workers
                ///< should be pinned.
};

struct options {
  victim_choice victim = victim_choice::random;
};

}  // namespace stealbench::work_stealing
