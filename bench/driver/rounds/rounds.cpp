#include "bench/driver/rounds/rounds.hpp"

#include <algorithm>
#include <iostream>
#include <map>
#include <random>
#include <set>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "bench/driver/rounds/host.hpp"
#include "bench/driver/rounds/progress.hpp"
#include "bench/driver/rounds/schedule.hpp"
#include "results/analysis/estimates.hpp"
#include "results/report/format.hpp"
#include "workloads/kit/parameters.hpp"

namespace stealbench::rounds {
namespace {

using dataset::json;
using dataset::measured_cell;
using clock = std::chrono::steady_clock;

/// Without what names the machine or a place on it, and how the distribution built Google
/// Benchmark. What schedules is recorded of each scheduler that is a library.
json context_of(json context, const std::string& scheduler) {
  for (const char* const key : {"host_name", "executable", "library_build_type"}) {
    context.erase(key);
  }
  const json library = context.value("scheduler_library", json());
  context.erase("scheduler_library");
  if (library.is_string() && library != "in-house" && library != "none") {
    context["library of " + scheduler.substr(0, scheduler.find(':'))] = library;
  }
  return context;
}

/// Values of two builds, machines or environments do not belong in one table.
void expect_same_origin(const json& begun, const json& now) {
  for (const char* const key :
       {"commit", "compiler", "build_type", "flags", "processor", "kernel", "environment"}) {
    if (!begun.contains(key) || !now.contains(key) || begun[key] == now[key]) continue;
    throw kit::bad_input(fmt::format(
        "--resume: {} was {} when the experiment started and is {} now; valid: the same "
        "build on the same machine in the same environment, or --overwrite to start again",
        key, begun[key].dump(), now[key].dump()));
  }
}

/// Of one that has not failed.
dataset::sample values_of(const cell_run& run) { return dataset::sample_of(run.entry).value(); }

class measurement {
 public:
  measurement(const plan& what, dataset::appender& file)
      : plan_(what), file_(file), random_(what.seed), spent_before_(file.data().spent_seconds()) {}

  // The events are counted after the first round, so that what cannot be counted is known early.
  void run() {
    do {
      run_round(++round_);
      if (round_ == 1 && plan_.counts) count_events();
    } while (!is_enough(plan_.until, round_, so_far(), cells()));
  }

  [[nodiscard]] double spent_seconds() const { return spent().count(); }

 private:
  [[nodiscard]] const std::vector<measured_cell>& cells() const { return file_.data().cells(); }
  /// Since the experiment began, without what lay between an interruption and its resumption.
  [[nodiscard]] seconds spent() const { return spent_before_ + (clock::now() - begin_); }

  [[nodiscard]] effort so_far() const {
    effort spent_on{.spent = spent(),
                    .last_round = last_round_,
                    .round = round_,
                    .report = report_time(cells().size())};
    if (processes_ > 0) {
      spent_on.per_process = (clock::now() - begin_) / static_cast<double>(processes_);
    }
    return spent_on;
  }

  [[nodiscard]] outlook prospects() const {
    return outlook_on(plan_.until, plan_.counts, so_far(), cells());
  }

  /// A process of this cell is about to be started.
  const target& begin_process(std::size_t index) {
    const target& subject = plan_.targets[index];
    progress_.begin(name_of(subject.which), prospects());
    ++processes_;
    return subject;
  }

  void run_round(unsigned round) {
    std::vector<std::size_t> order = order_of_round(round, cells(), random_);
    if (order.empty()) return;
    progress_.begin_stage(fmt::format("{} {}", plan_.simulates_all() ? "seed" : "round", round),
                          prospects());
    const clock::time_point begin = clock::now();
    const auto timed = std::stable_partition(order.begin(), order.end(), [&](std::size_t index) {
      return plan_.simulates(plan_.targets[index].which);
    });
    simulate_cells({order.begin(), timed}, round);
    std::for_each(timed, order.end(), [&](std::size_t index) { time_cell(index, round); });
    last_round_ = clock::now() - begin;
  }

