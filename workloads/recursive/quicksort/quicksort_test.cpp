#include "workloads/recursive/quicksort/quicksort.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "schedulers/serial/scheduler.hpp"
#include "workloads/kit/random.hpp"
#include "workloads/prepared_fixture.hpp"

namespace stealbench::quicksort {
namespace {

constexpr auto& prepared = workloads::prepared<workload>;

std::vector<key> sorted_copy(std::vector<key> keys) {
  std::sort(keys.begin(), keys.end());
  return keys;
}

TEST(Quicksort, SortsEveryLengthOfFewOrManyKeys) {
  for (std::size_t length = 0; length < 100; ++length) {
    for (const std::uint64_t distinct : {1U, 2U, 5U, 1000U}) {
      kit::random_stream random(length);
      std::vector<key> keys(length);
      for (key& each : keys) each = random.below(distinct);
      const std::vector<key> expected = sorted_copy(keys);
      sort(serial::worker{}, keys, 2);
      EXPECT_EQ(keys, expected) << length << " keys of " << distinct;
    }
  }
}

TEST(Quicksort, SplitsAnyThreeKeysIntoTwoPartsThatAreInOrder) {
  for (key code = 0; code < 27; ++code) {
    std::vector<key> keys{code / 9, code / 3 % 3, code % 3};
    const std::size_t first_part = split(keys);
    ASSERT_TRUE(first_part == 1 || first_part == 2) << code;
    const auto middle = keys.begin() + static_cast<std::ptrdiff_t>(first_part);
    EXPECT_LE(*std::max_element(keys.begin(), middle), *std::min_element(middle, keys.end()))
        << code;
  }
}

TEST(Quicksort, HalvesKeysThatAreAllEqualOrAlreadySorted) {
  std::vector<key> equal(1000, 5);
  EXPECT_EQ(split(equal), 500u);
  std::vector<key> rising(1000);
  for (std::size_t i = 0; i < rising.size(); ++i) rising[i] = i;
  EXPECT_NEAR(static_cast<double>(split(rising)), 500, 1);
}

TEST(Quicksort, ForksAboveTheGrainAlone) {
  workload::input below = prepared({{"keys", "4096"}, {"grain", "4096"}});
  EXPECT_EQ(workload::run(serial::worker{}, below).forks, 0u);
  workload::input above = prepared({{"keys", "4097"}, {"grain", "4096"}});
  EXPECT_EQ(workload::run(serial::worker{}, above).forks, 1u);
}

TEST(Quicksort, NoticesALostKeyAmongSortedOnes) {
  workload::input in = prepared({{"keys", "1000"}});
  const workload::output out = workload::run(serial::worker{}, in);
  EXPECT_EQ(workload::verify(in, out), true);
  in.keys[500] = in.keys[501];
  EXPECT_EQ(workload::answer(in, out)["sorted"], true);
  EXPECT_EQ(workload::verify(in, out), false);
}

}  // namespace
}  // namespace stealbench::quicksort
