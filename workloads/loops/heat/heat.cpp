#include "workloads/loops/heat/heat.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "workloads/kit/memory.hpp"

namespace stealbench::heat {

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
      // Not std::max, which would drop a NaN.
      if (!(error <= greatest)) greatest = error;
    }
  }
  return greatest / (4 * (steps + 1) * std::numeric_limits<double>::epsilon());
}

kit::description workload::describe() {
  return kit::described(R"(
heat: heat distribution on a square plate by Jacobi iteration
shape: `parallel_for` over the rows in every step; all rows cost the same
tasks: steps × n ⁄ grain
work: Θ(steps × n²)
span: Θ(steps × (lg n + grain × n))
bound by: memory
answer: the temperatures; bit for bit equal to the sequential version, and near the exact solution
source: Frigo, Leiserson & Randall, PLDI 1998
n=2^11 (1 to 2^17): rows and columns of the plate; 16 n² bytes of memory, 32 n² while it is verified
steps=200 (1 to 1000000): number of time steps
grain=16 (1 to 2^17): least number of rows in a piece of the loop
sizes: n=64 steps=11 grain=3 | n=512 steps=200 | n=2048 steps=200 | n=4096 steps=1000
)",
                        kit::granularity{.parameter = "grain", .least = 1, .bounded_by = "n"});
}

workload::input workload::prepare(const kit::parameters& chosen) {
  const std::uint64_t n = chosen.integer("n");
  kit::require_memory("n", n, [](std::uint64_t side) {
    constexpr std::uint64_t grids = 4;
    constexpr std::uint64_t frame = 18;  // Two cells, and at most two cache lines.
    return grids * sizeof(double) * (side + 2) * (side + frame);
  });
  input in{.steps = chosen.integer("steps"),
           .grain = chosen.integer("grain"),
           .even = grid(n),
           .odd = grid(n),
           .fingerprint_of_reference = std::nullopt};
  reset(in);
  return in;
}

workload::output workload::sequential(input& in) {
  for (std::size_t step = 0; step < in.steps; ++step) {
    const grid& from = in.after(step);
    grid& to = in.after(step + 1);
    for (std::size_t i = 1; i <= from.n(); ++i) relax_row(from, to, i);
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
