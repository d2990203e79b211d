// The options of work stealing alone.
#pragma once

#include <chrono>
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

/// When the owner of a split deque makes private jobs public.
enum class exposure : std::uint8_t {
  asked,      ///< When another worker asks it for work: the older half. Thieves may force the rest.
  always,     ///< At once.
  heartbeat,  ///< Once in a period: the oldest one (Acar, Charguéraud, Guatto, Rainey &
              ///< Sieczkowski, PLDI 2018). What is private no thief takes.
};

struct options {
  victim_choice victim = victim_choice::random;
  exposure expose = exposure::asked;       ///< Split deque only.
  std::chrono::nanoseconds beat{100'000};  ///< The period of exposure::heartbeat, not 0.
};

}  // namespace stealbench::work_stealing
