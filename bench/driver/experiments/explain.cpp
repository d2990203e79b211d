// `stealbench explain`: how parallel a program is, what is serial in it, and how near to its bounds
// the schedulers are.
#include "bench/driver/experiments/explain/explain.hpp"

#include <algorithm>
#include <chrono>
#include <iostream>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "bench/cell/command_line.hpp"
#include "bench/cell/program.hpp"
#include "bench/driver/experiments/experiment.hpp"
#include "bench/driver/experiments/options.hpp"
#include "bench/driver/experiments/simulate/simulate.hpp"
#include "bench/driver/rounds/host.hpp"
#include "bench/driver/rounds/progress.hpp"
#include "schedulers/operating_system/processors.hpp"

namespace stealbench::experiments::explain {
namespace {

using kit::bad_input;

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
                 "counts no units, the processor time of the strand tells.\n\n",
             .examples =
                 {"mergesort --set merge=serial",
                  "uts --set tree=T1 --schedulers work-stealing,onetbb --workers 1,2 --json"},
             .report = explain_sections,
             .budget_seconds = 30}) {}

  void declare(settings& options) override {
    options.add("WORKLOAD", workload_,
                {cell::takes::workload, cell::one_of(rounds::workload_names())},
                "Workload; see `stealbench list`. Required without --resume");
    add_schedulers(options, schedulers_, "serial,work-stealing");
    add_workers(options, workers_, "1, 2, 4, … and the number of processors");
    instances_.declare(options);
    options
        .add("--burden", burden_, {"TIME", simulate::duration()},
             "What a steal costs, such as 1us: each branch that another worker must steal pays for "
             "it in the burdened span")
        ->default_str("four transfers of a cache line by the profile of this machine");
    options.command().add_flag("--json", as_json_, "Print one JSON object, and no report");
  }

  [[nodiscard]] design check(const rounds::installation& installed) override {
    if (workload_.empty()) {
      throw bad_input(fmt::format("explain: WORKLOAD is required; valid: {}",
                                  fmt::join(rounds::workload_names(), ", ")));
    }
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
    return {.cells = every_cell({what_}, workers_, schedulers_),
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
  }

  [[nodiscard]] bool print_values(const dataset::measurements& data) const override {
    if (as_json_) std::cout << json_of(data) << std::endl;
    return as_json_;
  }

 private:
  std::string workload_;
  std::vector<std::string> schedulers_;
  std::vector<unsigned> workers_ =
      usual_worker_counts(rounds::usable_processors(), operating_system::this_machine().cores());
  instance_options instances_;
  std::string burden_;
  dataset::instance what_;
  bool as_json_ = false;
};

}  // namespace

std::unique_ptr<experiment> make() { return std::make_unique<explain_experiment>(); }

}  // namespace stealbench::experiments::explain
