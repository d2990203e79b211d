#include "workloads/recursive/reduce/reduce.hpp"

#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include <gtest/gtest.h>

#include "schedulers/serial/scheduler.hpp"
#include "workloads/prepared_fixture.hpp"

namespace stealbench::reduce {
namespace {

constexpr auto& prepared = workloads::prepared<workload>;

TEST(Reduce, SumsEveryLengthAtEveryGrain) {
  for (std::uint64_t length = 0; length < 70; ++length) {
    std::vector<std::uint64_t> numbers(length);
    std::iota(numbers.begin(), numbers.end(), 1);
    for (const std::size_t grain : {1U, 2U, 3U, 7U, 64U}) {
      EXPECT_EQ(sum(serial::worker{}, std::span<const std::uint64_t>(numbers), grain),
                length * (length + 1) / 2)
          << length << " numbers, grain " << grain;
    }
  }
}

TEST(Reduce, AddsUpItsPasses) {
  const workload::input once = prepared({{"numbers", "1000"}, {"passes", "1"}});
  const workload::input thrice = prepared({{"numbers", "1000"}, {"passes", "3"}});
  EXPECT_EQ(thrice.expected, 3 * once.expected);
  EXPECT_EQ(workload::verify(thrice, workload::run(serial::worker{}, thrice)), true);
  EXPECT_EQ(workload::verify(thrice, workload::run(serial::worker{}, once)), false);
}

TEST(Reduce, ForksDownToItsGrain) {
  const auto forks = [](const char* numbers) {
    return workload::fork_count(prepared({{"numbers", numbers}, {"grain", "64"}, {"passes", "1"}}),
                                {});
  };
  EXPECT_EQ(forks("64"), 0U);
  EXPECT_EQ(forks("65"), 1U);
  EXPECT_EQ(forks("1024"), 15U);
}

TEST(Reduce, TakesItsNumbersFromTheSeedAlone) {
  EXPECT_EQ(prepared({{"numbers", "100"}}).numbers, prepared({{"numbers", "100"}}).numbers);
  EXPECT_NE(prepared({{"numbers", "100"}}).numbers,
            prepared({{"numbers", "100"}, {"seed", "2"}}).numbers);
}

}  // namespace
}  // namespace stealbench::reduce
