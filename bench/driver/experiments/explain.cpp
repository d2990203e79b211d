// `stealbench explain`: how parallel a program is, what is serial in it, and how near to its bounds
// the schedulers are.
#include "bench/driver/experiments/explain/explain.hpp"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <map>
#include <optional>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "bench/cell/command_line.hpp"
#include "bench/cell/program.hpp"
#include "bench/costs/catalogue.hpp"
#include "bench/driver/calibration/prices.hpp"
#include "bench/driver/experiments/experiment.hpp"
#include "bench/driver/experiments/options.hpp"
#include "bench/driver/experiments/simulate/simulate.hpp"
#include "bench/driver/rounds/host.hpp"
#include "bench/driver/rounds/progress.hpp"
#include "schedulers/operating_system/processors.hpp"

namespace stealbench::experiments::explain {
namespace {

/// Transfers of a cache line in a steal: the victim's indices, the job, its latch, and its result.
constexpr double transfers_of_a_steal = 4;

class explain_experiment final : public experiment {
 public:
  explain_experiment()
      : experiment(
            {.name = "explain",
             .summary =
                 "Explain a workload: its work, span and parallelism, what its critical path "
                 "consists of, and how near to their bounds the schedulers are",
             .notes =
                 "One more process runs the program serially and records its strands: the "
                 "instructions between two forks or joins. A strand is as long as its units of "
                 "work, of which each takes the same part of the time of serial; where a workload "
                 "counts no units, the processor time of the strand tells. The budget has the "
                 "price "
                 "of a task from another instance of the workload, and that of a steal and of a "
                 "wake-up from `stealbench micro`'s metrics. More workers than processors are "
                 "simulated "
                 "where the workload can be and the simulation is built.\n\n",
             .examples =
                 {"mergesort --set merge=serial",
                  "uts --set tree=T1 --schedulers work-stealing,onetbb --workers 1,2,8,64 --json"},
             .report = explain_sections,
             .values = [](const dataset::measurements& data) { return std::vector{json_of(data)}; },
             .json_help = "Print one JSON object, and no report",
             .budget_seconds = 30}) {
    plan().counts = true;
    plan().sample_time = std::chrono::milliseconds(300);  // The budget is of small differences.
  }

  void declare(settings& options) override {
    options.add("WORKLOAD", workload_,
                {cell::takes::workload, cell::one_of(rounds::workload_names())},
                "Workload; see `stealbench list`. Required without --resume");
    add_schedulers(options, schedulers_, "serial,work-stealing");
    add_workers(options, workers_, "1, 2, 4, … and the numbers of cores and of processors");
    instances_.declare(options);
    options
        .add("--burden", burden_, {"TIME", simulate::duration()},
             "What a steal costs, such as 1us: each branch that another worker must steal pays for "
             "it in the burdened span")
        ->default_str("four transfers of a cache line by the profile that simulations take");
  }

  [[nodiscard]] design check(const rounds::installation& installed) override {
    if (workload_.empty()) kit::refuse("explain: WORKLOAD is required", rounds::workload_names());
    if (schedulers_.empty()) schedulers_ = {"serial", "work-stealing"};
    resolve_schedulers(schedulers_, installed);
    if (std::ranges::count(schedulers_, "serial") == 0)
      schedulers_.insert(schedulers_.begin(), "serial");
    static_cast<void>(installed.recorder());
    what_ = instances_.all_of({workload_}).front();
    const double burden_ns =
        burden_.empty()
            ? transfers_of_a_steal * simulate::find_machine({}, installed).profile.costs.transfer
            : simulate::nanoseconds_of(burden_).value();
    std::vector<unsigned> measured = workers_;
    std::erase_if(measured, [](unsigned each) { return each > rounds::usable_processors(); });
    if (std::ranges::count(measured, 1U) == 0) measured.insert(measured.begin(), 1U);  // T1.
    return {.cells = every_cell({what_}, measured, schedulers_),
            .about = {{"burden_ns", burden_ns}}};
  }

