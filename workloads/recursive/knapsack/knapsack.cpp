#include "workloads/recursive/knapsack/knapsack.hpp"

#include <utility>

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
  return {.value = std::max(in.greedy, value), .forks = uncounted};
}

std::optional<bool> workload::verify(const input& in, const output& out) {
  if (out.value != in.optimum) return false;
  if (in.how == kit::pruning::shared || out.forks == uncounted) return true;
  if (!in.expected_forks) in.expected_forks = run(serial::worker{}, in).forks;
  return out.forks == *in.expected_forks;
}

}  // namespace stealbench::knapsack
