#include "bench/driver/experiments/pipeline_options.hpp"

#include <limits>

#include <fmt/format.h>

#include "bench/cell/command_line.hpp"

namespace stealbench::experiments {
namespace {

constexpr unsigned longest = 86'400;
constexpr unsigned most_jobs = 4096;

void declare_rounds(pipeline_options& chosen, settings& options) {
  options
      .add("--budget", chosen.budget_seconds,
           "Time budget [s]. Six rounds run in any case, for fewer tell nothing apart; after them, "
           "a "
           "new round starts only if at least half of it fits")
      ->type_name("N")
      ->check(cell::between(1, longest))
      ->capture_default_str();
  options
      .add("--target", chosen.target_percent,
           "Precision [%]. Stop once every median's 95 % confidence interval is within ± N %, or "
           "the budget is spent")
      ->type_name("N")
      ->check(cell::percentage())
      ->capture_default_str();
  options
      .add("--rounds", chosen.rounds,
           "Measure every benchmark N times. Overrides --budget and --target")
      ->type_name("N")
      ->check(cell::between(1, rounds::most_rounds));
}

void declare_files(pipeline_options& chosen, CLI::App& command, const std::string& name) {
  command
      .add_option("--output", chosen.output,
                  fmt::format("Folder for {} and the report", dataset::file_name_of(name)))
      ->type_name(cell::takes::folder)
      ->capture_default_str();
  CLI::Option* const resume =
      command.add_flag("--resume", chosen.resume,
                       "Continue the interrupted experiment in the output folder, with its "
                       "settings");
  command
      .add_flag(
          "--overwrite", chosen.overwrite,
          "Replace an interrupted experiment in the output folder. A finished one is replaced "
          "without this option")
      ->excludes(resume);
}

}  // namespace

void declare(pipeline_options& chosen, settings& options, const traits& about) {
  if (about.simulates) {
    options.add("--seeds", chosen.seeds, "Simulate every benchmark with the seeds 1 to N")
        ->type_name("N")
        ->check(cell::between(1, rounds::most_rounds))
        ->capture_default_str();
    options.command()
        .add_option("--jobs", chosen.jobs,
                    "Simulate N benchmarks side by side; no simulated time depends on it")
        ->type_name("N")
        ->check(cell::between(1, most_jobs))
        ->default_str("one on each processor");
  } else {
    declare_rounds(chosen, options);
  }
  options.add("--timeout", chosen.timeout_seconds, "Time limit of one process [s]")
      ->type_name("N")
      ->check(cell::between(1, longest))
      ->capture_default_str();
  if (!about.simulates) {
    options.add("--seed", chosen.seed, "Seed of the random order of the benchmarks")
        ->type_name("N")
        ->check(cell::between(0, std::numeric_limits<std::uint64_t>::max()))
        ->default_str("random");
  }
  if (about.as_json != nullptr) {
    options.command().add_flag("--json", chosen.as_json,
                               "Print JSON, an object for each curve, and no report");
  }
  declare_files(chosen, options.command(), about.name);
}

}  // namespace stealbench::experiments
