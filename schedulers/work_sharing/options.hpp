// The options and settings of work sharing alone.
#pragma once

#include <cstdint>
#include <vector>

#include "schedulers/setting_row.hpp"

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

/// In the order of the canonical form.
[[nodiscard]] inline std::vector<schedulers::row> setting_rows() {
  return {schedulers::row_of(
      "place", "whose inbox a new job goes to", &options::place,
      {{"turn", placement_rule::turn, {.summary = "each worker's in turn"}},
       {"random", placement_rule::random, {.summary = "any worker's"}},
       {"least", placement_rule::least, {.summary = "the one with the fewest jobs"}}})};
}

}  // namespace stealbench::work_sharing