  void search(const rounds::installation& installed, design& found) override {
    rounds::progress shown;
    shown.begin_stage("recording work and span", {});
    system::process_runner runner;
    const std::chrono::seconds limit(plan().timeout_seconds);
    const rounds::cell_run serial =
        run_timed(target_of({what_, "serial", 1}, installed), limit, runner);
    if (!serial.failure.empty()) throw std::runtime_error("serial: " + serial.failure);
    const double seconds =
        dataset::sample_of(serial.entry).value()[dataset::metric::seconds].value();
    const rounds::target recorder{.which = {what_, cell::recorder_name, 1},
                                  .executable = installed.recorder()};
    rounds::cell_run ran = run_once(recorder,
                                    {"--seconds", fmt::format("{}", seconds), "--burden",
                                     fmt::format("{}", found.about.at("burden_ns").get<double>())},
                                    limit, runner);
    if (!ran.failure.empty()) throw std::runtime_error("recording work and span: " + ran.failure);
    found.about["recorded"] = std::move(ran.entry);
    shown.begin_stage("measuring prices", {});
    found.about["prices"] = prices(installed, limit, runner);
    if (!simulated_workers().empty()) {
      shown.begin_stage("simulating more workers than there are processors", {});
      found.about["simulation"] = simulation(installed, runner);
    }
  }

 private:
  [[nodiscard]] std::vector<unsigned> simulated_workers() const {
    std::vector<unsigned> counts = workers_;
    std::erase_if(counts, [](unsigned each) { return each <= rounds::usable_processors(); });
    return counts;
  }

  [[nodiscard]] bool measures_several_workers() const {
    return std::ranges::any_of(
        workers_, [](unsigned each) { return each > 1 && each <= rounds::usable_processors(); });
  }

  /// Of each scheduler that can be simulated, also where it is measured: so the error is seen.
  [[nodiscard]] dataset::json simulation(const rounds::installation& installed,
                                         system::process_runner& runner) {
    const simulate::simulated_machine machine = simulate::find_machine({}, installed);
    dataset::json found{{"profile", json_of(machine.profile)},
                        {"times", dataset::json::array()},
                        {"gaps", dataset::json::array()}};
    if (!machine.other_processor.empty()) found["other_processor"] = machine.other_processor;
    const std::string why_not = kit::why_not_simulated(rounds::find_workload(workload_));
    if (!why_not.empty()) {
      found["gaps"].push_back(fmt::format("{}: {}", workload_, why_not));
      return found;
    }
    for (const std::string& each : schedulers_) {
      if (each == "serial") continue;
      try {
        rounds::target subject = pattern();
        subject.executable = installed.choose_simulated(each).executable;
        for (const unsigned workers : dataset::distinct(workers_)) {
          subject.which = {what_, each, workers};
          const double seconds = calibration::simulate(subject, machine.profile, runner).seconds;
          found["times"].push_back(
              {{"scheduler", each}, {"workers", workers}, {"time_ns", seconds * 1e9}});
        }
      } catch (const std::runtime_error& error) {  // Not built, not simulated, or it failed.
        found["gaps"].push_back(error.what());
      }
    }
    return found;
  }

  /// A small one: what a task costs there is a price, and not the difference that it explains.
  [[nodiscard]] dataset::instance other_instance() const {
    const kit::description workload = rounds::find_workload(workload_);
    for (const char* const size : {"small", "standard", "test"}) {
      for (dataset::instance& each : rounds::instances_of(workload, size, {})) {
        if (each != what_) return std::move(each);
      }
    }
    return what_;
  }

  [[nodiscard]] std::size_t price_rounds() const {
    const unsigned chosen = plan().until.rounds;
    return chosen > 0 ? chosen : rounds::fewest_rounds;
  }

