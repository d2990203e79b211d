#include "workloads/recursive/uts/tree.hpp"

#include <initializer_list>
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

constexpr std::uint32_t greatest = random_limit - 1;

/// How many children a node has at a height, by its random number.
struct expected_count {
  std::uint32_t height;
  std::uint32_t random;
  std::uint32_t children;
};

void expect_counts(const tree_parameters& chosen, std::initializer_list<expected_count> all) {
  const tree t = rule(chosen);
  for (const auto& [height, random, children] : all) {
    EXPECT_EQ(t.child_count(node_at(height, random)), children) << height << ", " << random;
  }
}

TEST(BinomialTree, HasTheWholePartOfB0AsRootChildrenAndBranchesBelowTheThreshold) {
  expect_counts(
      {.type = tree_type::binomial, .b0 = 2000.9, .q = 0.25, .m = 7},
      {{0, 0, 2000}, {0, greatest, 2000}, {1, random_limit / 4 - 1, 7}, {1, random_limit / 4, 0}});
  expect_counts({.type = tree_type::binomial, .q = 0.5, .m = 300}, {{1, 0, 100}});  // At most.
}

TEST(GeometricTree, FollowsTheInverseOfTheDistributionUpTo100Children) {
  // b = 1, so p = 1/2 and the count is floor(log2(1 / (1 - u))).
  expect_counts({.shape = tree_shape::fixed, .depth = 3, .b0 = 1}, {{1, 0, 0},
                                                                    {1, random_limit / 2 - 1, 0},
                                                                    {1, random_limit / 2, 1},
                                                                    {1, random_limit / 4 * 3, 2},
                                                                    {1, greatest, 31}});
  expect_counts({.shape = tree_shape::fixed, .b0 = 1e6}, {{0, greatest, 100}, {1, greatest, 100}});
  for (const tree_shape shape : {tree_shape::linear, tree_shape::cyclic, tree_shape::fixed}) {
    expect_counts({.shape = shape, .b0 = 0}, {{0, greatest, 0}});
  }
  // Heights beyond those that are tabulated.
  expect_counts({.shape = tree_shape::fixed, .depth = 50'000, .b0 = 1},
                {{1000, greatest, 31}, {49'999, greatest, 31}, {50'000, greatest, 0}});
}

TEST(HybridTree, TurnsBinomialAtItsPartOfTheDepth) {
  expect_counts({.type = tree_type::hybrid,
                 .shape = tree_shape::fixed,
                 .depth = 7,
                 .b0 = 1,
                 .q = 0.5,
                 .m = 3,
                 .shift = 0.5},
                {{3, greatest, 31}, {4, greatest, 0}, {4, 0, 3}});
}

TEST(BalancedTree, HasTheWholePartOfB0AsChildrenDownToTheDepth) {
  expect_counts({.type = tree_type::balanced, .depth = 2, .b0 = 250.5},
                {{0, 0, 250}, {1, greatest, 250}, {2, 0, 0}});
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

TEST(GeometricTree, ThatMayWidenWithoutEndIsRefused) {
  EXPECT_THROW(rule({.shape = tree_shape::expdec, .b0 = 0.5}), kit::bad_input);
  EXPECT_THROW(rule({.shape = tree_shape::expdec, .depth = 0}), kit::bad_input);
  EXPECT_NO_THROW(rule({.shape = tree_shape::expdec, .depth = 1, .b0 = 1}));
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
