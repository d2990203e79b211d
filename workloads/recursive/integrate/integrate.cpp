#include "workloads/recursive/integrate/integrate.hpp"

#include <cmath>

#include <fmt/format.h>

namespace stealbench::integrate {
namespace {

double integrand(double x) { return (x * x + 1) * x; }

}  // namespace

segment whole(double bound) {
  const double end = integrand(bound);
  return {.left = 0, .right = bound, .at_left = 0, .at_right = end, .area = end * bound / 2};
}

// Never inlined, so that the sequential version does not get a copy of its own.
[[gnu::noinline]] halves halved(const segment& parent) {
  const double middle = parent.left + (parent.right - parent.left) / 2;
  const double at_middle = integrand(middle);
  // The middle is rounded: times half of the parent's width, the areas would be those of other
  // segments, and no halving would make the two agree.
  return {.middle = middle,
          .at_middle = at_middle,
          .left_area = (parent.at_left + at_middle) / 2 * (middle - parent.left),
          .right_area = (at_middle + parent.at_right) / 2 * (parent.right - middle)};
}

// NOLINTNEXTLINE(misc-no-recursion): the definition
double plain_area(const segment& parent, double epsilon) {
  const halves half = halved(parent);
  if (agrees(parent, half, epsilon)) return half.area();
  const double left = plain_area(half.left(parent), epsilon);
  return left + plain_area(half.right(parent), epsilon);
}

// NOLINTNEXTLINE(misc-no-recursion): the definition
measured_area measured(const segment& parent, double epsilon) {
  const halves half = halved(parent);
  if (agrees(parent, half, epsilon)) return {.area = half.area(), .forks = 0};
  const measured_area left = measured(half.left(parent), epsilon);
  const measured_area right = measured(half.right(parent), epsilon);
  return {.area = left.area + right.area, .forks = 1 + left.forks + right.forks};
}

workload::input workload::prepare(const kit::parameters& chosen) {
  const double bound = chosen.real("bound");
  const double epsilon = chosen.real("epsilon");
  // Below it, an area's rounding is as great as epsilon, and segments are soon halved until they
  // are a few units in the last place wide: as good as for ever.
  const double least = 1e-26 * std::pow(bound, 4);
  if (epsilon < least) {
    throw kit::bad_input(
        fmt::format("--set epsilon={}: less than doubles resolve with bound={}; valid: {} or "
                    "more, or a lesser bound",
                    epsilon, bound, least));
  }
  return {.whole = stealbench::integrate::whole(bound), .epsilon = epsilon};
}

std::optional<bool> workload::verify(const input& in, const output& out) {
  if (!in.expected) in.expected = measured(in.whole, in.epsilon);
  const double bound = in.whole.right;
  const double integral = bound * bound * (bound * bound / 4 + 0.5);
  // Of a cubic, the halves' area is off by a third of what halving has changed: 1/48 of h^3 f''
  // instead of 1/12. The rest is rounding, some units in the last place at each of 60 levels.
  const double truncation = static_cast<double>(in.expected->forks + 1) * in.epsilon / 3;
  const double tolerance = truncation + 1e-13 * integral;
  return out == in.expected->area && std::abs(out - integral) <= tolerance;
}

std::uint64_t workload::fork_count(const input& in, const output& /*unused*/) {
  if (!in.expected) in.expected = measured(in.whole, in.epsilon);
  return in.expected->forks;
}

}  // namespace stealbench::integrate
