#include "workloads/recursive/uts/tree.hpp"

#include <utility>

#include <gtest/gtest.h>

#include "workloads/kit/parameters.hpp"

namespace stealbench::uts {
namespace {

// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables)
thread_local unsigned hashes = 0;

}  // namespace

// The linker sends what hashes here.
sha1_digest real_sha1(const sha1_block& padded) __asm__(
    "__real__ZN10stealbench3uts4sha1ERKSt5arrayIjLm16EE");
sha1_digest wrapped_sha1(const sha1_block& padded) __asm__(
    "__wrap__ZN10stealbench3uts4sha1ERKSt5arrayIjLm16EE");
sha1_digest wrapped_sha1(const sha1_block& padded) {
  ++hashes;
  return real_sha1(padded);
}

namespace {

constexpr std::uint32_t random_limit = 0x80000000;

/// A node whose random number is `random` / 2^31.
node node_at(std::uint32_t height, std::uint32_t random) { return {{0, 0, 0, 0, random}, height}; }

tree rule(const tree_parameters& chosen) { return {chosen, 1}; }

TEST(BinomialTree, HasTheWholePartOfB0AsRootChildren) {
  const tree t = rule({.type = tree_type::binomial, .b0 = 2000.9, .q = 0, .m = 8});
  EXPECT_EQ(t.child_count(node_at(0, 0)), 2000u);
  EXPECT_EQ(t.child_count(node_at(0, random_limit - 1)), 2000u);
}

TEST(BinomialTree, BranchesBelowTheThresholdOnly) {
  const tree t = rule({.type = tree_type::binomial, .q = 0.25, .m = 7});
  EXPECT_EQ(t.child_count(node_at(1, random_limit / 4 - 1)), 7u);
  EXPECT_EQ(t.child_count(node_at(1, random_limit / 4)), 0u);
}

TEST(BinomialTree, HasAtMost100ChildrenBelowTheRoot) {
  const tree t = rule({.type = tree_type::binomial, .q = 0.5, .m = 300});
  EXPECT_EQ(t.child_count(node_at(1, 0)), 100u);
}

TEST(GeometricTree, HasNoChildrenWhereTheRandomNumberIsNought) {
  EXPECT_EQ(rule({.shape = tree_shape::fixed}).child_count(node_at(1, 0)), 0u);
}

TEST(GeometricTree, FollowsTheInverseOfTheDistribution) {
  // b = 1, so p = 1/2 and the count is floor(log2(1 / (1 - u))).
  const tree t = rule({.shape = tree_shape::fixed, .depth = 3, .b0 = 1});
  EXPECT_EQ(t.child_count(node_at(1, random_limit / 2 - 1)), 0u);
  EXPECT_EQ(t.child_count(node_at(1, random_limit / 2)), 1u);
  EXPECT_EQ(t.child_count(node_at(1, random_limit / 4 * 3)), 2u);
  EXPECT_EQ(t.child_count(node_at(1, random_limit - 1)), 31u);
}

TEST(GeometricTree, HasAtMost100ChildrenAtTheRootToo) {
  const tree t = rule({.shape = tree_shape::fixed, .b0 = 1e6});
  EXPECT_EQ(t.child_count(node_at(0, random_limit - 1)), 100u);
  EXPECT_EQ(t.child_count(node_at(1, random_limit - 1)), 100u);
}

TEST(GeometricTree, WithoutBranchingIsItsRoot) {
  for (const tree_shape shape : {tree_shape::linear, tree_shape::cyclic, tree_shape::fixed}) {
    const tree t = rule({.shape = shape, .b0 = 0});
    EXPECT_EQ(t.child_count(node_at(0, random_limit - 1)), 0u);
  }
}

TEST(GeometricTree, EndsAtItsDepthOrAfterFivePeriodsIfCyclic) {
  using enum tree_shape;
  using depths =
      std::pair<std::uint32_t, std::uint32_t>;  // Of the tree, and the last with children.
  for (const tree_shape shape : {linear, cyclic, fixed}) {
    for (const auto& [depth, last] :
         {shape == cyclic ? depths(4, 20) : depths(6, 5), depths(0, 0)}) {
      const tree t = rule({.shape = shape, .depth = depth});
      EXPECT_GT(t.child_count(node_at(last, random_limit - 1)), 0u);
      EXPECT_EQ(t.child_count(node_at(last + 1, random_limit - 1)), 0u);
      EXPECT_EQ(t.child_count(node_at(last + 2, random_limit - 1)), 0u);
    }
  }
}

TEST(GeometricTree, GoesOnBelowTheTabulatedHeights) {
  const tree t = rule({.shape = tree_shape::fixed, .depth = 50'000, .b0 = 1});
  EXPECT_EQ(t.child_count(node_at(1000, random_limit - 1)), 31u);
  EXPECT_EQ(t.child_count(node_at(49'999, random_limit - 1)), 31u);
  EXPECT_EQ(t.child_count(node_at(50'000, random_limit - 1)), 0u);
}

TEST(GeometricTree, ThatMayWidenWithoutEndIsRefused) {
  EXPECT_THROW(rule({.shape = tree_shape::expdec, .b0 = 0.5}), kit::bad_input);
  EXPECT_THROW(rule({.shape = tree_shape::expdec, .depth = 0}), kit::bad_input);
  EXPECT_NO_THROW(rule({.shape = tree_shape::expdec, .depth = 1, .b0 = 1}));
}

TEST(HybridTree, TurnsBinomialAtItsPartOfTheDepth) {
  const tree t = rule({.type = tree_type::hybrid,
                       .shape = tree_shape::fixed,
                       .depth = 7,
                       .q = 0.5,
                       .m = 3,
                       .shift = 0.5});
  EXPECT_GT(t.child_count(node_at(3, random_limit - 1)), 0u) << "3 < 3.5: geometric";
  EXPECT_EQ(t.child_count(node_at(4, random_limit - 1)), 0u) << "4 >= 3.5: binomial";
  EXPECT_EQ(t.child_count(node_at(4, 0)), 3u);
}

TEST(BalancedTree, HasTheWholePartOfB0AsChildrenDownToTheDepth) {
  const tree t = rule({.type = tree_type::balanced, .depth = 2, .b0 = 250.5});
  EXPECT_EQ(t.child_count(node_at(0, 0)), 250u);
  EXPECT_EQ(t.child_count(node_at(1, random_limit - 1)), 250u);
  EXPECT_EQ(t.child_count(node_at(2, 0)), 0u);
}

TEST(BinomialTree, WithoutLeavesIsRefused) {
  EXPECT_THROW(rule({.type = tree_type::binomial, .q = 1, .m = 1}), kit::bad_input);
  EXPECT_THROW(rule({.type = tree_type::hybrid, .q = 1, .m = 2}), kit::bad_input);
  EXPECT_NO_THROW(rule({.type = tree_type::binomial, .q = 1, .m = 0}));
  EXPECT_NO_THROW(rule({.type = tree_type::geometric, .q = 1}));
}

TEST(Granularity, RepeatsTheWorkAndNotTheTree) {
  const tree_parameters chosen;
  const tree once(chosen, 1);
  const tree often(chosen, 9);
  EXPECT_EQ(once.child(once.root(), 3).state, often.child(often.root(), 3).state);
  EXPECT_EQ(often.child(often.root(), 3).height, 1u);
}

TEST(Granularity, IsTheNumberOfHashesOfAChild) {
  for (const std::uint32_t granularity : {1U, 2U, 9U}) {
    const tree hashed({}, granularity);
    const node root = hashed.root();
    const unsigned before = hashes;
    static_cast<void>(hashed.child(root, 3));
    EXPECT_EQ(hashes - before, granularity);
  }
}

}  // namespace
}  // namespace stealbench::uts
