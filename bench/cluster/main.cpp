// stealbench-mpi: a row of the tables, as every scheduler's executable (bench/process.md), and with
// `run` one search on the ranks that mpirun has started.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "bench/cell/command_line.hpp"
#include "bench/cell/google_benchmark.hpp"
#include "bench/cell/process.hpp"
#include "bench/cell/program.hpp"
#include "bench/cluster/strategy.hpp"
#include "bench/system/inherited.hpp"
#include "schedulers/operating_system/processors.hpp"

namespace stealbench::cluster {
namespace {

using nlohmann::ordered_json;

std::unique_ptr<world> begin() {
  auto all = std::make_unique<world>();
  ordered_json place{{"host", all->host()}};
  const ordered_json own = cell::provenance();
  for (const char* const key : {"processor", "processors", "commit"}) place[key] = own[key];
  for (const std::string& each : all->gather(place.dump())) {
    const ordered_json& there = places().emplace_back(ordered_json::parse(each));
    if (there["commit"] == own["commit"]) continue;
    all->give_up(fmt::format(
        "rank {} runs commit {} and rank 0 runs {}; valid: the same program on all ranks",
        places().size() - 1, there["commit"].get<std::string>(), own["commit"].get<std::string>()));
  }
  return all;
}

std::unique_ptr<world>& world_of_process() {
  static std::unique_ptr<world> made;
  return made;
}

struct arguments {
  cell::instance_options instance;
  unsigned workers = 1;
  std::string balance = "lifeline";
  bool as_json = false;
};

std::string milliseconds(const ordered_json& ns) {
  return fmt::format("{:.3f} ms", ns.get<double>() * 1e-6);
}

void print(const ordered_json& report) {
  const ordered_json& verified = report["verified"];
  std::cout << fmt::format("{} on {}, {} of {}\n", report["workload"].get<std::string>(),
                           report["scheduler"].get<std::string>(),
                           counted(report["counters"]["ranks"].size(), "rank"),
                           counted(report["workers_of_rank"].get<std::size_t>(), "worker"))
            << fmt::format("  answer       {}\n  check        {}\n  time         {}\n",
                           report["answer"].dump(),
                           verified.is_null() ? "not checked: the right answer is not known"
                           : verified         ? "right"
                                              : "WRONG",
                           milliseconds(report["time_ns"]));
  for (const std::string what : {"steal", "split", "merge", "termination"}) {
    const ordered_json& ns = report["counters"][what + "_ns"];
    std::cout << fmt::format("  {:<11}  {}\n", what, ns.is_null() ? "none" : milliseconds(ns));
  }
  std::cout << fmt::format("  {:>4}  {:>12} {:>10} {:>10} {:>9} {:>9} {:>7} {:>7}  {}\n", "rank",
                           "expanded", "sent", "received", "requests", "refusals", "steals",
                           "gifts", "host");
  std::size_t rank = 0;
  for (const ordered_json& each : report["counters"]["ranks"]) {
    const auto count = [&each](const char* key) { return each[key].get<std::uint64_t>(); };
    std::cout << fmt::format("  {:>4}  {:>12} {:>10} {:>10} {:>9} {:>9} {:>7} {:>7}  {}\n", rank++,
                             count("expanded"), count("tasks_sent"), count("tasks_received"),
                             count("requests"), count("refusals"), count("steals"), count("gifts"),
                             each["host"].get<std::string>());
  }
}

/// mpirun binds each of two ranks to one core if it is not told otherwise.
void expect_processors(unsigned workers) {
  const unsigned usable = operating_system::processor_count();
  if (usable >= workers) return;
  std::cerr << fmt::format(
      "stealbench-mpi: warning: {} of a rank share {}; mpirun binds ranks, but with --bind-to "
      "none\n",
      counted(workers, "worker"), counted(usable, "processor"));
}

int run(const arguments& typed) {
  const auto name = [](const cell::program& each) { return each.description.name; };
  const cell::strategy& linked = cell::linked_strategy();
  cell::program program = kit::find_named(
      linked.programs, name, typed.instance.workload,
      fmt::format("workload '{}' has no distributed form", typed.instance.workload));
  const kit::parameters chosen = cell::instances_of(program.description, typed.instance).front();
  const schedulers::variant variant("mpi", linked.self.settings, "balance=" + typed.balance);
  expect_processors(typed.workers);
  program.counting = nullptr;  // The search that is timed counts, too.
  ordered_json report = cell::run_once(
      program, variant.name_of("mpi"), chosen,
      cell::options_of("mpi", typed.workers, /*pin=*/false, typed.instance.stack_mib, variant));
  report["workers_of_rank"] = typed.workers;
  report["workers"] = typed.workers * the_world().ranks();
  report["time_ns"] = report["counters"]["search_ns"];  // By the clock of MPI, simulated or not.
  if (typed.as_json) {
    std::cout << report.dump() << '\n';
  } else {
    print(report);
  }
  return report["verified"] == false ? 1 : 0;
}

int run_command(int argc, char** argv) {
  CLI::App app{"Searches on several processes, of which each has a pool of workers.",
               "stealbench-mpi"};
  app.require_subcommand(1);
  CLI::App& command = *app.add_subcommand(
      "run",
      "Run a workload once on the ranks that mpirun has started; print its answer, its "
      "time, and what each rank has done");
  arguments typed;
  std::vector<std::string> names;
  for (const cell::program& each : cell::linked_strategy().programs) {
    names.push_back(each.description.name);
  }
  cell::add_option(command, "WORKLOAD", typed.instance.workload,
                   {cell::takes::workload, cell::one_of(names)}, "Workload with a distributed form")
      ->required();
  cell::add_option(command, "--size", typed.instance.size, cell::takes::size(),
                   "Size of the workload: preset parameter values");
  cell::add_option(command, "--set", typed.instance.set, cell::takes::assignment,
                   "Set a parameter of the workload. May be repeated");
  cell::add_option(command, "--workers", typed.workers,
                   cell::takes::number(1, schedulers::max_workers), "Workers of each rank");
  cell::add_option(command, "--balance", typed.balance,
                   {"BALANCE", cell::one_of(cell::linked_strategy().self.settings.front().words())},
                   "Whom a rank without tasks asks");
  command.add_flag("--json", typed.as_json, "Print JSON");
  cell::add_footer(
      command,
      "Exit status: 0 if the answer is right or cannot be checked, 1 if it is wrong or "
      "a rank fails, 2 for bad input.",
      {"uts --set tree=T3 --workers 2", "nqueens --balance random --json"});
  return cell::run_command_line(app, argc, argv, [&typed] { return run(typed); });
}

/// How many ranks the row of a table is to have, by the setting `ranks` of `--variant VALUE` or
/// `--variant=VALUE`; empty if that names none of the numbers that there are.
std::string ranks_in(const std::vector<std::string>& typed) {
  const std::vector<schedulers::setting>& settings = cell::linked_strategy().self.settings;
  const schedulers::setting& ranks =
      *std::ranges::find(settings, "ranks", &schedulers::setting::name);
  const std::string option = "--variant";
  for (std::size_t i = 0; i < typed.size(); ++i) {
    std::string variant;
    if (typed[i] == option && i + 1 < typed.size()) variant = typed[i + 1];
    if (typed[i].starts_with(option + "=")) variant = typed[i].substr(option.size() + 1);
    for (const std::string& word : ranks.words()) {
      if ((":" + variant + ":").find(":ranks=" + word + ":") == std::string::npos) continue;
      return word == ranks.words().front() ? "" : word;
    }
  }
  return {};
}

constexpr const char* has_started_ranks = "STEALBENCH_HAS_STARTED_RANKS";

/// The ranks of a row of a table are started by the row's own process, which becomes mpirun: anew,
/// should the row itself be of a rank. Returns if there are none to start.
void start_ranks(const std::vector<std::string>& typed) {
  const std::string count = ranks_in(typed);
  // NOLINTBEGIN(concurrency-mt-unsafe): there is no other thread yet.
  if (count.empty() || std::getenv(has_started_ranks) != nullptr) return;
  std::vector<std::string> of_launcher;
  for (char** each = environ; *each != nullptr; ++each) {
    const std::string variable(*each);
    const bool is_of_user =
        variable.starts_with("OMPI_ALLOW") || variable.starts_with("OMPI_MCA_mpi");
    if (!is_of_user && (variable.starts_with("OMPI_") || variable.starts_with("PMIX_"))) {
      of_launcher.push_back(variable.substr(0, variable.find('=')));
    }
  }
  for (const std::string& each : of_launcher) unsetenv(each.c_str());
  setenv(has_started_ranks, "yes", 1);
  // NOLINTEND(concurrency-mt-unsafe)
  std::vector<std::string> words{"mpirun",          "--quiet",   "-n",  count,
                                 "--oversubscribe", "--bind-to", "none"};
  words.push_back(std::filesystem::read_symlink("/proc/self/exe").string());
  words.insert(words.end(), typed.begin(), typed.end());
  std::vector<char*> raw;
  raw.reserve(words.size() + 1);
  for (std::string& each : words) raw.push_back(each.data());
  raw.push_back(nullptr);
  execvp(raw.front(), raw.data());
  throw std::runtime_error("mpirun cannot be started; it is in the package openmpi-bin");
}

int run_rank(int argc, char** argv) {
  const std::vector<std::string> typed(argv + 1, argv + argc);
  start_ranks(typed);
  if (world::was_started() && the_world().rank() != 0) {
    follow();
    return 0;
  }
  const bool is_run = !typed.empty() && typed.front() == "run";
  const int status = is_run ? run_command(argc, argv) : cell::run_process(argc, argv);
  if (world_of_process()) dismiss();
  return status;
}

}  // namespace

std::vector<ordered_json>& places() {
  static std::vector<ordered_json> of_ranks;
  return of_ranks;
}

world& the_world() {
  std::unique_ptr<world>& all = world_of_process();
  if (!all) all = begin();
  return *all;
}

}  // namespace stealbench::cluster

int main(int argc, char** argv) {
  stealbench::system::begin_with_own_state();
  try {
    const int status = stealbench::cluster::run_rank(argc, argv);
    stealbench::cluster::world_of_process().reset();  // Ends MPI.
    return status;
  } catch (const std::exception& error) {
    // The other ranks would wait for this one.
    if (const auto& all = stealbench::cluster::world_of_process()) all->give_up(error.what());
    std::cerr << "stealbench-mpi: " << error.what() << '\n';
    return 1;
  }
}
