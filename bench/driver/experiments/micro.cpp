// `stealbench micro`: what one operation costs on every scheduler.
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "bench/cell/command_line.hpp"
#include "bench/cell/program.hpp"
#include "bench/costs/catalogue.hpp"
#include "bench/driver/experiments/experiment.hpp"
#include "bench/driver/experiments/options.hpp"
#include "results/report/format.hpp"
#include "results/sections/parts.hpp"
#include "results/sections/sections.hpp"
#include "workloads/kit/parameters.hpp"

namespace stealbench::experiments::micro {
namespace {

using costs::figure_description;
using namespace sections;
using dataset::json;
using dataset::measured_cell;
using dataset::metric;
using report::alignment;
using report::missing;
using report::prominence;

std::vector<std::string> figure_names() {
  std::vector<std::string> names;
  for (const figure_description& each : costs::figures()) names.emplace_back(each.name);
  return names;
}

/// Why a scheduler, with or without settings, has no such figure; empty if it has one.
std::string why_not(const figure_description& figure, std::string_view scheduler) {
  return std::string(why_not_applicable(figure, scheduler.substr(0, scheduler.find(':'))));
}

/// A line for each metric.
std::string metrics_explained() {
  std::string text = "Metrics (and the number of workers that each is measured with):\n";
  for (const figure_description& each : costs::figures()) {
    text += fmt::format("{} ({})\t{}\n", each.name, each.workers, each.meaning);
  }
  return text + '\n';
}

/// The figure's own unit: seconds of one operation, or bytes.
std::string text_of(const estimates& known, std::size_t at, bool is_bytes) {
  if (!has_finished(known.cell(at))) return "DNF";
  if (!is_bytes) return report::seconds_with_interval(known.of(metric::seconds, at));
  return report::bytes(median_of(known.of(metric::bytes_per_worker, at)));
}

/// The cell of a figure on a scheduler; each figure has one worker count.
std::optional<std::size_t> find(const estimates& known, const std::string& figure,
                                const std::string& scheduler) {
  const std::vector<measured_cell>& cells = known.data().cells();
  const auto found = std::ranges::find_if(cells, [&](const measured_cell& each) {
    return each.which.what.workload == figure && each.which.scheduler == scheduler;
  });
  if (found == cells.end()) return {};
  return static_cast<std::size_t>(found - cells.begin());
}

std::vector<section> micro_sections(const measurements& data) {
  const estimates known(data);
  const json& about = data.header().at("about");
  report::table table{with_interval_kind("Cost of one operation, median", known.have_intervals()),
                      {{"scheduler", alignment::left}},
                      {}};
  report::definition_list meanings;
  for (const json& each : about.at("figures")) {
    const std::string name = each.at("name");
    table.columns.push_back({name});
    meanings.definitions.push_back(
        {fmt::format("{} ({})", name, workers_in_words(each.at("workers").get<unsigned>())),
         fmt::format("{}. Raw cost, without a scheduler: {}.",
                     each.at("meaning").get<std::string>(), each.at("raw").get<std::string>())});
  }
  for (std::size_t i = 0; i < known.schedulers().size(); ++i) {
    std::vector<std::string> row{known.schedulers()[i]};
    for (const json& each : about.at("figures")) {
      const auto at = find(known, each.at("name"), row.front());
      if (at && !known.cell(*at).failure.empty()) {
        table.marks.push_back({i, row.size(), report::emphasis::failed});
      }
      row.push_back(at ? text_of(known, *at, each.at("unit") == "bytes") : std::string(missing));
    }
    table.rows.push_back(std::move(row));
  }
  section costs{"Costs of single operations", prominence::summary, {std::move(table)}};
  section guide{"What the costs mean", prominence::tables, {std::move(meanings)}};
  for (const json& each : about.at("gaps")) {
    guide.blocks.emplace_back(report::paragraph{fmt::format(
        "{} {} of {}: not applicable, {}.", missing, each.at("figure").get<std::string>(),
        each.at("scheduler").get<std::string>(), each.at("reason").get<std::string>())});
  }
  for (const measured_cell& each : data.cells()) {
    if (each.failure.empty()) continue;
    guide.blocks.emplace_back(report::paragraph{fmt::format(
        "DNF {} of {}: {}", each.which.what.workload, each.which.scheduler, each.failure)});
  }
  return {std::move(costs), std::move(guide)};
}

class micro_experiment final : public experiment {
 public:
  micro_experiment()
      : experiment(
            {.name = "micro",
             .summary =
                 "Measure the cost of single operations: fork, spawn, steal, wake-up and others",
             .notes = metrics_explained(),
             .method = "A benchmark is one scheduler, one metric and one worker count. A round "
                       "runs every benchmark once, in random order, each in its own process.",
             .examples = "Examples:\n"
                         "  stealbench micro\n"
                         "  stealbench micro --metrics fork,steal --schedulers "
                         "work-stealing,onetbb,openmp"}) {}

