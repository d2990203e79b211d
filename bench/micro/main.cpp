// Micro-benchmarks of work stealing: one cost at a time, beside the raw cost that bounds it.
#include <chrono>
#include <exception>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

#include "bench/cell/google_benchmark.hpp"
#include "bench/micro/measure.hpp"
#include "bench/micro/topics.hpp"

namespace stealbench::costs::micro {
namespace {

void add_all(std::chrono::duration<double> idle) {
  add_fork();
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
  const int status = cell::run_google_benchmark(std::move(arguments));
  return status == 0 && any_failed() ? 1 : status;
}

}  // namespace
}  // namespace stealbench::costs::micro

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
    stealbench::costs::micro::add_all(std::chrono::duration<double>(idle_seconds));
    return stealbench::costs::micro::run(app.remaining());
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 2;
  }
}
