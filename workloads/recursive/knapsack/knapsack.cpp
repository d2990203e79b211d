#include "workloads/recursive/knapsack/knapsack.hpp"

#include <utility>

#include <nlohmann/json.hpp>

#include "workloads/kit/random.hpp"

namespace stealbench::knapsack {
namespace {

constexpr std::uint64_t least_weight = 20;
constexpr std::uint64_t most_weight = 80;

/// Weakly correlated items, which are hard: a value is the weight and up to `spread` more. By
/// falling density, equal ones in the order in which they were drawn.
std::vector<item> random_items(std::size_t count, std::uint64_t spread, std::uint64_t seed) {
  kit::random_stream random(seed);
  std::vector<item> items(count);
  for (item& each : items) {
    each.weight = least_weight + random.below(most_weight - least_weight + 1);
    each.value = each.weight + random.below(spread + 1);
  }
  std::stable_sort(items.begin(), items.end(), [](const item& a, const item& b) {
    return a.value * b.weight > b.value * a.weight;
  });
  return items;
}

}  // namespace

// NOLINTNEXTLINE(misc-no-recursion): the definition
std::uint64_t plain_search(std::span<const item> items, const filling& top, incumbent& best) {
  if (top.decided == items.size()) {
    best.offer(top.value);
    return top.value;
  }
  const item& next = items[top.decided];
  if (top.is_hopeless(next, best.value())) return 0;
  std::uint64_t taken = 0;
  if (next.weight <= top.room) taken = plain_search(items, top.with(next), best);
  return std::max(taken, plain_search(items, top.without(), best));
}

std::uint64_t greedy_value(std::span<const item> items, std::uint64_t capacity) {
  filling all{.room = capacity};
  for (const item& next : items) all = next.weight <= all.room ? all.with(next) : all.without();
  return all.value;
}

std::uint64_t greatest_value(std::span<const item> items, std::uint64_t capacity) {
  std::vector<std::uint64_t> best(capacity + 1);  // By the room that may be filled.
  for (const item& each : items) {
    for (std::uint64_t room = capacity; room >= each.weight; --room) {
      best[room] = std::max(best[room], best[room - each.weight] + each.value);
    }
  }
  return best[capacity];
}

kit::description workload::describe() {
  return kit::described(R"(
knapsack: 0-1 knapsack by branch and bound: a fork for every item that may be taken
shape: `fork_join`: take or leave; a pruned, very irregular binary tree
tasks: depends on the seed; at most 2ⁿ − 1
work: O(2ⁿ)
span: O(n)
bound by: forks
answer: the greatest value; compared with dynamic programming
source: Cilk's knapsack, Frigo, Leiserson & Randall, PLDI 1998
unit: bound of a branch
n=32 (1 to 64): number of items, of weight 20 to 80 each
capacity=900 (0 to 5120): weight limit; 8 bytes of memory for each unit
spread=10 (0 to 1000000): the value of an item is its weight plus a random number from 0 to this one
seed=164 (any): seed of the items, which decides whether there are thousands of branches or billions
prune=fixed (fixed | shared): bound that prunes branches. fixed: the value of a greedy choice, so
    every scheduler runs the same branches; shared: the greatest value found so far, so the number
    of branches varies between runs
cutoff=64 (0 to 64): number of items, by value per weight, that are decided by forks; 64: all
sizes: n=16 capacity=450 seed=16; n=16 capacity=450 seed=16 cutoff=5 | seed=157 | seed=164 |
    n=36 seed=62
)",
                        kit::granularity{.parameter = "cutoff",
                                         .counts = kit::grain_unit::levels_of_forks,
                                         .least = 0,
                                         .bounded_by = "n"});
}

workload::input workload::prepare(const kit::parameters& chosen) {
  const std::uint64_t capacity = chosen.integer("capacity");
  std::vector<item> items =
      random_items(chosen.integer("n"), chosen.integer("spread"), chosen.integer("seed"));
  const std::uint64_t greedy = greedy_value(items, capacity);
  const std::uint64_t optimum = greatest_value(items, capacity);
  return {.items = std::move(items),
          .capacity = capacity,
          .greedy = greedy,
          .optimum = optimum,
          .how = chosen.choice_as<kit::pruning>("prune"),
          .forking_items = chosen.integer("cutoff")};
}

workload::output workload::sequential(const input& in) {
  incumbent best(in.greedy, in.how);
  const std::uint64_t value = plain_search(in.items, {.room = in.capacity}, best);
  return {.value = std::max(in.greedy, value), .forks = 0};
}

nlohmann::ordered_json workload::answer(const input& in, const output& out) {
  return {{"value", out.value}, {"greedy_value", in.greedy}};
}

}  // namespace stealbench::knapsack
