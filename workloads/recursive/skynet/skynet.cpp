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

workload::input workload::prepare(const kit::parameters& chosen) {
  std::uint64_t leaves = 1;
  for (std::uint64_t level = 0; level < chosen.integer("depth"); ++level) leaves *= fanout;
  return {.leaves = leaves};
}

}  // namespace stealbench::skynet
