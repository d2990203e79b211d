// `stealbench`: lists, runs and compares.
#include <cstdlib>
#include <exception>
#include <iostream>
#include <new>
#include <sstream>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "bench/cell/command_line.hpp"
#include "bench/cell/commit.hpp"
#include "bench/driver/commands.hpp"
#include "bench/driver/experiments/experiment.hpp"
#include "results/report/format.hpp"
#include "results/system/inherited.hpp"
#include "results/system/process.hpp"
#include "workloads/kit/parameters.hpp"

namespace {

constexpr int failed = 1;
constexpr int bad_usage = 2;
constexpr int killed_by_signal = 128;

/// A message may repeat a name of a file or of an option, and that may hold anything; its own line
/// breaks stay.
int fail(int status, const std::string& message) {
  std::cerr << "stealbench: ";
  std::istringstream lines(message);
  for (std::string line; std::getline(lines, line);) {
    std::cerr << stealbench::report::on_one_line(line) << '\n';
  }
  return status;
}

std::string message_of(const CLI::App& program, const CLI::ParseError& error) {
  const auto chosen = program.get_subcommands();
  const CLI::App& owner = chosen.empty() ? program : *chosen.front();
  const std::string command = chosen.empty() ? "" : owner.get_name() + ": ";
  const auto is = [&](CLI::ExitCodes code) {
    return error.get_exit_code() == static_cast<int>(code);
  };
  const std::vector<std::string> extras = program.remaining(true);
  if (is(CLI::ExitCodes::ExtrasError) && !extras.empty()) {
    const bool is_option = extras.front().starts_with('-');
    const bool is_command = chosen.empty() && !is_option;
    std::vector<std::string> valid;
    for (const CLI::App* each : program.get_subcommands({})) {
      if (is_command) valid.push_back(each->get_name());
    }
    for (const CLI::Option* each : owner.get_options()) {
      if (!is_command) valid.push_back(each->get_name());
    }
    return fmt::format("{}unknown {} '{}'; valid: {}", command,
                       is_option    ? "option"
                       : is_command ? "command"
                                    : "argument",
                       extras.front(), fmt::join(valid, ", "));
  }
  // A validator's message says what is valid.
  std::string message = command + stealbench::cell::message_of(error);
  if (is(CLI::ExitCodes::ValidationError)) return message;
  return fmt::format("{}\nFor help, run stealbench{} --help", message,
                     chosen.empty() ? "" : " " + owner.get_name());
}

}  // namespace

int main(int argc, char** argv) {
  namespace driver = stealbench::driver;
  stealbench::system::begin_with_own_state();
  // It passes Google Benchmark's flags itself, and these would be further ones.
  // NOLINTNEXTLINE(concurrency-mt-unsafe): one thread
  for (const auto& each : stealbench::system::variables("BENCHMARK_")) unsetenv(each.c_str());
  CLI::App program(
      "Measures fork-join schedulers on one set of workloads and ranks them. Every measurement "
      "runs in its own process, and every answer is checked.",
      "stealbench");
  // Before the commands, which take over what is set here.
  program.formatter(stealbench::cell::help_layout());
  // What follows the command is its argument, even if it is named as another command is.
  program.require_subcommand(0, 1);
  program.set_help_flag("-h,--help", "Print this help");
  stealbench::cell::add_footer(
      program, "`stealbench COMMAND --help` describes a command.",
      {"list", "compare --workloads fib,uts --schedulers serial,work-stealing"});
  int status = bad_usage;
  try {
    const std::vector<std::string> arguments(argv + 1, argv + argc);
    driver::declare_list(program, status);
    driver::declare_run(program, status);
    driver::declare_trace(program, status);
    stealbench::experiments::declare_all(
        program, {.program = argv[0], .arguments = arguments, .commit = stealbench::cell::commit},
        status);
    driver::declare_calibrate(program, status);
    driver::declare_diff(program, status);
    driver::declare_merge(program, status);
    driver::declare_validate(program, status);
    driver::declare_report(program, status);
    driver::declare_doctor(program, status);
    program.set_version_flag(
        "--version",
        fmt::format("stealbench {} (commit {})", STEALBENCH_VERSION, stealbench::cell::commit),
        "Print the version and commit");
    for (CLI::App* command : program.get_subcommands({})) {
      command->group("Commands");
      if (!arguments.empty() && command->get_name() == arguments.front()) {
        stealbench::cell::expect_well_formed(*command, arguments);
      }
    }
    try {
      program.parse(argc, argv);
      if (program.get_subcommands().empty()) std::cerr << program.help();
    } catch (const CLI::Success& help) {
      status = program.exit(help);
    }
    stealbench::cell::flush_output();
    return status;
  } catch (const CLI::ParseError& error) {
    return fail(bad_usage, message_of(program, error));
  } catch (const stealbench::kit::bad_input& error) {
    return fail(bad_usage, error.what());
  } catch (const stealbench::system::interrupted& interruption) {
    return killed_by_signal + interruption.signal();
  } catch (const std::bad_alloc&) {
    std::cerr << "stealbench: not enough memory; valid: a smaller input, or a higher limit (ulimit "
                 "-v)\n";
    return failed;
  } catch (const std::exception& error) {
    return fail(failed, error.what());
  }
}
