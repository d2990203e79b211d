#include "workloads/recursive/integrate/integrate.hpp"

#include <cmath>

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
  const double half_width = (parent.right - parent.left) / 2;
  const double middle = parent.left + half_width;
  const double at_middle = integrand(middle);
  return {.middle = middle,
          .at_middle = at_middle,
          .left_area = (parent.at_left + at_middle) / 2 * half_width,
          .right_area = (at_middle + parent.at_right) / 2 * half_width};
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
  return {.whole = stealbench::integrate::whole(chosen.real("bound")),
          .epsilon = chosen.real("epsilon")};
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
