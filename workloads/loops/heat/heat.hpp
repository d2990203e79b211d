// Heat that spreads over a square plate, by Jacobi's iteration: the example "heat" of Cilk with
// loops for its recursion. A parallel loop for each time step, all pieces alike, so what counts is
// how cheaply a loop starts and ends, and whether rows stay near the worker that wrote them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

#include "workloads/kit/dense/matrix.hpp"
#include "workloads/workload.hpp"

namespace stealbench::heat {

/// n x n inner cells inside a frame of zeros. Inner rows and columns count from 1 to n.
class grid {
 public:
  explicit grid(std::size_t n) : cells_(n + 2) {}

  [[nodiscard]] std::size_t n() const { return cells_.side() - 2; }
  [[nodiscard]] double* row(std::size_t i) { return cells_.all().row(i); }
  [[nodiscard]] const double* row(std::size_t i) const { return cells_.all().row(i); }

  /// Writes the product of one half wave along the rows and one along the columns: the plate's
  /// slowest mode, of which each Jacobi step leaves the `decay`-th part and nothing else.
  void fill_with_slowest_mode();

  /// Makes every inner cell one that a step must write: a lost row shows, though it be zero.
  void forget() {
    dense::fill(cells_.all().below(1).right_of(1).top(n()).left(n()),
                std::numeric_limits<double>::quiet_NaN());
  }

  /// A hash of every bit of every inner cell.
  [[nodiscard]] std::uint64_t fingerprint() const {
    return dense::fingerprint(cells_.all().below(1).right_of(1).top(n()).left(n()));
  }

 private:
  dense::matrix cells_;
};

/// What a Jacobi step leaves of the slowest mode of an n x n plate: cos(π / (n + 1)).
[[nodiscard]] double decay(std::size_t n);

/// Row i of `after`, one Jacobi step after `before`: each cell the mean of its four neighbours.
/// Requires: 1 <= i <= n; grids of the same size.
void relax_row(const grid& before, grid& after, std::size_t i);

struct workload {
  struct input {
    std::size_t steps;
    std::size_t grain;
    grid even;  ///< The plate before the first step and after every second one.
    grid odd;
    /// Computed by the first `verify`.
    mutable std::optional<std::uint64_t> fingerprint_of_reference;

    [[nodiscard]] grid& after(std::size_t step) { return step % 2 == 0 ? even : odd; }
    [[nodiscard]] const grid& after(std::size_t step) const { return step % 2 == 0 ? even : odd; }
  };
  struct output {};

  static kit::description describe() { return kit::description_of("heat"); }
  /// Throws kit::bad_input where the plate leaves the range of doubles within these steps.
  static input prepare(const kit::parameters& chosen);
  /// A lost row must not find what an earlier run has left.
  static void reset(input& in) {
    in.even.fill_with_slowest_mode();
    in.odd.forget();
  }

  /// Work Θ(steps · n^2); span Θ(steps · (lg n + grain · n)).
  template <class Worker>
  static output run(Worker worker, input& in) {
    for (std::size_t step = 0; step < in.steps; ++step) {
      const grid& before = in.after(step);
      grid& after = in.after(step + 1);
      worker->parallel_for(1, before.n() + 1, in.grain, [&before, &after](Worker, std::size_t i) {
        relax_row(before, after, i);
      });
    }
    return {};
  }

  static output sequential(input& in);
  /// Takes one row's last step back.
  static void corrupt(input& in, output& out);
  /// Equal to the sequential version bit for bit, and to the known solution within the rounding of
  /// all steps. The first call runs the sequential version, with two more grids.
  static std::optional<bool> verify(const input& in, const output& out);
  static nlohmann::ordered_json answer(const input& in, const output& out);
  static std::uint64_t fork_count(const input& in, const output& /*unused*/) {
    return in.steps * kit::pieces_of_loop(in.even.n(), in.grain);
  }
};

/// The greatest difference between the plate after all steps and decay^steps times the plate before
/// them, in units of what rounding may cause: four machine epsilons for each step, as a mean rounds
/// thrice and does not increase the error of what it averages.
[[nodiscard]] double error_of(const workload::input& in);

}  // namespace stealbench::heat
