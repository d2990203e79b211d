#include "workloads/graphs/taskbench/taskbench.hpp"

#include <algorithm>
#include <array>

namespace stealbench::taskbench {
namespace {

constexpr std::size_t lanes = 64;
}  // namespace

std::uint64_t kernel(std::uint64_t carried, std::uint64_t iterations) {
  std::array<std::uint32_t, lanes> lane{};
  for (std::uint32_t i = 0; i < lanes; ++i) lane[i] = static_cast<std::uint32_t>(carried) + i;
  for (std::uint64_t i = 0; i < iterations; ++i) {
    for (std::uint32_t& each : lane) each = each * 1'664'525 + 1'013'904'223;
  }
  std::uint64_t sum = carried;
  for (const std::uint32_t each : lane) sum += each;
  return kit::mixed(sum);
}

workload::input workload::prepare(const kit::parameters& chosen) {
  const std::uint64_t width = chosen.integer("width");
  // Twice: `verify` compares with what the sequential version leaves in a copy.
  kit::require_memory("width", width,
                      [](std::uint64_t n) { return 2 * n * (2 * sizeof(result) + sizeof(tally)); });
  input in{.tasks = {.pattern = chosen.choice_as<pattern_kind>("pattern"),
                     .width = width,
                     .steps = chosen.integer("steps"),
                     .radix = chosen.integer("radix"),
                     .seed = chosen.integer("seed")},
           .iterations = chosen.integer("iterations"),
           .grain = chosen.integer("grain"),
           .even = std::vector<result>(width),
           .odd = std::vector<result>(width),
           .tallies = std::vector<tally>(width),
           .expected = {}};
  reset(in);
  return in;
}

void workload::reset(input& in) {
  // Stamps that no task has, so that a result of an earlier run is not taken for one of this.
  constexpr result nothing{.step = ~std::uint64_t{0}, .point = ~std::uint64_t{0}, .value = 0};
  std::fill(in.even.begin(), in.even.end(), nothing);
  std::fill(in.odd.begin(), in.odd.end(), nothing);
  std::fill(in.tallies.begin(), in.tallies.end(), tally{});
}

void workload::run_task(input& in, std::uint64_t step, std::uint64_t point) {
  const std::vector<result>& before = step % 2 == 0 ? in.odd : in.even;
  std::vector<result>& now = step % 2 == 0 ? in.even : in.odd;
  std::uint64_t inputs = 0;
  std::uint64_t wrong_inputs = 0;
  std::uint64_t carried = step * in.tasks.width + point;
  if (step > 0) {
    in.tasks.for_each_input(step, point, [&](std::uint64_t needed) {
      const result& found = before[needed];
      ++inputs;
      if (found.step != step - 1 || found.point != needed) ++wrong_inputs;
      carried = carried * kit::golden_gamma + found.value;
    });
  }
  const std::uint64_t value = kernel(carried, in.iterations);
  now[point] = {.step = step, .point = point, .value = value};
  tally& mine = in.tallies[point];
  ++mine.tasks;
  mine.inputs += inputs;
  mine.wrong_inputs += wrong_inputs;
  mine.values += value;
}

std::uint64_t workload::units_of_task(const input& in, std::uint64_t step, std::uint64_t point) {
  constexpr std::uint64_t units_without_any = 6;
  std::uint64_t units = units_without_any + in.iterations;
  if (step > 0) in.tasks.for_each_input(step, point, [&](std::uint64_t) { ++units; });
  return units;
}

workload::output workload::sequential(input& in) {
  for (std::uint64_t step = 0; step < in.tasks.steps; ++step) {
    const std::uint64_t width = in.tasks.width_at(step);
    for (std::uint64_t point = 0; point < width; ++point) run_task(in, step, point);
  }
  return {};
}

std::optional<bool> workload::verify(const input& in, const output& /*unused*/) {
  if (in.expected.empty()) in.expected = workloads::after_sequential<workload>(in).tallies;
  const auto has_a_wrong_input = [](const tally& each) { return each.wrong_inputs != 0; };
  return in.tallies == in.expected &&
         std::none_of(in.tallies.begin(), in.tallies.end(), has_a_wrong_input);
}

nlohmann::ordered_json workload::answer(const input& in, const output& /*unused*/) {
  tally sum{};
  for (const tally& each : in.tallies) {
    sum.tasks += each.tasks;
    sum.inputs += each.inputs;
    sum.wrong_inputs += each.wrong_inputs;
    sum.values += each.values;
  }
  return {{"tasks", sum.tasks},
          {"inputs", sum.inputs},
          {"wrong_inputs", sum.wrong_inputs},
          {"values", sum.values}};
}

std::uint64_t workload::fork_count(const input& in, const output& /*unused*/) {
  std::uint64_t pieces = 0;
  for (std::uint64_t step = 0; step < in.tasks.steps; ++step) {
    pieces += kit::pieces_of_loop(in.tasks.width_at(step), in.grain);
  }
  return pieces;
}

}  // namespace stealbench::taskbench
