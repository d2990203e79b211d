// `stealbench ab`: two builds in the same rounds.
#include <algorithm>
#include <filesystem>
#include <iostream>
#include <map>
#include <sstream>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "bench/cell/command_line.hpp"
#include "bench/driver/experiments/experiment.hpp"
#include "bench/driver/experiments/options.hpp"
#include "bench/driver/rounds/host.hpp"
#include "results/sections/diff.hpp"

namespace stealbench::experiments::ab {
namespace {

using dataset::text_at;
using kit::bad_input;
using report::alignment;
using report::prominence;
using texts = std::vector<std::string>;

double threshold_of(const dataset::measurements& data) {
  return data.header().at("settings").at("threshold").get<double>() / 100;
}

sections::difference difference_in(const dataset::measurements& data) {
  return difference_between(data.of_build("A"), data.of_build("B"), threshold_of(data),
                            sections::rounds_are::shared);
}

/// Where they are, and what they were built from and how; the provenance has the rest.
report::table builds_table(const dataset::measurements& data) {
  const auto& settings = data.header().at("settings");
  report::table table{"The builds",
                      {{"what", alignment::left}, {"A", alignment::left}, {"B", alignment::left}},
                      {{"folder", text_at(settings, "BUILD_A"), text_at(settings, "BUILD_B")}}};
  for (const char* const key : {"commit", "compiler", "build_type", "flags"}) {
    table.rows.push_back({key, text_at(data.context("A"), key), text_at(data.context("B"), key)});
  }
  return table;
}

std::vector<report::section> ab_sections(const dataset::measurements& data) {
  const sections::difference found = difference_in(data);
  report::section verdict{"Verdict", prominence::summary, {}};
  std::istringstream sentences(summary_of(found, threshold_of(data)));
  for (std::string each; std::getline(sentences, each);) {
    verdict.blocks.emplace_back(report::paragraph{each, verdict.blocks.empty()});
  }
  report::table changed = table_of(found, false);
  changed.title = "What differs";
  if (!changed.rows.empty()) verdict.blocks.emplace_back(std::move(changed));
  verdict.blocks.emplace_back(builds_table(data));
  report::table all = table_of(found, true);
  all.title = "Every benchmark";
  return {std::move(verdict),
          {"All values",
           prominence::tables,
           {std::move(all),
            report::paragraph{
                "B ÷ A: the median time of B divided by that of A. The interval is drawn by whole "
                "rounds, so what slowed both builds in a round cancels. B is slower, or faster, if "
                "this ratio differs from 1 by more than the threshold and a test of the times "
                "tells the builds apart, corrected for the number of benchmarks: of two equal "
                "builds, at most 5 % have a difference."}}}};
}

rounds::installation build_in(const std::string& folder, const std::string& name) {
  if (!folder.empty()) {
    rounds::installation build(std::filesystem::absolute(folder));
    if (!build.built().empty()) return build;
  }
  throw bad_input(fmt::format(
      "ab: BUILD_{} {}; valid: a folder of executables stealbench-NAME, such as build/compare",
      name, folder.empty() ? "is required" : fmt::format("'{}' has no such executable", folder)));
}

class two_builds final : public experiment {
 public:
  two_builds()
      : experiment(
            {.name = "ab",
             .summary = "Measure two builds in the same rounds. Report on which benchmarks build B "
                        "is slower than build A",
             .notes = "A build is a folder of executables stealbench-NAME, such as build/compare "
                      "of another commit, compiler or flag. bench/ab.sh builds two commits.\n\n",
             .method = "A benchmark is one scheduler, one workload with all its parameters and one "
                       "worker count. A round runs every benchmark of both builds once, in random "
                       "order, each in its own process. B is slower if its median time is longer "
                       "by more than the threshold and a test shows it; that takes six rounds.",
             .status = "0 if no benchmark of B is shown to be slower and all of B finished, 1 if "
                       "one is slower or failed",
             .examples = {"../main/build/compare build/compare --workloads fib",
                          "build/compare build/compare-clang --threshold 5"},
             .report = ab_sections}) {}

