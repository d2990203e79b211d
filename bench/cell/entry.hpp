// What Google Benchmark's JSON holds of a process: bench/README.md defines the members.
#pragma once

#include <chrono>

#include <benchmark/benchmark.h>

#include "bench/cell/warm_cell.hpp"
#include "bench/costs/catalogue.hpp"
#include "bench/costs/times.hpp"

namespace stealbench::cell {

/// Times a cell. An iteration is as many runs as take `sample` together, one at least, and its time
/// is their median. Throws std::runtime_error if an answer is wrong.
void measure(benchmark::State& state, warm_cell& subject, std::chrono::nanoseconds sample);

/// Reports a figure: one iteration, as its runs are many already; its time is their median.
void report(benchmark::State& state, const costs::figure_result& found, costs::figure_unit unit);

}  // namespace stealbench::cell
