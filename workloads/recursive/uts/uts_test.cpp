#include "workloads/recursive/uts/uts.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "schedulers/serial/scheduler.hpp"
#include "workloads/prepared_fixture.hpp"

namespace stealbench::uts {
namespace {

constexpr auto& prepared = workloads::prepared<workload>;

using kit::assignment;

counts searched(const std::vector<assignment>& assignments) {
  return workload::run(serial::worker{}, prepared(assignments));
}

std::vector<assignment> in_loops(std::vector<assignment> assignments) {
  assignments.push_back({"children", "loop"});
  return assignments;
}

struct small_tree {
  const char* typed;
  counts expected;
};

/// Every small tree whose counts are known, typed out a second time as a user would.
constexpr small_tree small_trees[] = {
    {"", {.nodes = 1732, .leaves = 1050, .depth = 6}},
    {"shape=expdec", {.nodes = 4509, .leaves = 2319, .depth = 17}},
    {"type=balanced", {.nodes = 5461, .leaves = 4096, .depth = 6}},
    {"type=bin m=8 seed=42 q=.124875 b0=20", {.nodes = 6213, .leaves = 5438, .depth = 67}},
    {"shape=fixed b0=4 seed=19 depth=3", {.nodes = 254, .leaves = 201, .depth = 3}},
    {"shape=fixed b0=4 seed=19 depth=4", {.nodes = 944, .leaves = 744, .depth = 4}},
    {"shape=fixed b0=4 seed=19 depth=5", {.nodes = 3987, .leaves = 3232, .depth = 5}},
    {"shape=fixed b0=4 seed=19 depth=7", {.nodes = 63914, .leaves = 51124, .depth = 7}},
    {"shape=cyclic b0=6 seed=502 depth=2", {.nodes = 227, .leaves = 124, .depth = 11}},
    {"shape=cyclic b0=6 seed=502 depth=3", {.nodes = 996, .leaves = 705, .depth = 16}},
    {"shape=cyclic b0=6 seed=502 depth=6", {.nodes = 4988, .leaves = 3086, .depth = 31}},
    {"shape=linear b0=4 seed=34 depth=6", {.nodes = 320, .leaves = 192, .depth = 6}},
    {"shape=linear b0=4 seed=34 depth=7", {.nodes = 736, .leaves = 434, .depth = 7}},
    {"shape=linear b0=4 seed=34 depth=10", {.nodes = 5577, .leaves = 3111, .depth = 10}},
    {"type=bin m=8 seed=42 q=0.12 b0=10", {.nodes = 371, .leaves = 325, .depth = 15}},
    {"type=bin m=8 seed=42 q=0.12 b0=50", {.nodes = 723, .leaves = 638, .depth = 17}},
    {"type=bin m=8 seed=42 q=0.12 b0=200", {.nodes = 4649, .leaves = 4092, .depth = 62}},
    {"type=hybrid b0=6 seed=1 depth=4 q=0.20", {.nodes = 374, .leaves = 286, .depth = 16}},
    {"type=hybrid b0=6 seed=1 depth=4 q=0.23", {.nodes = 910, .leaves = 688, .depth = 22}},
    {"type=hybrid b0=6 seed=1 depth=5 q=0.23", {.nodes = 4699, .leaves = 3530, .depth = 72}}};

TEST(Uts, CountsTheSmallTrees) {
  for (const auto& [typed, expected] : small_trees) {
    const std::vector<assignment> chosen = workloads::combined(typed).front();
    EXPECT_EQ(searched(chosen), expected) << typed;
    EXPECT_EQ(searched(in_loops(chosen)), expected) << typed << " in loops";
    EXPECT_EQ(workload::verify(prepared(chosen), expected), true) << typed;
  }
}

// Bit-exact logarithms, powers and sines show in the last node of four million. About 2 s in all.
TEST(Uts, CountsThePublishedTreesOfFourMillionNodes) {
  for (const char* name : {"T1", "T2", "T3", "T4", "T5"}) {
    const workload::input in = prepared({{"tree", name}});
    EXPECT_EQ(workload::verify(in, workload::run(serial::worker{}, in)), true) << name;
  }
}

TEST(Uts, TakesAPublishedTreeByNameOrByItsParameters) {
  for (const named_tree& known : named_trees()) {
    EXPECT_EQ(prepared({{"tree", std::string(known.name)}}).rule.chosen(), known.parameters);
  }
  EXPECT_NO_THROW(prepared({{"tree", "T1"}, {"granularity", "2"}})) << "no parameter of the tree";
  const workload::input t3 =
      prepared({{"type", "bin"}, {"b0", "2000"}, {"seed", "42"}, {"q", "0.124875"}, {"m", "8"}});
  EXPECT_EQ(workload::verify(t3, {.nodes = 4112897, .leaves = 3599034, .depth = 1572}), true);
}

TEST(Uts, ChecksNodesAndDepthAndLeavesAndNothingWhereTheTreeIsUnknown) {
  const workload::input in = prepared({});
  EXPECT_EQ(workload::verify(in, {.nodes = 1732, .leaves = 1050, .depth = 6}), true);
  EXPECT_EQ(workload::verify(in, {.nodes = 1731, .leaves = 1050, .depth = 6}), false);
  EXPECT_EQ(workload::verify(in, {.nodes = 1732, .leaves = 1049, .depth = 6}), false);
  EXPECT_EQ(workload::verify(in, {.nodes = 1732, .leaves = 1050, .depth = 7}), false);
  const std::vector<assignment> unknown{{"seed", "4711"}};
  EXPECT_EQ(workload::verify(prepared(unknown), searched(unknown)), std::nullopt);
}

TEST(Uts, AnswersWithNodesDepthAndLeaves) {
  const workload::input in = prepared({});
  EXPECT_EQ(workload::answer(in, searched({})).dump(), R"({"nodes":1732,"depth":6,"leaves":1050})");
}

TEST(Uts, CountsATreeThatIsOnlyItsRoot) {
  EXPECT_EQ(searched({{"b0", "0"}}), (counts{.nodes = 1, .leaves = 1, .depth = 0}));
  EXPECT_EQ(workload::fork_count(prepared({}), searched({{"b0", "0"}})), 0u);
}

/// Counts spawns and indices of loops apart.
struct telling_worker {
  std::uint64_t* spawns;
  std::uint64_t* indices;

  const telling_worker* operator->() const { return this; }
  [[nodiscard]] telling_worker task_group() const { return *this; }
  void spawn(const auto& child) const {
    ++*spawns;
    child(*this);
  }
  void sync() const {}
  void parallel_for(std::size_t first, std::size_t last, std::size_t /*grain*/,
                    const auto& body) const {
    *indices += last - first;
    for (std::size_t i = first; i < last; ++i) body(*this, i);
  }
};

TEST(Uts, SpawnsOrLoopsAsItIsToldAndAsOftenAsItSays) {
  for (const bool loops : {false, true}) {
    const workload::input in = prepared(loops ? in_loops({}) : std::vector<assignment>{});
    std::uint64_t spawns = 0;
    std::uint64_t indices = 0;
    const counts found = workload::run(telling_worker{&spawns, &indices}, in);
    EXPECT_EQ(spawns, loops ? 0 : workload::fork_count(in, found));
    EXPECT_EQ(indices, loops ? workload::fork_count(in, found) : 0);
  }
}

}  // namespace
}  // namespace stealbench::uts
