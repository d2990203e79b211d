#include "bench/cell/google_benchmark.hpp"

#include <cstdlib>
#include <exception>
#include <iostream>

#include <fmt/format.h>

#include "bench/cell/program.hpp"

namespace stealbench::cell {
namespace {

// Google Benchmark's own exit status does not tell.
bool any_failed = false;  // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)

}  // namespace

void add_benchmark(const std::string& name, benchmark::TimeUnit unit,
                   std::function<void(benchmark::State&)> body) {
  const auto guarded = [body = std::move(body)](benchmark::State& state) {
    try {
      body(state);
    } catch (const std::exception& error) {
      any_failed = true;
      state.SkipWithError(error.what());
    }
  };
  benchmark::RegisterBenchmark(name.c_str(), guarded)->UseManualTime()->Unit(unit);
}

int run_benchmarks(std::vector<std::string> arguments) {
  for (const auto& [key, value] : provenance()) benchmark::AddCustomContext(key, value);
  arguments.insert(arguments.begin(), fmt::format("stealbench-{}", scheduler_name()));
  std::vector<char*> raw;
  raw.reserve(arguments.size());
  for (std::string& each : arguments) raw.push_back(each.data());
  int count = static_cast<int>(raw.size());
  // Google Benchmark calls this for a flag that it cannot read, and would then exit with 0.
  benchmark::Initialize(&count, raw.data(), [] {
    std::cerr << "Bad flag of Google Benchmark; --benchmark_help=true lists them.\n";
    std::_Exit(2);
  });
  if (benchmark::ReportUnrecognizedArguments(count, raw.data())) return 2;
  if (benchmark::RunSpecifiedBenchmarks() == 0) return 2;
  return any_failed ? 1 : 0;
}

}  // namespace stealbench::cell
