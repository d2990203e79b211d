// Fibonacci numbers the slow way: a fork at every call and next to no work between two forks, so
// the time is the scheduler's own. The customary micro-benchmark of fork-join since Cilk (Frigo,
// Leiserson & Randall, "The implementation of the Cilk-5 multithreaded language", PLDI 1998).
#pragma once

#include <cstdint>

#include "workloads/workload.hpp"

namespace stealbench::fib {

template <class Worker>
std::uint64_t fork_fib(Worker worker, unsigned n);

/// The n-th Fibonacci number. Forks at every call with n >= 2, without a cut-off: a cut-off would
/// hide the cost that is measured. Work about 1.6^n, span O(n).
template <class Worker>
std::uint64_t fib(Worker worker, unsigned n) {
  kit::charge(worker, 1);
  if (n < 2) return n;
  return fork_fib(worker, n);
}

// Apart from the test for a leaf, which so needs no frame: GCC and Clang split a function there by
// themselves, but not a template that may be unwound.
template <class Worker>
[[gnu::noinline]] std::uint64_t fork_fib(Worker worker, unsigned n) {
  auto [left, right] = worker->fork_join([=](Worker w) { return fib(w, n - 1); },
                                         [=](Worker w) { return fib(w, n - 2); });
  return left + right;
}

/// The same recursion in plain code.
[[nodiscard]] std::uint64_t plain_fib(unsigned n);

/// The same number by n additions. Requires: n <= 93, the last one that 64 bits hold.
[[nodiscard]] constexpr std::uint64_t fib_by_addition(unsigned n) {
  std::uint64_t current = 0;
  std::uint64_t next = 1;
  for (unsigned i = 0; i < n; ++i) {
    const std::uint64_t sum = current + next;
    current = next;
    next = sum;
  }
  return current;
}

struct workload : workloads::defaults<workload> {
  struct input {
    unsigned n;
  };
  using output = std::uint64_t;

  static kit::description describe() { return kit::description_of("fib"); }
  static input prepare(const kit::parameters& chosen) {
    return {.n = chosen.integer<unsigned>("n")};
  }

  template <class Worker>
  static output run(Worker worker, const input& in) {
    return fib(worker, in.n);
  }

  static output sequential(const input& in) { return plain_fib(in.n); }
  static std::optional<bool> verify(const input& in, const output& out) {
    return out == fib_by_addition(in.n);
  }
  /// Every call with n >= 2 forks once: fib(n + 1) - 1 calls.
  static std::uint64_t fork_count(const input& in, const output& /*unused*/) {
    return fib_by_addition(in.n + 1) - 1;
  }
};

}  // namespace stealbench::fib
