#include "workloads/loops/skewed/skewed.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "workloads/kit/random.hpp"

namespace stealbench::skewed {
namespace {

/// No index costs more than so many mean indices: one alone must not be the whole loop.
constexpr double pareto_cap = 1000;
/// The costs of four blocks, to each other; their mean is 187.5. Split evenly among four workers,
/// the last works for 350 while the others wait: 750 of 4 x 350, or 53 %.
constexpr std::array<double, 4> block_costs{100, 100, 200, 350};
constexpr double mean_block_cost = 187.5;

std::uint64_t sum_of_results(const std::vector<workload::visit>& visits) {
  std::uint64_t sum = 0;
  for (const workload::visit& each : visits) sum += each.result;
  return sum;
}

}  // namespace

std::vector<std::uint32_t> costs(const law& by, std::size_t indices) {
  kit::random_stream random(by.seed);
  const auto mean = static_cast<double>(by.units);
  const auto count = static_cast<double>(indices);
  std::vector<std::uint32_t> all(indices);
  for (std::size_t index = 0; index < indices; ++index) {
    double cost = mean;
    switch (by.body) {
      case body_kind::uniform:
        break;
      case body_kind::linear:
        cost = mean * (2 * static_cast<double>(index) + 1) / count;
        break;
      case body_kind::pareto: {
        const double least = mean * (by.alpha - 1) / by.alpha;
        const double u = 1 - random.fraction();  // In (0, 1].
        cost = std::min(least * std::pow(u, -1 / by.alpha), pareto_cap * mean);
        break;
      }
      case body_kind::blocks:
        cost = mean * block_costs[index * block_costs.size() / indices] / mean_block_cost;
        break;
    }
    all[index] = static_cast<std::uint32_t>(std::llround(cost));
  }
  return all;
}

std::uint64_t work(std::uint64_t index, std::uint32_t units) {
  std::uint64_t state = kit::mixed(index + kit::golden_gamma);
  for (std::uint32_t unit = 0; unit < units; ++unit) {
    state = kit::mixed(state + kit::golden_gamma);
  }
  return state;
}

workload::input workload::prepare(const kit::parameters& chosen) {
  const std::uint64_t indices = chosen.integer("indices");
  kit::require_memory("indices", indices,
                      [](std::uint64_t n) { return n * (sizeof(std::uint32_t) + sizeof(visit)); });
  const law by{.body = chosen.choice_as<body_kind>("body"),
               .units = chosen.integer("units"),
               .alpha = chosen.real("alpha"),
               .seed = chosen.integer("seed")};
  return {.costs = skewed::costs(by, indices),
          .grain = chosen.integer("grain"),
          .visits = std::vector<visit>(indices),
          .expected = {}};
}

workload::output workload::sequential(input& in) {
  for (std::size_t index = 0; index < in.costs.size(); ++index) visit_index(in, index);
  return {};
}

std::optional<bool> workload::verify(const input& in, const output& /*unused*/) {
  if (!in.expected) {
    std::uint64_t sum = 0;
    for (std::size_t index = 0; index < in.costs.size(); ++index) {
      sum += work(index, in.costs[index]);
    }
    in.expected = sum;
  }
  const auto is_once = [](const visit& each) { return each.times == 1; };
  return std::all_of(in.visits.begin(), in.visits.end(), is_once) &&
         sum_of_results(in.visits) == *in.expected;
}

nlohmann::ordered_json workload::answer(const input& in, const output& /*unused*/) {
  std::uint64_t visits = 0;
  for (const visit& each : in.visits) visits += each.times;
  return {{"indices", in.visits.size()}, {"visits", visits}, {"sum", sum_of_results(in.visits)}};
}

}  // namespace stealbench::skewed
