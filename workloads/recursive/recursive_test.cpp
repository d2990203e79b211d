// What each program of recursion adds to what is tested of all (catalogue_test.cpp,
// charge_test.cpp).
#include <cstdint>
#include <numeric>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "schedulers/serial/scheduler.hpp"
#include "workloads/kit/counting_worker.hpp"
#include "workloads/prepared_fixture.hpp"
#include "workloads/recursive/fib/fib.hpp"
#include "workloads/recursive/floorplan/floorplan.hpp"
#include "workloads/recursive/integrate/integrate.hpp"
#include "workloads/recursive/knapsack/knapsack.hpp"
#include "workloads/recursive/nqueens/nqueens.hpp"
#include "workloads/recursive/reduce/reduce.hpp"
#include "workloads/recursive/skynet/skynet.hpp"

namespace stealbench::fib {
namespace {

TEST(Fib, HasThePublishedValues) {
  const std::vector<std::pair<unsigned, std::uint64_t>> published{
      {0, 0}, {1, 1}, {2, 1}, {20, 6765}, {27, 196418}, {30, 832040}};
  for (const auto& [n, value] : published) EXPECT_EQ(fib(serial::worker{}, n), value) << n;
}

TEST(Fib, ByAdditionHasThePublishedValues) {
  const std::vector<std::pair<unsigned, std::uint64_t>> published{
      {0, 0},         {1, 1},          {30, 832040},    {35, 9227465},
      {39, 63245986}, {40, 102334155}, {42, 267914296}, {90, 2880067194370816120}};
  for (const auto& [n, value] : published) EXPECT_EQ(fib_by_addition(n), value) << n;
}

TEST(Fib, CanBeSetFromNoughtTo90) {
  const kit::description described = workload::describe();
  EXPECT_EQ(workload::prepare({described, {{"n", "0"}}}).n, 0u);
  EXPECT_EQ(workload::prepare({described, {{"n", "90"}}}).n, 90u);
  EXPECT_THROW(kit::parameters(described, {{"n", "91"}}), kit::bad_input);
}

}  // namespace
}  // namespace stealbench::fib

namespace stealbench::integrate {
namespace {

constexpr auto& prepared = workloads::prepared<workload>;

TEST(Integrate, ComesToThePublishedIntegral) {
  // Coarser than published, where 10^-9 takes 175 million segments. These are fewer than two
  // million, and each is off by a third of 10^-3 at most.
  workload::input in = prepared({{"epsilon", "1e-3"}});
  const double found = workload::run(serial::worker{}, in);
  EXPECT_NEAR(found, 2500000050000000, 600);
  EXPECT_EQ(workload::verify(in, found), true);
}

TEST(Integrate, RefusesAnEpsilonBelowTheRoundingOfASegment) {
  EXPECT_THROW(prepared({{"bound", "100000"}, {"epsilon", "1e-12"}}), kit::bad_input);
  EXPECT_THROW(prepared({{"bound", "10000"}, {"epsilon", "0.9e-10"}}), kit::bad_input);
  EXPECT_NO_THROW(prepared({{"bound", "10000"}, {"epsilon", "1e-9"}}));
  EXPECT_NO_THROW(prepared({{"bound", "100000"}, {"epsilon", "1e-5"}}));
  EXPECT_NO_THROW(prepared({{"bound", "1000"}, {"epsilon", "1e-12"}}));
}

TEST(Integrate, NoticesTheLossOfOneSmallSegment) {
  workload::input in = prepared({{"bound", "10"}, {"epsilon", "1e-6"}});
  const double found = workload::run(serial::worker{}, in);
  EXPECT_EQ(workload::verify(in, found - 1e-9), false);
}

TEST(Integrate, NoticesThatTheSequentialVersionIsWrongToo) {
  workload::input in = prepared({{"bound", "10"}, {"epsilon", "1e-6"}});
  const double found = workload::run(serial::worker{}, in);
  ASSERT_EQ(workload::verify(in, found), true);
  in.expected->area += 0.1;
  EXPECT_EQ(workload::verify(in, in.expected->area), false);
}

}  // namespace
}  // namespace stealbench::integrate

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

namespace stealbench::skynet {
namespace {

workload::input prepared(const std::string& depth) {
  return workload::prepare({workload::describe(), {{"depth", depth}}});
}

TEST(Skynet, HasThePublishedSumOfAMillionLeaves) {
  const workload::input in = prepared("6");
  EXPECT_EQ(workload::run(serial::worker{}, in), 499999500000u);
  EXPECT_EQ(workload::sequential(in), 499999500000u);
}

TEST(Skynet, AcceptsThePublishedSumsAlone) {
  const std::vector<std::pair<std::string, std::uint64_t>> published{{"6", 499999500000},
                                                                     {"8", 4999999950000000}};
  for (const auto& [depth, sum] : published) {
    EXPECT_EQ(workload::verify(prepared(depth), sum), true) << depth;
    EXPECT_EQ(workload::verify(prepared(depth), sum - 1), false) << depth;
  }
}

}  // namespace
}  // namespace stealbench::skynet

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

TEST(Knapsack, NoticesALostBranchWithoutTheOptimum) {
  const std::vector<kit::assignment> small{{"n", "16"}, {"capacity", "450"}, {"seed", "16"}};
  const workload::input in = prepared(small);
  found result = workload::run(serial::worker{}, in);
  --result.forks;
  EXPECT_EQ(workload::verify(in, result), false);
  std::vector<kit::assignment> shared = small;
  shared.emplace_back("prune", "shared");
  EXPECT_EQ(workload::verify(prepared(shared), result), true) << "another number in every run";
}

TEST(Knapsack, SearchesLessWithASharedIncumbent) {
  const std::vector<kit::assignment> small{{"n", "16"}, {"capacity", "450"}, {"seed", "16"}};
  std::vector<kit::assignment> shared = small;
  shared.emplace_back("prune", "shared");
  EXPECT_LT(workload::run(serial::worker{}, prepared(shared)).forks,
            workload::run(serial::worker{}, prepared(small)).forks);
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
