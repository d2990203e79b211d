// What is the same for every experiment: its command, the raw file, --resume, and the report.
#include "bench/driver/experiments/experiment.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <iostream>
#include <limits>
#include <memory>
#include <stdexcept>

#include <boost/algorithm/string.hpp>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "bench/cell/command_line.hpp"
#include "bench/driver/experiments/list.hpp"
#include "bench/driver/experiments/report.hpp"
#include "bench/driver/rounds/host.hpp"
#include "results/analysis/estimates.hpp"
#include "results/system/inherited.hpp"
#include "workloads/kit/parameters.hpp"

namespace stealbench::experiments {
namespace {

using cell::takes::number;
using dataset::json;
using kit::bad_input;

constexpr unsigned a_day = 86'400;  ///< In seconds.

/// As a shell takes it. Not `quoted`, which std has, too.
std::string in_shell(const std::filesystem::path& path) {
  std::string text = path.string();
  const auto is_plain = boost::is_alnum() || boost::is_any_of("_./+-,=@%");
  if (!text.empty() && boost::all(text, is_plain)) return text;
  return fmt::format("'{}'", boost::replace_all_copy(text, "'", R"('\'')"));
}

std::string now() { return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr))); }

/// Of two placements one would lose, and OpenMP's can hide processors from a benchmark that pins.
void drop_variables_that_bind() {
  constexpr const char* names = "OMP_PROC_BIND OMP_PLACES GOMP_CPU_AFFINITY KMP_AFFINITY KMP_HW_";
  for (const std::string& each : system::variables(names)) {
    std::cerr << fmt::format("{} is not passed on to benchmarks, because of --pin\n", each);
    unsetenv(each.c_str());  // NOLINT(concurrency-mt-unsafe): one thread
  }
}

/// How often its benchmarks run.
void declare_rounds(rounds::plan& plan, settings& options, const member& among) {
  rounds::stopping_rule& until = plan.until;
  const auto add_rounds = [&](const char* name, const char* help) {
    return options.add(name, until.rounds, number(1, rounds::most_rounds), help);
  };
  if (plan.simulation) {
    constexpr unsigned most_jobs = 4096;
    unsigned& jobs = plan.simulation->jobs;
    if (!among.is_alone()) jobs = among.local == 0 ? 1 : std::max(1U, jobs / among.local);
    cell::add_option(options.command(), "--jobs", plan.simulation->jobs, number(1, most_jobs),
                     "Simulate N benchmarks side by side; no simulated time depends on it")
        ->default_str("one on each processor, shared among the ranks of a host");
  }
  if (plan.simulates_all()) {
    add_rounds("--seeds", "Simulate every benchmark with the seeds 1 to N");
    return;
  }
  if (plan.simulation) {
    add_rounds("--rounds", "Measure every benchmark N times, or simulate it with the seeds 1 to N");
  } else {
    options.add("--budget", until.budget_seconds, number(1, a_day),
                "Time budget [s]. Six rounds run in any case, for fewer tell nothing apart; after "
                "them, a new round starts only if at least half of it fits");
    options.add("--target", until.target_percent, cell::takes::percentage(),
                "Precision [%]. Stop once every median's 95 % confidence interval is within ± N %, "
                "or the budget is spent");
    add_rounds("--rounds", "Measure every benchmark N times. Overrides --budget and --target")
        ->default_str("");
  }
  cell::add_option(options.command(), "--calm", plan.calm_seconds, cell::takes::number(0, a_day),
                   "Before the first measurement, wait up to N seconds until other programs stop");
  options
      .add("--seed", plan.seed, number(0, std::numeric_limits<std::uint64_t>::max()),
           "Seed of the random order of the benchmarks")
      ->default_str("random");
}

/// What a raw file says of the machine.
json conditions_of(const rounds::plan& plan) {
  return {{"baseline", plan.simulates_all() ? analysis::own_baseline : "serial"},
          {"host_checks", plan.host_checks}};
}

/// The command of one experiment.
class command {
 public:
  command(experiment& subject, CLI::App& program, started_by user)
      : subject_(subject),
        options_(*program.add_subcommand(subject.name(), subject.about().summary)),
        user_(std::move(user)) {
    subject.declare(options_);
    if (const description& about = subject.about(); about.values != nullptr) {
      options_.command().add_flag("--json", is_json_, about.json_help);
    }
    declare_rounds(subject.plan(), options_, user_.among);
    options_.add("--timeout", subject.plan().timeout_seconds, number(1, a_day),
                 "Time limit of one process [s]");
    cell::add_option(
        options_.command(), "--output", output_, cell::takes::folder,
        fmt::format("Folder for {} and the report", dataset::file_name_of(subject.name())));
    CLI::Option* const resume = options_.command().add_flag(
        "--resume", is_resumed_,
        "Continue the interrupted experiment in the output folder, with its settings");
    options_.command()
        .add_flag(
            "--overwrite", may_overwrite_,
            "Replace this experiment's file in the output folder, whatever it is. Without this "
            "option only a finished experiment is replaced")
        ->excludes(resume);
    cell::add_footer(
        options_.command(),
        fmt::format("{}{} The result of every process is saved at once: --resume continues after "
                    "an interruption.\n\n"
                    "Exit status: {} or a file could not be written, 2 for bad input (checked "
                    "before the first measurement).",
                    subject.about().notes, subject.about().method, subject.about().status),
        subject.about().examples);
  }

