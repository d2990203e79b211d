// The commands of `stealbench` that measure nothing or one run. Each is added to the program; when
// it is chosen, its exit status goes to `status`. All throw kit::bad_input for bad input.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include <CLI/CLI.hpp>

namespace stealbench::driver {

/// Adds a command that calls `run` with what was typed. Returns the command and what will be typed,
/// for its options; both live as long as the program.
template <class Typed>
std::pair<CLI::App&, Typed&> add_command(CLI::App& program, const std::string& name,
                                         const std::string& summary, int (*run)(const Typed&),
                                         int& status) {
  const auto typed = std::make_shared<Typed>();
  CLI::App& command = *program.add_subcommand(name, summary);
  command.callback([typed, run, &status] { status = run(*typed); });
  return {command, *typed};
}

/// What there is to run.
void declare_list(CLI::App& program, int& status);

/// What of this machine disturbs a measurement, and what is not built. Status 1 if there is such.
void declare_doctor(CLI::App& program, int& status);

/// One workload once, on one scheduler. Status 0 for a right answer or one that cannot be checked,
/// 1 for a wrong answer or a crash. Throws system::interrupted.
void declare_run(CLI::App& program, int& status);

/// What each worker did and when, in one run. Status 0 if the trace was written, 1 for a wrong
/// answer or a crash, and then an older file stays. Throws system::interrupted.
void declare_trace(CLI::App& program, int& status);

/// What this machine charges for: the profile of a simulation. Status 0 if it was written, else the
/// older file stays. Throws system::interrupted, and std::exception if something could not be
/// measured.
void declare_calibrate(CLI::App& program, int& status);

/// What has changed between two datasets of one experiment. Status 1 if a cell has become slower.
void declare_diff(CLI::App& program, int& status);

/// Runs of several machines or commits beside each other. Throws std::system_error.
void declare_merge(CLI::App& program, int& status);

/// How far simulated times are from measured ones. Status 0, however far. Throws std::system_error.
void declare_validate(CLI::App& program, int& status);

/// A page, tables and plain values from raw files. Status 0, also where cells did not finish, which
/// the report says. Throws std::system_error.
void declare_report(CLI::App& program, int& status);

/// The completion script of a shell. Status 0. Takes every command that the program has when it is
/// parsed.
void declare_completion(CLI::App& program, int& status);

}  // namespace stealbench::driver
