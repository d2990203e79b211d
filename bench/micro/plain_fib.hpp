// Naive Fibonacci without any scheduler: what the forks are measured against.
#pragma once

#include <cstdint>

namespace stealbench::costs::micro {

/// A plain recursive function. GCC makes a loop of one of its calls, as it does of a fork's.
[[nodiscard]] std::uint64_t plain_fib(unsigned n);

/// The same with two calls in the machine code.
[[nodiscard]] std::uint64_t plain_fib_of_two_calls(unsigned n);

}  // namespace stealbench::costs::micro
