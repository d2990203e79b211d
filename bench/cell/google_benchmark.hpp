// Google Benchmark with this suite's provenance and exit statuses. results/README.md defines what
// its JSON holds of a process.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <benchmark/benchmark.h>

#include "bench/cell/warm_cell.hpp"
#include "bench/costs/catalogue.hpp"
#include "bench/costs/times.hpp"

namespace stealbench::cell {

/// Where a result comes from, in reading order: commit, compiler, flags, processor, kernel,
/// versions of the libraries that every scheduler uses and so on. What cannot be read is "unknown",
/// never left out.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> provenance();

/// Adds a benchmark whose `body` sets the time of its iterations itself. One that throws is marked
/// as failed with the exception's message.
void add_benchmark(const std::string& name, benchmark::TimeUnit unit,
                   std::function<void(benchmark::State&)> body);

/// Times a cell. An iteration is as many runs as take `sample` together, one at least, and its time
/// is their median. Throws std::runtime_error if an answer is wrong.
void measure(benchmark::State& state, warm_cell& subject, std::chrono::nanoseconds sample);

/// Reports a figure: one iteration, as its runs are many already; its time is their median.
void report(benchmark::State& state, const costs::figure_result& found, costs::figure_unit unit);

/// Runs what was added. `arguments` are flags of Google Benchmark; of two that set the same flag
/// the later one counts. Returns 0; 1 if a benchmark has failed; 2 for a flag that Google Benchmark
/// does not know and for a filter that nothing matches, of which it has told the user. Exits with 2
/// at a flag that it cannot read.
[[nodiscard]] int run_benchmarks(std::vector<std::string> arguments);

}  // namespace stealbench::cell
