// What stands of a cell in Google Benchmark's JSON: bench/README.md defines the members.
#pragma once

#include <chrono>

#include <benchmark/benchmark.h>

#include "bench/cell/warm_cell.hpp"

namespace stealbench::cell {

/// Times a benchmark that uses manual time. An iteration is as many runs of the cell as take
/// `sample` together, one at least, and its time is their median. False if an answer was wrong: the
/// benchmark is then marked as failed.
[[nodiscard]] bool measure(benchmark::State& state, warm_cell& of, std::chrono::nanoseconds sample);

}  // namespace stealbench::cell