  [[nodiscard]] CLI::App& declared() { return options_.command(); }

  int run() {
    design wanted;
    if (!is_resumed_) wanted = subject_.check(installed());
    const member& self = user_.among;
    const std::size_t benchmarks = wanted.cells.size();
    if (is_shared() && !is_resumed_) {
      wanted.cells = share_of(self, wanted.cells);
      if (wanted.cells.empty()) return 0;
    }
    output_ = folder_of(self, output_);
    if (is_resumed_ && !self.is_alone() && !has_more_to_do()) return 0;
    dataset::appender file(output_, subject_.name(),
                           is_resumed_      ? dataset::earlier::resume
                           : may_overwrite_ ? dataset::earlier::replace
                                            : dataset::earlier::keep);
    expect_readable_neighbours();
    if (const unsigned longest = subject_.plan().calm_seconds; longest > 0) {
      rounds::wait_until_calm(std::chrono::seconds(longest));
    }
    if (is_resumed_) {
      go_on_with(file);
    } else {
      subject_.search(installed(), wanted);
      begin(file, wanted, benchmarks);
    }
    rounds::plan& plan = subject_.plan();
    for (const dataset::measured_cell& each : file.data().cells()) {
      plan.targets.push_back(subject_.target_of(each.which, installed()));
    }
    if (plan.simulation) plan.simulation->context = {{"commit", user_.commit}};
    rounds::measure(plan, file,
                    fmt::format("{} {} --resume --output {}", in_shell(user_.program),
                                subject_.name(), in_shell(output_)));
    return finish(file);
  }

 private:
  /// Made when it is first asked for: `--help` needs none.
  const rounds::installation& installed() {
    if (!installed_) installed_.emplace(rounds::installation::of_this_program());
    return *installed_;
  }

  /// Whether each rank simulates a part of it. What is measured is measured by every rank, whose
  /// machines are different ones.
  [[nodiscard]] bool is_shared() const {
    return !user_.among.is_alone() && subject_.plan().simulates_all();
  }

  /// Of a rank that goes on. It has no file if it has no share, which the file of any other says.
  [[nodiscard]] bool has_more_to_do() const {
    if (const auto file = dataset::find_file(output_, subject_.name())) {
      return !dataset::read_file(*file).data.is_finished();
    }
    const unsigned own = user_.among.rank;
    const unsigned ranks = user_.among.ranks;
    for (unsigned rank = 0; rank < ranks; ++rank) {
      const auto file = dataset::find_file(
          folder_of({.rank = rank, .ranks = ranks}, output_.parent_path()), subject_.name());
      if (!file) continue;
      const json header = dataset::read_file(*file).data.header();
      if (is_shared() && header.value("share", json::object()).value("benchmarks", ranks) <= own) {
        return false;
      }
      break;
    }
    throw bad_input(fmt::format(
        "--resume: rank {} of {} saved nothing in '{}' before it was stopped; valid: on all ranks "
        "the options that the {} started with, and --overwrite, to start again",
        own, ranks, output_.string(), subject_.name()));
  }

  /// The report is of all experiments in the folder: what is damaged there would be found only
  /// after the measurement.
  void expect_readable_neighbours() const {
    for (const auto& each : all()) {
      const auto file = dataset::find_file(output_, each->name());
      if (file && each->name() != subject_.name()) static_cast<void>(dataset::read_file(*file));
    }
  }

  /// `benchmarks`: of all ranks.
  void begin(dataset::appender& file, const design& wanted, std::size_t benchmarks) {
    json cells = json::array();
    for (const dataset::cell& each : wanted.cells) cells.push_back(json_of(each));
    check_host(wanted.cells);
    json header{{"type", "experiment"},
                {"format", dataset::format_version},
                {"experiment", subject_.name()},
                {"command", fmt::format("stealbench {}", fmt::join(user_.arguments, " "))},
                {"date", now()},
                {"settings", options_.record()},
                {"about", wanted.about}};
    header.update(conditions_of(subject_.plan()));
    if (is_shared()) header["share"] = json_of(user_.among, benchmarks);
    header["cells"] = std::move(cells);
    file.add(header);
  }

  /// For those of the cells that are measured.
  void check_host(const std::vector<dataset::cell>& cells) {
    rounds::plan& plan = subject_.plan();
    if (plan.simulates_all()) return;
    if (subject_.pattern().is_pinned) drop_variables_that_bind();
    unsigned most_workers = 1;
    for (const dataset::cell& each : cells) {
      if (!plan.simulates(each)) most_workers = std::max(most_workers, each.workers);
    }
    for (const auto& each : rounds::checks_before(most_workers)) {
      plan.host_checks.push_back(json_of(each));
    }
  }

