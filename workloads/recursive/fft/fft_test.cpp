#include "workloads/recursive/fft/fft.hpp"

#include <cmath>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "schedulers/serial/scheduler.hpp"
#include "workloads/prepared_fixture.hpp"

namespace stealbench::fft {
namespace {

constexpr auto& prepared = workloads::prepared<workload>;

constexpr double tolerance = 1e-11;

/// exp(2πi · turns).
complex at_angle(double turns) { return std::polar(1.0, 2 * std::numbers::pi * turns); }

std::vector<complex> transformed(const std::vector<complex>& signal, std::size_t leaf) {
  std::vector<complex> spectrum(signal.size());
  transform(serial::worker{}, {signal.data(), 1, signal.size()}, spectrum.data(),
            roots(signal.size()), leaf);
  return spectrum;
}

TEST(Fft, IsTheTransformByDefinition) {
  for (const char* count : {"4", "8", "16", "128"}) {
    const workload::input in = prepared({{"points", count}});
    const auto n = static_cast<double>(in.signal.size());
    for (const std::size_t leaf : {4U, 8U, 64U}) {
      const std::vector<complex> spectrum = transformed(in.signal, leaf);
      for (std::size_t k = 0; k < spectrum.size(); ++k) {
        complex sum = 0;
        for (std::size_t j = 0; j < spectrum.size(); ++j) {
          sum += in.signal[j] * at_angle(-static_cast<double>(j * k) / n);
        }
        EXPECT_LT(std::abs(spectrum[k] - sum), tolerance) << count << " " << leaf << " " << k;
      }
    }
  }
}

TEST(Fft, GivesThePointsBackWhenItIsInverted) {
  const workload::input in = prepared({{"points", "1024"}});
  std::vector<complex> spectrum = transformed(in.signal, 16);
  for (complex& each : spectrum) each = std::conj(each);
  const std::vector<complex> back = transformed(spectrum, 16);
  for (std::size_t j = 0; j < back.size(); ++j) {
    EXPECT_LT(std::abs(std::conj(back[j]) / 1024.0 - in.signal[j]), tolerance) << j;
  }
}

TEST(Fft, NoticesALostPieceOfALoop) {
  workload::input in = prepared({{"points", "256"}, {"leaf", "16"}});
  const workload::output out = workload::run(serial::worker{}, in);
  EXPECT_EQ(workload::verify(in, out), true);
  plain_transform(in.all().even(), in.spectrum.data(), in.of_unity);
  EXPECT_EQ(workload::verify(in, out), false);
}

TEST(Fft, AnswersWithItsFirstPoint) {
  workload::input in = prepared({{"points", "4"}});
  in.spectrum = {{2, 3}, {5, 7}, {11, 13}, {17, 19}};
  EXPECT_EQ(workload::answer(in, {})["first_point"].dump(), "[2.0,3.0]");
}

TEST(Fft, NoticesThatTheSequentialVersionIsWrongToo) {
  workload::input in = prepared({{"points", "256"}});
  const workload::output out = workload::run(serial::worker{}, in);
  std::vector<complex> wrong = in.signal;
  wrong[7] += 1e-9;
  plain_transform({wrong.data(), 1, wrong.size()}, in.spectrum.data(), in.of_unity);
  workload::input other = in;
  std::swap(other.signal, wrong);
  ASSERT_EQ(workload::verify(other, out), true);
  in.fingerprint_of_reference = other.fingerprint_of_reference;
  EXPECT_EQ(workload::verify(in, out), false);
}

TEST(Fft, RefusesWhatIsNoPowerOfTwo) {
  EXPECT_THROW(prepared({{"points", "1000"}}), kit::bad_input);
  EXPECT_THROW(prepared({{"points", "1024"}, {"leaf", "24"}}), kit::bad_input);
}

}  // namespace
}  // namespace stealbench::fft
