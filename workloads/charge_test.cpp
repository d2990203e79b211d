// What a workload is charged for in simulated time: nothing where memory bounds it, and else the
// same units however its program is cut.
#include "workloads/kit/charge.hpp"

#include <cstdint>
#include <numeric>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "workloads/all_workloads_fixture.hpp"
#include "workloads/kit/counting_worker.hpp"
#include "workloads/kit/in_order_worker.hpp"
#include "workloads/prepared_fixture.hpp"

namespace stealbench::workloads {
namespace {

/// Adds up what it is charged.
struct adding_machine {
  inline static std::uint64_t units = 0;
  static void work(std::uint64_t more) { units += more; }
};
using charged = kit::in_order_worker<adding_machine>;
static_assert(schedulers::worker<charged>);
static_assert(kit::charged_worker<charged>);
static_assert(!kit::charged_worker<serial::worker> && !kit::charged_worker<kit::counting_worker>);

/// The units of a run, whose answer is checked.
template <class Workload>
std::uint64_t units_of_instance(const kit::parameters& instance) {
  auto in = Workload::prepare(instance);
  Workload::reset(in);
  adding_machine::units = 0;
  const auto out = Workload::run(charged(), in);
  EXPECT_EQ(Workload::verify(in, out), true);
  return adding_machine::units;
}

/// As the user would type what sets the parameters of an instance, but for one.
std::vector<kit::assignment> assignments_without(std::string_view key,
                                                 const kit::parameters& instance) {
  std::vector<kit::assignment> all;
  for (const auto& [each, value] : instance.all()) {
    if (each != key) all.emplace_back(each, kit::to_string(value));
  }
  return all;
}

template <class Workload>
std::uint64_t units_of(const std::vector<kit::assignment>& assignments) {
  return units_of_instance<Workload>({Workload::describe(), assignments});
}

template <class Workload>
// NOLINTNEXTLINE(readability-identifier-naming): GoogleTest shows it as the name of the suite.
class InSimulatedTime : public testing::Test {};

TYPED_TEST_SUITE(InSimulatedTime, all_workloads);

TYPED_TEST(InSimulatedTime, IsChargedForItsWorkUnlessMemoryBoundsIt) {
  const kit::profile about = TypeParam::describe().about;
  EXPECT_EQ(about.unit.empty(), about.bound_by.starts_with("memory")) << about.bound_by;
  for (const kit::parameters& instance : test_instances<TypeParam>()) {
    const std::uint64_t units = units_of_instance<TypeParam>(instance);
    EXPECT_EQ(units == 0, about.unit.empty()) << units;
  }
}

TYPED_TEST(InSimulatedTime, IsChargedTheSameHoweverItIsCut) {
  const kit::description described = TypeParam::describe();
  if (described.about.unit.empty() || !described.grain) return;
  // The time of a smaller block or of a longer sort is not in proportion to the arithmetic, and the
  // charge follows the time: see the kernels. A few per cent with quicksort.
  const bool is_uneven =
      described.name == "cholesky" || described.name == "lu" || described.name == "quicksort";
  for (const kit::parameters& instance : test_instances<TypeParam>()) {
    const std::uint64_t units = units_of_instance<TypeParam>(instance);
    const grain_range range = range_of_grain(described, instance);
    for (const std::uint64_t grain : {range.least, (range.least + range.most) / 2, range.most}) {
      auto assignments = assignments_without(described.grain->parameter, instance);
      assignments.emplace_back(described.grain->parameter, std::to_string(grain));
      const std::uint64_t cut = units_of<TypeParam>(assignments);
      if (is_uneven) {
        EXPECT_GT(cut, 0U);
      } else {
        EXPECT_EQ(cut, units) << described.name << " " << described.grain->parameter << "="
                              << grain;
      }
    }
  }
}

TEST(Charges, AreTheUnitsThatAreCountedByHand) {
  for (const unsigned n : {0U, 1U, 2U, 10U, 20U}) {
    EXPECT_EQ(units_of<fib::workload>({{"n", std::to_string(n)}}),
              2 * fib::fib_by_addition(n + 1) - 1)
        << "one for each call";
  }
  for (const std::uint64_t hashes : {1U, 3U}) {
    EXPECT_EQ(units_of<uts::workload>({{"type", "balanced"},
                                       {"depth", "5"},
                                       {"b0", "3"},
                                       {"granularity", std::to_string(hashes)}}),
              hashes * (1 + 3 + 9 + 27 + 81 + 243));
  }
  EXPECT_EQ(units_of<empty_tree::workload>({{"depth", "3"}, {"work", "5"}}), 15U + 8 * 5);
  EXPECT_EQ(units_of<skynet::workload>({{"depth", "3"}}), 1111U) << "one for each node";
  // 2, 3 and the even numbers take one each; 5, 7 and 9 are divided by 2 and by 3.
  EXPECT_EQ(units_of<primes::workload>({{"limit", "10"}}), 11U);
  constexpr std::uint64_t boards = 2057;  // With 0 to 8 queens, of which none attacks another.
  EXPECT_EQ(units_of<nqueens::workload>({{"n", "8"}, {"cutoff", "8"}}), boards);
  EXPECT_EQ(units_of<nqueens::workload>({{"n", "8"}, {"cutoff", "0"}}), boards);
  // The empty plan, and the one place of its cell, which the greedy plan has too.
  EXPECT_EQ(units_of<floorplan::workload>({{"n", "1"}, {"side", "1"}}), 24U + 16U + 2U);
}

TEST(ChargeOfSkewed, IsTheCostOfEachIndexAndOneForTheIndex) {
  const std::vector<kit::assignment> assignments{{"indices", "100"}, {"units", "5"}};
  const auto in = prepared<skewed::workload>(assignments);
  EXPECT_EQ(units_of<skewed::workload>(assignments),
            std::accumulate(in.costs.begin(), in.costs.end(), std::uint64_t{100}));
}

TEST(ChargeOfIntegrate, IsAUnitForEachSegment) {
  const std::vector<kit::assignment> assignments{{"bound", "10"}, {"epsilon", "1e-3"}};
  const std::uint64_t forks =
      integrate::workload::fork_count(prepared<integrate::workload>(assignments), {});
  EXPECT_GT(forks, 0U);
  EXPECT_EQ(units_of<integrate::workload>(assignments), 2 * forks + 1);
}

TEST(ChargeOfKnapsack, IsABoundForEachItemDecidedAndOneForEachFilling) {
  const auto units = [](std::uint64_t greedy) {
    const knapsack::workload::input in{.items = {{7, 6}, {5, 5}, {5, 5}},
                                       .capacity = 10,
                                       .greedy = greedy,
                                       .optimum = 10,
                                       .how = kit::pruning::fixed,
                                       .forking_items = 3};
    adding_machine::units = 0;
    EXPECT_EQ(knapsack::workload::run(charged(), in).value, 10U);
    return adding_machine::units;
  };
  // The root; then, with the first item, a bound for each of the others, which do not fit, and the
  // filling; and without it three bounds and four fillings, or the bound that no filling beats.
  EXPECT_EQ(units(7), 1U + (2 + 1) + (3 + 4));
  EXPECT_EQ(units(10), 1U + (2 + 1) + 1);
}

TEST(ChargeOfQuicksort, IsNearlyTheSameHoweverItIsCut) {
  const auto units = [](const std::string& grain) {
    return static_cast<double>(
        units_of<quicksort::workload>({{"keys", "300000"}, {"grain", grain}}));
  };
  const double whole = units("300000");
  for (const char* grain : {"64", "4096", "65536"}) {
    EXPECT_NEAR(units(grain) / whole, 1, 0.1) << grain;
  }
}

TEST(ChargeOfMandelbrot, IsTheIterationsOfItsSlowestPoints) {
  // Every point of a row of 16 is iterated until all have left the circle, or to the bound.
  EXPECT_EQ(units_of<mandelbrot::workload>({{"side", "16"}, {"iterations", "1"}}), 16U);
  const std::uint64_t units =
      units_of<mandelbrot::workload>({{"side", "16"}, {"iterations", "1000"}});
  EXPECT_GT(units, 1000U);
  EXPECT_LT(units, 16U * 1000U);
}

/// Of the branch that continues a plan: a copy for each plan, a search for each that is not
/// complete.
// NOLINTNEXTLINE(misc-no-recursion): it visits a tree
std::uint64_t units_of_branch(std::span<const floorplan::cell> cells,
                              const floorplan::plan& partial, std::uint64_t bound) {
  std::uint64_t units = floorplan::units_of_copy;
  if (partial.count == cells.size()) return units;
  units += floorplan::units_of_search(partial, cells, bound);
  for (const floorplan::rectangle& move : floorplan::moves(partial, cells, bound)) {
    floorplan::plan next = partial;
    next.place(move);
    units += units_of_branch(cells, next, bound);
  }
  return units;
}

TEST(ChargeOfFloorplan, HasNoSearchBehindACompletePlan) {
  bool is_completed = false;  // A plan that is no better than the greedy one is not.
  for (const std::uint64_t seed : {1U, 2U, 3U, 4U, 5U, 6U, 7U, 8U}) {
    const auto in = floorplan::workload::prepare(
        {floorplan::workload::describe(), {{"n", "5"}, {"seed", std::to_string(seed)}}});
    is_completed = is_completed || floorplan::workload::sequential(in).area < in.greedy;
    EXPECT_EQ(units_of<floorplan::workload>({{"n", "5"}, {"seed", std::to_string(seed)}}),
              units_of_branch(in.cells, {}, in.greedy));
  }
  EXPECT_TRUE(is_completed);
}

TEST(ChargeOfTicksAndBursts, HoldsTheNanosecondsOfTheGapsAndTheSerialCode) {
  const auto in_bursts = [](const std::string& gap) {
    return units_of<bursts::workload>({{"bursts", "3"}, {"tasks", "4"}, {"gap", gap}});
  };
  EXPECT_EQ(in_bursts("1000") - in_bursts("0"), 3 * 1'000'000U);
  const auto in_ticks = [](const std::string& serial, const std::string& gap) {
    return units_of<control_loop::workload>(
        {{"ticks", "3"}, {"bursts", "5"}, {"tasks", "4"}, {"serial", serial}, {"gap", gap}});
  };
  EXPECT_EQ(in_ticks("0", "1000") - in_ticks("0", "0"), 3 * 1'000'000U);
  EXPECT_EQ(in_ticks("10", "0") - in_ticks("0", "0"), 3 * 4 * 10'000U);
}

}  // namespace
}  // namespace stealbench::workloads
