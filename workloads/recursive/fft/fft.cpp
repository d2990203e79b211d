#include "workloads/recursive/fft/fft.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "workloads/kit/fingerprint.hpp"
#include "workloads/kit/memory.hpp"
#include "workloads/kit/random.hpp"

namespace stealbench::fft {
namespace {

std::uint64_t fingerprint_of(const std::vector<complex>& values) {
  std::uint64_t hash = 0;
  for (const complex& each : values) {
    const std::array parts{each.real(), each.imag()};
    hash = kit::fingerprint(parts, hash);
  }
  return hash;
}

double sum_of_squares(const std::vector<complex>& values) {
  double sum = 0;
  for (const complex& each : values) sum += std::norm(each);
  return sum;
}

bool obeys_parseval(const std::vector<complex>& from, const std::vector<complex>& to) {
  const auto n = static_cast<double>(from.size());
  const double expected = n * sum_of_squares(from);
  const double tolerance = (n + 64) * std::numeric_limits<double>::epsilon() * expected;
  return std::abs(sum_of_squares(to) - expected) <= tolerance;
}

}  // namespace

kit::description workload::describe() {
  using kit::integer_domain;
  return {
      .name = "fft",
      .summary = "fast Fourier transform of complex doubles by halves",
      .about =
          {.shape = "`fork_join` for even and odd points, then a loop that combines them",
           .tasks =
               "n ⁄ leaf leaves, and half as many pieces of loops at each of lg(n ⁄ leaf) levels",
           .work = "Θ(n lg n)",
           .span = "Θ(lg² n) butterflies plus one leaf",
           .bound_by = "memory",
           .answer = "the transform; bit for bit equal to the sequential version, and Parseval's "
                     "theorem holds",
           .source = "Cooley & Tukey, Math. Comp. 19, 1965; Frigo, Leiserson & Randall, PLDI 1998; "
                     "BOTS: Duran et al., ICPP 2009"},
      .parameters = {{"points",
                      "number of points, a power of two; 48 bytes of memory for each, 64 while it "
                      "is verified",
                      integer_domain{
                          .least = 4, .most = std::uint64_t{1} << 34, .standard = 1 << 22}},
                     {"leaf",
                      "greatest number of points that are transformed or combined without a fork, "
                      "a power of two",
                      integer_domain{.least = 4, .most = std::uint64_t{1} << 34, .standard = 4096}},
                     {"seed", "seed of the points, whose real and imaginary parts lie in [-1, 1)",
                      integer_domain{.least = 0, .most = ~std::uint64_t{0}, .standard = 1}}},
      .grain = kit::granularity{.parameter = "leaf", .least = 16, .bounded_by = "points"},
      .sizes = {{"test", {{{"points", "2^12"}, {"leaf", "16"}}}},
                {"small", {{{"points", "2^18"}}}},
                {"standard", {{{"points", "2^22"}}}},
                {"large", {{{"points", "2^26"}}}}}};
}

workload::input workload::prepare(const kit::parameters& chosen) {
  for (const char* key : {"points", "leaf"}) {
    const std::uint64_t value = chosen.integer(key);
    if (std::has_single_bit(value)) continue;
    throw kit::bad_input(fmt::format("--set {}={}: expected a power of two, such as {} or {}", key,
                                     value, std::bit_floor(value), std::bit_ceil(value)));
  }
  const std::uint64_t count = chosen.integer("points");
  kit::require_memory("points", count, [](std::uint64_t n) {
    constexpr std::uint64_t arrays =
        4;  // Points, roots, the transform and the sequential version's.
    return arrays * sizeof(complex) * n;
  });
  input in{.leaf = chosen.integer("leaf"),
           .of_unity = roots(count),
           .from = std::vector<complex>(count),
           .to = std::vector<complex>(count),
           .fingerprint_of_reference = std::nullopt};
  kit::random_stream random(chosen.integer("seed"));
  for (complex& each : in.from) {
    const double real = 2 * random.fraction() - 1;
    each = {real, 2 * random.fraction() - 1};
  }
  return in;
}

workload::output workload::sequential(input& in) {
  plain_transform(in.all(), in.to.data(), in.of_unity);
  return {};
}

void workload::corrupt(input& in, output& /*unused*/) {
  const std::size_t half = in.to.size() / 2;
  combine(in.to.data(), 2 * half, in.of_unity, 0, std::min(in.leaf, half));
}

std::optional<bool> workload::verify(const input& in, const output& /*unused*/) {
  if (!in.fingerprint_of_reference) {
    std::vector<complex> expected(in.from.size());
    plain_transform(in.all(), expected.data(), in.of_unity);
    in.fingerprint_of_reference = fingerprint_of(expected);
  }
  return fingerprint_of(in.to) == *in.fingerprint_of_reference && obeys_parseval(in.from, in.to);
}

nlohmann::ordered_json workload::answer(const input& in, const output& /*unused*/) {
  return {{"first_point", {in.to.front().real(), in.to.front().imag()}},
          {"fingerprint", fmt::format("{:016x}", fingerprint_of(in.to))}};
}

std::uint64_t workload::fork_count(const input& in, const output& /*unused*/) {
  std::uint64_t forks = 0;
  std::uint64_t transforms = 1;
  for (std::size_t n = in.to.size(); n > in.leaf; n /= 2) {
    forks += transforms * (1 + kit::pieces_of_loop(n / 2 / in.leaf, 1));
    transforms *= 2;
  }
  return forks;
}

}  // namespace stealbench::fft