  void time_cell(std::size_t index, unsigned round) {
    const auto measured = [&] {
      return run_timed(begin_process(index), limit_, runner_, plan_.sample_time);
    };
    cell_run run = measured();
    // Others had a processor that it wanted. Not where it has more workers than there are.
    const target& subject = plan_.targets[index];
    const bool is_repeated = run.failure.empty() && !subject.is_figure &&
                             subject.which.workers <= usable_processors() &&
                             analysis::lost_processor(values_of(run));
    if (is_repeated) {
      cell_run again = measured();
      constexpr auto waiting = dataset::metric::waiting_threads;
      if (!again.failure.empty() || values_of(again)[waiting] <= values_of(run)[waiting]) {
        run = std::move(again);
      }
    }
    record_run(index, round, std::move(run), is_repeated);
  }

  // Side by side, for a simulated time does not depend on what else the machine does.
  void simulate_cells(const std::vector<std::size_t>& order, unsigned seed) {
    for (const std::size_t index : order) {
      if (simulated_now_.size() == plan_.simulation->jobs) end_simulation(seed);
      begin_simulation(index, seed);
    }
    while (!simulated_now_.empty()) end_simulation(seed);
  }

  void begin_simulation(std::size_t index, unsigned seed) {
    const target& subject = begin_process(index);
    try {
      const std::string& machine = subject.which.machine;
      simulated_now_[runner_.start(simulation_of(
          subject, seed,
          machine.empty() ? plan_.simulation->profile : plan_.simulation->machines.at(machine),
          limit_))] = index;
    } catch (const std::system_error& error) {
      if (system::is_shortage(error.code())) throw;
      record_run(index, seed, {.context = {}, .entry = {}, .failure = error.what()});
    }
  }

  void end_simulation(unsigned seed) {
    const system::process_runner::ended first = runner_.wait();
    const std::size_t index = simulated_now_.extract(first.number).mapped();
    cell_run run = read_simulation(first.result, plan_.targets[index], seed, limit_);
    run.context = plan_.simulation->context;
    record_run(index, seed, std::move(run));
  }

  void record_run(std::size_t index, unsigned round, cell_run run, bool is_repeated = false) {
    json line{{"type", "process"},
              {"cell", name_of(plan_.targets[index].which)},
              {"round", round},
              {"spent_seconds", spent_seconds()}};
    if (run.failure.empty()) {
      check_context(run.context, plan_.targets[index].which);
      line[plan_.simulates(plan_.targets[index].which) ? "simulation" : "benchmark"] =
          std::move(run.entry);
      if (is_repeated) line["repeated"] = true;
    }
    record(std::move(line), run.failure);
  }

  // Of the first process of a build, and of each that has something to add to it: the version of a
  // library.
  void check_context(const json& printed, const dataset::cell& which) {
    if (!printed.is_object()) return;
    json line{{"type", "context"}};
    if (!which.build.empty()) line["build"] = which.build;
    const json& context = line["context"] = context_of(printed, which.scheduler);
    const json& known = file_.data().context(which.build);
    const auto is_known = [&](const auto& each) { return known.contains(each.key()); };
    // A simulation does not know the machine that it runs on.
    const bool is_first = builds_.insert({which.build, plan_.simulates(which)}).second;
    if (!is_first && std::ranges::all_of(context.items(), is_known)) return;
    if (is_first) expect_same_origin(known, context);
    file_.add(line);
  }

  // Timed runs count nothing, so the counters come from one more run of each cell.
  void count_events() {
    progress_.begin_stage("counting events", prospects());
    for (std::size_t i = 0; i < cells().size(); ++i) {
      if (is_to_count(i, cells())) count_cell(i);
    }
  }

