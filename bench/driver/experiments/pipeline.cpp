// What is the same for every experiment: its command, the raw file, --resume, and the report.
#include <algorithm>
#include <cctype>
#include <ctime>
#include <iostream>
#include <memory>
#include <string_view>
#include <utility>

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "bench/cell/command_line.hpp"
#include "bench/driver/experiments/experiment.hpp"
#include "bench/driver/experiments/report.hpp"
#include "schedulers/input.hpp"

namespace stealbench::experiments {
namespace {

using dataset::json;
using schedulers::bad_input;

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

/// The command of one experiment.
class command {
 public:
  command(experiment& subject, CLI::App& program, started_by user)
      : subject_(subject),
        options_(*program.add_subcommand(subject.name(), subject.help().summary)),
        user_(std::move(user)) {
    subject.declare(options_);
    subject.declare_rounds(options_);
    constexpr unsigned a_day = 86'400;
    options_.add("--timeout", subject.plan().timeout_seconds, "Time limit of one process [s]")
        ->type_name("N")
        ->check(cell::between(1, a_day))
        ->capture_default_str();
    options_.command()
        .add_option(
            "--output", output_,
            fmt::format("Folder for {} and the report", dataset::file_name_of(subject.name())))
        ->type_name(cell::takes::folder)
        ->capture_default_str();
    CLI::Option* const resume = options_.command().add_flag(
        "--resume", is_resumed_,
        "Continue the interrupted experiment in the output folder, with its settings");
    options_.command()
        .add_flag("--overwrite", may_overwrite_,
                  "Replace an interrupted experiment in the output folder. A finished one is "
                  "replaced without this option")
        ->excludes(resume);
    options_.command().footer(fmt::format(
        "{}{} The result of every process is saved at once: --resume continues after an "
        "interruption.\n\n"
        "Exit status: 0 if every benchmark finished, 1 if one failed or a file could not be "
        "written, 2 for bad input (checked before the first measurement).\n\n"
        "{}",
        subject.help().notes, subject.help().method, subject.help().examples));
  }

  [[nodiscard]] CLI::App& declared() { return options_.command(); }

  int run() {
    if (!is_resumed_) subject_.check(installed());
    dataset::appender file(output_, subject_.name(),
                           is_resumed_      ? dataset::earlier::resume
                           : may_overwrite_ ? dataset::earlier::replace
                                            : dataset::earlier::keep);
    if (is_resumed_) {
      go_on_with(file);
    } else {
      begin(file);
    }
    rounds::plan plan = subject_.plan_for(file.data());
    for (const dataset::measured_cell& each : file.data().cells()) {
      plan.targets.push_back(subject_.target_of(each.which, installed()));
    }
    if (plan.simulation) plan.simulation->context = {{"commit", user_.commit}};
    rounds::measure(
        plan, file,
        fmt::format("stealbench {} --resume --output {}", subject_.name(), quoted(output_)));
    return finish(file);
  }

 private:
  /// Made when it is first asked for: `--help` needs none.
  const rounds::installation& installed() {
    if (!installed_) installed_.emplace(rounds::installation::of_this_program());
    return *installed_;
  }

  void begin(dataset::appender& file) {
    const design made = subject_.make(installed());
    json cells = json::array();
    unsigned most_workers = 1;
    for (const dataset::cell& each : made.cells) {
      cells.push_back(json_of(each));
      most_workers = std::max(most_workers, each.workers);
    }
    json header{{"type", "experiment"},
                {"format", dataset::format_version},
                {"experiment", subject_.name()},
                {"command", fmt::format("stealbench {}", fmt::join(user_.arguments, " "))},
                {"date", now()},
                {"settings", options_.record()},
                {"about", made.about}};
    header.update(subject_.conditions(most_workers));
    header["cells"] = std::move(cells);
    file.add(header);
  }

  void go_on_with(dataset::appender& file) {
    std::vector<std::string> differences;
    try {
      const json recorded = file.data().header().at("settings");
      options_.restore(recorded);
      subject_.recall(file.data().header().value("about", json::object()));
      subject_.check(installed());
      differences = options_.differences(recorded);
    } catch (const json::exception&) {
      throw bad_input(fmt::format(
          "--resume: this stealbench cannot continue the interrupted {}: the settings in the first "
          "line of {} are not those that it has; valid: the build that started it, or --overwrite "
          "to start again",
          subject_.name(), file.file().string()));
    }
    if (!differences.empty()) {
      throw bad_input(fmt::format(
          "--resume: the {} started with other settings: {}; valid: the same settings, or "
          "--overwrite to start again",
          subject_.name(), fmt::join(differences, "; ")));
    }
    file.add({{"type", "resumed"}, {"date", now()}});
  }

  int finish(const dataset::appender& file) const {
    const dataset::measurements& data = file.data();
    try {
      std::ostream nowhere(nullptr);
      const bool are_printed = subject_.print_values(data);
      const double spent = data.spent_seconds();
      write_report(output_, output_, false, are_printed ? nowhere : std::cout,
                   spent / (spent + rounds::report_time(data.cells().size()).count()));
    } catch (const std::exception&) {
      std::cerr << (file.is_saved()
                        ? fmt::format("All measurements are saved. To write the report, run\n  "
                                      "stealbench report {}\n",
                                      quoted(output_))
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

  experiment& subject_;
  settings options_;
  started_by user_;
  std::optional<rounds::installation> installed_;
  std::filesystem::path output_ = "stealbench-results";
  bool is_resumed_ = false;
  bool may_overwrite_ = false;
};

}  // namespace

void declare_all(CLI::App& program, const started_by& user, int& status) {
  for (const auto& each : all()) {
    const auto made = std::make_shared<command>(*each, program, user);
    made->declared().callback([made, &status] { status = made->run(); });
  }
}

}  // namespace stealbench::experiments
