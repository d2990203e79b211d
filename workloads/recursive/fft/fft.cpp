#include "workloads/recursive/fft/fft.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "workloads/kit/fingerprint.hpp"
#include "workloads/kit/random.hpp"

namespace stealbench::fft {
namespace {

/// By the parts of each, as an array of complex numbers may be read.
std::uint64_t fingerprint_of(const std::vector<complex>& values) {
  return kit::fingerprint({reinterpret_cast<const double*>(values.data()), 2 * values.size()});
}

double sum_of_squares(const std::vector<complex>& values) {
  double sum = 0;
  for (const complex& each : values) sum += std::norm(each);
  return sum;
}

bool obeys_parseval(const std::vector<complex>& signal, const std::vector<complex>& spectrum) {
  const auto n = static_cast<double>(signal.size());
  const double expected = n * sum_of_squares(signal);
  const double tolerance = (n + 64) * std::numeric_limits<double>::epsilon() * expected;
  return std::abs(sum_of_squares(spectrum) - expected) <= tolerance;
}

}  // namespace

workload::input workload::prepare(const kit::parameters& chosen) {
  for (const char* const key : {"points", "leaf"}) kit::require_power_of_two(chosen, key);
  const std::uint64_t count = chosen.integer("points");
  kit::require_memory("points", count, [](std::uint64_t n) {
    constexpr std::uint64_t arrays =
        4;  // Points, roots, the transform and the sequential version's.
    return arrays * sizeof(complex) * n;
  });
  input in{.leaf = chosen.integer("leaf"),
           .of_unity = roots(count),
           .signal = std::vector<complex>(count),
           .spectrum = std::vector<complex>(count),
           .fingerprint_of_reference = std::nullopt};
  kit::random_stream random(chosen.integer("seed"));
  for (complex& each : in.signal) {
    const double real = 2 * random.fraction() - 1;
    each = {real, 2 * random.fraction() - 1};
  }
  return in;
}

workload::output workload::sequential(input& in) {
  plain_transform(in.all(), in.spectrum.data(), in.of_unity);
  return {};
}

void workload::corrupt(input& in, output& /*unused*/) {
  const std::size_t half = in.spectrum.size() / 2;
  combine(in.spectrum.data(), 2 * half, in.of_unity, 0, std::min(in.leaf, half));
}

std::optional<bool> workload::verify(const input& in, const output& /*unused*/) {
  if (!in.fingerprint_of_reference) {
    std::vector<complex> expected(in.signal.size());
    plain_transform(in.all(), expected.data(), in.of_unity);
    in.fingerprint_of_reference = fingerprint_of(expected);
  }
  return fingerprint_of(in.spectrum) == *in.fingerprint_of_reference &&
         obeys_parseval(in.signal, in.spectrum);
}

nlohmann::ordered_json workload::answer(const input& in, const output& /*unused*/) {
  return {{"first_point", {in.spectrum.front().real(), in.spectrum.front().imag()}},
          {"fingerprint", fmt::format("{:016x}", fingerprint_of(in.spectrum))}};
}

std::uint64_t workload::fork_count(const input& in, const output& /*unused*/) {
  std::uint64_t forks = 0;
  std::uint64_t transforms = 1;
  for (std::size_t n = in.spectrum.size(); n > in.leaf; n /= 2) {
    forks += transforms * (1 + kit::pieces_of_loop(n / 2 / in.leaf, 1));
    transforms *= 2;
  }
  return forks;
}

}  // namespace stealbench::fft
