#include "workloads/recursive/floorplan/floorplan.hpp"

#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace stealbench::floorplan {
// NOLINTNEXTLINE(misc-no-recursion): the definition
std::uint64_t plain_search(std::span<const cell> cells, const plan& from, incumbent& best) {
  if (from.count == cells.size()) {
    best.offer(from.area());
    return from.area();
  }
  std::uint64_t least = no_area;
  for (const rectangle& move : moves(from, cells, best.value())) {
    plan next = from;
    next.place(move);
    least = std::min(least, plain_search(cells, next, best));
  }
  return least;
}

kit::description workload::describe() {
  return kit::described(fmt::format(R"(
floorplan: packs cells by branch and bound: a spawn for every position of a cell
shape: `task_group`, one child per position; pruned, very irregular, n levels
tasks: depends on the seed; exponential in n
work: O((4 side)ⁿ)
span: O(n × side)
bound by: compute: a copy of 600 bytes per branch
answer: the least area; equal to the sequential version
source: BOTS, Duran et al., ICPP 2009
unit: step of a copy of a plan, or of a search for the next moves
n=12 (1 to {0}): number of cells
side=5 (1 to {1}): greatest side length of a cell
seed=23 (any): seed of the cells, which decides whether there are thousands of branches or billions
prune=fixed (fixed | shared): bound that prunes branches. fixed: the area of a greedy plan, so every
    scheduler runs the same branches; shared: the least area found so far, so the number of branches
    varies between runs
cutoff={0} (0 to {0}): number of cells, from the first one on, that are placed by tasks; {0}: all
sizes: n=6 seed=4; n=6 seed=5 cutoff=3 | n=10 seed=20 | n=12 seed=23 | n=13 seed=23
)",
                                    most_cells, most_side),
                        kit::granularity{.parameter = "cutoff",
                                         .counts = kit::grain_unit::levels_of_forks,
                                         .least = 0,
                                         .bounded_by = "n"});
}

workload::input workload::prepare(const kit::parameters& chosen) {
  std::vector<cell> cells =
      random_cells(chosen.integer("n"), static_cast<std::uint32_t>(chosen.integer("side")),
                   chosen.integer("seed"));
  const std::uint64_t greedy = greedy_area(cells);
  return {.cells = std::move(cells),
          .greedy = greedy,
          .how = chosen.choice_as<kit::pruning>("prune"),
          .spawning_cells = chosen.integer("cutoff"),
          .expected = std::nullopt};
}

workload::output workload::sequential(const input& in) {
  incumbent best(in.greedy, in.how);
  return {.area = std::min(in.greedy, plain_search(in.cells, plan{}, best)), .spawns = 0};
}

std::optional<bool> workload::verify(const input& in, const output& out) {
  if (!in.expected) in.expected = sequential(in).area;
  return out.area == *in.expected;
}

nlohmann::ordered_json workload::answer(const input& in, const output& out) {
  return {{"area", out.area}, {"greedy_area", in.greedy}};
}

}  // namespace stealbench::floorplan
