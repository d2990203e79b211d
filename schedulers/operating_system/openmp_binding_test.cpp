// A program with an OpenMP runtime that binds threads, for check_openmp_binding.sh, which starts it
// with the number of processors that the process was given. Ends with the number of what is not
// right.
#include <cstdio>
#include <cstdlib>

#include <omp.h>
#include <sched.h>

#include "schedulers/operating_system/thread.hpp"

namespace {

using namespace stealbench::operating_system;

int processors_of_this_thread() {
  processor_set own{};
  sched_getaffinity(0, sizeof own, own.data());
  return CPU_COUNT_S(sizeof own, own.data());
}

int processors_of_new_thread() {
  int found = 0;
  run_on_stack(0, [&] { found = processors_of_this_thread(); });
  return found;
}

void expect(int found, int wanted, const char* what, int status) {
  if (found == wanted) return;
  std::fprintf(stderr, "%s: %d processors, and not %d\n", what, found, wanted);
  std::exit(status);
}

}  // namespace

int main(int argc, char** argv) {
  const int given = argc > 1 ? std::atoi(argv[1]) : 0;
  expect(static_cast<int>(processor_count()), given, "the process", 1);
  expect(processors_of_new_thread(), given, "a thread before the first region", 2);
  int last = 0;
#pragma omp parallel num_threads(2)
  if (omp_get_thread_num() == omp_get_num_threads() - 1) last = processors_of_new_thread();
  expect(last, given, "a thread that a bound thread makes", 3);
  const int of_main = processors_of_this_thread();
  expect(processors_of_new_thread(), given, "a thread after the first region", 4);
  expect(processors_of_this_thread(), of_main, "the main thread, which was asked about", 5);
  run_on_stack(0, [] {
    processor_set one = only(processor_of(1));
    sched_setaffinity(0, sizeof one, one.data());
    expect(processors_of_new_thread(), 1, "a thread of one that the user has narrowed", 6);
    processor_set after{};
    sched_getaffinity(0, sizeof after, after.data());
    expect(CPU_EQUAL_S(sizeof one, one.data(), after.data()) ? 1 : 0, 1, "its own affinity", 7);
  });
  const processor_set one = only(processor_of(argc > 2 ? 0 : 1));
  sched_setaffinity(0, sizeof one, one.data());
  expect(processors_of_new_thread(), 1, "a thread of main, which the user has narrowed", 8);
}
