#include "workloads/recursive/mergesort/mergesort.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "schedulers/serial/scheduler.hpp"
#include "workloads/kit/sorting.hpp"
#include "workloads/prepared_fixture.hpp"

namespace stealbench::mergesort {
namespace {

constexpr auto& prepared = workloads::prepared<workload>;

std::vector<key> sorted_copy(std::vector<key> keys) {
  std::sort(keys.begin(), keys.end());
  return keys;
}

TEST(Mergesort, SortsEveryLengthWithEitherMerge) {
  for (std::size_t length = 0; length < 70; ++length) {
    for (const char* merge : {"parallel", "serial"}) {
      workload::input in =
          prepared({{"keys", std::to_string(length)}, {"grain", "2"}, {"merge", merge}});
      const std::vector<key> expected = sorted_copy(in.keys);
      const workload::output out = workload::run(serial::worker{}, in);
      EXPECT_EQ(in.keys, expected) << length << " keys, " << merge;
      EXPECT_EQ(workload::verify(in, out), true);
    }
  }
}

TEST(Mergesort, SortsKeysThatAreAllEqual) {
  workload::input in = prepared({{"keys", "1000"}, {"grain", "4"}});
  std::fill(in.keys.begin(), in.keys.end(), 5);
  in.expected_hash = kit::multiset_hash(in.keys);
  const workload::output out = workload::run(serial::worker{}, in);
  EXPECT_EQ(workload::verify(in, out), true);
}

TEST(Mergesort, SortsIntoTheBufferAsWell) {
  workload::input in = prepared({{"keys", "1000"}, {"grain", "16"}});
  const std::vector<key> expected = sorted_copy(in.keys);
  sort(serial::worker{}, in.keys, in.buffer, destination::buffer, {in.grain, in.merge});
  EXPECT_EQ(in.buffer, expected);
}

TEST(Mergesort, WithASerialMergeForksOnceForEveryHalving) {
  workload::input in = prepared({{"keys", "2^14"}, {"grain", "2^10"}, {"merge", "serial"}});
  EXPECT_EQ(workload::run(serial::worker{}, in).forks, 15u);
}

TEST(Mergesort, WithAParallelMergeForksInTheMergesToo) {
  workload::input in = prepared({{"keys", "2^14"}, {"grain", "2^10"}});
  const std::uint64_t forks = workload::run(serial::worker{}, in).forks;
  EXPECT_GT(forks, 15u);
  workload::reset(in);
  EXPECT_EQ(workload::run(serial::worker{}, in).forks, forks) << "the same keys, the same forks";
}

TEST(Mergesort, DoesNotForkBelowTheGrain) {
  workload::input in = prepared({{"keys", "4096"}});
  EXPECT_EQ(workload::run(serial::worker{}, in).forks, 0u);
}

TEST(Mergesort, TakesItsKeysFromTheSeedAlone) {
  EXPECT_EQ(prepared({{"keys", "100"}}).keys, prepared({{"keys", "100"}}).keys);
  EXPECT_NE(prepared({{"keys", "100"}}).keys, prepared({{"keys", "100"}, {"seed", "2"}}).keys);
}

TEST(Mergesort, NoticesALostKeyAmongSortedOnes) {
  workload::input in = prepared({{"keys", "1000"}});
  const workload::output out = workload::run(serial::worker{}, in);
  in.keys[500] = in.keys[501];
  EXPECT_EQ(workload::verify(in, out), false);
  EXPECT_EQ(workload::answer(in, out)["sorted"], true);
  EXPECT_NE(workload::answer(in, out)["multiset_hash"],
            workload::answer(in, out)["multiset_hash_before"]);
}

TEST(Mergesort, NoticesKeysOutOfOrder) {
  workload::input in = prepared({{"keys", "1000"}});
  const workload::output out = workload::run(serial::worker{}, in);
  std::swap(in.keys[3], in.keys[4]);
  EXPECT_EQ(workload::verify(in, out), false);
  EXPECT_EQ(workload::answer(in, out)["sorted"], false);
}

TEST(Mergesort, RefusesKeysThatDoNotFitTheMemory) {
  constexpr std::uint64_t most_bytes = (std::uint64_t{1} << 32) * 16;
  const std::uint64_t memory_bytes = static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) *
                                     static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  if (memory_bytes >= most_bytes) GTEST_SKIP() << "this machine holds the most keys there can be";
  EXPECT_THROW(prepared({{"keys", "2^32"}}), kit::bad_input);
}

}  // namespace
}  // namespace stealbench::mergesort
