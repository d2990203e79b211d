// The Mandelbrot set, row by row. A point inside the set costs all iterations and one far outside a
// few, so the rows in the middle cost hundreds of times as much as those at the edges, and every
// division of the rows that is decided in advance gives the middle to some and the edges to others.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "workloads/workload.hpp"

namespace stealbench::mandelbrot {

/// Iterations of a point: how often z = z^2 + c was taken before |z| exceeded 2, or the bound.
using iterations = std::uint32_t;

struct picture {
  std::uint32_t side;  ///< Points of a row, and rows, over [-2, 0.5] x [-1.25, 1.25].
  iterations bound;
};

/// Adds the iterations of each point of a row to what is in `points`: to nought, so that a row
/// that was computed twice shows. Requires: `shown.side` points.
void add_row(const picture& shown, std::uint32_t row, std::span<iterations> points);

/// How often all points of 16 side by side were iterated, summed over the row, whose points have
/// these iterations: what the time is in proportion to. Counted afterwards, since the loop is half
/// as fast if it returns its count (g++ 12). O(side).
[[nodiscard]] std::uint64_t iterations_side_by_side(const picture& shown,
                                                    std::span<const iterations> points);

struct workload {
  struct input {
    picture shown;
    std::size_t grain;
    std::vector<iterations> points;             ///< Row by row.
    mutable std::vector<iterations> reference;  ///< Empty until it has been asked for.
  };
  struct output {};  ///< The answer is in the input's points.

  static kit::description describe() { return kit::description_of("mandelbrot"); }
  static input prepare(const kit::parameters& chosen);
  static void reset(input& in) { std::fill(in.points.begin(), in.points.end(), 0); }

  template <class Worker>
  static output run(Worker worker, input& in) {
    worker->parallel_for(
        std::size_t{0}, std::size_t{in.shown.side}, in.grain, [&in](Worker w, std::size_t row) {
          add_row_of(in, row);
          kit::charge(w, [&] { return iterations_side_by_side(in.shown, row_of(in, row)); });
        });
    return {};
  }

  static output sequential(input& in);
  static void corrupt(input& in, output& /*unused*/) {
    add_row_of(in, in.shown.side / 2);  // Once more.
  }
  /// Every point, against the serial program's; computes those once for each input.
  static std::optional<bool> verify(const input& in, const output& /*unused*/);
  static nlohmann::ordered_json answer(const input& in, const output& /*unused*/);

  static std::uint64_t fork_count(const input& in, const output& /*unused*/) {
    return kit::pieces_of_loop(in.shown.side, in.grain);
  }

 private:
  static std::span<iterations> row_of(input& in, std::size_t row) {
    return std::span(in.points).subspan(row * in.shown.side, in.shown.side);
  }
  static void add_row_of(input& in, std::size_t row);
};

}  // namespace stealbench::mandelbrot
