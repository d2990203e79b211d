// The product of two square matrices by divide and conquer on the longest side: regular, compute
// bound, with ample parallelism, so a scheduler has no excuse. The example "matmul" of Cilk, after
// the cache-oblivious algorithm of Frigo, Leiserson, Prokop & Ramachandran (FOCS 1999).
#pragma once

#include <cstddef>
#include <cstdint>

#include "workloads/kit/dense/product_workload.hpp"
#include "workloads/recursive/matmul/multiply.hpp"
#include "workloads/workload.hpp"

namespace stealbench::matmul {

enum class cells : std::uint8_t { ones, random };

/// The catalogue's entry.
struct workload : dense::product_workload {
  struct input : dense::product_input {
    cells kind;
  };

  static kit::description describe();
  static input prepare(const kit::parameters& chosen);

  template <class Worker>
  static output run(Worker worker, input& in) {
    multiply(worker, in.c.all(), in.a.all(), in.b.all(), 1, in.leaf);
    return {};
  }

  static output sequential(input& in);
  /// Takes the first leaf's product away again.
  static void corrupt(input& in, output& out);
  /// Ones: every cell is n. Whole numbers: Freivalds' check, exact. O(n^2), without a reference.
  static std::optional<bool> verify(const input& in, const output& out);
  static std::uint64_t fork_count(const input& in, const output& out);
};

static_assert(workloads::workload<workload>);

}  // namespace stealbench::matmul
