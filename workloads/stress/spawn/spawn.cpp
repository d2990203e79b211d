#include "workloads/stress/spawn/spawn.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>

namespace stealbench::spawn {

std::uint64_t greatest_live(std::span<const std::uint64_t> ended_at) {
  std::vector<std::uint64_t> ended(ended_at.size() + 1);  // By the number of spawns so far.
  for (const std::uint64_t spawned : ended_at) ++ended[spawned];
  std::uint64_t live = 0;
  std::uint64_t greatest = 0;
  for (std::size_t spawned = 1; spawned < ended.size(); ++spawned) {
    ++live;
    greatest = std::max(greatest, live);
    live -= ended[spawned];
  }
  return greatest;
}

workload::input workload::prepare(const kit::parameters& chosen) {
  const std::uint64_t children = chosen.integer("children");
  const bool counts_live = chosen.choice("count_live") == "yes";
  // The numbers that the children leave, and as many again to evaluate them.
  const std::uint64_t extra_bytes = counts_live ? 2 * sizeof(std::uint64_t) : 0;
  kit::require_memory("children", children, [=](std::uint64_t count) {
    return kit::receipts::bytes_for(count) + count * extra_bytes;
  });
  return {.done = kit::receipts(children, chosen.integer("work")),
          .ended_at = std::vector<std::uint64_t>(counts_live ? children : 0)};
}

workload::output workload::sequential(input& in) {
  in.done.perform_in_order(0, in.done.tasks());
  // One after the other: each ends before the next begins.
  std::iota(in.ended_at.begin(), in.ended_at.end(), std::uint64_t{1});
  return {};
}

nlohmann::ordered_json workload::answer(const input& in, const output& /*unused*/) {
  nlohmann::ordered_json shown{{"ran_once", in.done.ran_once()}};
  if (!in.ended_at.empty()) shown["greatest_live"] = greatest_live(in.ended_at);
  return shown;
}

}  // namespace stealbench::spawn