  // A cell that fails here has failed as a whole.
  void count_cell(std::size_t index) {
    const target& subject = begin_process(index);
    json line{{"type", "counters"}, {"cell", name_of(subject.which)}};
    std::string failure;
    try {
      cell_run run = run_once(
          subject,
          {"--once", "--counters-only", "--sample-ms", std::to_string(plan_.sample_time.count())},
          limit_, runner_);
      failure = run.failure;
      if (failure.empty()) line["counters"] = std::move(run.entry["counters"]);
    } catch (const std::system_error& error) {  // It could not be started.
      if (system::is_shortage(error.code())) throw;
      failure = error.what();
    } catch (const kit::bad_input& error) {
      failure = error.what();
    }
    line["spent_seconds"] = spent_seconds();
    record(std::move(line), failure.empty() ? "" : "counting run: " + failure);
  }

  /// A failure is empty where there is none.
  void record(json line, const std::string& failure) {
    if (!failure.empty()) {
      progress_.note(fmt::format("DNF {}: {}", line.at("cell").get<std::string>(), failure));
      line["failure"] = failure;
    }
    file_.add(line);
  }

  const plan& plan_;
  dataset::appender& file_;
  progress progress_;
  std::mt19937_64 random_;
  std::chrono::seconds limit_{plan_.timeout_seconds};  // Of one process.
  system::process_runner runner_;
  std::map<std::size_t, std::size_t> simulated_now_;  // Cells by the numbers of their processes.
  clock::time_point begin_ = clock::now();
  seconds spent_before_;         // Until this process resumed it.
  unsigned round_ = 0;           // The one in hand.
  seconds last_round_{0};        // How long the latest round took that measured anything.
  std::uint64_t processes_ = 0;  // Started by this process.
  // Whose context, and machine, is known to this process: of measurements and of simulations.
  std::set<std::pair<std::string, bool>> builds_;
};

/// How often each benchmark runs.
std::string extent_of(const plan& what) {
  const stopping_rule& until = what.until;
  if (what.simulates_all()) {
    return "simulated with " + report::counted(until.rounds, "seed");
  }
  if (until.rounds > 0) {
    return fmt::format("{}, seed {}", report::counted(until.rounds, "round"), what.seed);
  }
  return fmt::format(
      "{} rounds, then more until every median is within ± {:g} % or {} s are spent, seed {}",
      fewest_rounds, until.target_percent, until.budget_seconds, what.seed);
}

std::string remains_of(const dataset::appender& file, const std::string& command_to_go_on) {
  if (!file.is_saved()) return "No measurement is saved.\n";
  return fmt::format("The measurements are saved in {}. To continue, run\n  {}\n",
                     file.file().string(), command_to_go_on);
}

}  // namespace

void measure(const plan& what, dataset::appender& file, const std::string& command_to_go_on) {
  std::cerr << fmt::format("{}, {}\n", report::counted(what.targets.size(), "benchmark"),
                           extent_of(what));
  std::cerr << warnings_in(what.host_checks);
  const auto processors_before = processor_time_of();
  try {
    measurement under_way(what, file);
    under_way.run();
    json checks = file.data().host_checks();
    if (!what.simulates_all()) {
      json during = json::array();
      const bool is_resumed = file.data().times_resumed() > 0;
      during.push_back(
          json_of(steal_time_between(processors_before, processor_time_of(), is_resumed)));
      // What measures a figure takes its workers' threads along before it ends, and checks each
      // sample by itself.
      const bool are_figures = std::ranges::all_of(what.targets, [&](const target& each) {
        return each.is_figure || what.simulates(each.which);
      });
      if (!are_figures) during.push_back(json_of(processors_during(file.data())));
      std::cerr << warnings_in(during);
      checks.insert(checks.end(), during.begin(), during.end());
    }
    file.add({{"type", "finished"},
              {"spent_seconds", under_way.spent_seconds()},
              {"host_checks", std::move(checks)}});
  } catch (const system::interrupted&) {
    std::cerr << "Interrupted. " << remains_of(file, command_to_go_on);
    throw;
  } catch (const std::system_error&) {
    std::cerr << "Stopped. " << remains_of(file, command_to_go_on);
    throw;
  }
}

}  // namespace stealbench::rounds
