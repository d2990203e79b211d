// `stealbench`: lists, runs and compares.
#include <cerrno>
#include <exception>
#include <iostream>
#include <string>
#include <system_error>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "bench/driver/commands.hpp"
#include "bench/driver/experiments/experiment.hpp"
#include "results/system/process.hpp"
#include "workloads/kit/parameters.hpp"

namespace {

constexpr int failed = 1;
constexpr int bad_usage = 2;
constexpr int killed_by_signal = 128;

int refuse(const std::string& message) {
  std::cerr << "stealbench: " << message << '\n';
  return bad_usage;
}

/// The commands of a program or the options of a command, for a message.
std::string valid_words(const CLI::App& program) {
  const auto chosen = program.get_subcommands();
  std::string words;
  if (chosen.empty()) {
    for (const CLI::App* command : program.get_subcommands({})) words += " " + command->get_name();
    return "valid commands:" + words;
  }
  for (const CLI::Option* option : chosen.front()->get_options()) words += " " + option->get_name();
  return fmt::format("valid for {}:{}", chosen.front()->get_name(), words);
}

int explain(const CLI::App& program, const CLI::ParseError& error) {
  if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success)) {
    return program.exit(error);
  }
  // A message of a validator names what is valid.
  const bool is_of_validator =
      error.get_exit_code() == static_cast<int>(CLI::ExitCodes::ValidationError);
  return refuse(is_of_validator ? error.what()
                                : fmt::format("{}\n{}", error.what(), valid_words(program)));
}

}  // namespace

int main(int argc, char** argv) {
  namespace driver = stealbench::driver;
  CLI::App program("Compares fork-join schedulers on programs that are written once for all.",
                   "stealbench");
  int status = bad_usage;
  try {
    driver::declare_list(program, status);
    driver::declare_run(program, status);
    driver::declare_trace(program, status);
    stealbench::experiments::declare_all(program, {argv + 1, argv + argc}, status);
    driver::declare_diff(program, status);
    driver::declare_report(program, status);
    program.parse(argc, argv);
    if (program.get_subcommands().empty()) std::cerr << program.help();
    if (!std::cout.flush()) {
      throw std::system_error(errno, std::generic_category(), "cannot write the standard output");
    }
    return status;
  } catch (const CLI::ParseError& error) {
    return explain(program, error);
  } catch (const stealbench::kit::bad_input& error) {
    return refuse(error.what());
  } catch (const stealbench::system::interrupted& interruption) {
    return killed_by_signal + interruption.signal();
  } catch (const std::exception& error) {
    std::cerr << "stealbench: " << error.what() << '\n';
    return failed;
  }
}
