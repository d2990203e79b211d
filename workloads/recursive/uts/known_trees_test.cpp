#include <gtest/gtest.h>

#include "workloads/recursive/uts/uts.hpp"

namespace stealbench::uts {
namespace {

TEST(KnownTrees, HaveDistinctNames) {
  for (const named_tree& a : named_trees()) {
    for (const named_tree& b : named_trees()) EXPECT_EQ(a.name == b.name, &a == &b);
  }
}

TEST(KnownTrees, KnowEveryNamedTree) {
  for (const named_tree& known : named_trees()) {
    EXPECT_EQ(known_counts(known.parameters), known.found) << known.name;
  }
}

TEST(KnownTrees, IgnoreWhatDoesNotBearOnTheTree) {
  tree_parameters t1 = named_trees().front().parameters;
  const counts expected = named_trees().front().found;
  t1.q = 0.1;
  t1.m = 77;
  t1.shift = 0.25;
  EXPECT_EQ(known_counts(t1), expected);

  const tree_parameters bin{.type = tree_type::binomial,
                            .shape = tree_shape::cyclic,
                            .depth = 99,
                            .b0 = 10.75,
                            .seed = 42,
                            .q = 0.12,
                            .m = 8,
                            .shift = 0};
  EXPECT_EQ(known_counts(bin), (counts{.nodes = 371, .leaves = 325, .depth = 15}));
}

TEST(KnownTrees, DoNotIgnoreWhatBearsOnTheTree) {
  const tree_parameters t1 = named_trees().front().parameters;
  for (const auto& change :
       {+[](tree_parameters& t) { t.shape = tree_shape::linear; },
        +[](tree_parameters& t) { t.depth = 11; }, +[](tree_parameters& t) { t.b0 = 4.5; },
        +[](tree_parameters& t) { t.seed = 20; },
        +[](tree_parameters& t) { t.type = tree_type::hybrid; }}) {
    tree_parameters changed = t1;
    change(changed);
    EXPECT_EQ(known_counts(changed), std::nullopt);
  }
}

TEST(KnownTrees, ComputeBalancedTrees) {
  const auto balanced = [](double b0, std::uint32_t depth) {
    return known_counts({.type = tree_type::balanced, .depth = depth, .b0 = b0});
  };
  EXPECT_EQ(balanced(4, 6), (counts{.nodes = 5461, .leaves = 4096, .depth = 6}));
  EXPECT_EQ(balanced(4.9, 6), balanced(4, 6));
  EXPECT_EQ(balanced(1, 5), (counts{.nodes = 6, .leaves = 1, .depth = 5}));
  EXPECT_EQ(balanced(0, 5), (counts{.nodes = 1, .leaves = 1, .depth = 0}));
  EXPECT_EQ(balanced(7, 0), (counts{.nodes = 1, .leaves = 1, .depth = 0}));
}

TEST(KnownTrees, DoNotKnowBalancedTreesBeyond64Bits) {
  const auto binary = [](std::uint32_t depth) {
    return known_counts({.type = tree_type::balanced, .depth = depth, .b0 = 2});
  };
  EXPECT_EQ(binary(63)->nodes, ~std::uint64_t{0});
  EXPECT_EQ(binary(64), std::nullopt);
}

}  // namespace
}  // namespace stealbench::uts
