#include "bench/micro/plain_fib.hpp"

namespace stealbench::costs::micro {

[[gnu::noinline]] std::uint64_t plain_fib(unsigned n) {
  if (n < 2) return n;
  return plain_fib(n - 1) + plain_fib(n - 2);
}

[[gnu::noinline]] std::uint64_t plain_fib_of_two_calls(unsigned n) {
  if (n < 2) return n;
  const std::uint64_t left = plain_fib_of_two_calls(n - 1);
  std::uint64_t right = plain_fib_of_two_calls(n - 2);
  asm volatile("" : "+r"(right));  // Something to do after the call, so that it is no tail call.
  return left + right;
}

}  // namespace stealbench::costs::micro
