#include "results/sections/sections.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "bench/driver/experiments/simulate/tables.hpp"
#include "results/analysis/simulation.hpp"
#include "results/report/format.hpp"
#include "results/sections/parts.hpp"

namespace stealbench::experiments::simulate {

using namespace sections;
namespace {

using analysis::hot_line;
using analysis::hot_lines_of;
using analysis::share_of;
using analysis::simulated_curve;
using dataset::measured_cell;
using dataset::metric;
using report::paragraph;
using report::prominence;

/// Of `share_names`, for a sentence.
constexpr std::array share_phrases{"work", "overhead of the scheduler", "search for tasks",
                                   "waiting for cache lines", "sleep"};

std::string greatest_speedup_of(const simulated_curve& curve, const estimates& known) {
  std::optional<std::size_t> best;
  const auto speedup = [&](std::size_t at) { return known.standing_of(at).speedup; };
  for (const std::size_t at : curve.points) {
    if (!speedup(at)) continue;
    if (!best || speedup(at)->median > speedup(*best)->median) best = at;
  }
  if (!best) {
    const bool has_any = std::ranges::any_of(
        curve.points, [&](std::size_t at) { return has_finished(known.cell(at)); });
    return has_any ? "no speedup, because one worker did not finish." : "nothing finished.";
  }
  return fmt::format("greatest speedup {} with {}.", report::ratio_with_interval(speedup(*best)),
                     workers_in_words(known.cell(*best).which.workers));
}

/// What the workers do instead of work, with the greatest worker count that has finished.
std::string limit_of(const simulated_curve& curve, const estimates& known) {
  const auto last = std::find_if(curve.points.rbegin(), curve.points.rend(),
                                 [&](std::size_t at) { return has_finished(known.cell(at)); });
  if (last == curve.points.rend()) return {};
  const measured_cell& cell = known.cell(*last);
  std::size_t largest = 1;
  for (std::size_t i = 2; i < analysis::share_names.size(); ++i) {
    if (share_of(cell, i) > share_of(cell, largest)) largest = i;
  }
  std::string text =
      fmt::format(" With {}, {} of the workers' time is work; the largest other part is {} ({}).",
                  workers_in_words(cell.which.workers), share_text(share_of(cell, 0)),
                  share_phrases.at(largest), share_text(share_of(cell, largest)));
  const std::vector<hot_line> lines = hot_lines_of(cell);
  if (lines.empty() || lines.front().share < least_share) return text;
  return text + fmt::format(" The hottest cache line is: {} ({}).", lines.front().name,
                            share_text(lines.front().share));
}

/// Whose price of a unit was taken, where it is not the instance's own.
std::string foreign_price_of(const simulated_curve& curve, const estimates& known) {
  for (const std::size_t at : curve.points) {
    const measured_cell& cell = known.cell(at);
    if (cell.simulations.empty()) continue;
    const std::string whose = cell.simulations.front().value("unit_from", "this instance");
    if (whose == "this instance") return {};
    return fmt::format(" The time of a unit of work is that of {}.", whose);
  }
  return {};
}

void add_if_unfinished(const estimates& known, section& to) {
  if (known.data().is_finished()) return;
  to.blocks.emplace_back(paragraph{
      "This simulation is unfinished: seeds are missing, and the values may still change."});
}

section summary_of(const std::vector<simulated_curve>& curves, const estimates& known,
                   const std::string& note) {
  section made{"Simulated scaling", prominence::summary, {paragraph{note}}};
  for (const simulated_curve& each : curves) {
    made.blocks.emplace_back(paragraph{fmt::format(
        "{} on {}: {}{}{}", label_of(each.what), each.scheduler, greatest_speedup_of(each, known),
        limit_of(each, known), foreign_price_of(each, known))});
  }
  add_if_unfinished(known, made);
  return made;
}

report::plot plot_of(const std::vector<simulated_curve>& curves, const estimates& known,
                     const dataset::instance& what) {
  const double most = known.most_workers();
  report::plot plot{
      .title = "Simulated speedup of " + label_of(what),
      .x = {.label = "workers", .is_logarithmic = true},
      .y = {.label = "speedup over one worker", .is_logarithmic = true, .format = report::ratio},
      .curves = {},
      .references = {{"ideal", {{1, 1}, {most, most}}}}};
  for (const simulated_curve& each : curves) {
    if (each.what != what) continue;
    report::curve curve{.name = each.scheduler, .style = plot.curves.size(), .points = {}};
    for (const std::size_t at : each.points) {
      if (const auto& speedup = known.standing_of(at).speedup) {
        curve.points.push_back({static_cast<double>(known.cell(at).which.workers), *speedup});
      }
    }
    if (!curve.points.empty()) plot.curves.push_back(std::move(curve));
  }
  return plot;
}

section simulation_guide() {
  return {"How to read a simulation",
          prominence::tables,
          {report::definition_list{
              {{"Time", "simulated time of one run: the median over the seeds."},
               {"Interval", "the least and the greatest value of the seeds; 95 % from six on."},
               {"Speedup", "the scheduler's own simulated time with one worker over its time."},
               {"Moved", "tasks that another worker ran than the one that forked them."},
               {"Shares",
                "of workers × time, mean over the seeds. Overhead: instructions of the scheduler; "
                "search: looking for tasks; lines: waiting for cache lines; asleep: parked."},
               {"Hottest lines", "those that workers waited for longest; mean over the seeds."},
               {"Sensitivity",
                "one cost of the profile multiplied. A ratio near 1: the conclusion does not "
                "depend on this cost of the machine."}}}}};
}

}  // namespace

std::vector<section> simulate_sections(const measurements& data) {
  const estimates known(data);
  const std::string note = simulation_note(data);
  // An ablation has many strategies, of which each is compared with one alone.
  if (std::vector<section> all = ablation_sections(known); !all.empty()) {
    all.front().blocks.insert(all.front().blocks.begin(), paragraph{note});
    add_if_unfinished(known, all.front());
    all.push_back(simulation_guide());
    return all;
  }
  const std::vector<simulated_curve> curves = analysis::curves_of(known);
  section times{"Simulated times", prominence::tables, {paragraph{note}}};
  section shares{"Where the simulated time went", prominence::tables, {paragraph{note}}};
  section sensitivity{"Sensitivity of the simulation", prominence::tables, {paragraph{note}}};
  report::plot_group plots{{}, note};
  for (const dataset::instance& what : known.instances()) {
    simulation_tables made = simulation_tables_of(curves, known, what);
    times.blocks.emplace_back(std::move(made.times));
    shares.blocks.emplace_back(std::move(made.shares));
    shares.blocks.emplace_back(std::move(made.lines));
    if (!made.variations.rows.empty()) {
      sensitivity.blocks.emplace_back(std::move(made.variations));
    }
    add_plot(plot_of(curves, known, what), plots);
  }
  std::vector<section> all{summary_of(curves, known, note), std::move(times), std::move(shares)};
  if (sensitivity.blocks.size() > 1) all.push_back(std::move(sensitivity));
  if (!plots.plots.empty()) {
    all.push_back({"Simulated speedup", prominence::summary, {std::move(plots)}});
  }
  all.push_back(simulation_guide());
  return all;
}

}  // namespace stealbench::experiments::simulate
