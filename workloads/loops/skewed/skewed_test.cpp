#include "workloads/loops/skewed/skewed.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "schedulers/serial/scheduler.hpp"
#include "workloads/kit/random.hpp"
#include "workloads/prepared_fixture.hpp"

namespace stealbench::skewed {
namespace {

constexpr auto& prepared = workloads::prepared<workload>;

std::vector<std::uint32_t> costs_of(body_kind body, std::size_t indices) {
  return costs({.body = body, .units = 1000, .alpha = 1.5, .seed = 1}, indices);
}

double mean_of(const std::vector<std::uint32_t>& costs) {
  return static_cast<double>(std::accumulate(costs.begin(), costs.end(), std::uint64_t{0})) /
         static_cast<double>(costs.size());
}

TEST(Skewed, CostsTheMeanWithEveryLaw) {
  EXPECT_DOUBLE_EQ(mean_of(costs_of(body_kind::uniform, 4000)), 1000);
  EXPECT_NEAR(mean_of(costs_of(body_kind::linear, 4000)), 1000, 0.5);
  EXPECT_NEAR(mean_of(costs_of(body_kind::blocks, 4000)), 1000, 0.5);
  EXPECT_NEAR(mean_of(costs_of(body_kind::pareto, 1'000'000)), 1000, 100) << "a sample, capped";
}

TEST(Skewed, RisesLinearlyFromNoughtToTwiceTheMean) {
  const std::vector<std::uint32_t> rising = costs_of(body_kind::linear, 1000);
  EXPECT_TRUE(std::is_sorted(rising.begin(), rising.end()));
  EXPECT_EQ(rising.front(), 1u);
  EXPECT_EQ(rising.back(), 1999u);
}

TEST(Skewed, UsesFourStaticWorkersTo53PerCent) {
  const std::vector<std::uint32_t> all = costs_of(body_kind::blocks, 400);
  std::vector<double> shares;
  for (std::size_t quarter = 0; quarter < 4; ++quarter) {
    const auto first = all.begin() + static_cast<std::ptrdiff_t>(quarter) * 100;
    shares.push_back(std::accumulate(first, first + 100, 0.0));
  }
  const double total = std::accumulate(shares.begin(), shares.end(), 0.0);
  EXPECT_NEAR(total / (4 * *std::max_element(shares.begin(), shares.end())), 0.536, 0.001);
}

TEST(Skewed, HasAHeavyButCappedTail) {
  std::vector<std::uint32_t> tail = costs_of(body_kind::pareto, 100'000);
  std::sort(tail.begin(), tail.end());
  EXPECT_GE(tail.front(), 333u);
  EXPECT_NEAR(tail[50'000], 1000.0 / 3 * std::pow(2, 1 / 1.5), 10) << "the median";
  EXPECT_GT(tail.back(), 100'000u);
  EXPECT_LE(tail.back(), 1'000'000u);
}

TEST(Skewed, TakesAsManyStepsAsAnIndexCosts) {
  constexpr std::uint32_t units = 1000;
  std::uint64_t state = kit::mixed(3 + kit::golden_gamma);
  for (std::uint32_t unit = 0; unit < units; ++unit) state = kit::mixed(state + kit::golden_gamma);
  EXPECT_EQ(work(3, units), state);
}

TEST(Skewed, NoticesALostIndexAndAWrongResult) {
  workload::input in = prepared({{"indices", "100"}, {"units", "5"}});
  const workload::output out = workload::run(serial::worker{}, in);
  EXPECT_EQ(workload::verify(in, out), true);
  in.visits[17].times = 0;
  EXPECT_EQ(workload::verify(in, out), false);
  in.visits[17].times = 1;
  ++in.visits[17].result;
  EXPECT_EQ(workload::verify(in, out), false);
}

TEST(Skewed, AnswersWithItsVisitsAndTheSumOfTheirResults) {
  workload::input in = prepared({{"indices", "3"}, {"units", "5"}});
  in.visits = {{.result = 10, .times = 1}, {.result = 200, .times = 2}, {.result = 0, .times = 0}};
  EXPECT_EQ(workload::answer(in, {}).dump(), R"({"indices":3,"visits":3,"sum":210})");
  in.visits[2].times = 1;
  EXPECT_EQ(workload::answer(in, {})["visits"], 4);
}

}  // namespace
}  // namespace stealbench::skewed
