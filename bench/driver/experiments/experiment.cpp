#include "bench/driver/experiments/experiment.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <ctime>
#include <iostream>
#include <string_view>
#include <utility>

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "bench/cell/command_line.hpp"
#include "bench/driver/experiments/list.hpp"
#include "bench/driver/experiments/pipeline_options.hpp"
#include "bench/driver/experiments/report.hpp"
#include "bench/driver/rounds/host.hpp"
#include "results/analysis/estimates.hpp"
#include "schedulers/options.hpp"
#include "workloads/kit/parameters.hpp"

namespace stealbench::experiments {
namespace {

using dataset::json;
using kit::bad_input;

/// As a shell takes it.
std::string quoted(const std::filesystem::path& path) {
  const auto is_plain = [](unsigned char each) {
    return std::isalnum(each) != 0 ||
           std::string_view("_./+-,=@%").find(static_cast<char>(each)) != std::string_view::npos;
  };
  const std::string text = path.string();
  if (!text.empty() && std::ranges::all_of(text, is_plain)) return text;
  std::string made = "'";
  for (const char each : text) made += each == '\'' ? std::string("'\\''") : std::string(1, each);
  return made + "'";
}

std::string now() { return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr))); }

/// One call of an experiment's command.
class call {
 public:
  call(experiment& subject, const pipeline_options& chosen, const settings& options,
       std::string command, std::string commit)
      : subject_(subject),
        chosen_(chosen),
        options_(options),
        command_(std::move(command)),
        commit_(std::move(commit)),
        command_to_go_on_(fmt::format("stealbench {} --resume --output {}", subject.about().name,
                                      quoted(chosen.output))) {}

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
    return finish(file);
  }

 private:
  void begin(dataset::appender& file) {
    const design made = subject_.make({installed_, std::chrono::seconds(chosen_.timeout_seconds)});
    json cells = json::array();
    unsigned most_workers = 1;
    for (const dataset::cell& each : made.cells) {
      cells.push_back(json_of(each));
      most_workers = std::max(most_workers, each.workers);
    }
    json checks = json::array();
    const bool simulates = subject_.about().simulates;
    if (!simulates) {
      for (const auto& each : rounds::checks_before(most_workers)) checks.push_back(json_of(each));
    }
    file.add({{"type", "experiment"},
              {"format", dataset::format_version},
              {"experiment", subject_.about().name},
              {"command", command_},
              {"date", now()},
              {"settings", options_.record()},
              {"baseline", simulates ? analysis::own_baseline : "serial"},
              {"about", made.about},
              {"host_checks", std::move(checks)},
              {"energy", simulates ? "the times are simulated" : rounds::energy_of()},
              {"cells", std::move(cells)}});
  }

  void go_on_with(dataset::appender& file) {
    std::vector<std::string> differences;
    try {
      const json recorded = file.data().header().at("settings");
      options_.restore(recorded);
      subject_.recall(file.data().header().value("about", json::object()));
      subject_.check(installed_);
      differences = options_.differences(recorded);
    } catch (const json::exception&) {
      throw bad_input(fmt::format(
          "--resume: this stealbench cannot continue the interrupted {}: the settings in the first "
          "line of {} are not those that it has; valid: the build that started it, or --overwrite "
          "to start again",
          subject_.about().name, file.file().string()));
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
    const bool simulates = subject_.about().simulates;
    if (chosen_.rounds > 0) plan.until.rounds = chosen_.rounds;
    if (simulates) {
      plan.until.rounds = chosen_.seeds;
      plan.seed = 1;  // Nothing depends on their order.
      plan.simulation = {.profile = data.header().at("about").at("profile"),
                         .context = {{"commit", commit_}},
                         .jobs = chosen_.jobs};
    }
    for (const dataset::measured_cell& each : data.cells()) {
      const std::string& name = each.which.scheduler;
      const auto chosen = simulates ? installed_.choose_simulated(name) : installed_.choose(name);
      plan.targets.push_back({each.which, chosen.executable, subject_.about().measures_figures});
    }
    return plan;
  }

  int finish(const dataset::appender& file) const {
    const dataset::measurements& data = file.data();
    try {
      print_json(data);
      std::ostream nowhere(nullptr);
      write_report(chosen_.output, chosen_.output, false, chosen_.as_json ? nowhere : std::cout);
    } catch (const std::exception&) {
      std::cerr << (file.is_saved()
                        ? fmt::format("All measurements are saved. To write the report, run\n  "
                                      "stealbench report {}\n",
                                      quoted(chosen_.output))
                        : fmt::format("{} was moved, deleted or replaced by another program.\n",
                                      file.file().string()));
      throw;
    }
    const auto failed = std::ranges::count(data.cells(), false, dataset::has_finished);
    if (failed == 0) return 0;
    std::cout.flush();
    std::cerr << fmt::format("stealbench: {} of {} benchmarks did not finish\n", failed,
                             data.cells().size());
    return 1;
  }

  /// An object a line, if the user wants nothing else on the standard output.
  void print_json(const dataset::measurements& data) const {
    if (!chosen_.as_json) return;
    for (const json& each : subject_.about().as_json(data)) std::cout << each << '\n';
    std::cout.flush();
  }

  experiment& subject_;
  const pipeline_options& chosen_;
  const settings& options_;
  std::string command_;
  std::string commit_;
  std::string command_to_go_on_;
  rounds::installation installed_ = rounds::installation::of_this_program();
};

