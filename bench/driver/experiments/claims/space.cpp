// The space that schedulers need: tasks of a spawn loop that are live at once.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "bench/driver/experiments/claims/claims.hpp"
#include "results/report/format.hpp"

namespace stealbench::experiments::claims {
namespace {

using report::count;
using report::ratio_with_interval;

constexpr const char* continuations = "continuation-stealing";

// Of a spawn loop, whose live children are the leaves of the live tree.
const std::vector<instance>& loops() {
  static const std::vector<instance> all{program("spawn", {"children=2^13", "work=100"}),
                                         program("spawn", {"children=2^18", "work=100"})};
  return all;
}
constexpr unsigned spawning_workers = 8;

figures live_per_worker(const evidence& known, const char* scheduler) {
  return known.of([&](const reader& read) {
    return read.counter(loops()[1], scheduler, spawning_workers, "most_live_jobs") /
           spawning_workers;
  });
}

figures growth(const evidence& known, const char* scheduler) {
  return known.of([&](const reader& read) {
    return read.counter(loops()[1], scheduler, spawning_workers, "most_live_jobs") /
           read.counter(loops()[0], scheduler, spawning_workers, "most_live_jobs");
  });
}
const double half_way = std::sqrt(32.0);  ///< Between no growth and that of the loop.

finding space_bound(const evidence& known) {
  const figures bounded = live_per_worker(known, continuations);
  const figures grown = growth(known, work_stealing);
  return {
      hull(bounded), decide(bounded, {.most = 1}),
      fmt::format("Of a loop of 262,144 children at most {} tasks are live for each of {} workers "
                  "with continuation stealing, and {} with child stealing: {} as many as of a "
                  "32nd of the loop.",
                  number_with_interval(hull(bounded)), spawning_workers,
                  count(hull(live_per_worker(known, work_stealing)).median),
                  ratio_with_interval(hull(grown))),
      decide(grown, {.least = half_way}, model_error)};
}

/// Of none of these schedulers more tasks are live than there are workers.
theorem space_in_model(const std::vector<std::string>& schedulers) {
  return {
      grid({loops()[1]}, schedulers, {spawning_workers}, free_machine), [=](const evidence& known) {
        const figures most = known.of([&](const reader& read) {
          double live = 0;
          for (const std::string& each : schedulers) {
            live =
                std::max(live, read.counter(loops()[1], each, spawning_workers, "most_live_jobs"));
          }
          return live / spawning_workers;
        });
        return finding{
            hull(most), decide(most, {.most = 1}),
            fmt::format("At most {} are live for each worker with {}.",
                        number_with_interval(hull(most)), fmt::join(schedulers, " and "))};
      }};
}

constexpr const char* limited = "work-stealing:deque=bwos";

finding full_queue(const evidence& known) {
  const figures bounded = growth(known, limited);
  return {hull(bounded), decide(bounded, {.most = half_way}),
          fmt::format("32 times the children make {} the live tasks with the deque bwos, which "
                      "has room for 8,192 and then runs a child at once, and {} with one that "
                      "grows.",
                      ratio_with_interval(hull(bounded)),
                      ratio_with_interval(hull(growth(known, work_stealing))))};
}

finding busy_leaves(const evidence& known) {
  const figures leaves = live_per_worker(known, "busy-leaves");
  const figures stolen = live_per_worker(known, continuations);
  return {
      hull(leaves), both(decide(leaves, {.most = 1}), decide(stolen, {.most = 1})),
      fmt::format("At most {} leaves of a spawn loop are live for each worker with busy-leaves, "
                  "{} with continuation stealing, and {} with child stealing, which promises "
                  "nothing. Leaves are counted, and not for how long each has a worker.",
                  ratio_with_interval(hull(leaves)), ratio_with_interval(hull(stolen)),
                  count(hull(live_per_worker(known, work_stealing)).median))};
}

}  // namespace

std::vector<claim> claims_on_space() {
  const char* const authors = "Blumofe & Leiserson 1999";
  return {
      {4,
       "Space is at most P · S1 with continuation stealing, and unbounded in P with child stealing",
       authors,
       "most live tasks ÷ (P · S1) with continuation stealing (at most 1)",
       grid(loops(), {continuations, work_stealing}, {spawning_workers}),
       space_bound,
       {},
       space_in_model({continuations})},
      {5, "A full queue that runs its child at once bounds the space again", "Java's ForkJoinPool",
       "live tasks of a spawn loop ÷ those of a 32nd of it (at most 5.7)",
       grid(loops(), {limited, work_stealing}, {spawning_workers}), full_queue},
      {6,
       "Every leaf of the live spawn tree has a worker",
       authors,
       "most live leaves ÷ workers with busy-leaves (at most 1)",
       grid(loops(), {"busy-leaves", continuations, work_stealing}, {spawning_workers}),
       busy_leaves,
       {},
       space_in_model({"busy-leaves", continuations})}};
}

}  // namespace stealbench::experiments::claims
