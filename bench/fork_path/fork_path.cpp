// fib(n) once, on one worker of the default work stealing: for counting the instructions of a fork.
#include <cstdio>
#include <cstdlib>

#include "schedulers/engine/std_machine.hpp"
#include "schedulers/work_stealing/scheduler.hpp"
#include "workloads/recursive/fib/fib.hpp"

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const auto n = static_cast<unsigned>(std::strtoul(argv[1], nullptr, 10));
  if (!stealbench::engine::std_machine::asymmetric()) {
    std::fputs("no membarrier here: every fork takes the long path\n", stderr);
    return 1;
  }
  stealbench::work_stealing::scheduler scheduler({.workers = 1});
  const auto value = scheduler.run([n](auto worker) { return stealbench::fib::fib(worker, n); });
  return value == stealbench::fib::fib_by_addition(n) ? 0 : 1;
}
