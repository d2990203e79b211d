#include "workloads/loops/mandelbrot/mandelbrot.hpp"

#include <algorithm>
#include <array>
#include <numeric>

namespace stealbench::mandelbrot {
namespace {

/// Points that are iterated side by side: as many as four vectors of 256 bits hold, since one
/// vector's chain of additions and multiplications would leave the processor waiting.
constexpr std::size_t lanes = 16;
/// Iterations after which is asked whether all lanes have left.
constexpr iterations between_tests = 8;
using lane_values = std::array<double, lanes>;

/// Iterations of the points (real[i], imaginary), one lane each.
void iterate(const lane_values& real, double imaginary, iterations bound,
             std::array<std::uint64_t, lanes>& counts) {
  // A lane that has left never comes back: outside the radius z only grows, to infinity and NaN,
  // which are not counted either. So no lane waits for a branch, and whether all have left is asked
  // only now and then.
  lane_values x{};
  lane_values y{};
  counts.fill(0);
  for (iterations done = 0; done < bound;) {
    const iterations pause = std::min(done + between_tests, bound);
    for (; done < pause; ++done) {
      for (std::size_t i = 0; i < lanes; ++i) {
        const double x_squared = x[i] * x[i];
        const double y_squared = y[i] * y[i];
        counts[i] += x_squared + y_squared <= 4.0 ? 1 : 0;
        y[i] = 2.0 * x[i] * y[i] + imaginary;
        x[i] = x_squared - y_squared + real[i];
      }
    }
    std::uint64_t most = 0;
    for (const std::uint64_t count : counts) most = std::max(most, count);
    if (most < done) return;
  }
}

}  // namespace

void add_row(const picture& shown, std::uint32_t row, std::span<iterations> points) {
  const double step = 2.5 / shown.side;
  const double imaginary = (row + 0.5) * step - 1.25;
  for (std::size_t first = 0; first < points.size(); first += lanes) {
    lane_values real{};
    for (std::size_t i = 0; i < lanes; ++i) {
      real[i] = (static_cast<double>(first + i) + 0.5) * step - 2.0;
    }
    std::array<std::uint64_t, lanes> counts{};
    iterate(real, imaginary, shown.bound, counts);
    const std::size_t inside = std::min(lanes, points.size() - first);
    for (std::size_t i = 0; i < inside; ++i)
      points[first + i] += static_cast<iterations>(counts[i]);
  }
}

std::uint64_t iterations_side_by_side(const picture& shown, std::span<const iterations> points) {
  std::uint64_t sum = 0;
  for (std::size_t first = 0; first < points.size(); first += lanes) {
    const auto group = points.subspan(first, std::min(lanes, points.size() - first));
    const iterations most = *std::max_element(group.begin(), group.end());
    sum += std::min(shown.bound, (most / between_tests + 1) * between_tests);
  }
  return sum;
}

workload::input workload::prepare(const kit::parameters& chosen) {
  const std::uint64_t side = chosen.integer("side");
  // The picture, and the serial one that it is compared with.
  kit::require_memory("side", side, [](std::uint64_t n) { return 2 * sizeof(iterations) * n * n; });
  return {.shown = {.side = static_cast<std::uint32_t>(side),
                    .bound = chosen.integer<iterations>("iterations")},
          .grain = chosen.integer("grain"),
          .points = std::vector<iterations>(side * side),
          .reference = {}};
}

void workload::add_row_of(input& in, std::size_t row) {
  add_row(in.shown, static_cast<std::uint32_t>(row), row_of(in, row));
}

workload::output workload::sequential(input& in) {
  for (std::size_t row = 0; row < in.shown.side; ++row) add_row_of(in, row);
  return {};
}

std::optional<bool> workload::verify(const input& in, const output& /*unused*/) {
  if (in.reference.empty()) in.reference = workloads::after_sequential<workload>(in).points;
  return in.points == in.reference;
}

nlohmann::ordered_json workload::answer(const input& in, const output& /*unused*/) {
  const auto within = std::count(in.points.begin(), in.points.end(), in.shown.bound);
  return {{"iterations", std::accumulate(in.points.begin(), in.points.end(), std::uint64_t{0})},
          {"points_within", within}};
}

}  // namespace stealbench::mandelbrot
