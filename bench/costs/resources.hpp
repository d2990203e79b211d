// What a pool uses while it has no work: processor time and memory.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <thread>
#include <vector>

#include "bench/costs/times.hpp"
#include "results/analysis/statistics.hpp"
#include "schedulers/options.hpp"

namespace stealbench::costs {

/// From the end of a run, or of making a pool: by then most schedulers' workers sleep.
inline constexpr std::chrono::milliseconds until_asleep{20};

/// Processor time per second of this process while it sleeps after a call of `run`.
[[nodiscard]] figure_times time_idleness(const std::function<void()>& run);

/// Bytes of this process, after its allocator has given back what it does not use. Throws
/// std::runtime_error where the system does not say.
[[nodiscard]] double resident_bytes();

/// Has all workers run a job at the same time: some schedulers start a thread when there is work
/// for it. Gives up after 50 ms, because not every scheduler gives every worker one of the jobs.
template <class Pool>
void occupy_all_workers(Pool& pool) {
  const clock::time_point end = clock::now() + std::chrono::milliseconds(50);
  const unsigned workers = pool.worker_count();
  std::atomic<unsigned> begun{0};
  const auto wait_for_others = [&begun, workers, end](auto) {
    // Relaxed, both: a number that orders nothing else.
    begun.fetch_add(1, std::memory_order_relaxed);
    while (begun.load(std::memory_order_relaxed) < workers && clock::now() < end) {
      std::this_thread::sleep_for(std::chrono::microseconds(100));
    }
  };
  pool.run([&](auto worker) {
    auto group = worker->task_group();
    for (unsigned other = 1; other < workers; ++other) group.spawn(wait_for_others);
    wait_for_others(worker);
    group.sync();
  });
}

/// Medians over some pools after a first one, which touches code and memory of the process that the
/// later ones need not touch again. `start_workers(pool)` returns once all workers have begun.
template <class Pool, class StartWorkers>
[[nodiscard]] figure_result measure_memory(const schedulers::options& options,
                                           const StartWorkers& start_workers) {
  constexpr std::uint64_t pools = 3;
  std::vector<double> bytes;
  figure_result result{.times = {}, .worker_count = options.workers};
  result.times = time_each(pools, [&] {
    const double before = resident_bytes();
    const clock::time_point start = clock::now();
    Pool pool(options);
    const double making_ns = nanoseconds_between(start, clock::now());
    start_workers(pool);
    std::this_thread::sleep_for(until_asleep);
    bytes.push_back(resident_bytes() - before);
    return making_ns;
  });
  bytes.erase(bytes.begin());  // Of the first pool.
  result.start_up_seconds = analysis::median(result.times.ns_per_operation) * 1e-9;
  result.bytes_per_worker = analysis::median(bytes) / options.workers;
  return result;
}

}  // namespace stealbench::costs
