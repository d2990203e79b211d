// The task graphs of Task Bench: a grid of steps and points, where a task needs some tasks of the
// step before. The patterns are those of its paper and its core library.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "workloads/kit/random.hpp"

namespace stealbench::taskbench {

enum class pattern_kind : std::uint8_t {
  stencil_1d,
  fft,
  tree,
  all_to_all,
  nearest,
  random_nearest,
  trivial  ///< No task needs another; steps are joined all the same, so one step says the most.
};

struct graph {
  pattern_kind pattern;
  std::uint64_t width;  ///< Points of a step; at most, with `tree`. At least 1.
  std::uint64_t steps;
  std::uint64_t radix;  ///< Points of the window of `nearest` and `random_nearest`. At least 1.
  std::uint64_t seed;   ///< Of the draws of `random_nearest`.

  /// Tasks of a step: a tree doubles from one task up to the width.
  [[nodiscard]] std::uint64_t width_at(std::uint64_t step) const {
    if (pattern != pattern_kind::tree || step >= 63) return width;
    return std::min(width, std::uint64_t{1} << step);
  }

  /// Calls `visit(point)` for each task of step - 1 that the task (step, point) needs, ascending.
  /// Requires: step >= 1, point < width_at(step).
  template <class Visit>
  void for_each_input(std::uint64_t step, std::uint64_t point, const Visit& visit) const {
    switch (pattern) {
      case pattern_kind::stencil_1d:
        visit_window(point, 1, 1, visit);
        break;
      case pattern_kind::fft:
        visit_butterfly(step, point, visit);
        break;
      case pattern_kind::tree:
        visit(point / 2);
        break;
      case pattern_kind::all_to_all:
        for (std::uint64_t each = 0; each < width; ++each) visit(each);
        break;
      case pattern_kind::nearest:
        visit_window(point, radix / 2, (radix - 1) / 2, visit);
        break;
      case pattern_kind::random_nearest:
        visit_window(point, radix / 2, (radix - 1) / 2, [&](std::uint64_t each) {
          if (each == point || is_drawn(step, point, each)) visit(each);
        });
        break;
      case pattern_kind::trivial:
        break;
    }
  }

 private:
  template <class Visit>
  void visit_window(std::uint64_t point, std::uint64_t before, std::uint64_t after,
                    const Visit& visit) const {
    const std::uint64_t first = point - std::min(point, before);
    const std::uint64_t last = std::min(point + after, width - 1);
    for (std::uint64_t each = first; each <= last; ++each) visit(each);
  }

  /// The distance doubles from step to step, and begins anew when it would exceed the width.
  template <class Visit>
  void visit_butterfly(std::uint64_t step, std::uint64_t point, const Visit& visit) const {
    const auto rounds = static_cast<std::uint64_t>(std::bit_width(width - 1));
    const std::uint64_t distance = rounds == 0 ? width : std::uint64_t{1} << ((step - 1) % rounds);
    if (point >= distance) visit(point - distance);
    visit(point);
    if (point + distance < width) visit(point + distance);
  }

  /// One of four in the long run, as is Task Bench's default.
  [[nodiscard]] bool is_drawn(std::uint64_t step, std::uint64_t point, std::uint64_t input) const {
    using kit::golden_gamma;
    using kit::mixed;
    return mixed(mixed(mixed(seed + step) + golden_gamma * point) + golden_gamma * input) % 4 == 0;
  }
};

}  // namespace stealbench::taskbench
