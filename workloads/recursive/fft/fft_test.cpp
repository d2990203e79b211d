#include "workloads/recursive/fft/fft.hpp"

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "schedulers/serial/scheduler.hpp"
#include "workloads/prepared_fixture.hpp"

namespace stealbench::fft {
namespace {

constexpr auto& prepared = workloads::prepared<workload>;

constexpr double tolerance = 1e-11;

/// exp(2πi · turns).
complex at_angle(double turns) { return std::polar(1.0, 2 * std::numbers::pi * turns); }

std::vector<complex> transformed(const std::vector<complex>& from, std::size_t leaf) {
  std::vector<complex> to(from.size());
  transform(serial::worker{}, {from.data(), 1, from.size()}, to.data(), roots(from.size()), leaf);
  return to;
}

TEST(Fft, IsTheTransformByDefinition) {
  for (const char* count : {"4", "8", "16", "128"}) {
    const workload::input in = prepared({{"points", count}});
    const auto n = static_cast<double>(in.from.size());
    for (const std::size_t leaf : {4U, 8U, 64U}) {
      const std::vector<complex> to = transformed(in.from, leaf);
      for (std::size_t k = 0; k < to.size(); ++k) {
        complex sum = 0;
        for (std::size_t j = 0; j < to.size(); ++j) {
          sum += in.from[j] * at_angle(-static_cast<double>(j * k) / n);
        }
        EXPECT_LT(std::abs(to[k] - sum), tolerance) << count << " " << leaf << " " << k;
      }
    }
  }
}

TEST(Fft, FindsTwoPureTones) {
  constexpr std::size_t n = 256;
  std::vector<complex> from(n);
  for (std::size_t j = 0; j < n; ++j) {
    from[j] =
        at_angle(static_cast<double>(3 * j) / n) + 0.5 * at_angle(static_cast<double>(200 * j) / n);
  }
  const std::vector<complex> to = transformed(from, 8);
  for (std::size_t k = 0; k < n; ++k) {
    const double expected = k == 3 ? n : k == 200 ? n / 2.0 : 0.0;
    EXPECT_LT(std::abs(to[k] - expected), tolerance) << k;
  }
}

TEST(Fft, GivesThePointsBackWhenItIsInverted) {
  const workload::input in = prepared({{"points", "1024"}});
  std::vector<complex> to = transformed(in.from, 16);
  for (complex& each : to) each = std::conj(each);
  const std::vector<complex> back = transformed(to, 16);
  for (std::size_t j = 0; j < back.size(); ++j) {
    EXPECT_LT(std::abs(std::conj(back[j]) / 1024.0 - in.from[j]), tolerance) << j;
  }
}

TEST(Fft, NoticesALostPieceOfALoop) {
  workload::input in = prepared({{"points", "256"}, {"leaf", "16"}});
  const workload::output out = workload::run(serial::worker{}, in);
  EXPECT_EQ(workload::verify(in, out), true);
  plain_transform(in.all().even(), in.to.data(), in.of_unity);
  EXPECT_EQ(workload::verify(in, out), false);
}

TEST(Fft, RefusesWhatIsNoPowerOfTwo) {
  EXPECT_THROW(prepared({{"points", "1000"}}), kit::bad_input);
  EXPECT_THROW(prepared({{"points", "1024"}, {"leaf", "24"}}), kit::bad_input);
}

}  // namespace
}  // namespace stealbench::fft
