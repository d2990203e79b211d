#include "bench/driver/experiments/experiment.hpp"

#include <algorithm>
#include <array>
#include <ctime>
#include <iostream>
#include <limits>
#include <random>
#include <utility>

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "bench/cell/command_line.hpp"
#include "bench/driver/experiments/report.hpp"
#include "bench/driver/rounds/host.hpp"
#include "schedulers/options.hpp"
#include "workloads/kit/parameters.hpp"

namespace stealbench::experiments {
namespace {

using dataset::json;
using kit::bad_input;

/// The options that the pipeline itself has.
struct pipeline_options {
  unsigned budget_seconds = 0;
  double target_percent = 2;
  unsigned rounds = 0;  ///< 0: as many as budget and target ask for.
  unsigned timeout_seconds = 120;
  std::uint64_t seed = std::random_device{}();
  std::filesystem::path output = "stealbench-results";
  bool resume = false;
  bool overwrite = false;
};

void declare(pipeline_options& chosen, settings& options, const std::string& name) {
  constexpr unsigned longest = 86'400;
  options
      .add("--budget", chosen.budget_seconds,
           "Time budget [s]. A new round starts only if at least half of it fits")
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
  options.add("--timeout", chosen.timeout_seconds, "Time limit of one process [s]")
      ->type_name("N")
      ->check(cell::between(1, longest))
      ->capture_default_str();
  options.add("--seed", chosen.seed, "Seed of the random order of the benchmarks")
      ->type_name("N")
      ->check(cell::between(0, std::numeric_limits<std::uint64_t>::max()))
      ->default_str("random");
  CLI::App& command = options.command();
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

std::string now() { return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr))); }

/// One call of an experiment's command.
class call {
 public:
  call(experiment& subject, const pipeline_options& chosen, const settings& options,
       std::string command)
      : subject_(subject),
        chosen_(chosen),
        options_(options),
        command_(std::move(command)),
        command_to_go_on_(fmt::format("stealbench {} --resume --output {}", subject.about().name,
                                      chosen.output.string())) {}

  int run() {
    if (!chosen_.resume) subject_.check(installed_);
    dataset::appender file(chosen_.output, subject_.about().name,
                           chosen_.resume      ? dataset::earlier::resume
                           : chosen_.overwrite ? dataset::earlier::replace
                                               : dataset::earlier::keep);
    if (chosen_.resume) {
      go_on_with(file);
    } else {
      begin(file);
    }
    rounds::measure(plan_for(file.data()), file, command_to_go_on_);
    return finish(file.data());
  }

 private:
  void begin(dataset::appender& file) {
    const design made = subject_.make(
        {installed_, file.scratch_file(), std::chrono::seconds(chosen_.timeout_seconds)});
    json cells = json::array();
    unsigned most_workers = 1;
    for (const dataset::cell& each : made.cells) {
      cells.push_back(json_of(each));
      most_workers = std::max(most_workers, each.workers);
    }
    json checks = json::array();
    for (const auto& each : rounds::checks_before(most_workers)) checks.push_back(json_of(each));
    file.add({{"type", "experiment"},
              {"format", dataset::format_version},
              {"experiment", subject_.about().name},
              {"command", command_},
              {"date", now()},
              {"settings", options_.record()},
              {"baseline", "serial"},
              {"about", made.about},
              {"host_checks", std::move(checks)},
              {"energy", rounds::energy_of()},
              {"cells", std::move(cells)}});
  }

  void go_on_with(dataset::appender& file) {
    std::vector<std::string> differences;
    try {
      const json recorded = file.data().header().at("settings");
      options_.restore(recorded);
      subject_.check(installed_);
      differences = options_.differences(recorded);
    } catch (const json::exception& error) {
      throw bad_input(fmt::format(
          "--resume: this stealbench cannot continue the interrupted {}: {}; valid: the build that "
          "started it, or --overwrite to start again",
          subject_.about().name, error.what()));
    }
    if (!differences.empty()) {
      throw bad_input(fmt::format(
          "--resume: the {} started with other settings: {}; valid: the same settings, or "
          "--overwrite to start again",
          subject_.about().name, fmt::join(differences, "; ")));
    }
    file.add({{"type", "resumed"}, {"date", now()}});
  }