  void declare(settings& options) override {
    for (auto& [name, folder] : folders_) {
      options.add("BUILD_" + name, folder, cell::takes::folder,
                  fmt::format("Build folder {}. Required without --resume", name));
    }
    options.add("--threshold", threshold_percent_, cell::takes::percentage(),
                "Smallest difference of a median time that counts [%]");
    add_workloads(options, workloads_);
    add_schedulers(options, schedulers_, "those that `compare` measures, if both builds have them");
    add_workers(options, workers_, "the number of processors");
    instances_.declare(options);
    add_pin(options, pattern());
  }

  [[nodiscard]] design check(const rounds::installation& /*installed*/) override {
    for (const auto& [name, folder] : folders_) {
      builds_.insert_or_assign(name, build_in(folder, name));
    }
    resolve_workloads(workloads_, "--workloads", rounds::workload_names());
    choose_schedulers();
    design wanted;
    for (dataset::cell& each : every_cell(instances_.all_of(workloads_), workers_, schedulers_)) {
      for (const auto& [name, folder] : folders_) {
        wanted.cells.push_back(each);
        wanted.cells.back().build = name;
      }
    }
    return wanted;
  }

  [[nodiscard]] rounds::target target_of(const dataset::cell& which,
                                         const rounds::installation& /*installed*/) const override {
    return experiment::target_of(which, builds_.at(which.build));
  }

  [[nodiscard]] int status_of(const dataset::measurements& data) const override {
    const auto is_worse = [](const sections::cell_change& each) {
      return each.found == sections::change::slower || !each.failure.empty();
    };
    return std::ranges::any_of(difference_in(data).cells, is_worse) ? 1 : 0;
  }

 private:
  void choose_schedulers() {
    const rounds::installation& a = builds_.at("A");
    const rounds::installation& b = builds_.at("B");
    const texts common = built_among(a.built(), b);
    if (common.empty()) {
      throw bad_input("ab: the builds have no scheduler in common; valid: two builds of one");
    }
    const texts compared = built_among(built_among(rounds::compared_schedulers(), a), b);
    const bool are_all = schedulers_ == texts{"all"};
    if (are_all || schedulers_.empty()) {
      for (const auto& [one, other] : {std::pair(&a, &b), std::pair(&b, &a)}) {
        texts alone = one->built();
        std::erase_if(alone,
                      [&second = *other](const auto& each) { return second.is_built(each); });
        if (alone.empty()) continue;
        std::cerr << fmt::format("Not measured: build {} alone has {}\n", one == &a ? "A" : "B",
                                 fmt::join(alone, ", "));
      }
      schedulers_ = are_all || compared.empty() ? common : compared;
    }
    for (std::string& each : schedulers_) {
      if (built_among(built_among({each.substr(0, each.find(':'))}, a), b).empty()) {
        kit::refuse(fmt::format("scheduler {} is not in both builds", each), common);
      }
      const std::string typed = std::exchange(each, a.choose(each).name);
      if (b.choose(typed).name == each) continue;
      throw bad_input(fmt::format(
          "scheduler {}: the defaults differ; valid: no setting that is a default of one", typed));
    }
    schedulers_ = dataset::distinct(schedulers_);
  }

  std::map<std::string, std::string> folders_{{"A", ""}, {"B", ""}};
  double threshold_percent_ = 3;
  texts workloads_{"mergesort", "uts"};
  texts schedulers_;
  std::vector<unsigned> workers_{rounds::usable_processors()};
  instance_options instances_;
  std::map<std::string, rounds::installation> builds_;
};

}  // namespace

std::unique_ptr<experiment> make() { return std::make_unique<two_builds>(); }

}  // namespace stealbench::experiments::ab
