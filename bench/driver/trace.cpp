#include "bench/cell/trace/trace.hpp"

#include <algorithm>
#include <cstdint>
#include <iostream>
#include <memory>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "bench/driver/commands.hpp"
#include "bench/driver/one_cell.hpp"
#include "bench/driver/rounds/cell_process.hpp"
#include "bench/driver/rounds/installation.hpp"
#include "bench/driver/rounds/target.hpp"
#include "results/system/process.hpp"
#include "results/system/whole_file.hpp"
#include "workloads/parameters.hpp"

namespace stealbench::driver {
namespace {

using nlohmann::ordered_json;

struct trace_options {
  one_cell which;
  std::string output;
  std::size_t events = cell::default_events_per_worker;
};

/// Refuses a scheduler of the suite that counts nothing; leaves one that there is not to others.
void expect_counting(std::string_view typed) {
  const std::string name(typed.substr(0, typed.find(':')));
  const auto is_among = [&](const std::vector<std::string>& names) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  if (is_among(rounds::counting_schedulers())) return;
  if (!is_among(rounds::known_schedulers()) && name != cell::reference_name) return;
  throw workloads::bad_input(
      fmt::format("scheduler {} counts nothing and cannot be traced; valid: {}", name,
                  fmt::join(rounds::counting_schedulers(), ", ")));
}

void print(const dataset::cell& which, const rounds::trace_request& trace,
           const ordered_json& report) {
  std::cout << fmt::format("{}: {} events of {}; open it in Perfetto or chrome://tracing\n",
                           trace.file.string(), report.value("events", std::uint64_t{0}),
                           name_of(which));
  const auto dropped = report.value("dropped_stretches", std::uint64_t{0});
  if (dropped == 0) return;
  std::cout.flush();
  std::cerr << fmt::format(
      "stealbench: warning: {} stretches are missing, the latest of the workers that had more than "
      "{}; --events makes room\n",
      dropped, trace.events_per_worker);
}

int trace(const trace_options& asked) {
  expect_counting(asked.which.scheduler);
  const rounds::target subject = find_target(asked.which);
  const rounds::trace_request wanted{.file = asked.output, .events_per_worker = asked.events};
  system::expect_writable(wanted.file);
  system::process_runner runner;
  const rounds::single_run ran = run_traced(subject, wanted, runner);
  if (ran.failure.empty()) {
    print(subject.which, wanted, ran.report);
    return 0;
  }
  std::cerr << fmt::format("stealbench: {}: {}\n", name_of(subject.which), ran.failure);
  return 1;
}

}  // namespace

void declare_trace(CLI::App& program, int& status) {
  const auto asked = std::make_shared<trace_options>();
  CLI::App* const command = program.add_subcommand(
      "trace", "Record a run: when each worker ran jobs, looked for work or slept");
  declare_one_cell(*command, asked->which);
  command->add_option("--output", asked->output, "The trace, a JSON file; replaced if it is there")
      ->required();
  command->add_option("--events", asked->events, "Room for N intervals of each worker")
      ->check(CLI::Range(std::size_t{1}, cell::most_events_per_worker))
      ->capture_default_str();
  command->callback([asked, &status] { status = trace(*asked); });
  command->footer(
      "Examples:\n"
      "  stealbench trace uts --scheduler work-stealing --workers 2 --output trace.json\n"
      "  stealbench trace fib --scheduler central-queue --size test --output trace.json");
}

}  // namespace stealbench::driver
