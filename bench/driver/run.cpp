// The commands that run one cell: `run` shows what came of it, `trace` what its workers did.
#include <cstdint>
#include <iostream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "bench/cell/program.hpp"
#include "bench/driver/commands.hpp"
#include "bench/driver/experiments/options.hpp"
#include "bench/driver/rounds/cell_process.hpp"
#include "bench/driver/rounds/installation.hpp"
#include "results/report/format.hpp"
#include "results/system/process.hpp"
#include "results/system/whole_file.hpp"
#include "schedulers/options.hpp"
#include "workloads/kit/parameters.hpp"

namespace stealbench::driver {
namespace {

using nlohmann::ordered_json;

/// What `run` or `trace` is called with. The names are not yet checked.
struct one_cell {
  std::string workload;
  std::string scheduler;
  unsigned workers = 1;
  std::string size = "standard";
  std::vector<std::string> set;
  bool as_json = false;  ///< Of `run`.
  std::string output;    ///< Of `trace`, as the next.
  std::size_t events = cell::default_events_per_worker;
};

void declare(CLI::App& command, one_cell& typed) {
  cell::add_option(command, "WORKLOAD", typed.workload,
                   {cell::takes::workload, cell::one_of(rounds::workload_names())},
                   "Workload; see `stealbench list`")
      ->required();
  cell::add_option(
      command, "--scheduler", typed.scheduler, cell::takes::scheduler,
      "Scheduler, as NAME or with settings as NAME:KEY=VALUE:KEY=VALUE; see `stealbench list`")
      ->required();
  cell::add_option(command, "--workers", typed.workers,
                   cell::takes::number(1, schedulers::max_workers), "Worker count");
  cell::add_option(command, "--size", typed.size, cell::takes::size(),
                   "Size of the workload: preset parameter values. If a size has several presets, "
                   "the first one runs");
  cell::add_option(
      command, "--set", typed.set, cell::takes::assignment,
      "Set a parameter of the workload. May be repeated; see `stealbench list WORKLOAD`");
}

rounds::target find_target(const one_cell& typed, const rounds::installation& installed) {
  const kit::description workload = rounds::find_workload(typed.workload);
  const std::vector<kit::assignment> by_user = experiments::assignments_in(typed.set);
  const rounds::runnable scheduler = installed.choose(typed.scheduler);
  return {.which = {.what = rounds::instances_of(workload, typed.size, by_user).front(),
                    .scheduler = scheduler.name,
                    .workers = typed.workers},
          .executable = scheduler.executable};
}

/// The exit status of a run, and on the standard error output why it does not count.
int status_of(const rounds::target& subject, const rounds::cell_run& ran) {
  if (ran.failure.empty()) return 0;
  std::cout.flush();
  std::cerr << fmt::format("stealbench: {}: {}\n", name_of(subject.which), ran.failure);
  return 1;
}

/// A number, or the members of an object: `nodes 4130071, depth 10`. Of a list each in brackets.
// NOLINTNEXTLINE(misc-no-recursion): as deep as the answers and counters are nested, two levels.
std::string text_of(const ordered_json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (!value.is_structured()) return value.dump();
  constexpr std::size_t most_shown = 16;
  std::vector<std::string> parts;
  for (const auto& [key, member] : value.items()) {
    if (value.is_array() && parts.size() == most_shown) {
      parts.push_back(fmt::format("and {} more (--json)", value.size() - most_shown));
      break;
    }
    parts.push_back(value.is_array() ? fmt::format("({})", text_of(member))
                                     : fmt::format("{} {}", key, text_of(member)));
  }
  return fmt::format("{}", fmt::join(parts, value.is_array() ? " " : ", "));
}

void print(const dataset::cell& which, const ordered_json& outcome) {
  const ordered_json& verified = outcome["verified"];
  const ordered_json& counters = outcome["counters"];
  std::cout << fmt::format(
      "{} on {}, {}\n"
      "  answer    {}\n"
      "  check     {}\n"
      "  time      {}\n"
      "  counters  {}\n",
      label_of(which.what), which.scheduler, report::counted(which.workers, "worker"),
      report::on_one_line(text_of(outcome["answer"])),
      verified.is_null() ? "not checked: the right answer for these parameters is not known"
      : verified         ? "right"
                         : "WRONG",
      outcome["time_ns"].is_null() ? "unknown"
                                   : report::seconds(outcome["time_ns"].get<double>() * 1e-9),
      counters.is_null() ? "none for this scheduler" : report::on_one_line(text_of(counters)));
}

int run(const one_cell& typed) {
  const rounds::target subject = find_target(typed, rounds::installation::of_this_program());
  system::process_runner runner;
  const rounds::cell_run ran = run_once(subject, {"--once"}, {}, runner);
  if (!ran.entry.is_null() && typed.as_json) std::cout << ran.entry.dump() << '\n';
  if (!ran.entry.is_null() && !typed.as_json) print(subject.which, ran.entry);
  return status_of(subject, ran);
}

int trace(const one_cell& typed) {
  const auto installed = rounds::installation::of_this_program();
  const std::string name = typed.scheduler.substr(0, typed.scheduler.find(':'));
  if (installed.description_of(name).counters.empty()) {
    std::vector<std::string> valid = installed.counting();
    if (valid.empty()) valid = {"none of those that are built"};
    kit::refuse(fmt::format("scheduler {} cannot be traced, because it has no counters", name),
                valid);
  }
  const rounds::target subject = find_target(typed, installed);
  system::expect_writable(typed.output);
  system::process_runner runner;
  const rounds::cell_run ran = run_once(
      subject, {"--trace", typed.output, "--events", std::to_string(typed.events)}, {}, runner);
  if (!ran.failure.empty()) return status_of(subject, ran);
  std::cout << fmt::format("{}: {} events of {}; open it in Perfetto or chrome://tracing\n",
                           typed.output, ran.entry.value("events", std::uint64_t{0}),
                           name_of(subject.which))
            << std::flush;
  const auto dropped = ran.entry.value("dropped_intervals", std::uint64_t{0});
  if (dropped == 0) return 0;
  std::cerr << fmt::format(
      "stealbench: warning: {} intervals are not recorded: the last ones of each worker that had "
      "more than {}; increase --events\n",
      dropped, typed.events);
  return 0;
}

}  // namespace

void declare_run(CLI::App& program, int& status) {
  const auto [command, typed] = add_command(
      program, "run",
      "Run a workload once, and once more for the counters of a scheduler that has them; "
      "print its answer, whether it is right, and its time",
      run, status);
  declare(command, typed);
  command.add_flag("--json", typed.as_json, "Print JSON");
  cell::add_footer(
      command,
      "Exit status: 0 if the answer is right or cannot be checked, 1 if it is wrong or the run "
      "fails, 2 for bad input.",
      {"uts --scheduler work-stealing --workers 2 --set tree=T3",
       "mergesort --scheduler onetbb --workers 2 --json"});
}

void declare_trace(CLI::App& program, int& status) {
  const auto [command, typed] = add_command(
      program, "trace",
      "Run a workload once; record when each worker ran tasks, searched for work or slept", trace,
      status);
  declare(command, typed);
  cell::add_option(command, "--output", typed.output, cell::takes::file,
                   "File for the trace, in Chrome's JSON format, which Perfetto opens. An existing "
                   "file is replaced")
      ->required();
  cell::add_option(command, "--events", typed.events,
                   cell::takes::number(1, cell::most_events_per_worker),
                   "Maximum number of recorded intervals (running, searching, sleeping) per "
                   "worker. Later ones are dropped");
  cell::add_footer(command,
                   "Exit status: 0 if the trace was written, 1 if the run failed, 2 for bad input.",
                   {"uts --scheduler work-stealing --workers 2 --output trace.json",
                    "fib --scheduler central-queue --size test --output trace.json"});
}

}  // namespace stealbench::driver
