// The fast Fourier transform by Cooley and Tukey's recursion, the example "fft" of Cilk and BOTS:
// two halves at once, then a loop that combines them. Nothing is skipped and little is computed, so
// it runs at the speed of the caches and of the memory.
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "workloads/workload.hpp"

namespace stealbench::fft {

using complex = std::complex<double>;

/// The roots of unity for every transform of up to `points` points, a power of two: those of n
/// points, exp(-2πik/n) for k < n/2, stand side by side from `of(n)` on. 16 bytes for each point.
class roots {
 public:
  explicit roots(std::size_t points);
  [[nodiscard]] const complex* of(std::size_t n) const { return all_.data() + n / 2; }

 private:
  std::vector<complex> all_;
};

/// The points of an input that one transform of the recursion sees: from `first`, every stride-th.
struct points {
  const complex* first;
  std::size_t stride;
  std::size_t count;  ///< A power of two.

  [[nodiscard]] points even() const { return {first, 2 * stride, count / 2}; }
  [[nodiscard]] points odd() const { return {first + stride, 2 * stride, count / 2}; }
};

// These two are compiled once and called by parallel and serial code alike, so that both round in
// the same order.

/// Makes one transform of n points from two of n / 2, which stand behind one another in `to`: the
/// part that yields the points [first, last) and [first + n / 2, last + n / 2). Requires: first and
/// last are at most n / 2.
void combine(complex* to, std::size_t n, const roots& of_unity, std::size_t first,
             std::size_t last);

/// The whole transform by plain recursion.
void plain_transform(points signal, complex* spectrum, const roots& of_unity);

/// spectrum[k] = the sum over j of signal[j] exp(-2πijk/n). Forks the even and the odd points, down
/// to transforms of `leaf` points; each combining loop offers a piece for every `leaf` butterflies.
/// Work Θ(n lg n); span Θ((lg n + leaf) · lg(n / leaf)) for the loops and one leaf. Requires: as
/// many places in `spectrum` as points in `signal`; leaf >= 4, a power of two.
template <class Worker>
void transform(Worker worker, points signal, complex* spectrum, const roots& of_unity,
               std::size_t leaf) {
  if (signal.count <= leaf) {
    plain_transform(signal, spectrum, of_unity);
    return;
  }
  const std::size_t half = signal.count / 2;
  worker->fork_join(
      [=, &of_unity](Worker w) { transform(w, signal.even(), spectrum, of_unity, leaf); },
      [=, &of_unity](Worker w) { transform(w, signal.odd(), spectrum + half, of_unity, leaf); });
  worker->parallel_for(0, half / leaf, 1, [=, &of_unity](Worker, std::size_t piece) {
    combine(spectrum, 2 * half, of_unity, piece * leaf, (piece + 1) * leaf);
  });
}

struct workload {
  struct input {
    std::size_t leaf;
    roots of_unity;
    std::vector<complex> signal;
    std::vector<complex> spectrum;
    /// Computed by the first `verify`.
    mutable std::optional<std::uint64_t> fingerprint_of_reference;

    [[nodiscard]] points all() const { return {signal.data(), 1, signal.size()}; }
  };
  struct output {};

  static kit::description describe() { return kit::description_of("fft"); }
  /// Throws kit::bad_input for what is no power of two.
  static input prepare(const kit::parameters& chosen);
  static void reset(input& in) { in.spectrum.assign(in.spectrum.size(), 0); }

  template <class Worker>
  static output run(Worker worker, input& in) {
    transform(worker, in.all(), in.spectrum.data(), in.of_unity, in.leaf);
    return {};
  }

  static output sequential(input& in);
  /// Combines the first points once more.
  static void corrupt(input& in, output& out);
  /// Equal to the sequential version bit for bit; and Parseval's theorem, that the squares of the
  /// transform sum up to n times those of the points, within n + 64 machine epsilons, the rounding
  /// of the sums at worst and more than that of the transform. The first call runs the sequential
  /// version, with 16 bytes more for each point.
  static std::optional<bool> verify(const input& in, const output& out);
  static nlohmann::ordered_json answer(const input& in, const output& out);
  static std::uint64_t fork_count(const input& in, const output& out);
};

}  // namespace stealbench::fft
