#include "bench/cell/figure.hpp"

#include <utility>

#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "bench/cell/google_benchmark.hpp"
#include "bench/cell/program.hpp"
#include "workloads/parameters.hpp"

namespace stealbench::cell {
namespace {

void expect_applicable(const costs::figure_description& figure, unsigned workers) {
  const std::string_view reason = costs::why_not_applicable(figure, scheduler_name());
  if (!reason.empty()) {
    std::vector<std::string_view> valid;
    for (const costs::figure_description& each : costs::figures()) {
      if (costs::why_not_applicable(each, scheduler_name()).empty()) valid.push_back(each.name);
    }
    throw workloads::bad_input(
        fmt::format("no figure {} of {}: {}; valid: {}", figure.name, scheduler_name(), reason,
                    valid.empty() ? "none" : fmt::format("{}", fmt::join(valid, ", "))));
  }
  if (workers != figure.workers) {
    throw workloads::bad_input(fmt::format("figure {} with workers '{}'; valid: {}", figure.name,
                                           workers, figure.workers));
  }
}

}  // namespace

int run_figure(const costs::figure_description& figure, const schedulers::variant& chosen,
               const schedulers::options& options, std::vector<std::string> arguments) {
  expect_applicable(figure, options.workers);
  add_benchmark(fmt::format("{}/{}/workers:{}", figure.name, chosen.name_of(scheduler_name()),
                            options.workers),
                benchmark::kNanosecond, [&](benchmark::State& state) {
                  report(state, measure_linked(figure.which, options), figure.unit);
                });
  // A minimum of no time is one iteration, unless a flag of the user's says otherwise.
  arguments.insert(arguments.begin(), "--benchmark_min_time=0");
  return run_benchmarks(std::move(arguments));
}

}  // namespace stealbench::cell
