// What a machine of two processors cannot show: taskset leaves some, of which OpenMP leaves one.
#include <cstdio>
#include <numeric>

#include "schedulers/operating_system/processors.hpp"

// NOLINTBEGIN(readability-identifier-naming): as a runtime has them.
extern "C" {
int omp_get_num_procs() { return 99; }
int omp_get_num_places() { return 2; }
int omp_get_place_num_procs(int /*place*/) { return 2; }
void omp_get_place_proc_ids(int place, int* ids) { std::iota(ids, ids + 2, 4000 + 2 * place); }
}
// NOLINTEND(readability-identifier-naming)

int main() {
  const unsigned count = stealbench::operating_system::processor_count();
  std::printf("%u: its own, and the two of each of two places\n", count);
  return count == 5 ? 0 : 1;
}
