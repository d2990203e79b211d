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
#include "workloads/prepared_fixture.hpp"

namespace stealbench::workloads {
namespace {

TEST(Catalogue, DescribesItsWorkloadsInOrder) {
  const std::vector<kit::description> all = descriptions();
  ASSERT_EQ(all.size(), std::tuple_size_v<catalogue>);
  EXPECT_EQ(all.front().name, (std::tuple_element_t<0, catalogue>::describe().name));
  for (const kit::description& a : all) {
    for (const kit::description& b : all) EXPECT_EQ(a.name == b.name, &a == &b);
    for (const std::string* text :
         {&a.name, &a.summary, &a.about.shape, &a.about.tasks, &a.about.work, &a.about.span,
          &a.about.bound_by, &a.about.answer, &a.about.source}) {
      EXPECT_FALSE(text->empty()) << a.name;
    }
    for (const kit::parameter& each : a.parameters) EXPECT_FALSE(each.meaning.empty()) << a.name;
  }
}

TEST(Catalogue, HasFourSizesOfDifferentInstancesAndDefaultsInsideTheirDomains) {
  for (const kit::description& workload : descriptions()) {
    std::vector<std::string> names;
    for (const kit::size& each : workload.sizes) {
      names.push_back(each.name);
      EXPECT_EQ(kit::instances_of(workload, each, {}).size(), each.instances.size())
          << workload.name << " " << each.name << " names an instance twice";
    }
    EXPECT_EQ(names, (std::vector<std::string>{"test", "small", "standard", "large"}))
        << workload.name;
    const kit::parameters defaults(workload, {});
    for (const auto& [key, value] : defaults.all()) {
      const kit::parameters typed(workload, {{key, kit::to_string(value)}});
      EXPECT_EQ(typed.all(), defaults.all()) << workload.name << " " << key;
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
        const grain_range range = range_of_grain(workload, instance);
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

/// Where loops, halves, grains and cut-offs begin and end, beside the instances of the test size:
/// each value of a key, behind commas, with each of the other keys.
const std::multimap<std::string, std::string> edges{
    {"bfs", "scale=1 edge_factor=1 seed=0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19"},
    {"bfs", "scale=8"},
    {"bpc", "depth=1,2,30 consumers=1,2,9 next=first,last work=3"},
    {"chain", "links=1,2,17 form=group,fork work=3"},
    {"cholesky", "n=1,2,16,17,33,65,96,129 leaf=16"},
    {"empty_loop", "indices=1,2,63,64,65 grain=1,3,7,64,65,1000 loops=3"},
    {"empty_tree", "depth=0,1,2,11,12 work=0,5"},
    {"fft", "points=4,8,64,128,1024 leaf=4,16,64"},
    {"fib", "n=0,1,2,3,4,19"},
    {"floorplan", "n=5 seed=0,1,2,3,4,5,6,7,8,9 prune=fixed,shared cutoff=0,2,20"},
    {"health", "levels=4 cities=5 steps=30 grain=1,2,3,4,5"},
    {"health", "levels=1"},
    {"heat", "n=2,7,8,31,100 steps=1,2,99"},
    {"heat", "n=1 steps=1"},
    {"integrate", "bound=1,1.7,3,50 epsilon=1,1e-2,1e-6"},
    {"integrate", "bound=500.3,1000.1 epsilon=1e-6"},
    {"knapsack",
     "n=12 capacity=300 seed=0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19 "
     "prune=fixed,shared cutoff=0,3,64"},
    {"lu", "n=2,16,17,33,65,96,129 leaf=16"},
    {"matmul", "n=1,15,16,17,33,65,96,100,129 leaf=16 input=ones,random"},
    {"mergesort", "keys=2,3,4,5,31,32,33,69 grain=2,3,16 merge=parallel,serial"},
    {"nested_loops", "rows=9 columns=50 skew=equal,linear,halving grain=1,7,1000 work=1"},
    {"nqueens", "n=8 cutoff=0,1,2,3,4,5,6,7,8,9"},
    {"nqueens", "n=2"},
    {"primes", "limit=3,4,9,10,11,25,26,100,129 grain=1,3,1000"},
    {"quicksort", "keys=2,3,31,32,33,69 grain=2,16,64"},
    {"reduce", "numbers=1,2,3,63,64,65,69 grain=1,2,3,7,64 passes=1,3"},
    {"scan", "numbers=1,2,3,63,64,65,69 grain=1,2,7,64,100 passes=1,2"},
    {"skewed", "indices=1,2,3,5 units=5"},
    {"skynet", "depth=0,1,2,4"},
    {"spc", "tasks=1,16,17,100 batch=0,1,2,7,16,17,100,1000 produce=2 work=3"},
    {"spmv", "rows=20 shortest=3 longest=3 products=1,2"},
    {"strassen", "n=1,2,16,32,64 leaf=16"},
    {"taskbench",
     "pattern=stencil_1d,fft,tree,all_to_all,nearest,random_nearest,trivial "
     "width=1,2,7,20 steps=9 iterations=1"},
    {"uts", "granularity=3"},
    {"wavefront", "order=quadrants,diagonals blocks=1,2,4,32 block=1,2,17"},
};

template <class Workload>
// NOLINTNEXTLINE(readability-identifier-naming): GoogleTest shows it as the name of the suite.
class InSerialCode : public testing::Test {
 protected:
  /// Calls `check(input)` with each instance.
  template <class Check>
  static void for_each_input(const Check& check) {
    std::vector<kit::parameters> all = test_instances<Workload>();
    const kit::description described = Workload::describe();
    const auto [first, last] = edges.equal_range(described.name);
    for (auto keys = first; keys != last; ++keys) {
      for (const auto& chosen : combined(keys->second)) all.emplace_back(described, chosen);
    }
    for (const kit::parameters& instance : all) {
      std::string name;
      for (const auto& [key, value] : instance.all())
        name += key + "=" + kit::to_string(value) + " ";
      SCOPED_TRACE(name);
      auto in = Workload::prepare(instance);
      Workload::reset(in);
      check(in);
    }
  }
};

TYPED_TEST_SUITE(InSerialCode, all_workloads);

// What a reset leaves would else be found by the next run, of which a task is lost.
TYPED_TEST(InSerialCode, TheReferenceIsRightAndNoAnswerIsLeftAfterAReset) {
  this->for_each_input([](auto& in) {
    const auto out = TypeParam::sequential(in);
    EXPECT_EQ(TypeParam::verify(in, out), true);
    if (!std::is_empty_v<typename TypeParam::output>) return;  // That is its answer.
    TypeParam::reset(in);
    EXPECT_EQ(TypeParam::verify(in, out), false);
  });
}

TYPED_TEST(InSerialCode, TheProgramForksAsItSaysAndIsRightAndWrongOnceCorruptedAndRightAgain) {
  this->for_each_input([](auto& in) {
    std::uint64_t branches = 0;
    auto out = TypeParam::run(kit::counting_worker{&branches}, in);
    EXPECT_EQ(TypeParam::fork_count(in, out), branches);
    EXPECT_EQ(TypeParam::verify(in, out), true);
    TypeParam::corrupt(in, out);
    EXPECT_EQ(TypeParam::verify(in, out), false);
    TypeParam::reset(in);
    const auto again = TypeParam::run(serial::worker{}, in);
    EXPECT_EQ(TypeParam::verify(in, again), true);
  });
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

TEST(Defaults, AreNoResetTheOutputTheForksOfAnotherRunAndTheSequentialVersionsAnswer) {
  int in = 41;
  terse::reset(in);
  int out = terse::run(serial::worker{}, in);
  EXPECT_EQ(terse::answer(in, out), 42);
  EXPECT_EQ(terse::fork_count(in, out), 1U);
  EXPECT_EQ(terse::verify(in, out), true);
  terse::corrupt(in, out);
  EXPECT_EQ(terse::verify(in, out), false);
}

TEST(Catalogue, RefusesValuesOfWhichNoRunIsMade) {
  const std::map<std::string, std::vector<kit::assignment>> refused{
      {"bfs", {{"scale", "0"}, {"scale", "32"}, {"edge_factor", "0"}}},
      {"chain", {{"work", "0"}}},
      {"empty_tree", {{"depth", "32"}}},  // Its sum would not fit 64 bits.
      {"fib", {{"n", "91"}}},
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
