#include "workloads/recursive/floorplan/floorplan.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "schedulers/serial/scheduler.hpp"
#include "workloads/kit/counting_worker.hpp"
#include "workloads/prepared_fixture.hpp"

namespace stealbench::floorplan {
namespace {

constexpr auto& prepared = workloads::prepared<workload>;

std::uint64_t least_area(const std::vector<cell>& cells) {
  incumbent none(no_area, kit::pruning::fixed);
  return plain_search(cells, plan{}, none);
}

TEST(Floorplan, TurnsCellsToSaveArea) {
  const cell two_by_one{.height = 2, .width = 1, .neighbour = 0, .is_below = false};
  const cell one_by_two{.height = 1, .width = 2, .neighbour = 0, .is_below = false};
  EXPECT_EQ(least_area({two_by_one}), 2u);
  EXPECT_EQ(least_area({two_by_one, one_by_two}), 4u);
  const cell below{.height = 1, .width = 3, .neighbour = 0, .is_below = true};
  EXPECT_EQ(least_area({two_by_one, below}), 5u) << "five cells in a row, one wide";
}

TEST(Floorplan, MovesACellAlongTheWholeEdgeOfItsNeighbour) {
  const std::vector<cell> cells{{.height = 1, .width = 1, .neighbour = 0, .is_below = false},
                                {.height = 3, .width = 3, .neighbour = 0, .is_below = false},
                                {.height = 2, .width = 2, .neighbour = 1, .is_below = true}};
  plan first;
  first.place({.top = 0, .left = 0, .height = 1, .width = 1});
  EXPECT_EQ(moves(first, cells, no_area).count, 1u) << "upwards there is no board";
  first.place({.top = 0, .left = 1, .height = 3, .width = 3});
  EXPECT_EQ(first.area(), 12u);
  EXPECT_EQ(moves(first, cells, no_area).count, 4u);
  EXPECT_EQ(moves(first, cells, 21).count, 3u) << "one column further right would make it 25";
  EXPECT_EQ(units_of_search(first, cells, no_area), 16u + 4 * (2 + 3));
  EXPECT_EQ(units_of_search(first, cells, 21), 16u + 4 * 2 + 3 * 3) << "one place is out of bounds";
}

TEST(Floorplan, NeverPlacesTwoCellsOnOneSquareNorACellBeyondTheBoard) {
  plan some;
  some.place({.top = 0, .left = 0, .height = 2, .width = 3});
  EXPECT_FALSE(some.is_free({.top = 1, .left = 2, .height = 1, .width = 1}));
  EXPECT_TRUE(some.is_free({.top = 1, .left = 3, .height = 1, .width = 1}));
  EXPECT_TRUE(some.is_free({.top = 2, .left = 0, .height = 8, .width = 8}));
  EXPECT_TRUE(some.is_free({.top = 56, .left = 56, .height = 8, .width = 8}));
  EXPECT_FALSE(some.is_free({.top = 57, .left = 50, .height = 8, .width = 8}));
  EXPECT_FALSE(some.is_free({.top = 50, .left = 57, .height = 8, .width = 8}));
}

TEST(Floorplan, IsRightForManySeedsHoweverItPrunesAndForks) {
  for (unsigned seed = 0; seed < 10; ++seed) {
    for (const char* prune : {"fixed", "shared"}) {
      for (const char* cutoff : {"0", "2", "20"}) {
        const workload::input in = prepared(
            {{"n", "5"}, {"seed", std::to_string(seed)}, {"prune", prune}, {"cutoff", cutoff}});
        std::uint64_t spawns = 0;
        const found result = workload::run(kit::counting_worker{&spawns}, in);
        EXPECT_EQ(result.area, least_area(in.cells)) << seed << prune << cutoff;
        EXPECT_EQ(workload::verify(in, result), true) << seed << prune << cutoff;
        EXPECT_EQ(workload::fork_count(in, result), spawns) << seed << prune << cutoff;
      }
    }
  }
}

TEST(Floorplan, NoticesALostBranchWithoutTheLeastArea) {
  const std::vector<kit::assignment> small{{"n", "6"}, {"seed", "4"}};
  const workload::input in = prepared(small);
  found result = workload::run(serial::worker{}, in);
  --result.spawns;
  EXPECT_EQ(workload::verify(in, result), false);
  std::vector<kit::assignment> shared = small;
  shared.emplace_back("prune", "shared");
  EXPECT_EQ(workload::verify(prepared(shared), result), true) << "another number in every run";
}

TEST(Floorplan, NeedsItsSearchAtEverySize) {
  const kit::description described = workload::describe();
  for (const char* size : {"test", "small"}) {
    for (const auto& instance : kit::find_size(described, size).instances) {
      const workload::input in = prepared(instance);
      EXPECT_LT(in.greedy, no_area) << size << ": nothing would be pruned";
      EXPECT_LT(workload::sequential(in).area, in.greedy)
          << size << ": a search that does nothing would be right";
    }
  }
}

TEST(Floorplan, AnswersWithItsAreaAndTheGreedyOne) {
  const workload::input in{
      .cells = {}, .greedy = 30, .how = kit::pruning::fixed, .spawning_cells = 0};
  EXPECT_EQ(workload::answer(in, {.area = 24, .spawns = 5}).dump(),
            R"({"area":24,"greedy_area":30})");
}

}  // namespace
}  // namespace stealbench::floorplan
