#include "bench/costs/catalogue.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "workloads/parameters.hpp"

namespace stealbench::costs {

const std::vector<figure_description>& figures() {
  static const std::vector<figure_description> all{
      {figure::fork, "fork", "a fork and its join, both branches empty, nothing stolen", 1, false},
      {figure::spawn, "spawn", "a child of a group of 1000 empty ones, with its share of the sync",
       1, false},
      {figure::steal, "steal",
       "from a fork to the first instruction of its job on the other worker, which is awake", 2,
       true},
      {figure::wake, "wake",
       "from a fork to the first instruction of its job on the other worker, which sleeps", 2,
       true},
      {figure::run, "run", "a run of nothing on a pool of two that has run before", 2, false},
      {figure::loop_0, "loop_0", "a parallel_for over no index", 1, false},
      {figure::loop_1000, "loop_1000",
       "an index of a parallel_for over 1000 empty ones with grain 1", 1, false}};
  return all;
}

const figure_description& find_figure(std::string_view name) {
  std::vector<std::string_view> names;
  for (const figure_description& each : figures()) {
    if (each.name == name) return each;
    names.push_back(each.name);
  }
  throw workloads::bad_input(
      fmt::format("unknown figure '{}'; valid: {}", name, fmt::join(names, ", ")));
}

std::string_view why_not_applicable(const figure_description& of, std::string_view scheduler) {
  if (scheduler == "reference") return "plain code knows no worker";
  const bool is_alone = scheduler == "serial";
  return is_alone && of.needs_other_workers ? "its one worker has nobody to hand a job to" : "";
}

}  // namespace stealbench::costs
