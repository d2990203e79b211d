// Micro-benchmarks of work stealing: one cost at a time, beside the raw cost that bounds it.
#include <chrono>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <benchmark/benchmark.h>

#include "bench/micro/measure.hpp"
#include "bench/micro/topics.hpp"
#include "bench/provenance.hpp"

namespace stealbench::bench::micro {
namespace {

void add_all(std::chrono::duration<double> idle) {
  add_fork();
#ifdef STEALBENCH_MICRO_ONETBB
  add_fork_onetbb();
#endif
  add_integrate();
  add_spawn();
  add_steal();
  add_wake();
  add_empty_run();
  add_idle(idle);
  add_long_leaf();
  add_oversubscription();
  add_memory();
  add_loop();
  add_leaves();
}

int run(const std::vector<std::string>& by_user) {
  // Medians with their spread, and no benchmark's repetitions in one stretch, unless a flag says
  // otherwise: the later one counts.
  std::vector<std::string> arguments{"stealbench-micro",
                                     "--benchmark_repetitions=5",
                                     "--benchmark_report_aggregates_only=true",
                                     "--benchmark_enable_random_interleaving=true",
                                     "--benchmark_min_time=0.1",
                                     "--benchmark_counters_tabular=false"};
  arguments.insert(arguments.end(), by_user.begin(), by_user.end());
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
  for (const auto& [key, value] : provenance()) benchmark::AddCustomContext(key, value);
  if (benchmark::RunSpecifiedBenchmarks() == 0) return 2;  // It has said that nothing matches.
  return any_failed() ? 1 : 0;
}

}  // namespace
}  // namespace stealbench::bench::micro

int main(int argc, char** argv) {
  double idle_seconds = 2;
  CLI::App app{
      "Micro-benchmarks of the work-stealing scheduler. Google Benchmark's flags "
      "(--benchmark_filter=…, --benchmark_out=…, --benchmark_list_tests) are taken too."};
  app.allow_extras();
  app.add_option("--idle-seconds", idle_seconds, "How long idle pools are watched, seconds")
      ->check(CLI::Range(0.01, 3600.0))
      ->capture_default_str();
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  try {
    stealbench::bench::micro::add_all(std::chrono::duration<double>(idle_seconds));
    return stealbench::bench::micro::run(app.remaining());
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 2;
  }
}
