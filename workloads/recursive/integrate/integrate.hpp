// Integrates x^3 + x from 0 to a bound, halving each segment until its two halves agree with it: a
// recursion that is deep where the function bends, and a dozen floating-point operations between
// two forks. In the suites of Cilk and Fibril.
#pragma once

#include <cstdint>

#include "workloads/workload.hpp"

namespace stealbench::integrate {

/// A part of the x axis with the function's values at its ends.
struct segment {
  double left;
  double right;
  double at_left;
  double at_right;
  double area;  ///< Of the trapezoid.
};

/// A segment's two halves.
struct halves {
  double middle;
  double at_middle;
  double left_area;
  double right_area;

  [[nodiscard]] double area() const { return left_area + right_area; }
  [[nodiscard]] segment left(const segment& parent) const {
    return {parent.left, middle, parent.at_left, at_middle, left_area};
  }
  [[nodiscard]] segment right(const segment& parent) const {
    return {middle, parent.right, at_middle, parent.at_right, right_area};
  }
};

/// From 0 to `bound`.
[[nodiscard]] segment whole(double bound);

/// The arithmetic of one step. Compiled once and called by whoever integrates: inlined in two
/// places it could be contracted in two ways, and the last bit decides whether a segment is halved.
[[nodiscard]] halves halved(const segment& parent);

/// Whether halving has changed the area by less than `epsilon`.
[[nodiscard]] inline bool agrees(const segment& parent, const halves& half, double epsilon) {
  const double change = half.area() - parent.area;
  return -epsilon < change && change < epsilon;
}

/// The area under the function by trapezoids, to `epsilon` for each segment. Forks for the halves
/// of every segment that does not agree with them. The tree of segments fixes the order of the
/// additions, so that the result is the same on every scheduler, bit for bit. Work O(bound^(4/3) /
/// epsilon^(1/3)), span O(log(bound / epsilon)).
template <class Worker>
double area(Worker worker, const segment& parent, double epsilon) {
  const halves half = halved(parent);
  kit::charge(worker, 1);
  if (agrees(parent, half, epsilon)) return half.area();
  const auto [left, right] =
      worker->fork_join([&](Worker w) { return area(w, half.left(parent), epsilon); },
                        [&](Worker w) { return area(w, half.right(parent), epsilon); });
  return left + right;
}

/// The same by plain recursion.
[[nodiscard]] double plain_area(const segment& parent, double epsilon);

struct measured_area {
  double area;
  std::uint64_t forks;
};

/// The same with the forks counted, at as many more cycles.
[[nodiscard]] measured_area measured(const segment& parent, double epsilon);

struct workload : workloads::defaults<workload> {
  struct input {
    segment whole;
    double epsilon;
    /// Computed when first asked for.
    mutable std::optional<measured_area> expected = std::nullopt;
  };
  using output = double;

  static kit::description describe() { return kit::description_of("integrate"); }
  /// Throws kit::bad_input where epsilon is less than the rounding of a segment's area.
  static input prepare(const kit::parameters& chosen);

  template <class Worker>
  static output run(Worker worker, const input& in) {
    return area(worker, in.whole, in.epsilon);
  }

  static output sequential(const input& in) { return plain_area(in.whole, in.epsilon); }
  /// Equal to the sequential version, bit for bit, and as near to the integral as the segments
  /// promise. The first call takes as long as a serial run.
  static std::optional<bool> verify(const input& in, const output& out);
  /// The left half's left half, lost.
  static void corrupt(input& in, output& out) { out -= halved(in.whole).left(in.whole).area; }
  /// The first call takes as long as a serial run, unless `verify` was called.
  static std::uint64_t fork_count(const input& in, const output& out);
};

}  // namespace stealbench::integrate
