#include "schedulers/cluster/rank.hpp"

#include <algorithm>
#include <stdexcept>

namespace stealbench::cluster {
namespace {

std::optional<double> mean(std::uint64_t total, std::uint64_t count) {
  if (count == 0) return std::nullopt;
  return static_cast<double>(total) / static_cast<double>(count);
}

}  // namespace

balancing_costs costs_of(std::span<const rank_counts> ranks) {
  rank_counts sum;
  std::uint64_t ending = ranks.front().ending_ns;
  for (const rank_counts& each : ranks) {
    sum.steals += each.steals;
    sum.gifts += each.gifts;
    sum.steal_ns += each.steal_ns;
    sum.split_ns += each.split_ns;
    sum.merge_ns += each.merge_ns;
    ending = std::min(ending, each.ending_ns);  // No rank knows which one worked last.
  }
  const std::uint64_t moves = sum.steals + sum.gifts;
  return {.steal_ns = mean(sum.steal_ns, sum.steals),
          .split_ns = mean(sum.split_ns, moves),
          .merge_ns = mean(sum.merge_ns, moves),
          .termination_ns = static_cast<double>(ending)};
}

void expect_conserved(const rank_counts& counted) {
  const std::uint64_t came = counted.made + counted.tasks_received;
  const std::uint64_t went = counted.expanded + counted.tasks_sent;
  if (came == went) return;
  throw std::logic_error("a rank made or received " + std::to_string(came) +
                         " tasks, and expanded or sent " + std::to_string(went));
}

}  // namespace stealbench::cluster
