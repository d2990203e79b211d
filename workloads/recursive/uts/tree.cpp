// Compiled without contraction of floating-point operations (see CMakeLists.txt): a fused 1 + b
// would round once where the published trees were made with two roundings.
#include "workloads/recursive/uts/tree.hpp"

#include <algorithm>
#include <numbers>

#include <fmt/format.h>

#include "workloads/kit/parameters.hpp"

namespace stealbench::uts {
namespace {

/// Heights that are tabulated: a few pages, and more than any published geometric tree has.
constexpr std::uint32_t tabulated_heights = 1024;

void require_an_end(const tree_parameters& chosen) {
  const bool turns_binomial =
      chosen.type == tree_type::binomial || chosen.type == tree_type::hybrid;
  // A mean of q * m above 1 is not refused: the published T3L has one, and ends.
  if (turns_binomial && chosen.q == 1 && chosen.m > 0) {
    throw kit::bad_input(fmt::format(
        "--set q=1: with m={} the tree would be infinite; valid: q below 1, or m=0", chosen.m));
  }
  if (chosen.type == tree_type::geometric && chosen.shape == tree_shape::expdec &&
      (chosen.depth < 1 || chosen.b0 < 1)) {
    throw kit::bad_input(
        fmt::format("--set shape=expdec: with depth={} and b0={} the tree would be infinite; "
                    "valid: depth and b0 "
                    "of at least 1",
                    chosen.depth, chosen.b0));
  }
}

}  // namespace

tree::tree(const tree_parameters& chosen, std::uint32_t granularity)
    : chosen_(chosen),
      granularity_(granularity),
      root_children_(static_cast<std::uint32_t>(chosen.b0)),
      binomial_children_(std::min(chosen.m, max_children)),
      turning_height_(chosen.shift * chosen.depth) {
  require_an_end(chosen);
  const bool starts_geometric =
      chosen.type == tree_type::geometric || chosen.type == tree_type::hybrid;
  if (!starts_geometric) return;
  for (std::uint32_t height = 0; height < tabulated_heights; ++height) {
    log_failure_.push_back(log_failure_at(height));
  }
}

node tree::child(const node& parent, std::uint32_t index) const {
  node child{child_state(parent.state, index), parent.height + 1};
  for (std::uint32_t again = 1; again < granularity_; ++again) {
    child.state = child_state(parent.state, index);
  }
  return child;
}

double tree::mean_at(std::uint32_t height) const {
  const double h = height;
  const double d = chosen_.depth;
  const double b0 = chosen_.b0;
  if (height == 0) return b0;
  switch (chosen_.shape) {
    case tree_shape::linear:
      return b0 * (1 - h / d);
    case tree_shape::expdec:
      return b0 * std::pow(h, -std::log(b0) / std::log(d));
    case tree_shape::cyclic:
      return h > 5 * d ? 0 : std::pow(b0, std::sin(2 * std::numbers::pi * h / d));
    case tree_shape::fixed:
      return h < d ? b0 : 0;
  }
  return 0;
}

double tree::log_failure_at(std::uint32_t height) const {
  const double mean = mean_at(height);
  // The lines go below 0 under the depth; and 0 / 0 is no number, hence the order of the
  // comparison.
  const double b = mean > 0 ? mean : 0;
  const double p = 1 / (1 + b);
  return std::log(1 - p);
}

}  // namespace stealbench::uts
