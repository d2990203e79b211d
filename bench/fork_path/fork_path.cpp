// `fork N`: fib(N), `spawn N`: skynet with N leaves; once, on one worker of the default work
// stealing: for counting the instructions of a fork and of a child.
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "schedulers/engine/std_machine.hpp"
#include "schedulers/work_stealing/scheduler.hpp"
#include "workloads/recursive/fib/fib.hpp"
#include "workloads/recursive/skynet/skynet.hpp"

int main(int argc, char** argv) {
  using namespace stealbench;
  if (argc != 3) return 2;
  const auto n = std::strtoull(argv[2], nullptr, 10);
  if (!engine::std_machine::asymmetric()) {
    std::fputs("no membarrier here: every fork takes the long path\n", stderr);
    return 1;
  }
  work_stealing::scheduler scheduler({.workers = 1});
  if (std::string_view(argv[1]) == "spawn") {
    return scheduler.run([n](auto w) { return skynet::sum(w, 0, n); }) == n * (n - 1) / 2 ? 0 : 1;
  }
  const auto index = static_cast<unsigned>(n);
  const auto found = scheduler.run([index](auto w) { return fib::fib(w, index); });
  return found == fib::fib_by_addition(index) ? 0 : 1;
}
