#include "workloads/stress/empty_tree/empty_tree.hpp"

#include <cstdint>

#include <gtest/gtest.h>

#include "schedulers/serial/scheduler.hpp"
#include "workloads/kit/counting_worker.hpp"

namespace stealbench::empty_tree {
namespace {

TEST(EmptyTree, SumsTheNumbersOfItsLeaves) {
  for (unsigned depth = 0; depth <= 12; ++depth) {
    std::uint64_t sum = 0;
    for (std::uint64_t leaf = 1U << depth; leaf < 2U << depth; ++leaf) sum += leaf;
    EXPECT_EQ(known_sum(depth), sum) << depth;
    EXPECT_EQ(plain_sum_of_leaves(depth, 1), sum) << depth;
    EXPECT_EQ(sum_of_leaves(serial::worker{}, depth, 1), sum) << depth;
  }
}

TEST(EmptyTree, SumsWhereTheStepsOfItsLeavesLead) {
  const workload::input in{.depth = 3, .work = 5};
  std::uint64_t sum = 0;
  for (std::uint64_t leaf = 8; leaf < 16; ++leaf) sum += kit::stepped(leaf, 5);
  EXPECT_EQ(known_sum(3, 5), sum);
  EXPECT_EQ(workload::sequential(in), sum);
  EXPECT_EQ(workload::run(serial::worker{}, in), sum);
  EXPECT_EQ(workload::verify(in, sum), true);
  EXPECT_EQ(workload::verify(in, known_sum(3)), false) << "leaves without their work";
}

TEST(EmptyTree, ForksAtEveryInnerNode) {
  for (unsigned depth = 0; depth <= 12; ++depth) {
    std::uint64_t forks = 0;
    const workload::input in{.depth = depth};
    const std::uint64_t sum = workload::run(kit::counting_worker{&forks}, in);
    EXPECT_EQ(workload::fork_count(in, sum), forks) << depth;
  }
}

TEST(EmptyTree, ItsSumFits64BitsAtItsGreatestDepth) {
  EXPECT_EQ(known_sum(31), 6917529026567340032u) << "2^30 (3 * 2^31 - 1)";
  EXPECT_THROW(kit::parameters(workload::describe(), {{"depth", "32"}}), kit::bad_input);
}

}  // namespace
}  // namespace stealbench::empty_tree
