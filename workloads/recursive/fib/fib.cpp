#include "workloads/recursive/fib/fib.hpp"

namespace stealbench::fib {

// NOLINTNEXTLINE(misc-no-recursion): the definition
std::uint64_t plain_fib(unsigned n) { return n < 2 ? n : plain_fib(n - 1) + plain_fib(n - 2); }

kit::description workload::describe() {
  // fib(91), which fork_count needs, fits 64 bits with room to spare; time ends long before.
  return kit::described(R"(
fib: naive Fibonacci: a fork at every call, no cut-off
shape: `fork_join` at every call: a fixed, lopsided binary tree
tasks: fib(n + 1) − 1
work: Θ(1.6ⁿ)
span: Θ(n)
bound by: forks
answer: the number; compared with n additions in a loop
source: Frigo, Leiserson & Randall, PLDI 1998
unit: call
n=35 (0 to 90): index of the Fibonacci number; the time grows as 1.6^n
sizes: n=20 | n=27 | n=35 | n=42
)");
}

workload::input workload::prepare(const kit::parameters& chosen) {
  return {.n = static_cast<unsigned>(chosen.integer("n"))};
}

}  // namespace stealbench::fib
