#include "workloads/graphs/taskbench/taskbench.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include <nlohmann/json.hpp>

#include "workloads/kit/memory.hpp"

namespace stealbench::taskbench {
namespace {

constexpr std::size_t lanes = 64;
constexpr std::array<std::pair<std::string_view, pattern_kind>, 7> patterns{
    {{"stencil_1d", pattern_kind::stencil_1d},
     {"fft", pattern_kind::fft},
     {"tree", pattern_kind::tree},
     {"all_to_all", pattern_kind::all_to_all},
     {"nearest", pattern_kind::nearest},
     {"random_nearest", pattern_kind::random_nearest},
     {"trivial", pattern_kind::trivial}}};

pattern_kind pattern_of(std::string_view wanted) {
  for (const auto& [word, pattern] : patterns) {
    if (word == wanted) return pattern;
  }
  throw kit::bad_input("unknown pattern");  // The domain has refused it before.
}

kit::choice_domain pattern_words() {
  kit::choice_domain domain{.words = {}, .standard = "stencil_1d"};
  for (const auto& [word, pattern] : patterns) domain.words.emplace_back(word);
  return domain;
}

/// The same instance of every pattern.
std::vector<std::vector<kit::assignment>> of_each_pattern(
    const std::vector<kit::assignment>& instance) {
  std::vector<std::vector<kit::assignment>> all;
  for (const auto& [word, pattern] : patterns) {
    all.push_back(instance);
    all.back().emplace_back("pattern", word);
  }
  return all;
}

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

kit::description workload::describe() {
  using kit::integer_domain;
  return {
      .name = "taskbench",
      .summary = "Task Bench: steps of tasks that check and use each other's results",
      .about = {.shape = "one `parallel_for` per step over points of equal cost: bulk-synchronous",
                .tasks = "steps × width ⁄ grain; fewer with pattern=tree",
                .work = "Θ(steps × width × (iterations + inputs of a task))",
                .span = "Θ(steps × (log width + grain × (iterations + inputs of a task)))",
                .bound_by = "the join of each step; compute",
                .answer = "the values; equal to the sequential version, and every task ran once on "
                          "the right inputs",
                .source = "Slaughter et al., SC 2020",
                .unit = "iteration of the kernel"},
      .parameters =
          {{"pattern", "which tasks of the previous step a task depends on; trivial: none",
            pattern_words()},
           {"width", "points per step; 256 bytes of memory for each",
            integer_domain{.least = 1, .most = 1 << 24, .standard = 64}},
           {"steps", "number of steps, one after the other",
            integer_domain{.least = 1, .most = 1 << 24, .standard = 1000}},
           {"iterations",
            "kernel iterations per task; each has 64 multiplications and additions and takes 1 to "
            "10 ns",
            integer_domain{.least = 0, .most = 1 << 30, .standard = 4096}},
           {"radix",
            "size of the window of points from which nearest and random_nearest take inputs",
            integer_domain{.least = 1, .most = 1 << 24, .standard = 5}},
           {"grain", "least number of points in a piece of a step's loop",
            integer_domain{.least = 1, .most = 1 << 24, .standard = 1}},
           {"seed", "seed of the inputs of random_nearest",
            integer_domain{.least = 0, .most = ~std::uint64_t{0}, .standard = 1}}},
      .grain = kit::granularity{.parameter = "grain", .least = 1, .bounded_by = "width"},
      .sizes = {{"test", of_each_pattern({{"width", "16"}, {"steps", "12"}, {"iterations", "4"}})},
                {"small", of_each_pattern({{"steps", "50"}})},
                {"standard",
                 {{{"pattern", "stencil_1d"}}, {{"pattern", "fft"}}, {{"pattern", "all_to_all"}}}},
                {"large", of_each_pattern({{"steps", "10000"}})}}};
}

workload::input workload::prepare(const kit::parameters& chosen) {
  const std::uint64_t width = chosen.integer("width");
  kit::require_memory("width", width,
                      [](std::uint64_t n) { return n * (2 * sizeof(result) + 2 * sizeof(tally)); });
  input in{.tasks = {.pattern = pattern_of(chosen.choice("pattern")),
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
  constexpr result nobody{.step = ~std::uint64_t{0}, .point = ~std::uint64_t{0}, .value = 0};
  std::fill(in.even.begin(), in.even.end(), nobody);
  std::fill(in.odd.begin(), in.odd.end(), nobody);
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

void workload::corrupt(input& in, output& /*unused*/) {
  run_task(in, in.tasks.steps - 1, 0);  // Once more.
}

std::optional<bool> workload::verify(const input& in, const output& /*unused*/) {
  if (in.expected.empty()) {
    input serial = in;
    reset(serial);
    sequential(serial);
    in.expected = std::move(serial.tallies);
  }
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
