#include "schedulers/cluster/rank.hpp"

#include <stdexcept>

namespace stealbench::cluster {

void expect_conserved(const rank_counts& counted) {
  const std::uint64_t came = counted.made + counted.tasks_received;
  const std::uint64_t went = counted.expanded + counted.tasks_sent;
  if (came == went) return;
  throw std::logic_error("a rank made or received " + std::to_string(came) +
                         " tasks, and expanded or sent " + std::to_string(went));
}

}  // namespace stealbench::cluster
