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
using costs::figure_names;
using namespace sections;

/// A line for each metric.
std::string metrics_explained() {
  std::string text = "Metrics (and the number of workers that each is measured with):\n";
  for (const figure_description& each : costs::figures()) {
    text += fmt::format("{} ({})\t{}\n", each.name, each.workers, each.meaning);
  }
  return text + '\n';
}

/// In the unit of the metric: seconds of one operation, or bytes.
std::string text_of(const estimates& known, std::size_t at, bool is_bytes) {
  if (!has_finished(known.cell(at))) return "DNF";
  if (!is_bytes) return report::seconds_with_interval(known.of(metric::seconds, at));
  return report::bytes(median_of(known.of(metric::bytes_per_worker, at)));
}

/// A row for each scheduler, a column for each of the described metrics.
report::table table_of(const estimates& known, const json& described) {
  report::table table{with_interval_kind("Cost of one operation, median", known.have_intervals()),
                      {{"scheduler", alignment::left}},
                      {}};
  for (const json& each : described) table.columns.push_back({each.at("name")});
  for (const std::string& scheduler : known.schedulers()) {
    table.rows.push_back({scheduler});
    std::vector<std::string>& row = table.rows.back();
    for (const json& each : described) {
      const std::vector<measured_cell>& cells = known.data().cells();
      // Each metric has one worker count.
      const auto cell = std::ranges::find_if(cells, [&](const measured_cell& other) {
        return each.at("name") == other.which.what.workload && other.which.scheduler == scheduler;
      });
      if (cell == cells.end()) {
        row.emplace_back(missing);
        continue;
      }
      if (!cell->failure.empty()) {
        table.marks.push_back({table.rows.size() - 1, row.size(), report::emphasis::failed});
      }
      const unsigned workers = cell->which.workers;
      row.front() = std::max(row.front(), scheduler_in(known.data(), scheduler, workers));
      row.push_back(text_of(known, static_cast<std::size_t>(cell - cells.begin()),
                            each.at("unit") == "bytes"));
    }
  }
  return table;
}

section guide_to(const json& about) {
  report::definition_list meanings;
  for (const json& each : about.at("figures")) {
    meanings.definitions.push_back(
        {fmt::format("{} ({})", text_at(each, "name"),
                     workers_in_words(each.at("workers").get<unsigned>())),
         fmt::format("{}. Raw cost, without a scheduler: {}.", text_at(each, "meaning"),
                     text_at(each, "raw"))});
  }
  section guide{"What the costs mean", prominence::tables, {std::move(meanings)}};
  for (const json& each : about.at("gaps")) {
    guide.blocks.emplace_back(report::paragraph{
        fmt::format("{} {} of {}: not applicable, {}.", missing, text_at(each, "figure"),
                    text_at(each, "scheduler"), text_at(each, "reason"))});
  }
  return guide;
}

std::vector<section> micro_sections(const measurements& data) {
  const json& about = data.header().at("about");
  return {{"Costs of single operations",
           prominence::summary,
           {table_of(estimates(data), about.at("figures"))}},
          guide_to(about)};
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
             .examples = {"", "--metrics fork,steal --schedulers work-stealing,onetbb,openmp"},
             .report = micro_sections}) {
    pattern().is_figure = true;
  }

  void declare(settings& options) override {
    add_schedulers(options, schedulers_, "all that are built, and sequential");
    options
        .add("--metrics", figures_, {"METRIC", cell::one_of(figure_names())}, "Metrics to measure")
        ->default_str("all");
  }

  [[nodiscard]] design check(const rounds::installation& installed) override {
    if (schedulers_.empty()) {
      schedulers_ = installed.built();
      // Below the raw cost of each operation, where that is built too.
      if (installed.is_built(cell::sequential_name)) {
        schedulers_.emplace(schedulers_.begin(), cell::sequential_name);
      }
    }
    resolve_schedulers(schedulers_, installed);
    if (figures_.empty()) figures_ = figure_names();
    figures_ = dataset::distinct(figures_);
    design wanted{.cells = {}, .about = {{"figures", json::array()}, {"gaps", json::array()}}};
    json& described = wanted.about["figures"];
    json& gaps = wanted.about["gaps"];
    for (const std::string& name : figures_) {
      const figure_description& figure = costs::find_figure(name);
      described.push_back(
          {{"name", name},
           {"meaning", figure.meaning},
           {"raw", figure.raw},
           {"workers", figure.workers},
           {"unit", figure.unit == costs::figure_unit::bytes ? "bytes" : "seconds"}});
    }
    for (const std::string& scheduler : schedulers_) {
      for (const std::string& name : figures_) {
        const figure_description& figure = costs::find_figure(name);
        const std::string_view reason =
            why_not_applicable(figure, scheduler.substr(0, scheduler.find(':')));
        if (reason.empty()) {
          wanted.cells.push_back({{name, {}}, scheduler, figure.workers});
        } else {
          gaps.push_back({{"figure", name}, {"scheduler", scheduler}, {"reason", reason}});
        }
      }
    }
    if (!wanted.cells.empty()) return wanted;
    throw kit::bad_input(fmt::format(
        "--metrics {}: not applicable to {}: {}; valid: other --schedulers or other --metrics",
        fmt::join(figures_, ","), fmt::join(schedulers_, ", "), text_at(gaps.front(), "reason")));
  }

 private:
  std::vector<std::string> schedulers_;
  std::vector<std::string> figures_;
};

}  // namespace

std::unique_ptr<experiment> make() { return std::make_unique<micro_experiment>(); }

}  // namespace stealbench::experiments::micro
