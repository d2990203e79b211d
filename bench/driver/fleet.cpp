// `stealbench fleet`: one experiment on every host of a list, and one report.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "bench/driver/commands.hpp"
#include "bench/driver/experiments/experiment.hpp"
#include "results/dataset/measurements.hpp"
#include "results/system/process.hpp"
#include "workloads/kit/parameters.hpp"

namespace stealbench::driver {
namespace {

namespace fs = std::filesystem;
using kit::bad_input;

struct fleet_request {
  fs::path hosts;
  std::vector<std::string> command;
  std::string launcher = "mpirun";
  fs::path output = "stealbench-fleet";
};

/// The first word of each line that is not empty and no comment, each once.
std::vector<std::string> hosts_in(const fs::path& file) {
  const auto refuse = [&](const std::string& reason) {
    throw bad_input(
        fmt::format("HOSTFILE: '{}' {}; valid: a file with the name of a host on each line",
                    file.string(), reason));
  };
  std::error_code error;
  if (!fs::exists(file, error)) refuse("does not exist");
  if (!fs::is_regular_file(file, error)) refuse("is not a regular file");
  std::vector<std::string> hosts;
  std::ifstream lines(file);
  if (!lines) refuse("cannot be read");
  for (std::string line; std::getline(lines, line);) {
    std::string host;
    if (!(std::istringstream(line) >> host) || host.starts_with('#')) continue;
    if (std::ranges::find(hosts, host) == hosts.end()) hosts.push_back(host);
  }
  if (hosts.empty()) refuse("names no host");
  return hosts;
}

void expect_experiment(const std::vector<std::string>& command) {
  std::vector<std::string> valid;
  for (const auto& each : experiments::all()) valid.push_back(each->name());
  if (std::ranges::find(valid, command.front()) == valid.end()) {
    kit::refuse(fmt::format("fleet: '{}' is no experiment", command.front()), valid);
  }
  for (const std::string& each : command) {
    if (each == "--output" || each.starts_with("--output=")) {
      throw bad_input("fleet: --output stands behind --; valid: before it");
    }
  }
}

/// What makes the launcher start the experiment once on each host, with each line of its output
/// behind the rank.
std::vector<std::string> launch_of(const fleet_request& chosen, unsigned hosts) {
  const std::string list = fs::absolute(chosen.hosts).string();
  std::vector<std::string> arguments;
  const auto add = [&](const std::vector<std::string>& more) {
    arguments.insert(arguments.end(), more.begin(), more.end());
  };
  if (chosen.launcher == "mpirun") {
    add({"--hostfile", list, "--map-by", "ppr:1:node", "--bind-to", "none"});
    if (hosts > 1) add({"--tag-output"});
  } else {
    add({"--nodelist=" + list, fmt::format("--nodes={}", hosts), "--ntasks-per-node=1",
         "--cpu-bind=none"});
    if (hosts > 1) add({"--label"});
  }
  add({fs::read_symlink("/proc/self/exe").string()});
  add(chosen.command);
  add({"--output", fs::absolute(chosen.output).string()});
  return arguments;
}

int fleet(const fleet_request& chosen) {
  const auto hosts = static_cast<unsigned>(hosts_in(chosen.hosts).size());
  expect_experiment(chosen.command);
  const int status = system::run_in_foreground(chosen.launcher, launch_of(chosen, hosts));
  constexpr int bad_usage = 2;
  if (status == bad_usage) return status;  // A rank has said what is wrong.
  const std::string& experiment = chosen.command.front();
  // Not the folders, which may hold other experiments, too.
  const auto file_of = [&](unsigned rank) {
    const fs::path folder = experiments::folder_of({.rank = rank, .ranks = hosts}, chosen.output);
    return dataset::find_file(folder, experiment)
        .value_or(folder / dataset::file_name_of(experiment));
  };
  const auto is_whole = [](const fs::path& file) {
    return fs::exists(file) && dataset::read_file(file).data.is_finished();
  };
  // One host alone has written its report, and its status says whether a benchmark failed.
  if (hosts == 1 && (status == 0 || (status == 1 && is_whole(file_of(0))))) return status;
  if (status != 0) {
    throw std::runtime_error(
        fmt::format("{} ended with status {}. What has been measured, if anything, is in {}; to "
                    "continue, add --resume behind {}",
                    chosen.launcher, status, chosen.output.string(), experiment));
  }
  // Of more hosts than benchmarks some have no share.
  const auto share =
      dataset::read_file(file_of(0)).data.header().value("share", dataset::json::object());
  const unsigned ranks = std::min(hosts, share.value("benchmarks", hosts));
  merge_request parts{.runs = {}, .output = chosen.output};
  for (unsigned rank = 0; rank < ranks; ++rank) parts.runs.push_back(file_of(rank));
  static_cast<void>(merge(parts));  // 1 only if a benchmark failed, as below.
  const bool has_failed = std::ranges::any_of(parts.runs, [](const fs::path& file) {
    return !std::ranges::all_of(dataset::read_file(file).data.cells(), dataset::has_finished);
  });
  return has_failed ? 1 : 0;
}

}  // namespace

void declare_fleet(CLI::App& program, int& status) {
  const auto [command, chosen] = add_command(
      program, "fleet",
      "Run an experiment on every host of a list, by mpirun or srun, and merge what they measured",
      fleet, status);
  cell::add_option(command, "HOSTFILE", chosen.hosts, cell::takes::file,
                   "File with the name of a host on each line, as mpirun takes it")
      ->required();
  cell::add_option(command, "COMMAND", chosen.command, {"COMMAND"},
                   "Behind --: an experiment with its options, but for --output")
      ->required()
      ->expected(-1)
      ->delimiter('\0');
  cell::add_option(command, "--launcher", chosen.launcher,
                   {"LAUNCHER", cell::one_of({"mpirun", "srun"})}, "What starts the processes");
  cell::add_option(command, "--output", chosen.output, cell::takes::folder,
                   "Folder that all hosts share: of each its results in rank-N, and the report");
  cell::add_footer(
      command,
      "Each host measures every benchmark, and the report has them side by side; a simulation is "
      "shared out among the hosts, and the report is that of the whole.\n\n"
      "Exit status: 0, 1 if the launcher or a benchmark fails or a file could not be written, 2 "
      "for bad input.",
      {"hosts -- compare --workloads fib,uts", "hosts --launcher srun -- simulate fib --ablation"});
}

}  // namespace stealbench::driver