  [[nodiscard]] rounds::plan plan_for(const dataset::measurements& data) const {
    rounds::plan plan{.targets = {},
                      .until = {.target = chosen_.target_percent / 100,
                                .budget = std::chrono::seconds(chosen_.budget_seconds)},
                      .timeout = std::chrono::seconds(chosen_.timeout_seconds),
                      .seed = chosen_.seed,
                      .counts = subject_.about().counts,
                      .sample_time = subject_.about().sample_time};
    if (chosen_.rounds > 0) plan.until.rounds = chosen_.rounds;
    for (const dataset::measured_cell& each : data.cells()) {
      plan.targets.push_back({each.which, installed_.choose(each.which.scheduler).executable,
                              subject_.about().measures_figures});
    }
    return plan;
  }

  int finish(const dataset::measurements& data) const {
    try {
      write_report(chosen_.output, chosen_.output);
    } catch (const std::exception&) {
      std::cerr << fmt::format(
          "All measurements are saved. To write the report, run\n  stealbench report {}\n",
          chosen_.output.string());
      throw;
    }
    const auto failed = std::ranges::count(data.cells(), false, dataset::has_finished);
    if (failed == 0) return 0;
    std::cout.flush();
    std::cerr << fmt::format("stealbench: {} of {} benchmarks did not finish\n", failed,
                             data.cells().size());
    return 1;
  }

  experiment& subject_;
  const pipeline_options& chosen_;
  const settings& options_;
  std::string command_;
  std::string command_to_go_on_;
  rounds::installation installed_ = rounds::installation::of_this_program();
};

void declare_one(experiment& subject, CLI::App& program, const std::vector<std::string>& arguments,
                 int& status) {
  CLI::App* const command = program.add_subcommand(subject.about().name, subject.about().summary);
  const auto chosen = std::make_shared<pipeline_options>();
  chosen->budget_seconds = subject.about().budget_seconds;
  const auto options = std::make_shared<settings>(*command);
  subject.declare(*options);
  declare(*chosen, *options, subject.about().name);
  command->callback([&subject, &status, chosen, options, arguments] {
    status =
        call(subject, *chosen, *options, fmt::format("stealbench {}", fmt::join(arguments, " ")))
            .run();
  });
  command->footer(
      subject.about().notes +
      fmt::format(
          "A benchmark is one scheduler, one {} and one worker count. A round runs every "
          "benchmark once, in random order, each in its own process. The result of every "
          "process is saved at once: --resume continues after an interruption.\n\n",
          subject.about().measures_figures ? "metric" : "workload with all its parameters") +
      "Exit status: 0 if every benchmark finished, 1 if one failed or a file could not be written, "
      "2 for bad input (checked before the first measurement).\n\n" +
      subject.about().examples);
}

}  // namespace

std::span<const std::unique_ptr<experiment>> all() {
  static const std::array experiments{make_compare(), make_grain(), make_metg(), make_micro()};
  return experiments;
}

const experiment* find(const std::string& name) {
  const auto found =
      std::ranges::find(all(), name, [](const auto& each) { return each->about().name; });
  return found == all().end() ? nullptr : found->get();
}

void declare_all(CLI::App& program, const std::vector<std::string>& arguments, int& status) {
  for (const auto& each : all()) declare_one(*each, program, arguments, status);
}

CLI::Option* add_schedulers(settings& options, std::vector<std::string>& schedulers,
                            const std::string& shown_default) {
  return options
      .add("--schedulers,--scheduler", schedulers,
           "Schedulers, each as NAME or with settings as NAME:KEY=VALUE:KEY=VALUE; see `stealbench "
           "list`")
      ->type_name(cell::takes::scheduler)
      ->default_str(shown_default);
}

CLI::Option* add_workers(settings& options, std::vector<unsigned>& workers) {
  return options.add("--workers", workers, "Worker counts")
      ->type_name("N")
      ->check(cell::between(1, schedulers::max_workers))
      ->capture_default_str();
}

CLI::Option* add_size(settings& options, std::string& size) {
  return options.add("--size", size, "Size of each workload: preset parameter values")
      ->type_name("SIZE")
      ->check(cell::one_of({kit::size_names.begin(), kit::size_names.end()}))
      ->capture_default_str();
}

void resolve_schedulers(std::vector<std::string>& schedulers,
                        const rounds::installation& installed) {
  const std::vector<std::string> typed = schedulers.empty() ? installed.built() : schedulers;
  if (typed.empty()) {
    throw bad_input(fmt::format("no scheduler is built; build all of them with\n  {}",
                                rounds::build_command("compare")));
  }
  schedulers.clear();
  for (const std::string& each : typed) schedulers.push_back(installed.choose(each).name);
  schedulers = dataset::distinct(schedulers);
}

}  // namespace stealbench::experiments
