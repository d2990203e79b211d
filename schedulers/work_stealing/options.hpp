// The options and settings of work stealing, and of continuation stealing what it has of them.
#pragma once

#include <chrono>
#include <cstdint>
#include <vector>

#include "schedulers/setting_row.hpp"

namespace stealbench::work_stealing {

/// Which victim a thief tries first, once it has run a job; it then tries others in rounds of a few
/// (victims.hpp).
enum class victim_choice : std::uint8_t {
  last,         ///< The victim of its latest steal, if that had more; and others as with random.
  random,       ///< Any other worker, and in each round others anew.
  round_robin,  ///< The one after that, and all others in turn.
  nearest,      ///< The nearest one by the machine's topology, and all others in turn; the workers
                ///< should be pinned.
  first,        ///< Worker 0, the hot spot, in every round; and then others in turn.
  busiest,    ///< The one that seems to have the most jobs, of all others; no other in that round.
  own_first,  ///< Its latest thieves, in every round (after Suksompong, Leiserson & Schardl, 2016);
              ///< and then others as with random.
};

/// When the owner of a split deque makes private jobs public.
enum class exposure : std::uint8_t {
  asked,      ///< When another worker asks it for work: the older half. Thieves may force the rest.
  always,     ///< At once.
  heartbeat,  ///< Once in a period: the oldest one (Acar, Charguéraud, Guatto, Rainey &
              ///< Sieczkowski, PLDI 2018). What is private no thief takes.
};

/// How many jobs a thief takes at a time.
enum class steal_amount : std::uint8_t {
  one,
  half,  ///< Up to half of the victim's: one to run, the rest into its own deque. Not for a deque
         ///< whose jobs are in the slots of their owner, and with `join=any` alone: a job in a
         ///< thief's deque has no runner yet.
};

struct options {
  victim_choice victim = victim_choice::last;
  exposure expose = exposure::asked;       ///< Split deque only.
  std::chrono::nanoseconds beat{100'000};  ///< The period of exposure::heartbeat, not 0.
  steal_amount amount = steal_amount::one;

  friend bool operator==(const options&, const options&) = default;
};

/// In the order of the canonical form.
[[nodiscard]] std::vector<schedulers::row> setting_rows();
[[nodiscard]] schedulers::row victim_row();

}  // namespace stealbench::work_stealing
