#include "workloads/catalogue.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "workloads/all_workloads_fixture.hpp"
#include "workloads/kit/counting_worker.hpp"

namespace stealbench::workloads {
namespace {

TEST(Catalogue, DescribesItsWorkloadsInOrder) {
  const std::vector<kit::description> all = descriptions();
  ASSERT_EQ(all.size(), std::tuple_size_v<catalogue>);
  EXPECT_EQ(all.front().name, (std::tuple_element_t<0, catalogue>::describe().name));
  for (const kit::description& a : all) {
    for (const kit::description& b : all) EXPECT_EQ(a.name == b.name, &a == &b);
  }
}

TEST(Catalogue, SaysWhatEachWorkloadAndParameterIs) {
  for (const kit::description& workload : descriptions()) {
    EXPECT_FALSE(workload.name.empty());
    EXPECT_FALSE(workload.summary.empty()) << workload.name;
    for (const kit::parameter& each : workload.parameters) {
      EXPECT_FALSE(each.meaning.empty()) << workload.name << " " << each.key;
    }
  }
}

TEST(Catalogue, HasFourSizesOfDifferentInstancesForEachWorkload) {
  for (const kit::description& workload : descriptions()) {
    std::vector<std::string> names;
    for (const kit::size& each : workload.sizes) {
      names.push_back(each.name);
      EXPECT_EQ(kit::instances_of(workload, each, {}).size(), each.instances.size())
          << workload.name << " " << each.name << " names an instance twice";
    }
    EXPECT_EQ(names, (std::vector<std::string>{"test", "small", "standard", "large"}))
        << workload.name;
  }
}

TEST(Catalogue, HasDefaultsInsideTheirDomains) {
  for (const kit::description& workload : descriptions()) {
    const kit::parameters defaults(workload, {});
    for (const auto& [key, value] : defaults.all()) {
      const kit::parameters typed(workload, {{key, kit::to_string(value)}});
      EXPECT_EQ(typed.all(), defaults.all()) << workload.name << " " << key;
    }
  }
}

TEST(Catalogue, SaysWhatEachWorkloadIsGoodFor) {
  for (const kit::description& workload : descriptions()) {
    for (const std::string* text :
         {&workload.about.shape, &workload.about.tasks, &workload.about.work, &workload.about.span,
          &workload.about.bound_by, &workload.about.answer, &workload.about.source}) {
      EXPECT_FALSE(text->empty()) << workload.name;
    }
  }
}

TEST(Catalogue, NamesGrainsThatCanBeSwept) {
  std::size_t swept = 0;
  for (const kit::description& workload : descriptions()) {
    if (!workload.grain) continue;
    ++swept;
    for (const kit::size& each : workload.sizes) {
      for (const kit::parameters& instance : kit::instances_of(workload, each, {})) {
        const kit::grain_range range = kit::range_of_grain(workload, instance);
        EXPECT_LE(range.least, range.most) << workload.name << " " << each.name;
        for (const std::uint64_t end : {range.least, range.most}) {
          EXPECT_NO_THROW(
              kit::parameters(workload, {{workload.grain->parameter, std::to_string(end)}}))
              << workload.name;
        }
      }
    }
  }
  EXPECT_GT(swept, 20u);
}

template <class Workload>
// NOLINTNEXTLINE(readability-identifier-naming): GoogleTest shows it as the name of the suite.
class InSerialCode : public testing::Test {};

TYPED_TEST_SUITE(InSerialCode, all_workloads);

TYPED_TEST(InSerialCode, TheReferenceIsRight) {
  for (const kit::parameters& instance : test_instances<TypeParam>()) {
    auto in = TypeParam::prepare(instance);
    TypeParam::reset(in);
    const auto out = TypeParam::sequential(in);
    EXPECT_EQ(TypeParam::verify(in, out), true);
  }
}

// Else a task that is lost in the next run would find its result there.
TYPED_TEST(InSerialCode, NoAnswerIsLeftAfterAReset) {
  if (!std::is_empty_v<typename TypeParam::output>) return;  // That is its answer.
  for (const kit::parameters& instance : test_instances<TypeParam>()) {
    auto in = TypeParam::prepare(instance);
    TypeParam::reset(in);
    const auto out = TypeParam::sequential(in);
    ASSERT_EQ(TypeParam::verify(in, out), true);
    TypeParam::reset(in);
    EXPECT_EQ(TypeParam::verify(in, out), false);
  }
}

// A program that states as little as it may.
struct terse : defaults<terse> {
  using input = int;
  using output = int;
  static output run(auto worker, input& in) {
    const auto [left, right] = worker->fork_join([&](auto) { return in; }, [](auto) { return 1; });
    return left + right;
  }
  static output sequential(input& in) { return in + 1; }
};

TEST(Defaults, AreNoResetTheOutputAndTheForksOfAnotherRun) {
  int in = 41;
  terse::reset(in);
  const int out = terse::run(serial::worker{}, in);
  EXPECT_EQ(terse::answer(in, out), 42);
  EXPECT_EQ(terse::fork_count(in, out), 1U);
}

TEST(Defaults, CompareWithTheSequentialVersionAndCorruptANumber) {
  int in = 41;
  int out = terse::run(serial::worker{}, in);
  EXPECT_EQ(terse::verify(in, out), true);
  terse::corrupt(in, out);
  EXPECT_EQ(terse::verify(in, out), false);
}

TYPED_TEST(InSerialCode, TheForkCountIsWhatIsForked) {
  for (const kit::parameters& instance : test_instances<TypeParam>()) {
    auto in = TypeParam::prepare(instance);
    TypeParam::reset(in);
    std::uint64_t branches = 0;
    const auto out = TypeParam::run(kit::counting_worker{&branches}, in);
    EXPECT_EQ(TypeParam::fork_count(in, out), branches);
  }
}

TEST(Catalogue, RefusesValuesOfWhichNoRunIsMade) {
  const std::map<std::string, std::vector<kit::assignment>> refused{
      {"bfs", {{"scale", "0"}, {"scale", "32"}, {"edge_factor", "0"}}},
      {"floorplan", {{"n", "21"}, {"side", "9"}, {"cutoff", "21"}}},  // Its arrays hold no more.
      {"integrate", {{"epsilon", "0"}, {"bound", "0"}}},
      {"mandelbrot", {{"side", "0"}, {"iterations", "0"}, {"grain", "0"}}},
      {"matmul", {{"leaf", "15"}}},  // It could not be cut at sixteen.
      {"nqueens", {{"n", "0"}, {"n", "19"}}},
      {"primes", {{"limit", "0"}, {"grain", "0"}, {"limit", "4294967297"}}},
      {"reduce", {{"numbers", "0"}, {"passes", "0"}, {"grain", "0"}}},
      {"scan", {{"numbers", "0"}, {"passes", "0"}, {"grain", "0"}}},
      {"skewed", {{"body", "steep"}, {"alpha", "1"}, {"indices", "0"}}},
      {"taskbench", {{"width", "0"}, {"steps", "0"}, {"pattern", "spread"}}}};
  for (const kit::description& about : descriptions()) {
    const auto found = refused.find(about.name);
    if (found == refused.end()) continue;
    for (const kit::assignment& each : found->second) {
      EXPECT_THROW(kit::parameters(about, {each}), kit::bad_input) << about.name << each.first;
    }
  }
}

}  // namespace
}  // namespace stealbench::workloads