  void go_on_with(dataset::appender& file) {
    std::vector<std::string> differences;
    try {
      const json& header = file.data().header();
      const json& recorded = header.at("settings");
      if (is_shared()) expect_same_share(header);
      options_.restore(recorded);
      if (auto& simulation = subject_.plan().simulation) {
        const json& about = header.at("about");
        simulation->profile = about.value("profile", json());
        simulation->machines = about.value("machines", simulation->machines);
      }
      static_cast<void>(subject_.check(installed()));
      differences = options_.differences(recorded);
    } catch (const json::exception&) {
      throw bad_input(
          fmt::format("--resume: this stealbench cannot continue the interrupted {}: the settings "
                      "in the first line of {} are not those that it has; valid: the build that "
                      "started it, or --overwrite to start again",
                      subject_.name(), file.file().string()));
    }
    if (!differences.empty()) {
      throw bad_input(
          fmt::format("--resume: the {} started with other settings: {}; valid: the same settings, "
                      "or --overwrite to start again",
                      subject_.name(), fmt::join(differences, "; ")));
    }
    std::vector<dataset::cell> cells;
    for (const dataset::measured_cell& each : file.data().cells()) cells.push_back(each.which);
    check_host(cells);
    file.add({{"type", "resumed"}, {"date", now()}, {"host_checks", subject_.plan().host_checks}});
  }

  void expect_same_share(const json& header) const {
    const json begun = header.value("share", json());
    const member& now = user_.among;
    if (begun.is_object() && begun.at("rank") == now.rank && begun.at("ranks") == now.ranks) return;
    throw bad_input(fmt::format(
        "--resume: the folder of rank {} of {} holds {}; valid: as many ranks as the sweep started "
        "with",
        now.rank, now.ranks,
        begun.is_object() ? fmt::format("what is of rank {} of {}", begun.at("rank").dump(),
                                        begun.at("ranks").dump())
                          : "no share"));
  }

  int finish(const dataset::appender& file) const {
    const dataset::measurements& data = file.data();
    if (is_share(data)) {
      const std::string whole = in_shell(output_.parent_path());
      if (user_.among.rank == 0) {
        std::cerr << fmt::format(
            "When all ranks have ended, run\n  {0} merge {1}/rank-* --output {1}\n",
            in_shell(user_.program), whole);
      }
      return 0;  // mpirun ends all ranks when one fails; the whole says which benchmarks did.
    }
    try {
      std::ostream nowhere(nullptr);
      if (is_json_) {
        for (const json& each : subject_.about().values(data)) std::cout << each << '\n';
        std::cout.flush();
      }
      const double spent = data.spent_seconds();
      const bool is_silent = is_json_ || !user_.among.is_alone();
      write_report(output_, output_, false, is_silent ? nowhere : std::cout,
                   spent / (spent + rounds::report_time(data.cells().size()).count()));
    } catch (const std::exception&) {
      std::cerr << (file.is_saved()
                        ? fmt::format("All measurements are saved. To write the report, run\n  "
                                      "{} report {}\n",
                                      in_shell(user_.program), in_shell(output_))
                        : fmt::format("{} was moved, deleted or replaced by another program.\n",
                                      file.file().string()));
      throw;
    }
    if (const auto failed = std::ranges::count(data.cells(), false, dataset::has_finished)) {
      std::cout.flush();
      std::cerr << fmt::format("stealbench: {} of {} benchmarks did not finish\n", failed,
                               data.cells().size());
    }
    return user_.among.is_alone() ? subject_.status_of(data) : 0;
  }

  experiment& subject_;
  settings options_;
  started_by user_;
  std::optional<rounds::installation> installed_;
  std::filesystem::path output_ = "stealbench-results";
  bool is_json_ = false;
  bool is_resumed_ = false;
  bool may_overwrite_ = false;
};

}  // namespace

rounds::target experiment::target_of(const dataset::cell& which,
                                     const rounds::installation& installed) const {
  rounds::target target = pattern_;
  target.which = which;
  target.executable = (plan_.simulates(which) ? installed.choose_simulated(which.scheduler)
                                              : installed.choose(which.scheduler))
                          .executable;
  return target;
}

int experiment::status_of(const dataset::measurements& data) const {
  return std::ranges::all_of(data.cells(), dataset::has_finished) ? 0 : 1;
}

std::span<const std::unique_ptr<experiment>> all() {
  static const std::array experiments = make_all();
  return experiments;
}

std::vector<report::section> sections_of(const dataset::measurements& data) {
  const experiment& found = *kit::find_named(
      all(), [](const auto& each) { return each->name(); }, data.experiment(),
      fmt::format("unknown experiment {}", dataset::shown(data.experiment())));
  try {
    return found.about().report(data);
  } catch (const std::invalid_argument& error) {  // Of values that do not belong together.
    throw bad_input(fmt::format(
        "a dataset of '{0}' cannot be analysed: {1}; valid: a file written by `stealbench {0}`",
        data.experiment(), error.what()));
  }
}

void declare_all(CLI::App& program, const started_by& user, int& status) {
  for (const auto& each : all()) {
    const auto added = std::make_shared<command>(*each, program, user);
    added->declared().callback([added, &status] { status = added->run(); });
  }
}

}  // namespace stealbench::experiments
