#include "workloads/loops/mandelbrot/mandelbrot.hpp"

#include <algorithm>
#include <complex>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "schedulers/serial/scheduler.hpp"
#include "workloads/prepared_fixture.hpp"

namespace stealbench::mandelbrot {
namespace {

constexpr auto& prepared = workloads::prepared<workload>;

/// By the definition, one point at a time.
iterations iterations_of(std::complex<double> c, iterations bound) {
  std::complex<double> z = 0;
  iterations count = 0;
  while (count < bound && std::norm(z) <= 4.0) {
    z = z * z + c;
    ++count;
  }
  return count;
}

TEST(Mandelbrot, FollowsTheDefinitionAtEveryWidthOfARow) {
  // Few iterations, so that rounding, which differs between the two, has no time to grow.
  constexpr iterations bound = 20;
  for (std::uint32_t side = 1; side < 40; ++side) {
    const double step = 2.5 / side;
    for (std::uint32_t row = 0; row < side; ++row) {
      std::vector<iterations> points(side, 0);
      add_row({.side = side, .bound = bound}, row, points);
      for (std::uint32_t column = 0; column < side; ++column) {
        const std::complex<double> c{(column + 0.5) * step - 2.0, (row + 0.5) * step - 1.25};
        EXPECT_EQ(points[column], iterations_of(c, bound)) << c << ", side " << side;
      }
    }
  }
}

TEST(Mandelbrot, HasThePublishedArea) {
  workload::input in = prepared({{"side", "256"}, {"iterations", "2000"}});
  workload::run(serial::worker{}, in);
  const auto within = std::count(in.points.begin(), in.points.end(), in.shown.bound);
  const double area = static_cast<double>(within) * 6.25 / (256.0 * 256.0);
  EXPECT_NEAR(area, 1.5066, 0.02) << "Ewing & Schober 1992 and later counts of pixels";
}

TEST(Mandelbrot, AnswersWithAllIterationsAndThePointsThatHaveNotLeft) {
  workload::input in = prepared({{"side", "2"}, {"iterations", "50"}});
  in.points = {50, 3, 50, 1};
  EXPECT_EQ(workload::answer(in, {}).dump(), R"({"iterations":104,"points_within":2})");
}

}  // namespace
}  // namespace stealbench::mandelbrot
