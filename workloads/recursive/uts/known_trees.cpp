#include <limits>
#include <utility>

#include "workloads/recursive/uts/uts.hpp"

namespace stealbench::uts {
namespace {

constexpr tree_parameters geometric(tree_shape shape, std::uint32_t depth, double b0,
                                    std::uint32_t seed) {
  return {.type = tree_type::geometric, .shape = shape, .depth = depth, .b0 = b0, .seed = seed};
}

constexpr tree_parameters binomial(double b0, std::uint32_t seed, double q, std::uint32_t m) {
  return {.type = tree_type::binomial, .b0 = b0, .seed = seed, .q = q, .m = m};
}

constexpr tree_parameters hybrid(std::uint32_t depth, double q) {
  return {.type = tree_type::hybrid,
          .shape = tree_shape::linear,
          .depth = depth,
          .b0 = 6,
          .seed = 1,
          .q = q,
          .m = 4};
}

/// Computed by an independent implementation of the same definitions.
const std::vector<std::pair<tree_parameters, counts>>& small_trees() {
  using enum tree_shape;
  static const std::vector<std::pair<tree_parameters, counts>> trees{
      {geometric(linear, 6, 4, 0), {1732, 1050, 6}},
      {geometric(fixed, 3, 4, 19), {254, 201, 3}},
      {geometric(fixed, 4, 4, 19), {944, 744, 4}},
      {geometric(fixed, 5, 4, 19), {3987, 3232, 5}},
      {geometric(fixed, 7, 4, 19), {63914, 51124, 7}},
      {geometric(cyclic, 2, 6, 502), {227, 124, 11}},
      {geometric(cyclic, 3, 6, 502), {996, 705, 16}},
      {geometric(cyclic, 6, 6, 502), {4988, 3086, 31}},
      {geometric(linear, 6, 4, 34), {320, 192, 6}},
      {geometric(linear, 7, 4, 34), {736, 434, 7}},
      {geometric(linear, 10, 4, 34), {5577, 3111, 10}},
      {geometric(expdec, 6, 4, 0), {4509, 2319, 17}},
      {binomial(10, 42, 0.12, 8), {371, 325, 15}},
      {binomial(50, 42, 0.12, 8), {723, 638, 17}},
      {binomial(200, 42, 0.12, 8), {4649, 4092, 62}},
      {binomial(20, 42, 0.124875, 8), {6213, 5438, 67}},
      {hybrid(4, 0.20), {374, 286, 16}},
      {hybrid(4, 0.23), {910, 688, 22}},
      {hybrid(5, 0.23), {4699, 3530, 72}},
  };
  return trees;
}

/// The same tree, with what does not bear on it set back to the default.
tree_parameters essence(const tree_parameters& chosen) {
  tree_parameters kept{.type = chosen.type, .b0 = chosen.b0, .seed = chosen.seed};
  if (chosen.type == tree_type::binomial) {
    kept.b0 = static_cast<std::uint32_t>(chosen.b0);
  } else {
    kept.shape = chosen.shape;
    kept.depth = chosen.depth;
  }
  if (chosen.type == tree_type::binomial || chosen.type == tree_type::hybrid) {
    kept.q = chosen.q;
    kept.m = chosen.m;
  }
  if (chosen.type == tree_type::hybrid) kept.shift = chosen.shift;
  return kept;
}

/// b^0 + b^1 + … + b^depth nodes, the last term being the leaves.
std::optional<counts> balanced_counts(std::uint32_t b, std::uint32_t depth) {
  if (b == 0 || depth == 0) return counts{1, 1, 0};
  constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
  counts found{1, 1, depth};
  for (std::uint32_t height = 1; height <= depth; ++height) {
    if (found.leaves > most / b) return std::nullopt;
    found.leaves *= b;
    if (found.nodes > most - found.leaves) return std::nullopt;
    found.nodes += found.leaves;
  }
  return found;
}

}  // namespace

const std::vector<named_tree>& named_trees() {
  using enum tree_shape;
  static const std::vector<named_tree> trees{
      {"T1", geometric(fixed, 10, 4, 19), {4130071, 3305118, 10}},
      {"T2", geometric(cyclic, 16, 6, 502), {4117769, 2342762, 81}},
      {"T3", binomial(2000, 42, 0.124875, 8), {4112897, 3599034, 1572}},
      {"T4", hybrid(16, 0.234375), {4132453, 3108986, 134}},
      {"T5", geometric(linear, 20, 4, 34), {4147582, 2181318, 20}},
      {"T1L", geometric(fixed, 13, 4, 29), {102181082, 81746377, 13}},
      {"T2L", geometric(cyclic, 23, 7, 220), {96793510, 53791152, 67}},
      {"T3L", binomial(2000, 7, 0.200014, 5), {111345631, 89076904, 17844}},
      {"T1XL", geometric(fixed, 15, 4, 29), {1635119272, 1308100063, 15}},
      {"T1XXL", geometric(fixed, 15, 4, 19), {4230646601, 3384495738, 15}},
      {"T3XXL", binomial(2000, 316, 0.499995, 2), {2793220501, 1396611250, 99049}},
      {"T2XXL", binomial(2000, 0, 0.499999995, 2), {10612052303, 5306027151, 216370}},
  };
  return trees;
}

std::optional<counts> known_counts(const tree_parameters& chosen) {
  if (chosen.type == tree_type::balanced) {
    return balanced_counts(static_cast<std::uint32_t>(chosen.b0), chosen.depth);
  }
  const tree_parameters wanted = essence(chosen);
  for (const named_tree& known : named_trees()) {
    if (essence(known.parameters) == wanted) return known.found;
  }
  for (const auto& [parameters, found] : small_trees()) {
    if (essence(parameters) == wanted) return found;
  }
  return std::nullopt;
}

}  // namespace stealbench::uts
