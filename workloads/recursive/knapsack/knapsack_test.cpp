#include "workloads/recursive/knapsack/knapsack.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "schedulers/serial/scheduler.hpp"
#include "workloads/kit/counting_worker.hpp"
#include "workloads/prepared_fixture.hpp"

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
