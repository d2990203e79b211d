#include <cstddef>
#include <vector>

#include <gtest/gtest.h>

#include "schedulers/contract/test_limit.hpp"
#include "schedulers/static_partition/scheduler.hpp"

namespace stealbench::static_partition {
namespace {

TEST(Team, DividesIntoDisjointHalvesThatCoverIt) {
  const auto [own, other] = team(5).divide();
  EXPECT_EQ(own.leader(), 0U);
  EXPECT_EQ(other.leader(), 3U);
  EXPECT_TRUE(team(2).divide().first.alone());
  EXPECT_TRUE(team(2).divide().second.alone());
  EXPECT_FALSE(other.alone());
}

TEST(Team, CutsALoopInProportionToTheHalves) {
  EXPECT_EQ(team(2).cut(10), 5U);
  EXPECT_EQ(team(3).cut(9), 6U);
  EXPECT_EQ(team(3).cut(1'000'000'000'000'000'000), 666'666'666'666'666'666U);
  EXPECT_EQ(team(3).cut(11), 7U) << "not 6: of what no worker has, the half gets its part too";
  EXPECT_EQ(team(8).cut(7), 3U) << "fewer indices than workers";
}

TEST(Team, GivesEachChildADisjointPartWhereThereAreEnoughWorkers) {
  std::vector<unsigned> leaders;
  for (std::size_t rank = 0; rank < 3; ++rank) leaders.push_back(team(8).part(rank, 3).leader());
  EXPECT_EQ(leaders, (std::vector<unsigned>{0, 2, 5}));
  EXPECT_FALSE(team(8).part(2, 3).alone());
}

TEST(Team, GivesEachWorkerAnEqualRunOfChildrenWhereThereAreMore) {
  std::vector<unsigned> children_of(4);
  for (std::size_t rank = 0; rank < 2000; ++rank) {
    const team part = team(4).part(rank, 2000);
    EXPECT_TRUE(part.alone());
    ++children_of[part.leader()];
  }
  EXPECT_EQ(children_of, (std::vector<unsigned>{500, 500, 500, 500}));
}

}  // namespace
}  // namespace stealbench::static_partition
