// The commands of `stealbench` that are no experiments. Each is added to the program; when it is
// chosen, its exit status, which its help explains, goes to `status`. A command throws
// kit::bad_input for bad input, std::system_error if a file cannot be written, and, where it starts
// processes, system::interrupted.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "bench/cell/command_line.hpp"
#include "bench/driver/rounds/installation.hpp"

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

/// An argument that names a dataset, or more of them if it is a list.
template <class Paths>
CLI::Option* add_dataset(CLI::App& command, const std::string& name, Paths& value,
                         const std::string& what) {
  return cell::add_option(command, name, value, cell::takes::file_or_folder,
                          what + ": its raw file (.jsonl, .jsonl.gz) or its output folder")
      ->required();
}

struct merge_request {
  std::vector<std::filesystem::path> runs;
  std::filesystem::path output = "stealbench-merged";
  double threshold_percent = 3;  ///< Smallest change of a median time that is reported.
};
/// What `stealbench merge` does; returns its exit status.
int merge(const merge_request& chosen);

/// What is not built, and the commands that add it.
void print_not_built(const std::vector<std::string>& names, const rounds::installation& installed);

void declare_list(CLI::App& program, int& status);
void declare_run(CLI::App& program, int& status);
void declare_trace(CLI::App& program, int& status);
void declare_calibrate(CLI::App& program, int& status);
void declare_diff(CLI::App& program, int& status);
void declare_merge(CLI::App& program, int& status);
void declare_validate(CLI::App& program, int& status);
void declare_report(CLI::App& program, int& status);
void declare_doctor(CLI::App& program, int& status);

}  // namespace stealbench::driver
