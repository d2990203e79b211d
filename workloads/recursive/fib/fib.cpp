#include "workloads/recursive/fib/fib.hpp"

namespace stealbench::fib {

// NOLINTNEXTLINE(misc-no-recursion): the definition
std::uint64_t plain_fib(unsigned n) { return n < 2 ? n : plain_fib(n - 1) + plain_fib(n - 2); }

}  // namespace stealbench::fib
