#include "workloads/kit/steps.hpp"

namespace stealbench::kit {

// Not inline: every caller shall take the same time, and none shall take its steps beside
// another's.
std::uint64_t stepped(std::uint64_t start, std::uint64_t steps) {
  for (std::uint64_t i = 0; i < steps; ++i) start = one_step.of(start);
  return start;
}

}  // namespace stealbench::kit