  /// By how much one worker takes longer beside a second process of it; none if it cannot be
  /// measured.
  [[nodiscard]] std::optional<double> slowdown_beside(const std::string& scheduler,
                                                      const rounds::installation& installed,
                                                      std::chrono::seconds limit,
                                                      system::process_runner& runner) const {
    const rounds::target subject = target_of({what_, scheduler, 1}, installed);
    const system::process_request request = rounds::timing_of(subject, limit, plan().sample_time);
    std::map<unsigned, std::vector<double>> seconds;  // By how many processes ran at once.
    for (std::size_t i = 0; i < price_rounds(); ++i) {
      for (const unsigned processes : {1U, 2U}) {
        for (unsigned j = 0; j < processes; ++j) runner.start(request);
        std::vector<double> times;
        for (unsigned j = 0; j < processes; ++j) {
          const rounds::cell_run ran = read_timing(runner.wait().result, subject, limit);
          if (!ran.failure.empty()) continue;
          const dataset::sample sample = dataset::sample_of(ran.entry).value();
          times.push_back(sample[dataset::metric::seconds].value());
        }
        if (times.size() == processes)
          std::ranges::move(times, std::back_inserter(seconds[processes]));
      }
    }
    if (seconds[1].empty() || seconds[2].empty()) return {};
    return std::ranges::min(seconds[2]) / std::ranges::min(seconds[1]);
  }

  /// Of each scheduler that which can be measured.
  [[nodiscard]] dataset::json prices(const rounds::installation& installed,
                                     std::chrono::seconds limit,
                                     system::process_runner& runner) const {
    const auto sample_of = [&](const rounds::target& subject) -> std::optional<dataset::sample> {
      const rounds::cell_run ran = rounds::run_timed(subject, limit, runner);
      return ran.failure.empty() ? dataset::sample_of(ran.entry) : std::nullopt;
    };
    const dataset::instance other = other_instance();
    std::map<std::string, std::vector<double>> times_ns;
    std::map<std::string, double> tasks;
    for (std::size_t i = 0; i < price_rounds(); ++i) {
      for (const std::string& each : schedulers_) {
        const auto ran = sample_of(target_of({other, each, 1}, installed));
        if (!ran) continue;
        times_ns[each].push_back((*ran)[dataset::metric::seconds].value() * 1e9);
        tasks[each] = (*ran)[dataset::metric::fork_count].value();
      }
    }
    dataset::json found = dataset::json::object();
    for (const auto& [scheduler, times] : times_ns) {
      if (scheduler == "serial" || tasks[scheduler] == 0 || !times_ns.contains("serial")) continue;
      found[scheduler] = {{"tasks_of", label_of(other)},
                          {"task_ns", task_price_ns(times, times_ns["serial"], tasks[scheduler])}};
    }
    for (const std::string& each : schedulers_) {
      if (each != "serial" && measures_several_workers()) {
        if (const auto slower = slowdown_beside(each, installed, limit, runner)) {
          found[each]["slowdown_beside"] = *slower;
        }
      }
      for (const char* const name : {"steal", "waker"}) {
        const costs::figure_description& figure = costs::find_figure(name);
        if (rounds::usable_processors() < figure.workers ||
            !costs::why_not_applicable(figure, each.substr(0, each.find(':'))).empty()) {
          continue;
        }
        rounds::target subject = target_of({{name, {}}, each, figure.workers}, installed);
        subject.is_figure = true;
        if (const auto ran = sample_of(subject)) {
          found[each][fmt::format("{}_ns", name)] = (*ran)[dataset::metric::seconds].value() * 1e9;
        }
      }
    }
    return found;
  }

  std::string workload_;
  std::vector<std::string> schedulers_;
  std::vector<unsigned> workers_ =
      usual_worker_counts(rounds::usable_processors(), operating_system::this_machine().cores());
  instance_options instances_;
  std::string burden_;
  dataset::instance what_;
};

}  // namespace

std::unique_ptr<experiment> make() { return std::make_unique<explain_experiment>(); }

}  // namespace stealbench::experiments::explain
