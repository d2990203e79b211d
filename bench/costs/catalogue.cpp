#include "bench/costs/catalogue.hpp"

#include <fmt/format.h>

#include "workloads/kit/parameters.hpp"

namespace stealbench::costs {
namespace {

constexpr std::string_view line_transfer =
    "the hand-over of a number through a cache line, which takes two transfers";
constexpr std::string_view copying_call = "a plain call that takes as many bytes by value";

}  // namespace

const std::vector<figure_description>& figures() {
  static const std::vector<figure_description> all{
      {"fork", "fork and join of two empty branches, without a steal", 1, false, "two plain calls"},
      {"spawn", "spawn and join of an empty child: the time of a group of 1000, divided by 1000", 1,
       false, "a plain call"},
      {"spawn_8", "spawn and join of an empty child: the time of a group of 8, divided by 8", 1,
       false, "a plain call"},
      {"spawn_1", "spawn and join of an empty child that is alone in its group", 1, false,
       "a plain call"},
      {"capture_8", "spawn and join of a child that captures 8 bytes, in groups of 8", 1, false,
       copying_call},
      {"capture_32", "the same with 32 bytes", 1, false, copying_call},
      {"capture_64", "the same with 64 bytes", 1, false, copying_call},
      {"capture_128", "the same with 128 bytes", 1, false, copying_call},
      {"capture_256", "the same with 256 bytes", 1, false, copying_call},
      {"steal",
       "from a fork until the other worker, which has searched for work for 2 µs, starts the "
       "branch",
       2, true, line_transfer},
      {"steal_0us",
       "from a fork until the other worker, which has just finished a job, starts the branch", 2,
       true, line_transfer},
      {"steal_10us",
       "from a fork until the other worker, which has searched for work for 10 µs, starts the "
       "branch",
       2, true, line_transfer},
      {"wake", "from a fork until the other worker, which sleeps, starts the branch", 2, true,
       "from a futex wake-up to the first instruction of the thread that slept"},
      {"waker",
       "from a fork that wakes the other worker until the forking worker starts its own branch", 2,
       true, "the system call that wakes a thread"},
      {"run", "an empty run on a pool of 2 workers that has run before", 2, false, "a plain call"},
      {"loop_0", "a parallel_for over an empty range", 1, false,
       "a plain loop over an empty range"},
      {"loop_1000",
       "an empty index of a parallel_for: the time of 1000 indices with grain 1, divided by 1000",
       1, false, "an index of a plain loop"},
      {"long_leaf",
       "64 tasks of 1 ms, which one worker spawns before it computes for 100 ms: the time until "
       "all are done",
       2, false, "the 100 ms alone, which is the ideal"},
      {"idle", "processor time per second of a pool of 2 workers between two runs", 2, true,
       "processor time per second of the thread that measures"},
      {"memory",
       "resident memory per worker of a pool of 16 after its first run; the time is that of "
       "creating the pool",
       16, true, "15 threads that sleep, divided by 16", figure_unit::bytes}};
  return all;
}

std::vector<std::string> figure_names() {
  std::vector<std::string> names;
  for (const figure_description& each : figures()) names.emplace_back(each.name);
  return names;
}

const figure_description& find_figure(std::string_view name) {
  return kit::find_named(figures(), &figure_description::name, name,
                         fmt::format("unknown metric '{}'", name));
}

std::string_view why_not_applicable(const figure_description& wanted, std::string_view scheduler) {
  if (scheduler == "mpi") return "it has no forks, but tasks that it sends";
  const bool is_alone = scheduler == "serial";
  return is_alone && wanted.needs_other_workers ? "its one worker is the calling thread" : "";
}

}  // namespace stealbench::costs
