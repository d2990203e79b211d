#include "workloads/loops/primes/primes.hpp"

#include <array>
#include <cmath>
#include <optional>
#include <utility>

namespace stealbench::primes {
namespace {

/// Primes below a number.
constexpr std::array<std::pair<std::uint64_t, std::uint64_t>, 9> published{
    {{10, 4},
     {100, 25},
     {1'000, 168},
     {10'000, 1'229},
     {100'000, 9'592},
     {1'000'000, 78'498},
     {10'000'000, 664'579},
     {100'000'000, 5'761'455},
     {1'000'000'000, 50'847'534}}};

bool is_prime(std::uint32_t number, std::span<const std::uint32_t> divisors) {
  if (number < 2) return false;
  for (const std::uint32_t divisor : divisors) {
    // A quotient below the divisor says that the root has been passed: one division does for both.
    const std::uint32_t quotient = number / divisor;
    if (quotient < divisor) return true;
    if (quotient * divisor == number) return false;
  }
  return true;
}

std::optional<std::uint64_t> published_count(std::uint64_t limit) {
  for (const auto& [below, primes] : published) {
    if (below == limit) return primes;
  }
  return std::nullopt;
}

std::uint64_t root_of(std::uint64_t limit) { return static_cast<std::uint64_t>(std::sqrt(limit)); }

}  // namespace

std::vector<std::uint32_t> sieved(std::uint64_t limit) {
  std::vector<bool> is_composite(limit, false);
  std::vector<std::uint32_t> primes;
  for (std::uint64_t number = 2; number < limit; ++number) {
    if (is_composite[number]) continue;
    primes.push_back(static_cast<std::uint32_t>(number));
    for (std::uint64_t multiple = number * number; multiple < limit; multiple += number) {
      is_composite[multiple] = true;
    }
  }
  return primes;
}

std::uint64_t count_by_division(std::uint64_t first, std::uint64_t last,
                                std::span<const std::uint32_t> divisors) {
  std::uint64_t count = 0;
  for (std::uint64_t number = first; number < last; ++number) {
    if (is_prime(static_cast<std::uint32_t>(number), divisors)) ++count;
  }
  return count;
}

std::uint64_t count_divisions(std::uint64_t first, std::uint64_t last,
                              std::span<const std::uint32_t> divisors) {
  std::uint64_t count = 0;
  for (std::uint64_t number = std::max<std::uint64_t>(first, 2); number < last; ++number) {
    for (const std::uint32_t divisor : divisors) {  // As in is_prime.
      ++count;
      const std::uint64_t quotient = number / divisor;
      if (quotient < divisor || quotient * divisor == number) break;
    }
  }
  return count;
}

workload::input workload::prepare(const kit::parameters& chosen) {
  const std::uint64_t limit = chosen.integer("limit");
  const std::uint64_t grain = chosen.integer("grain");
  const auto blocks_of = [=](std::uint64_t n) { return (n + grain - 1) / grain; };
  // A sieve takes n / 8 bytes, and its primes less than 4 bytes for every ninth: those up to the
  // root of the limit, and all where no published count verifies.
  kit::require_memory("limit", limit, [=](std::uint64_t n) {
    const bool is_sieved = n != limit || !published_count(limit);
    return blocks_of(n) * 8 + (is_sieved ? n : root_of(n));
  });
  return {.limit = limit,
          .grain = grain,
          .divisors = sieved(root_of(limit) + 2),
          .counts = std::vector<std::uint64_t>(blocks_of(limit)),
          .expected = {}};
}

void workload::corrupt(input& in, output& out) {
  // The first block twice; a block that is too small to hold a prime would not change the count.
  out += std::max<std::uint64_t>(1, in.counts.front());
}

std::optional<bool> workload::verify(const input& in, const output& out) {
  if (!in.expected) in.expected = published_count(in.limit);
  if (!in.expected) in.expected = sieved(in.limit).size();
  return out == *in.expected;
}

}  // namespace stealbench::primes
