#include "bench/costs/catalogue.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "workloads/kit/parameters.hpp"

namespace stealbench::costs {
namespace {

constexpr std::string_view line_transfer =
    "the transfer of a cache line from one processor to another";

}  // namespace

const std::vector<figure_description>& figures() {
  static const std::vector<figure_description> all{
      {figure::fork, "fork", "a fork of two empty branches and its join, not stolen", 1, false,
       "two plain calls"},
      {figure::spawn, "spawn", "an empty child of a group of 1000, with its part of the sync", 1,
       false, "a plain call"},
      {figure::spawn_8, "spawn_8", "an empty child of a group of 8, with its part of the sync", 1,
       false, "a plain call"},
      {figure::spawn_1, "spawn_1", "a group of one empty child, with its sync", 1, false,
       "a plain call"},
      {figure::steal, "steal",
       "from a fork to the first instruction of its job on the other worker, which has looked for "
       "work for 2 µs",
       2, true, line_transfer},
      {figure::steal_0us, "steal_0us", "the same where the other worker has just ended a job", 2,
       true, line_transfer},
      {figure::steal_10us, "steal_10us",
       "the same where the other worker has looked for work for 10 µs", 2, true, line_transfer},
      {figure::wake, "wake",
       "from a fork to the first instruction of its job on the other worker, which sleeps", 2, true,
       "from a futex wake-up to the first instruction of the thread that slept"},
      {figure::waker, "waker",
       "from a fork that wakes the other worker until the forking worker begins its own branch", 2,
       true, "the system call that wakes a thread"},
      {figure::run, "run", "an empty run on a pool of two that has run before", 2, false,
       "a plain call"},
      {figure::loop_0, "loop_0", "a parallel_for over no index", 1, false,
       "a plain loop over no index"},
      {figure::loop_1000, "loop_1000",
       "an index of a parallel_for over 1000 empty ones with grain 1", 1, false,
       "an index of a plain loop"},
      {figure::long_leaf, "long_leaf",
       "64 jobs of 1 ms, spawned before a leaf of 100 ms on their owner, with the sync", 2, false,
       "the leaf alone, which is the ideal"},
      {figure::idle, "idle", "processor time per second of a pool of two between two runs", 2, true,
       "processor time per second of the thread that measures"},
      {figure::memory, "memory",
       "resident memory per worker of a pool of 16 after its first run; its time: making the pool",
       16, true, "15 threads that sleep, divided by 16", figure_unit::bytes}};
  return all;
}

const figure_description& find_figure(std::string_view name) {
  std::vector<std::string_view> names;
  for (const figure_description& each : figures()) {
    if (each.name == name) return each;
    names.push_back(each.name);
  }
  throw kit::bad_input(fmt::format("unknown metric '{}'; valid: {}", name, fmt::join(names, ", ")));
}

std::string_view why_not_applicable(const figure_description& wanted, std::string_view scheduler) {
  const bool is_alone = scheduler == "serial";
  return is_alone && wanted.needs_other_workers ? "its one worker is the calling thread" : "";
}

}  // namespace stealbench::costs
