// `stealbench`: lists, runs and compares.
#include <cerrno>
#include <exception>
#include <iostream>
#include <string>
#include <system_error>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "bench/compare/compare.hpp"
#include "bench/compare/diff.hpp"
#include "bench/compare/grain.hpp"
#include "bench/compare/list.hpp"
#include "bench/compare/metg.hpp"
#include "bench/compare/micro.hpp"
#include "bench/compare/process.hpp"
#include "bench/compare/report.hpp"
#include "bench/compare/run.hpp"
#include "bench/compare/trace.hpp"
#include "workloads/parameters.hpp"

namespace {

constexpr int failed = 1;
constexpr int bad_usage = 2;
constexpr int killed_by_signal = 128;

int refuse(const std::string& message) {
  std::cerr << "stealbench: " << message << '\n';
  return bad_usage;
}

/// The commands of a program or the options of a command, for a message.
std::string valid_words(const CLI::App& of) {
  std::string words;
  for (const CLI::App* command : of.get_subcommands({})) words += " " + command->get_name();
  if (!words.empty()) return "valid commands:" + words;
  for (const CLI::Option* option : of.get_options()) words += " " + option->get_name();
  return fmt::format("valid for {}:{}", of.get_name(), words);
}

int explain(const CLI::App& program, const CLI::ParseError& error) {
  if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success)) {
    return program.exit(error);
  }
  const auto chosen = program.get_subcommands();
  return refuse(
      fmt::format("{}\n{}", error.what(), valid_words(chosen.empty() ? program : *chosen.front())));
}

}  // namespace

int main(int argc, char** argv) {
  namespace compare = stealbench::compare;
  CLI::App program("Compares fork-join schedulers on programs that are written once for all.",
                   "stealbench");
  int status = bad_usage;
  try {
    compare::declare_list(program, status);
    compare::declare_run(program, status);
    compare::declare_trace(program, status);
    compare::declare_compare(program, {argv + 1, argv + argc}, status);
    compare::declare_diff(program, status);
    compare::declare_grain(program, {argv + 1, argv + argc}, status);
    compare::declare_metg(program, {argv + 1, argv + argc}, status);
    compare::declare_micro(program, {argv + 1, argv + argc}, status);
    compare::declare_report(program, status);
    program.parse(argc, argv);
    if (program.get_subcommands().empty()) std::cerr << program.help();
    if (!std::cout.flush()) {
      throw std::system_error(errno, std::generic_category(), "cannot write the standard output");
    }
    return status;
  } catch (const CLI::ParseError& error) {
    return explain(program, error);
  } catch (const stealbench::workloads::bad_input& error) {
    return refuse(error.what());
  } catch (const compare::interrupted& interruption) {
    return killed_by_signal + interruption.signal();
  } catch (const std::exception& error) {
    std::cerr << "stealbench: " << error.what() << '\n';
    return failed;
  }
}
