#include "bench/cell/google_benchmark.hpp"

#include <cstdlib>
#include <iostream>

#include <benchmark/benchmark.h>

#include "bench/cell/provenance.hpp"

namespace stealbench::cell {

int run_google_benchmark(std::vector<std::string> arguments) {
  for (const auto& [key, value] : provenance()) benchmark::AddCustomContext(key, value);
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
  return benchmark::RunSpecifiedBenchmarks() == 0 ? 2 : 0;
}

}  // namespace stealbench::cell
