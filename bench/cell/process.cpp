#include "bench/cell/process.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iostream>
#include <optional>
#include <stdexcept>
#include <system_error>
#include <utility>

#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include "bench/cell/catalogue.hpp"
#include "bench/cell/command_line.hpp"
#include "bench/cell/google_benchmark.hpp"
#include "bench/cell/program.hpp"
#include "bench/costs/catalogue.hpp"
#include "bench/costs/figures.hpp"
#include "bench/system/host.hpp"
#include "schedulers/operating_system/thread.hpp"
#include "schedulers/virtual_machine/profile.hpp"

namespace stealbench::cell {
namespace {

const std::string& scheduler_name() { return linked_strategy().self.scheduler; }

std::string program_name() { return "stealbench-" + scheduler_name(); }

struct settings {
  instance_options instance;
  schedulers::variant variant;
  std::string figure;  // None if empty.
  std::vector<unsigned> workers;
  bool pin = false;
  bool describe = false;
  bool catalogue = false;
  bool machine_costs = false;
  bool once = false;
  bool counters_only = false;
  unsigned sample_ms = 0;
  std::string trace;  // The file; none if empty.
  std::size_t events = default_events_per_worker;

  [[nodiscard]] std::string scheduler() const { return variant.name_of(scheduler_name()); }
  [[nodiscard]] schedulers::options options(unsigned count) const {
    return options_of(scheduler_name(), count, pin, instance.stack_mib, variant);
  }
};

/// Whether this machine, or a limit of this process, has no more threads, memory or files to give.
bool is_shortage(const std::error_code& reason) {
  using enum std::errc;
  return reason == resource_unavailable_try_again || reason == not_enough_memory ||
         reason == too_many_files_open || reason == too_many_files_open_in_system;
}

unsigned usable_processors() {
  return std::min(operating_system::processor_count(), schedulers::max_workers);
}

/// The stack of each worker is reserved as a whole, though few of its pages are ever used.
void expect_address_space(const settings& chosen) {
  const std::optional<double> left = system::address_space_left();
  const unsigned most =
      chosen.workers.empty() ? usable_processors() : *std::ranges::max_element(chosen.workers);
  const double needed = std::ldexp(static_cast<double>(chosen.instance.stack_mib), 20) * most;
  if (!left || needed <= *left) return;
  throw kit::bad_input(
      fmt::format("--workers {}: stacks of {} MiB need {} of address space, and its limit leaves "
                  "{}; valid: fewer workers, or a higher limit (ulimit -v, vm.overcommit_memory)",
                  most, chosen.instance.stack_mib, system::bytes_in_words(needed),
                  system::bytes_in_words(*left)));
}

int run_single(const program& subject, const settings& chosen) {
  const kit::parameters instance = instances_of(subject.description, chosen.instance).front();
  const schedulers::options options = chosen.options(chosen.workers.front());
  std::optional<std::chrono::milliseconds> counted_alone;
  if (chosen.counters_only) counted_alone.emplace(chosen.sample_ms);
  const nlohmann::ordered_json report =
      chosen.trace.empty()
          ? run_once(subject, chosen.scheduler(), instance, options, counted_alone)
          : trace_once(subject, chosen.scheduler(), instance, options, chosen.events, chosen.trace);
  std::cout << report.dump() << '\n';
  return report["verified"] == false ? 1 : 0;
}

void expect_applicable(const costs::figure_description& figure,
                       const std::vector<unsigned>& workers) {
  const std::string_view reason = costs::why_not_applicable(figure, scheduler_name());
  if (!reason.empty()) {
    std::vector<std::string> valid;
    for (const costs::figure_description& each : costs::figures()) {
      if (costs::why_not_applicable(each, scheduler_name()).empty()) valid.emplace_back(each.name);
    }
    if (valid.empty()) valid = {"none"};
    kit::refuse(
        fmt::format("--metric {}: not applicable to {}: {}", figure.name, scheduler_name(), reason),
        valid);
  }
  if (workers != std::vector{figure.workers}) {
    throw kit::bad_input(fmt::format("--workers {}: metric {} is measured with {} workers",
                                     fmt::join(workers, ","), figure.name, figure.workers));
  }
}

int measure_figure(const settings& chosen, std::vector<std::string> arguments) {
  const costs::figure_description& figure = costs::find_figure(chosen.figure);
  expect_applicable(figure, chosen.workers);
  add_figure(
      fmt::format("{}/{}/workers:{}", figure.name, chosen.scheduler(), figure.workers),
      [&] { return linked_strategy().measure(figure.name, chosen.options(figure.workers)); },
      figure.unit);
  // A minimum of no time is one iteration, unless a flag of the user's says otherwise.
  arguments.insert(arguments.begin(), {program_name(), "--benchmark_min_time=0"});
  return run_benchmarks(std::move(arguments));
}

int run_workloads(settings chosen, std::vector<std::string> arguments) {
  if (chosen.workers.empty()) {
    chosen.workers = {1};
    if (usable_processors() > 1) chosen.workers.push_back(usable_processors());
  }
  std::vector<program> selected = linked_strategy().programs;
  if (const std::string& workload = chosen.instance.workload; !workload.empty()) {
    const auto name = [](const program& each) { return each.description.name; };
    selected = {
        kit::find_named(selected, name, workload, fmt::format("unknown workload '{}'", workload))};
  }
  if (chosen.once || !chosen.trace.empty()) {
    if (chosen.workers.size() != 1 || !arguments.empty()) {
      throw kit::bad_input(
          "--once and --trace require one worker count; they cannot be used with Google "
          "Benchmark's flags");
    }
    return run_single(selected.front(), chosen);
  }
  const std::chrono::milliseconds sample(chosen.sample_ms);
  const double slowed_by = injected_delay(chosen.scheduler());
  for (const program& each : selected) {
    for (const kit::parameters& instance : instances_of(each.description, chosen.instance)) {
      for (const unsigned workers : chosen.workers) {
        const auto make = [make = each.timed, options = chosen.options(workers), instance] {
          return make(options, instance);
        };
        add_cell(cell_name(each.description.name, chosen.scheduler(), instance, workers), make,
                 sample, slowed_by);
      }
    }
  }
  arguments.insert(arguments.begin(), program_name());
  return run_benchmarks(std::move(arguments));
}

nlohmann::ordered_json machine_costs() {
  nlohmann::ordered_json measured = json_of(costs::measure_machine());
  measured.update(provenance());
  return measured;
}

// Each deque of work stealing is an executable of its own, so that a comparison need not wait for
// the compilation of those that it does not run. Whoever asks for one gets it here.
void become_executable_of(const schedulers::variant& chosen, char** argv) {
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe");
  const std::string_view deque = chosen.value_of("deque");
  const bool is_default =
      deque == schedulers::variant(linked_strategy().self.settings).value_of("deque");
  const std::string other =
      is_default ? program_name() : fmt::format("{}.{}", program_name(), deque);
  execv((self.parent_path() / other).c_str(), argv);
  throw kit::bad_input(
      fmt::format("{0} is not built; build it with\n  cmake --build {1} --target {0}", other,
                  self.parent_path().string()));
}

void declare_options(CLI::App& app, settings& chosen) {
  CLI::Option* const workload = declare_instance(app, chosen.instance)->default_str("all");
  CLI::Option* const set = app.get_option("--set")->needs(workload);
  app.add_flag("--describe", chosen.describe,
               "Print the scheduler, its settings and its counters as JSON");
  app.add_flag("--catalogue", chosen.catalogue, "Print the workloads and the metrics as JSON");
  if (scheduler_name() == sequential_name) {
    app.add_flag("--machine-costs", chosen.machine_costs,
                 "Measure what this machine's memory, kernel and threads cost [ns], in some "
                 "seconds, and print JSON; see `stealbench calibrate`");
  }
  CLI::Option* const metric =
      add_option(app, "--metric", chosen.figure, {"METRIC", one_of(costs::figure_names())},
                 "Metric to measure instead of a workload: the cost of one operation");
  add_option(app, "--workers", chosen.workers, takes::number(1, schedulers::max_workers),
             "Worker counts")
      ->default_str("1 and the number of processors; with --metric, that of the metric");
  app.add_flag(
      "--pin", chosen.pin,
      "Pin each worker to a processor: one on each core, then the second hardware threads");
  add_option(app, "--sample-ms", chosen.sample_ms, takes::number(0, 60'000),
             "Repeat a workload for this long [ms] in each iteration and report the median; 0: "
             "one run");
  CLI::Option* const once =
      app.add_flag("--once", chosen.once, "Run the workload once and print JSON")->needs(workload);
  app.add_flag("--counters-only", chosen.counters_only,
               "With --once: run only the instrumented build, which counts events such as steals, "
               "and not the timed one. After a first run, repeat it as --sample-ms says")
      ->needs(once);
  CLI::Option* const trace =
      add_option(app, "--trace", chosen.trace, takes::file,
                 "Run the workload once and write a trace of its workers, in Chrome's JSON format")
          ->needs(workload)
          ->excludes(once);
  add_option(app, "--events", chosen.events, takes::number(1, most_events_per_worker),
             "Maximum number of recorded intervals (running, searching, sleeping) per worker of a "
             "trace. Later ones are dropped");
  for (CLI::Option* const other : {workload, set, once, trace}) metric->excludes(other);
  add_footer(app, "",
             {"--workload fib --workers 1,2 --benchmark_repetitions=5",
              "--workload mergesort --size small --once"});
}

int run(settings& chosen, const std::vector<std::string>& extra, char** argv) {
  const strategy& linked = linked_strategy();
  const std::optional<std::string>& typed = chosen.instance.variant;
  chosen.variant = typed ? schedulers::variant(scheduler_name(), linked.self.settings, *typed)
                         : schedulers::variant(linked.self.settings);
  const auto print = [](const auto& object) {
    std::cout << object.dump() << '\n';
    return 0;
  };
  if (chosen.describe) return print(nlohmann::json(linked.self));
  if (chosen.catalogue) return print(catalogue());
  if (chosen.machine_costs) return print(machine_costs());
  if (chosen.variant.value_of("deque") != linked.deque) become_executable_of(chosen.variant, argv);
  if (!chosen.figure.empty() && chosen.workers.empty()) {
    chosen.workers = {costs::find_figure(chosen.figure).workers};
  }
  expect_address_space(chosen);
  benchmark::AddCustomContext("scheduler_library", linked.self.library);
  int status = 0;
  try {
    // Worker 0 runs on the stack of whoever calls `run`.
    operating_system::run_on_stack(chosen.instance.stack_mib << 20, [&] {
      status = chosen.figure.empty() ? run_workloads(chosen, extra) : measure_figure(chosen, extra);
    });
  } catch (const std::system_error& error) {
    if (!is_shortage(error.code())) throw;
    throw std::runtime_error(fmt::format(
        "{}; valid: fewer workers, or higher limits (ulimit -v, -d, -u)", error.what()));
  }
  return status;
}

}  // namespace

int run_process(int argc, char** argv) {
  settings chosen;
  CLI::App app{
      fmt::format("Benchmarks of {}. Also takes Google Benchmark's flags, such as "
                  "--benchmark_filter=REGEX, --benchmark_out=FILE and --benchmark_list_tests.",
                  scheduler_name() == sequential_name ? "the sequential version of each workload"
                                                      : "the scheduler " + scheduler_name()),
      program_name()};
  app.allow_extras();
  declare_options(app, chosen);
  return run_command_line(app, argc, argv, [&] { return run(chosen, app.remaining(), argv); });
}

}  // namespace stealbench::cell
