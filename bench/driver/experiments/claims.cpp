// `stealbench claims`: what textbooks claim of scheduling, put to the test.
#include "bench/driver/experiments/claims/claims.hpp"

#include <algorithm>
#include <map>
#include <stdexcept>

#include <fmt/format.h>

#include "bench/cell/command_line.hpp"
#include "bench/cell/program.hpp"
#include "bench/driver/experiments/experiment.hpp"
#include "bench/driver/rounds/progress.hpp"
#include "schedulers/virtual_machine/profile.hpp"

namespace stealbench::experiments::claims {
namespace {

using kit::bad_input;

/// A record that took the times of strands is made once for each round, of some runs.
constexpr unsigned clocked_records = analysis::fewest_for_interval;
constexpr unsigned clocked_runs = 5;

class claims_experiment final : public experiment {
 public:
  claims_experiment()
      : experiment({.name = "claims",
                    .summary =
                        "Put claims of textbooks and manuals to the test: a verdict for each, "
                        "computed from what is measured or simulated",
                    .notes = "What two processors decide is measured. The rest is simulated on "
                             "every profile, and theorems also where only work takes time. A "
                             "verdict must be the same on all profiles and, where workers wait for "
                             "each other, survive times that are wrong by a factor of two. All "
                             "claims take five to eight minutes on two processors.\n\n",
                    .examples = {"", "--only 12,14 --json"},
                    .report = claims_sections,
                    .values =
                        [](const dataset::measurements& data) {
                          return std::vector{json_of(judge(data))};
                        },
                    .json_help = "Print one JSON object, and no report"}) {
    plan().until.rounds = rounds::fewest_rounds;
    plan().measures_too = true;
    plan().simulation.emplace();
  }

  void declare(settings& options) override {
    options
        .add("--only", only_, stealbench::cell::takes::number(1, claim_count),
             "Claims to test, by number")
        ->default_str("all");
  }

  [[nodiscard]] design check(const rounds::installation& installed) override {
    if (only_.empty()) {
      for (const claim& each : all_claims()) only_.push_back(each.number);
    }
    design wanted{
        .cells = {},
        .about = {{"claims", only_}, {"recorded", json::array()}, {"machines", json::object()}}};
    std::map<std::string, json>& machines = plan().simulation->machines;
    const auto is_chosen = [&](const claim& each) {
      return std::ranges::count(only_, each.number) > 0;
    };
    if (machines.empty() && std::ranges::any_of(all_claims(), [&](const claim& each) {
          return is_chosen(each) && (is_simulated(each) || each.in_model);
        })) {
      machines = machines_of(installed);
    }
    std::vector<std::string> profiles;
    for (const auto& [name, profile] : machines) {
      wanted.about["machines"][name] = profile;
      if (name != free_machine) profiles.push_back(name);
    }
    std::vector<instance> recorded;
    for (const claim& each : all_claims()) {
      if (!is_chosen(each)) continue;
      std::ranges::move(all_cells_of(each, profiles), std::back_inserter(wanted.cells));
      recorded.insert(recorded.end(), each.recorded.begin(), each.recorded.end());
    }
    wanted.cells = dataset::distinct(wanted.cells);
    for (const cell& each : wanted.cells) static_cast<void>(target_of(each, installed));
    for (const instance& each : dataset::distinct(recorded)) {
      static_cast<void>(installed.recorder());
      wanted.about["recorded"].push_back(json_of(each));
    }
    return wanted;
  }

  void search(const rounds::installation& installed, design& found) override {
    rounds::progress shown;
    shown.begin_stage("recording work and span", {});
    for (json& each : found.about["recorded"]) {
      json& runs = each["runs"] = json::array();
      do {
        runs.push_back(recorded(installed, dataset::instance_of(each)));
      } while (runs.back().at("strands_by") == "clock" && runs.size() < clocked_records);
    }
  }

  [[nodiscard]] rounds::target target_of(const cell& which,
                                         const rounds::installation& installed) const override {
    rounds::target target = experiment::target_of(which, installed);
    // A workload, which has the name of one too, is always set up here.
    target.is_figure = which.what.parameters.empty();
    return target;
  }

 private:
  /// Every profile, and the first one without any cost but that of the work.
  static std::map<std::string, json> machines_of(const rounds::installation& installed) {
    std::map<std::string, json> machines;
    for (const std::string& name : installed.profiles()) {
      virtual_machine::profile profile =
          virtual_machine::read_profile(installed.profile_file(name));
      machines[name] = json_of(profile);
      if (machines.size() > 1) continue;
      // What waits passes some time all the same, or it would wait for ever.
      profile.costs = {.pause = 0.001, .yield = 0.001};
      profile.strategies.clear();
      for (virtual_machine::unit_price& each : profile.work) each.schedulers.clear();
      profile.name = free_machine;
      profile.validated.reset();
      machines[free_machine] = json_of(profile);
    }
    if (machines.empty()) throw bad_input("no profile lies beside stealbench; build it again");
    return machines;
  }

  [[nodiscard]] json recorded(const rounds::installation& installed, const instance& what) {
    std::vector<json> runs{recorded_once(installed, what)};
    while (runs.front().at("strands_by") == "clock" && runs.size() < clocked_runs) {
      runs.push_back(recorded_once(installed, what));
    }
    return most_parallel(runs);
  }

  [[nodiscard]] json recorded_once(const rounds::installation& installed, const instance& what) {
    const rounds::target recorder{.which = {what, stealbench::cell::recorder_name, 1},
                                  .executable = installed.recorder()};
    system::process_runner runner;
    const rounds::cell_run ran =
        run_once(recorder, {}, std::chrono::seconds(plan().timeout_seconds), runner);
    if (!ran.failure.empty()) {
      throw std::runtime_error(
          fmt::format("recording work and span of {}: {}", label_of(what), ran.failure));
    }
    json kept;
    for (const char* const key :
         {"strands_by", "work_units", "span_units", "parallelism", "depth"}) {
      kept[key] = ran.entry.at(key);
    }
    return kept;
  }

  std::vector<unsigned> only_;
};

}  // namespace

std::unique_ptr<experiment> make() { return std::make_unique<claims_experiment>(); }

}  // namespace stealbench::experiments::claims
