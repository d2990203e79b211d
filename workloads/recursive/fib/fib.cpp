#include "workloads/recursive/fib/fib.hpp"

namespace stealbench::fib {

// NOLINTNEXTLINE(misc-no-recursion): the definition
std::uint64_t plain_fib(unsigned n) { return n < 2 ? n : plain_fib(n - 1) + plain_fib(n - 2); }

kit::description workload::describe() {
  // fib(91), which fork_count needs, fits 64 bits with room to spare; time ends long before.
  constexpr kit::integer_domain n{.least = 0, .most = 90, .standard = 35};
  return {.name = "fib",
          .summary = "naive Fibonacci: a fork at every call, no cut-off",
          .about = {.shape = "`fork_join` at every call: a fixed, lopsided binary tree",
                    .tasks = "fib(n + 1) − 1",
                    .work = "Θ(1.6ⁿ)",
                    .span = "Θ(n)",
                    .bound_by = "forks",
                    .answer = "the number; compared with n additions in a loop",
                    .source = "Frigo, Leiserson & Randall, PLDI 1998",
                    .unit = "call"},
          .parameters = {{"n", "index of the Fibonacci number; the time grows as 1.6^n", n}},
          .sizes = kit::sizes_of("n", {"20", "27", "35", "42"})};
}

workload::input workload::prepare(const kit::parameters& chosen) {
  return {.n = static_cast<unsigned>(chosen.integer("n"))};
}

}  // namespace stealbench::fib
