// The options of work sharing alone.
#pragma once

#include <cstdint>

namespace stealbench::work_sharing {

/// Whose inbox a new job goes to. A worker that chooses may choose itself.
enum class placement_rule : std::uint8_t {
  turn,    ///< Each worker's in turn, the right-hand neighbour's first.
  random,  ///< Any one's.
  least,   ///< The one with the fewest jobs; of several, the next after the latest chosen one.
};

struct options {
  placement_rule place = placement_rule::turn;
};

}  // namespace stealbench::work_sharing
