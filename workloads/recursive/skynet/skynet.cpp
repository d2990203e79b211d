#include "workloads/recursive/skynet/skynet.hpp"

namespace stealbench::skynet {

// NOLINTNEXTLINE(misc-no-recursion): the definition
std::uint64_t plain_sum(std::uint64_t first, std::uint64_t leaves) {
  if (leaves == 1) return first;
  const std::uint64_t share = leaves / fanout;
  std::uint64_t total = 0;
  for (std::uint64_t child = 0; child < fanout; ++child) {
    total += plain_sum(first + child * share, share);
  }
  return total;
}

kit::description workload::describe() {
  // The sum of 10^9 leaf numbers fits 64 bits; that of 10^10 would not.
  return kit::described(R"(
skynet: sums numbered leaves of a 10-ary tree: ten spawns at every node, no cut-off
shape: `task_group` of 10 at every node: perfectly regular
tasks: 10 (10^depth − 1) ⁄ 9
work: Θ(10^depth)
span: Θ(depth)
bound by: forks
answer: the sum of 0 … 10^depth − 1; compared with the closed form
source: Temerev, Skynet 1M concurrency micro-benchmark, github.com/atemerev/skynet
unit: node of the tree
depth=8 (0 to 9): levels of the tree below its root; 10^depth leaves
sizes: depth=3 | depth=6 | depth=8 | depth=9
)");
}

workload::input workload::prepare(const kit::parameters& chosen) {
  std::uint64_t leaves = 1;
  for (std::uint64_t level = 0; level < chosen.integer("depth"); ++level) leaves *= fanout;
  return {.leaves = leaves};
}

}  // namespace stealbench::skynet
