#include "workloads/stress/spawn/spawn.hpp"

#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "schedulers/serial/scheduler.hpp"
#include "workloads/prepared_fixture.hpp"

namespace stealbench::spawn {
namespace {

constexpr auto& prepared = workloads::prepared<workload>;

TEST(Spawn, KnowsTheGreatestNumberOfLiveChildren) {
  const auto greatest = [](const std::vector<std::uint64_t>& ended_at) {
    return greatest_live(ended_at);
  };
  EXPECT_EQ(greatest({}), 0u);
  EXPECT_EQ(greatest({1, 2, 3}), 1u) << "each ends before the next is spawned";
  EXPECT_EQ(greatest({3, 3, 3}), 3u) << "all end after the last spawn";
  EXPECT_EQ(greatest({3, 1, 3}), 2u);
  EXPECT_EQ(greatest({2, 2, 5, 5, 5}), 3u);
}

TEST(Spawn, HasOneLiveChildWhereChildrenRunAtTheirSpawn) {
  workload::input in = prepared({{"children", "100"}, {"count_live", "yes"}});
  const workload::output out = workload::run(serial::worker{}, in);
  EXPECT_EQ(workload::answer(in, out).dump(), R"({"ran_once":100,"greatest_live":1})");
}

TEST(Spawn, CountsLiveChildrenOnlyWhenAsked) {
  workload::input in = prepared({{"children", "1"}});
  const workload::output out = workload::run(serial::worker{}, in);
  EXPECT_EQ(workload::answer(in, out).dump(), R"({"ran_once":1})");
}

TEST(Spawn, NoticesAChildThatRanTwice) {
  workload::input in = prepared({{"children", "100"}, {"work", "7"}});
  const workload::output out = workload::run(serial::worker{}, in);
  in.done.perform(3);
  EXPECT_EQ(workload::verify(in, out), false);
}

}  // namespace
}  // namespace stealbench::spawn
