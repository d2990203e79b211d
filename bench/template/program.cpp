#include <cstdint>
#include <iostream>

#include <stealbench/schedulers/work_stealing/scheduler.hpp>

using scheduler = stealbench::work_stealing::scheduler;
using worker = scheduler::worker;

std::uint64_t fib(worker self, unsigned n) {
  if (n < 2) return n;
  auto [left, right] = self->fork_join([=](worker w) { return fib(w, n - 1); },
                                       [=](worker w) { return fib(w, n - 2); });
  return left + right;
}

int main() {
  scheduler pool({.workers = 2});
  std::cout << pool.run([](worker first) { return fib(first, 35); }) << '\n';
}
