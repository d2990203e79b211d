// Google Benchmark with this suite's provenance and exit statuses.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <benchmark/benchmark.h>

namespace stealbench::cell {

/// Where a result comes from, in reading order: commit, compiler, flags, processor, kernel and so
/// on. What cannot be read is "unknown", never left out.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> provenance();

/// Adds a benchmark whose `body` sets the time of its iterations itself. One that throws is marked
/// as failed with the exception's message.
void add_benchmark(const std::string& name, benchmark::TimeUnit unit,
                   std::function<void(benchmark::State&)> body);

/// Runs what was added. `arguments` are flags of Google Benchmark; of two that set the same flag
/// the later one counts. Returns 0; 1 if a benchmark has failed; 2 for a flag that Google Benchmark
/// does not know and for a filter that nothing matches, of which it has told the user. Exits with 2
/// at a flag that it cannot read.
[[nodiscard]] int run_benchmarks(std::vector<std::string> arguments);

}  // namespace stealbench::cell
