#include "bench/cell/process.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <exception>
#include <filesystem>
#include <iostream>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include "bench/cell/cell.hpp"
#include "bench/cell/command_line.hpp"
#include "bench/cell/google_benchmark.hpp"
#include "bench/cell/once.hpp"
#include "bench/cell/program.hpp"
#include "bench/cell/warm_cell.hpp"
#include "bench/costs/catalogue.hpp"
#include "bench/costs/figures.hpp"
#include "results/system/memory.hpp"
#include "results/system/process.hpp"
#include "results/system/whole_file.hpp"
#include "schedulers/operating_system/thread.hpp"
#include "schedulers/variant.hpp"
#include "schedulers/virtual_machine/profile.hpp"

namespace stealbench::cell {
namespace {

struct settings {
  instance_options instance;
  schedulers::variant of_scheduler;
  std::optional<std::string> figure;
  std::vector<unsigned> workers;
  bool pin = false;
  bool describe = false;
  bool machine_costs = false;
  bool once = false;
  bool counters_only = false;
  unsigned sample_ms = 0;
  std::string trace;  // The file; none if empty.
  std::size_t events = default_events_per_worker;
};

/// The cell in hand, so that the pool of one benchmark is gone when the next begins.
using cell_in_hand = std::pair<std::string, std::optional<warm_cell>>;

void add_cell(const program& of, const std::string& scheduler, const kit::parameters& chosen,
              const schedulers::options& options, std::chrono::nanoseconds sample,
              const std::shared_ptr<cell_in_hand>& current) {
  const double slowed_by = planted_delay(scheduler);
  const std::string name = cell_name(of.description.name, scheduler, chosen, options.workers);
  add_benchmark(name, benchmark::kMillisecond, [=](benchmark::State& state) {
    auto& [current_name, warm] = *current;
    if (!warm || current_name != name) {
      warm.reset();
      warm.emplace(of.timed(options, chosen), slowed_by);
      current_name = name;
    }
    measure(state, *warm, sample);
  });
}

schedulers::options options_for(const settings& chosen, unsigned workers) {
  return options_of(workers, chosen.pin, chosen.instance.stack_mib, chosen.of_scheduler);
}

/// The stack of each worker is reserved as a whole, though few of its pages are ever used.
void expect_address_space(const settings& chosen) {
  const std::optional<double> left = system::address_space_left();
  const unsigned most = chosen.workers.empty() ? operating_system::processor_count()
                                               : *std::ranges::max_element(chosen.workers);
  const double needed = std::ldexp(static_cast<double>(chosen.instance.stack_mib), 20) * most;
  if (!left || needed <= *left) return;
  throw kit::bad_input(
      fmt::format("--workers {}: stacks of {} MiB need {} of address space, and its limit leaves "
                  "{}; valid: fewer workers, or a higher limit (ulimit -v)",
                  most, chosen.instance.stack_mib, system::bytes_in_words(needed),
                  system::bytes_in_words(*left)));
}

int run_all(const std::vector<program>& selected, const settings& chosen,
            const std::vector<std::string>& arguments) {
  const std::string scheduler = chosen.of_scheduler.name_of(scheduler_name());
  const auto current = std::make_shared<cell_in_hand>();
  for (const program& each : selected) {
    for (const kit::parameters& instance : instances_of(each.description, chosen.instance)) {
      for (const unsigned workers : chosen.workers) {
        add_cell(each, scheduler, instance, options_for(chosen, workers),
                 std::chrono::milliseconds(chosen.sample_ms), current);
      }
    }
  }
  return run_benchmarks(arguments);
}

// The file is written last and as a whole: of a run that fails nothing is left, and what was there
// before stays.
int run_single(const program& of, const settings& chosen) {
  const std::string scheduler = chosen.of_scheduler.name_of(scheduler_name());
  const kit::parameters what = instances_of(of.description, chosen.instance).front();
  const schedulers::options options = options_for(chosen, chosen.workers.front());
  traced_run ran;
  if (chosen.trace.empty()) {
    ran.report = run_once(of, scheduler, what, options, chosen.counters_only);
  } else {
    ran = trace_once(of, scheduler, what, options, chosen.events);
  }
  const bool is_wrong = ran.report["verified"] == false;
  if (!chosen.trace.empty() && !is_wrong) system::write_atomically(chosen.trace, ran.trace);
  std::cout << ran.report.dump() << '\n';
  return is_wrong ? 1 : 0;
}

void expect_applicable(const costs::figure_description& figure, unsigned workers) {
  const std::string_view reason = costs::why_not_applicable(figure, scheduler_name());
  if (!reason.empty()) {
    std::vector<std::string_view> valid;
    for (const costs::figure_description& each : costs::figures()) {
      if (costs::why_not_applicable(each, scheduler_name()).empty()) valid.push_back(each.name);
    }
    throw kit::bad_input(fmt::format(
        "--metric {}: not applicable to {}: {}; valid: {}", figure.name, scheduler_name(), reason,
        valid.empty() ? "none" : fmt::format("{}", fmt::join(valid, ", "))));
  }
  if (workers != figure.workers) {
    throw kit::bad_input(fmt::format("--workers {}: metric {} is measured with {} workers", workers,
                                     figure.name, figure.workers));
  }
}

int measure_figure(const settings& chosen, std::vector<std::string> arguments) {
  const costs::figure_description& figure = costs::find_figure(*chosen.figure);
  if (chosen.once || !chosen.trace.empty() || !chosen.instance.workload.empty() ||
      !chosen.instance.set.empty() || chosen.workers.size() > 1) {
    throw kit::bad_input(
        "--metric takes one worker count; it cannot be used with --workload, --set, --once or "
        "--trace");
  }
  const unsigned workers = chosen.workers.empty() ? figure.workers : chosen.workers.front();
  expect_applicable(figure, workers);
  const schedulers::options options = options_for(chosen, workers);
  const auto measure = strategy_of(chosen.of_scheduler).measure;
  add_benchmark(fmt::format("{}/{}/workers:{}", figure.name,
                            chosen.of_scheduler.name_of(scheduler_name()), workers),
                benchmark::kNanosecond, [&](benchmark::State& state) {
                  report(state, measure(figure.which, options), figure.unit);
                });
  // A minimum of no time is one iteration, unless a flag of the user's says otherwise.
  arguments.insert(arguments.begin(), "--benchmark_min_time=0");
  return run_benchmarks(std::move(arguments));
}

void print_machine_costs() {
  nlohmann::ordered_json printed = json_of(costs::measure_machine());
  for (const auto& [key, value] : provenance()) printed[key] = value;
  std::cout << printed.dump() << '\n';
}

int main_on_large_stack(settings chosen, const std::vector<std::string>& extra) {
  benchmark::AddCustomContext("scheduler_library", strategy_of(chosen.of_scheduler).library());
  if (chosen.figure) return measure_figure(chosen, extra);
  if (chosen.workers.empty()) {
    chosen.workers = {1};
    const unsigned processors = operating_system::processor_count();
    if (processors > 1) chosen.workers.push_back(processors);
  }
  std::vector<program> selected;
  std::vector<std::string> names;
  for (program& each : strategy_of(chosen.of_scheduler).programs()) {
    names.push_back(each.description.name);
    if (chosen.instance.workload.empty() || chosen.instance.workload == each.description.name) {
      selected.push_back(std::move(each));
    }
  }
  if (selected.empty()) {
    throw kit::bad_input(fmt::format("unknown workload '{}'; valid: {}", chosen.instance.workload,
                                     fmt::join(names, ", ")));
  }
  if (!chosen.instance.set.empty() && chosen.instance.workload.empty()) {
    throw kit::bad_input("--set requires --workload: parameters belong to one workload");
  }
  if (!chosen.once && chosen.trace.empty()) return run_all(selected, chosen, extra);

  if (chosen.instance.workload.empty() || chosen.workers.size() != 1 || !extra.empty()) {
    throw kit::bad_input(
        "--once and --trace require --workload and one worker count; they cannot be used with "
        "Google Benchmark's flags");
  }
  return run_single(selected.front(), chosen);
}

// Each deque of work stealing is an executable of its own, so that a comparison need not wait for
// the compilation of those that it does not run. Whoever asks for one gets it here.
void become_executable_of(const schedulers::variant& chosen, char** argv) {
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe");
  const bool is_default =
      chosen.value_of("deque") == schedulers::variant(settings_of_scheduler()).value_of("deque");
  const std::string other =
      fmt::format("stealbench-{}{}{}", scheduler_name(), is_default ? "" : ".",
                  is_default ? "" : chosen.value_of("deque"));
  execv((self.parent_path() / other).c_str(), argv);
  throw kit::bad_input(fmt::format("{} is not built; build it with\n  cmake --build {}", other,
                                   self.parent_path().string()));
}

std::vector<std::string> figure_names() {
  std::vector<std::string> names;
  for (const costs::figure_description& each : costs::figures()) names.emplace_back(each.name);
  return names;
}

void declare_options(CLI::App& app, settings& chosen) {
  declare_instance(app, chosen.instance)->default_str("all");
  app.add_flag("--describe", chosen.describe,
               "Print the scheduler, its settings and its counters as JSON");
  if (scheduler_name() == sequential_name) {
    app.add_flag("--machine-costs", chosen.machine_costs,
                 "Measure what this machine's memory, kernel and threads cost [ns], in some "
                 "seconds, and print JSON; see `stealbench calibrate`");
  }
  add_option(app, "--metric,--figure", chosen.figure, {"METRIC", one_of(figure_names())},
             "Metric to measure instead of a workload: the cost of one operation");
  add_option(app, "--workers", chosen.workers, takes::number(1, schedulers::max_workers),
             "Worker counts")
      ->default_str("1 and the number of processors; with --metric, that of the metric");
  app.add_flag("--pin", chosen.pin, "Pin worker i to the i-th processor that the process may use");
  add_option(app, "--sample-ms", chosen.sample_ms, takes::number(0, 60'000),
             "Repeat a workload for this long [ms] in each iteration and report the median; 0: "
             "one run");
  CLI::Option* const once =
      app.add_flag("--once", chosen.once, "Run the workload once and print JSON");
  app.add_flag("--counters-only", chosen.counters_only,
               "With --once: run only the instrumented build, which counts events such as steals, "
               "and not the timed one")
      ->needs(once);
  add_option(app, "--trace", chosen.trace, takes::file,
             "Run the workload once and write a trace of its workers, in Chrome's JSON format")
      ->excludes(once);
  add_option(app, "--events", chosen.events, takes::number(1, most_events_per_worker),
             "Maximum number of recorded intervals (running, searching, sleeping) per worker of a "
             "trace. Later ones are dropped");
  app.footer(
      fmt::format("Examples:\n"
                  "  stealbench-{0} --workload fib --workers 1,2 --benchmark_repetitions=5\n"
                  "  stealbench-{0} --workload mergesort --size small --once",
                  scheduler_name()));
}

}  // namespace

int run_process(int argc, char** argv) {
  system::occupy_standard_streams();
  settings chosen;
  CLI::App app{
      fmt::format("Benchmarks of {}. Also takes Google Benchmark's flags, such as "
                  "--benchmark_filter=REGEX, --benchmark_out=FILE and --benchmark_list_tests.",
                  scheduler_name() == sequential_name
                      ? "the sequential version of each workload"
                      : fmt::format("the scheduler {}", scheduler_name())),
      fmt::format("stealbench-{}", scheduler_name())};
  app.formatter(help_layout());
  app.get_help_ptr()->description("Print this help");
  app.allow_extras();
  declare_options(app, chosen);
  return run_command_line(app, argc, argv, [&] {
    using schedulers::variant;
    std::vector<schedulers::setting> valid = settings_of_scheduler();
    const std::optional<std::string>& typed = chosen.instance.variant;
    chosen.of_scheduler =
        typed ? variant(scheduler_name(), std::move(valid), *typed) : variant(std::move(valid));
    if (chosen.describe) {
      std::cout << json_of(describe()).dump() << '\n';
      return 0;
    }
    if (chosen.machine_costs) {
      print_machine_costs();
      return 0;
    }
    if (!is_linked(chosen.of_scheduler)) become_executable_of(chosen.of_scheduler, argv);
    expect_address_space(chosen);
    int status = 0;
    try {
      // Worker 0 runs on the stack of whoever calls `run`.
      operating_system::run_on_stack(chosen.instance.stack_mib << 20, [&] {
        status = main_on_large_stack(chosen, app.remaining());
      });
    } catch (const std::system_error& error) {
      if (!system::is_shortage(error.code())) throw;
      throw std::runtime_error(fmt::format(
          "{}; valid: fewer workers, or higher limits (ulimit -v, ulimit -u)", error.what()));
    }
    return status;
  });
}

}  // namespace stealbench::cell
