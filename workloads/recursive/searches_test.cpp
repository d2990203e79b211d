// What each search adds to what is tested of all (catalogue_test.cpp, charge_test.cpp).
#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "schedulers/serial/scheduler.hpp"
#include "workloads/kit/counting_worker.hpp"
#include "workloads/prepared_fixture.hpp"
#include "workloads/recursive/floorplan/floorplan.hpp"
#include "workloads/recursive/knapsack/knapsack.hpp"
#include "workloads/recursive/nqueens/nqueens.hpp"

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

TEST(Floorplan, NoticesALostBranchWithoutTheLeastAreaAndSearchesLessWithASharedIncumbent) {
  const workload::input in = prepared({{"n", "6"}, {"seed", "4"}});
  found result = workload::run(serial::worker{}, in);
  --result.spawns;
  EXPECT_EQ(workload::verify(in, result), false);
  const workload::input shared = prepared({{"n", "6"}, {"seed", "4"}, {"prune", "shared"}});
  EXPECT_EQ(workload::verify(shared, result), true) << "another number in every run";
  EXPECT_LT(workload::run(serial::worker{}, shared).spawns, result.spawns);
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

namespace stealbench::knapsack {
namespace {

constexpr auto& prepared = workloads::prepared<workload>;

TEST(Knapsack, HasTheGreatestValueOfAHandfulOfItems) {
  // Greedily the densest item alone; the other two are worth more together.
  const std::vector<item> three{{7, 6}, {5, 5}, {5, 5}};
  EXPECT_EQ(greedy_value(three, 10), 7u);
  EXPECT_EQ(greatest_value(three, 10), 10u);
  EXPECT_EQ(greatest_value(three, 0), 0u);
}

TEST(Knapsack, NoticesALostBranchWithoutTheOptimumAndSearchesLessWithASharedIncumbent) {
  const workload::input in = prepared({{"n", "16"}, {"capacity", "450"}, {"seed", "16"}});
  found result = workload::run(serial::worker{}, in);
  --result.forks;
  EXPECT_EQ(workload::verify(in, result), false);
  const workload::input shared =
      prepared({{"n", "16"}, {"capacity", "450"}, {"seed", "16"}, {"prune", "shared"}});
  EXPECT_EQ(workload::verify(shared, result), true) << "another number in every run";
  EXPECT_LT(workload::run(serial::worker{}, shared).forks, result.forks);
}

TEST(Knapsack, HasNoNeedToSearchWhereAllOrNothingFits) {
  const workload::input all = prepared({{"n", "5"}});
  EXPECT_EQ(all.greedy, all.optimum);
  EXPECT_EQ(workload::verify(all, workload::run(serial::worker{}, all)), true);
  const workload::input none = prepared({{"capacity", "19"}});
  EXPECT_EQ(workload::run(serial::worker{}, none).value, 0u);
}

TEST(Knapsack, NeedsItsSearchAtEverySize) {
  for (const kit::size& size : workload::describe().sizes) {
    const workload::input in = prepared(size.instances.front());
    EXPECT_LT(in.greedy, in.optimum) << size.name << ": a search that does nothing would be right";
  }
}

TEST(Knapsack, AnswersWithItsValueAndTheGreedyOne) {
  const workload::input in{.items = {{7, 6}, {5, 5}, {5, 5}},
                           .capacity = 10,
                           .greedy = 7,
                           .optimum = 10,
                           .how = kit::pruning::fixed,
                           .forking_items = 3};
  const found out = workload::run(serial::worker{}, in);
  EXPECT_EQ(workload::answer(in, out).dump(), R"({"value":10,"greedy_value":7})");
}

}  // namespace
}  // namespace stealbench::knapsack

namespace stealbench::nqueens {
namespace {

constexpr auto& prepared = workloads::prepared<workload>;

TEST(Nqueens, HasThePublishedCounts) {
  const std::vector<std::uint64_t> published{1, 0, 0, 2, 10, 4, 40, 92, 352, 724, 2680, 14200};
  for (unsigned n = 1; n <= published.size(); ++n) {
    const workload::input in = prepared({{"n", std::to_string(n)}});
    EXPECT_EQ(workload::run(serial::worker{}, in).solutions, published[n - 1]) << n;
    EXPECT_EQ(workload::sequential(in).solutions, published[n - 1]) << n;
    EXPECT_EQ(known_count(n), published[n - 1]) << n;
  }
}

TEST(Nqueens, SpawnsOncePerPlacement) {
  // 2 queens: either of the two in the first row, and no square is left in the second.
  workload::input two = prepared({{"n", "2"}});
  EXPECT_EQ(workload::fork_count(two, {}), 2u);
  workload::input none = prepared({{"n", "8"}, {"cutoff", "0"}});
  EXPECT_EQ(workload::fork_count(none, {}), 0u);
}

/// Runs one of all spawned children not at all, or twice.
struct faulty_worker {
  std::uint64_t* spawns_until_fault;
  unsigned runs;

  const faulty_worker* operator->() const { return this; }
  [[nodiscard]] faulty_worker task_group() const { return *this; }
  template <class F>
  void spawn(F child) const {
    const unsigned times = (*spawns_until_fault)-- == 0 ? runs : 1;
    for (unsigned time = 0; time < times; ++time) child(*this);
  }
  void sync() const {}
};

TEST(Nqueens, NoticesEachLostAndEachRepeatedTask) {
  for (const char* cutoff : {"18", "3"}) {
    const workload::input in = prepared({{"n", "6"}, {"cutoff", cutoff}});
    const std::uint64_t spawns = workload::fork_count(in, {});
    for (std::uint64_t faulty = 0; faulty < spawns; ++faulty) {
      for (const unsigned runs : {0U, 2U}) {
        std::uint64_t spawns_until_fault = faulty;
        const workload::output out = workload::run(faulty_worker{&spawns_until_fault, runs}, in);
        EXPECT_EQ(workload::verify(in, out), false) << faulty << " ran " << runs << " times";
      }
    }
  }
}

}  // namespace
}  // namespace stealbench::nqueens
