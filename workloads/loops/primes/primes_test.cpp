#include "workloads/loops/primes/primes.hpp"

#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "schedulers/serial/scheduler.hpp"
#include "workloads/prepared_fixture.hpp"

namespace stealbench::primes {
namespace {

constexpr auto& prepared = workloads::prepared<workload>;

TEST(Primes, HasThePublishedCounts) {
  const std::vector<std::pair<std::uint64_t, std::uint64_t>> published{
      {10, 4}, {100, 25}, {1'000, 168}, {10'000, 1'229}, {100'000, 9'592}};
  for (const auto& [limit, count] : published) {
    workload::input in = prepared({{"limit", std::to_string(limit)}});
    EXPECT_EQ(workload::run(serial::worker{}, in), count) << limit;
    EXPECT_EQ(sieved(limit).size(), count) << limit;
  }
}

TEST(Primes, EqualsASieveAtEveryLimitAndGrain) {
  for (std::uint64_t limit = 1; limit < 130; ++limit) {
    for (const char* grain : {"1", "3", "1000"}) {
      workload::input in = prepared({{"limit", std::to_string(limit)}, {"grain", grain}});
      const workload::output out = workload::run(serial::worker{}, in);
      EXPECT_EQ(out, sieved(limit).size()) << limit << ", grain " << grain;
      EXPECT_EQ(workload::verify(in, out), true) << limit << ", grain " << grain;
      EXPECT_EQ(workload::verify(in, out + 1), false) << limit << ", grain " << grain;
    }
  }
}

TEST(Primes, KnowsSquaresAndTheLargestPrimesOf32Bits) {
  const std::vector<std::uint32_t> divisors = sieved(65'537);
  EXPECT_EQ(count_by_division(65'521ULL * 65'521, 65'521ULL * 65'521 + 1, divisors), 0u);
  EXPECT_EQ(count_by_division(4'294'967'291, 4'294'967'296, divisors), 1u) << "2^32 - 5 alone";
  EXPECT_EQ(count_by_division(4'294'967'279, 4'294'967'291, divisors), 1u) << "2^32 - 17 alone";
}

}  // namespace
}  // namespace stealbench::primes
