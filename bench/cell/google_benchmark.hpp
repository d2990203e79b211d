// Google Benchmark with this suite's provenance and exit statuses. results/README.md defines what
// its JSON holds of a process.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "bench/cell/cell.hpp"
#include "bench/costs/catalogue.hpp"
#include "bench/costs/times.hpp"

namespace stealbench::cell {

/// Where a result comes from, in reading order: commit, compiler, flags, processor, kernel,
/// versions of the libraries that every scheduler uses and so on. What cannot be read is "unknown",
/// never left out.
[[nodiscard]] nlohmann::ordered_json provenance();

/// Adds a benchmark that times a cell: made and run once when it is its turn, and kept warm for its
/// repetitions, with no other beside it. An iteration is as many runs as take `sample` together,
/// one at least, and its time is their median. The benchmark fails at what is thrown, and at a
/// wrong answer, and then in all its later repetitions too.
void add_cell(const std::string& name, const std::function<std::unique_ptr<cell>()>& make,
              std::chrono::nanoseconds sample, double slowed_by);

/// Adds a benchmark that reports a metric: one iteration, as its runs are many already; its time is
/// their median. It fails at what is thrown.
void add_figure(const std::string& name, const std::function<costs::figure_result()>& measure,
                costs::figure_unit unit);

/// Runs what was added. `arguments` are the program's name and flags of Google Benchmark; of two
/// that set the same flag the later one counts. Returns 0; 1 if a benchmark has failed; 2 for a
/// flag that Google Benchmark does not know and for a filter that nothing matches, of which it has
/// told the user. Exits with 2 at a flag that it cannot read.
[[nodiscard]] int run_benchmarks(std::vector<std::string> arguments);

}  // namespace stealbench::cell
