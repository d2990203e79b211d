#include "workloads/loops/heat/heat.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include <fmt/format.h>

namespace stealbench::heat {
namespace {

double half_wave_at(std::size_t i, std::size_t n) {
  return std::sin(std::numbers::pi * static_cast<double>(i) / static_cast<double>(n + 1));
}

/// The most steps that leave the middle of an n x n plate a normal double. Some steps later, no
/// step would change a cell, so that a lost row would pass.
std::uint64_t most_steps(std::uint64_t n) {
  if (n == 1) return 1;  // After that step, its only cell is 0.
  const double steps = std::log(std::numeric_limits<double>::min()) / std::log(decay(n));
  return static_cast<std::uint64_t>(steps);
}

}  // namespace

void grid::fill_with_slowest_mode() {
  std::vector<double> wave(n() + 1);
  for (std::size_t i = 1; i <= n(); ++i) wave[i] = half_wave_at(i, n());
  for (std::size_t i = 1; i <= n(); ++i) {
    for (std::size_t j = 1; j <= n(); ++j) row(i)[j] = wave[i] * wave[j];
  }
}

double decay(std::size_t n) { return std::cos(std::numbers::pi / static_cast<double>(n + 1)); }

void relax_row(const grid& before, grid& after, std::size_t i) {
  const double* above = before.row(i - 1);
  const double* middle = before.row(i);
  const double* below = before.row(i + 1);
  double* __restrict result = after.row(i);
  const std::size_t n = before.n();
  for (std::size_t j = 1; j <= n; ++j) {
    result[j] = 0.25 * ((above[j] + below[j]) + (middle[j - 1] + middle[j + 1]));
  }
}

double error_of(const workload::input& in) {
  const grid& found = in.after(in.steps);
  const std::size_t n = found.n();
  const auto steps = static_cast<double>(in.steps);
  grid first(n);
  first.fill_with_slowest_mode();
  const double left = std::pow(decay(n), steps);
  double greatest = 0;
  for (std::size_t i = 1; i <= n; ++i) {
    for (std::size_t j = 1; j <= n; ++j) {
      const double error = std::abs(found.row(i)[j] - left * first.row(i)[j]);
      if (std::isnan(error)) return error;  // Which std::max would drop.
      greatest = std::max(greatest, error);
    }
  }
  return greatest / (4 * (steps + 1) * std::numeric_limits<double>::epsilon());
}

workload::input workload::prepare(const kit::parameters& chosen) {
  const std::uint64_t n = chosen.integer("n");
  kit::require_memory("n", n, [](std::uint64_t side) {
    constexpr std::uint64_t grids = 4;
    constexpr std::uint64_t frame = 18;  // Two cells, and at most two cache lines.
    return grids * sizeof(double) * (side + 2) * (side + frame);
  });
  const std::uint64_t steps = chosen.integer("steps");
  if (steps > most_steps(n)) {
    throw kit::bad_input(fmt::format(
        "--set steps={}: after them a plate of n={} is as cold as doubles tell, so that "
        "no answer can be checked; valid: 1 to {}, or a greater n",
        steps, n, most_steps(n)));
  }
  input in{.steps = steps,
           .grain = chosen.integer("grain"),
           .even = grid(n),
           .odd = grid(n),
           .fingerprint_of_reference = std::nullopt};
  reset(in);
  return in;
}

workload::output workload::sequential(input& in) {
  for (std::size_t step = 0; step < in.steps; ++step) {
    const grid& before = in.after(step);
    grid& after = in.after(step + 1);
    for (std::size_t i = 1; i <= before.n(); ++i) relax_row(before, after, i);
  }
  return {};
}

void workload::corrupt(input& in, output& /*unused*/) {
  const std::size_t n = in.even.n();
  const std::size_t middle = (n + 1) / 2;
  const double* before = in.after(in.steps + 1).row(middle);
  std::copy(before, before + n + 1, in.after(in.steps).row(middle));
}

std::optional<bool> workload::verify(const input& in, const output& /*unused*/) {
  if (!in.fingerprint_of_reference) {
    in.fingerprint_of_reference =
        workloads::after_sequential<workload>(in).after(in.steps).fingerprint();
  }
  return in.after(in.steps).fingerprint() == *in.fingerprint_of_reference && error_of(in) <= 1;
}

nlohmann::ordered_json workload::answer(const input& in, const output& /*unused*/) {
  const grid& plate = in.after(in.steps);
  const std::size_t middle = (plate.n() + 1) / 2;
  return {{"middle", plate.row(middle)[middle]},
          {"fingerprint", fmt::format("{:016x}", plate.fingerprint())}};
}

}  // namespace stealbench::heat
