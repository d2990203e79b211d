// The streams of UTS, the rules of its trees, and those whose counts are known.
#include "workloads/recursive/uts/tree.hpp"

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "workloads/kit/parameters.hpp"
#include "workloads/recursive/uts/stream.hpp"
#include "workloads/recursive/uts/uts.hpp"

namespace stealbench::uts {
namespace {

/// Pads a message of at most 55 bytes as FIPS 180-4, section 5.1.1, says.
sha1_block padded(std::string_view message) {
  std::string bytes(message);
  bytes.push_back('\x80');
  bytes.resize(64, '\0');
  sha1_block block{};
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    block[i / 4] = block[i / 4] << 8 | static_cast<unsigned char>(bytes[i]);
  }
  block[15] = static_cast<std::uint32_t>(8 * message.size());
  return block;
}

std::string hex(const sha1_digest& digest) {
  std::string text;
  for (const std::uint32_t word : digest) text += fmt::format("{:08x}", word);
  return text;
}

TEST(Sha1, HashesTheVectorsOfTheStandardAndTheLongestMessageOfOneBlock) {
  EXPECT_EQ(hex(sha1(padded("abc"))), "a9993e364706816aba3e25717850c26c9cd0d89d");
  EXPECT_EQ(hex(sha1(padded(""))), "da39a3ee5e6b4b0d3255bfef95601890afd80709");
  EXPECT_EQ(hex(sha1(padded(std::string(55, 'a')))), "c1c8bbdc22796e28c0e15163d20899b65621d65a");
}

TEST(Stream, HasThePublishedStatesAndRandomNumbers) {
  EXPECT_EQ(hex(root_state(0)), "6768033e216468247bd031a0a2d9876d79818f8f");
  EXPECT_EQ(hex(root_state(19)), "c6988ab70cc9559ae4d6cba254e29a845a85f86b");
  EXPECT_EQ(hex(child_state(root_state(0), 0)), "f6b4e21a6db7135e161960a04c6bd6cab35bd8d3");
  EXPECT_EQ(hex(child_state(root_state(19), 1)), "4a8304c7c88f903ac06b01b07c7b2590e9397b5b");
  EXPECT_EQ(random_of(root_state(0)), 2038534031u);
  EXPECT_EQ(random_of(child_state(root_state(0), 0)), 861657299u);
  EXPECT_EQ(random_of(root_state(19)), 1518729323u);
}

TEST(Stream, DropsTheHighestBitOfTheLastWord) {
  EXPECT_EQ(random_of({0, 0, 0, 0, 0xffffffff}), 0x7fffffffu);
  EXPECT_EQ(random_of({0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0x80000000}), 0u);
}

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

TEST(Trees, ThatMayWidenWithoutEndOrHaveNoLeavesAreRefused) {
  EXPECT_THROW(rule({.shape = tree_shape::expdec, .b0 = 0.5}), kit::bad_input);
  EXPECT_THROW(rule({.shape = tree_shape::expdec, .depth = 0}), kit::bad_input);
  EXPECT_NO_THROW(rule({.shape = tree_shape::expdec, .depth = 1, .b0 = 1}));
  EXPECT_THROW(rule({.type = tree_type::binomial, .q = 1, .m = 1}), kit::bad_input);
  EXPECT_THROW(rule({.type = tree_type::hybrid, .q = 1, .m = 2}), kit::bad_input);
  EXPECT_NO_THROW(rule({.type = tree_type::binomial, .q = 1, .m = 0}));
  EXPECT_NO_THROW(rule({.type = tree_type::geometric, .q = 1}));
}

TEST(Granularity, IsTheNumberOfHashesOfAChildAndChangesNoTree) {
  const node expected = rule({}).child(rule({}).root(), 3);
  for (const std::uint32_t granularity : {1U, 2U, 9U}) {
    const tree hashed({}, granularity);
    const node root = hashed.root();
    const unsigned before = hashes;
    const node child = hashed.child(root, 3);
    EXPECT_EQ(hashes - before, granularity);
    EXPECT_EQ(child.state, expected.state);
    EXPECT_EQ(child.height, 1u);
  }
}

TEST(KnownTrees, HaveDistinctNamesAndAreKnown) {
  for (const named_tree& a : named_trees()) {
    for (const named_tree& b : named_trees()) EXPECT_EQ(a.name == b.name, &a == &b);
    EXPECT_EQ(known_counts(a.parameters), a.found) << a.name;
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
        +[](tree_parameters& t) { t.type = tree_type::hybrid; },
        +[](tree_parameters& t) { (t = named_trees()[3].parameters).shift = 0.4; }}) {  // T4
    tree_parameters changed = t1;
    change(changed);
    EXPECT_EQ(known_counts(changed), std::nullopt);
  }
}

TEST(KnownTrees, ComputeBalancedTreesUpTo64Bits) {
  const auto balanced = [](double b0, std::uint32_t depth) {
    return known_counts({.type = tree_type::balanced, .depth = depth, .b0 = b0});
  };
  EXPECT_EQ(balanced(4, 6), (counts{.nodes = 5461, .leaves = 4096, .depth = 6}));
  EXPECT_EQ(balanced(4.9, 6), balanced(4, 6));
  EXPECT_EQ(balanced(1, 5), (counts{.nodes = 6, .leaves = 1, .depth = 5}));
  EXPECT_EQ(balanced(0, 5), (counts{.nodes = 1, .leaves = 1, .depth = 0}));
  EXPECT_EQ(balanced(7, 0), (counts{.nodes = 1, .leaves = 1, .depth = 0}));
  EXPECT_EQ(balanced(2, 63)->nodes, ~std::uint64_t{0});
  EXPECT_EQ(balanced(2, 64), std::nullopt);
}

}  // namespace
}  // namespace stealbench::uts