/// Below the options of a command, above its notes and its examples.
std::string method_of(const traits& about) {
  const std::string what =
      fmt::format("A benchmark is one scheduler, one {} and one worker count. ",
                  about.measures_figures ? "metric" : "workload with all its parameters");
  const std::string saved =
      "The result of every process is saved at once: --resume continues after an "
      "interruption.\n\n";
  if (about.simulates) {
    return what +
           "Every benchmark is simulated once with each seed, in its own process. The same seed "
           "gives the same result. " +
           saved;
  }
  return what + "A round runs every benchmark once, in random order, each in its own process. " +
         saved;
}

void declare_one(experiment& subject, CLI::App& program, const started_by& user, int& status) {
  CLI::App* const command = program.add_subcommand(subject.about().name, subject.about().summary);
  const auto chosen = std::make_shared<pipeline_options>();
  chosen->budget_seconds = subject.about().budget_seconds;
  const auto options = std::make_shared<settings>(*command);
  subject.declare(*options);
  declare(*chosen, *options, subject.about());
  command->callback([&subject, &status, chosen, options, user] {
    status = call(subject, *chosen, *options,
                  fmt::format("stealbench {}", fmt::join(user.arguments, " ")), user.commit)
                 .run();
  });
  command->footer(
      subject.about().notes + method_of(subject.about()) +
      "Exit status: 0 if every benchmark finished, 1 if one failed or a file could not be written, "
      "2 for bad input (checked before the first measurement).\n\n" +
      subject.about().examples);
}

}  // namespace

std::span<const std::unique_ptr<experiment>> all() {
  static const std::array experiments = made_each();
  return experiments;
}

std::vector<report::section> sections_of(const dataset::measurements& data) {
  const auto found = std::ranges::find(all(), data.experiment(),
                                       [](const auto& each) { return each->about().name; });
  if (found == all().end()) {
    std::vector<std::string> valid;
    for (const auto& each : all()) valid.push_back(each->about().name);
    throw bad_input(fmt::format("unknown experiment {}; valid: {}",
                                dataset::shown(data.experiment()), fmt::join(valid, ", ")));
  }
  try {
    return (*found)->about().report(data);
  } catch (const std::invalid_argument& error) {  // Of values that do not belong together.
    throw bad_input(
        fmt::format("a dataset of '{}' cannot be analysed: {}; valid: a file written by "
                    "`stealbench {}`",
                    data.experiment(), error.what(), data.experiment()));
  }
}

void declare_all(CLI::App& program, const started_by& user, int& status) {
  for (const auto& each : all()) declare_one(*each, program, user, status);
}

CLI::Option* add_schedulers(settings& options, std::vector<std::string>& schedulers,
                            const std::string& shown_default) {
  return options
      .add("--schedulers,--scheduler", schedulers,
           "Schedulers, each as NAME or with settings as NAME:KEY=VALUE:KEY=VALUE, or all that are "
           "built; see `stealbench list`")
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

void workload_sizes::declare(settings& options) {
  add_size(options, of_all_);
  options.add("--size-of", of_some_, "Another size for some workloads, each as WORKLOAD=SIZE")
      ->type_name("WORKLOAD=SIZE");
}

void workload_sizes::check(const std::vector<std::string>& workloads) const {
  for (const std::string& each : of_some_) {
    const auto [workload, size] = kit::parse_assignment(each, "--size-of");
    if (std::ranges::count(workloads, workload) == 0) {
      throw bad_input(fmt::format("--size-of {}: no such workload is chosen; valid: {}", each,
                                  fmt::join(workloads, ", ")));
    }
    if (std::ranges::count(kit::size_names, size) == 0) {
      throw bad_input(fmt::format("--size-of {}: no such size; valid: {}", each,
                                  fmt::join(kit::size_names, ", ")));
    }
  }
  for (const std::string& each : workloads) static_cast<void>(instances_of(each));
}

std::vector<dataset::instance> workload_sizes::instances_of(
    const std::string& workload, const std::vector<kit::assignment>& set) const {
  std::string chosen = of_all_;
  for (const std::string& each : of_some_) {
    const auto [name, size] = kit::parse_assignment(each, "--size-of");
    if (name == workload) chosen = size;
  }
  return rounds::instances_of(rounds::find_workload(workload), chosen, set);
}

void resolve_schedulers(std::vector<std::string>& schedulers,
                        const rounds::installation& installed) {
  const bool are_all = schedulers.empty() || schedulers == std::vector<std::string>{"all"};
  const std::vector<std::string> typed = are_all ? installed.built() : schedulers;
  if (typed.empty()) {
    throw bad_input(fmt::format("no scheduler is built; build all of them with\n  {}",
                                rounds::build_command("compare")));
  }
  schedulers.clear();
  for (const std::string& each : typed) schedulers.push_back(installed.choose(each).name);
  schedulers = dataset::distinct(schedulers);
}

}  // namespace stealbench::experiments
