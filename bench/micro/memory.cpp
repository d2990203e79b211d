// What a pool takes of the memory before its first job.
#include <chrono>
#include <climits>
#include <fstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <malloc.h>

#include "bench/micro/measure.hpp"
#include "bench/micro/topics.hpp"

namespace stealbench::costs::micro {
namespace {

constexpr unsigned workers = 16;
constexpr std::chrono::milliseconds until_asleep{20};

// The value of `key` in a file of lines "key: number kB".
double kibibytes(const char* file, const std::string& wanted) {
  std::ifstream lines(file);
  for (std::string key; lines >> key; lines.ignore(INT_MAX, '\n')) {
    double value = 0;
    if (key == wanted && lines >> value) return value;
  }
  throw std::runtime_error(std::string(file) + " does not tell " + wanted);
}

// Counted page by page. VmRSS of /proc/self/status lags behind by up to some dozen pages a thread.
double resident_kibibytes() { return kibibytes("/proc/self/smaps_rollup", "Rss:"); }
double address_space_kibibytes() { return kibibytes("/proc/self/status", "VmSize:"); }

template <class Scheduler>
void measure(benchmark::State& state) {
  // Code and thread-local memory that the first pool of a process touches is not the second one's.
  { const Scheduler first({.workers = 2}); }
  std::vector<double> resident;
  std::vector<double> reserved;
  for (auto _ : state) {
    malloc_trim(0);  // Else a pool gets pages that an earlier one has left to the allocator.
    const double resident_before = resident_kibibytes();
    const double reserved_before = address_space_kibibytes();
    const clock::time_point start = clock::now();
    const Scheduler pool({.workers = workers});
    state.SetIterationTime(nanoseconds_between(start, clock::now()) * 1e-9);
    std::this_thread::sleep_for(until_asleep);  // Every worker has started and gone to sleep.
    resident.push_back((resident_kibibytes() - resident_before) / workers);
    reserved.push_back((address_space_kibibytes() - reserved_before) / workers);
  }
  state.counters["resident_KiB_per_worker"] = analysis::median(resident);
  state.counters["address_space_MiB_per_worker"] = analysis::median(reserved) / 1024;
}

}  // namespace

void add_memory() {
  for_each_deque([]<class Scheduler>(const std::string& name) {
    add("memory/" + name, [](benchmark::State& state) {
      measure<Scheduler>(state);
    })->Iterations(3);
  });
}

}  // namespace stealbench::costs::micro