  void declare(settings& options) override {
    add_schedulers(options, schedulers_, "all that are built, and sequential");
    options.add("--metrics,--figures", figures_, "Metrics to measure")
        ->type_name("METRIC")
        ->check(cell::one_of(figure_names()))
        ->default_str("all");
  }

  void check(const rounds::installation& installed) override {
    if (schedulers_.empty()) schedulers_ = with_raw_costs(installed);
    resolve_schedulers(schedulers_, installed);
    if (figures_.empty()) figures_ = figure_names();
    figures_ = dataset::distinct(figures_);
    if (design_of_all().cells.empty()) {
      const figure_description& first = costs::find_figure(figures_.front());
      throw kit::bad_input(fmt::format(
          "--metrics {1}: not applicable to {0}: {2}; valid: other --schedulers or other --metrics",
          fmt::join(schedulers_, ", "), fmt::join(figures_, ","),
          why_not(first, schedulers_.front())));
    }
  }

  [[nodiscard]] design make(const rounds::installation& /*installed*/) override {
    return design_of_all();
  }

  [[nodiscard]] rounds::target target_of(const dataset::cell& which,
                                         const rounds::installation& installed) const override {
    rounds::target made = experiment::target_of(which, installed);
    made.is_figure = true;
    return made;
  }

  [[nodiscard]] std::vector<report::section> report(
      const dataset::measurements& data) const override {
    return micro_sections(data);
  }

 private:
  /// All that are built, below the raw cost of each operation where that is built too.
  [[nodiscard]] static std::vector<std::string> with_raw_costs(
      const rounds::installation& installed) {
    std::vector<std::string> names = installed.built();
    if (installed.has_sequential()) names.emplace(names.begin(), cell::sequential_name);
    return names;
  }

  [[nodiscard]] design design_of_all() const {
    design made{.cells = {}, .about = {{"figures", json::array()}, {"gaps", json::array()}}};
    for (const std::string& name : figures_) {
      const figure_description& figure = costs::find_figure(name);
      made.about["figures"].push_back(
          {{"name", name},
           {"meaning", figure.meaning},
           {"raw", figure.raw},
           {"workers", figure.workers},
           {"unit", figure.unit == costs::figure_unit::bytes ? "bytes" : "seconds"}});
    }
    for (const std::string& scheduler : schedulers_) {
      for (const std::string& name : figures_) {
        const figure_description& figure = costs::find_figure(name);
        const std::string reason = why_not(figure, scheduler);
        if (reason.empty()) {
          made.cells.push_back({{name, {}}, scheduler, figure.workers});
        } else {
          made.about["gaps"].push_back(
              {{"figure", name}, {"scheduler", scheduler}, {"reason", reason}});
        }
      }
    }
    return made;
  }

  std::vector<std::string> schedulers_;
  std::vector<std::string> figures_;
};

}  // namespace

std::unique_ptr<experiment> make() { return std::make_unique<micro_experiment>(); }

}  // namespace stealbench::experiments::micro
