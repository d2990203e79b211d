#include <array>
#include <iterator>

#include "bench/driver/experiments/simulate/simulate.hpp"
#include "results/analysis/simulation.hpp"
#include "results/sections/parts.hpp"

namespace stealbench::experiments::simulate {

using namespace sections;
namespace {

using analysis::hot_line;
using analysis::hot_lines_of;
using analysis::share_of;
using analysis::simulated_curve;

/// Of `share_names`, for a sentence.
constexpr std::array share_phrases{"work", "overhead of the scheduler", "search for tasks",
                                   "waiting for cache lines", "sleep"};

std::string greatest_speedup_of(const simulated_curve& curve, const estimates& known) {
  const auto speedup = [&](std::size_t at) { return known.standing_of(at).speedup; };
  std::vector<std::size_t> points = curve.points;
  std::erase_if(points, [&](std::size_t at) { return !speedup(at); });
  if (points.empty()) {
    const bool has_any = std::ranges::any_of(
        curve.points, [&](std::size_t at) { return has_finished(known.cell(at)); });
    return has_any ? "no speedup, because one worker did not finish." : "nothing finished.";
  }
  const std::size_t best =
      *std::ranges::max_element(points, {}, [&](std::size_t at) { return speedup(at)->median; });
  return fmt::format("greatest speedup {} with {}.", report::ratio_with_interval(speedup(best)),
                     workers_in_words(known.cell(best).which.workers));
}

/// What the workers do instead of work, with the greatest worker count that has finished.
std::string limit_of(const simulated_curve& curve, const estimates& known) {
  const auto last = std::find_if(curve.points.rbegin(), curve.points.rend(),
                                 [&](std::size_t at) { return has_finished(known.cell(at)); });
  if (last == curve.points.rend()) return {};
  const measured_cell& cell = known.cell(*last);
  std::size_t largest = 1;
  for (std::size_t i = 2; i < share_phrases.size(); ++i) {
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
    const std::string unit = analysis::foreign_unit_of(known.cell(at));
    if (!unit.empty()) return fmt::format(" The time of a unit of work is that of {}.", unit);
  }
  return {};
}

section summary_of(const std::vector<simulated_curve>& curves, const estimates& known) {
  section summary{"Simulated scaling", prominence::summary, {}};
  say(summary, choice_of(known, known.most_workers()), true);
  for (const simulated_curve& each : curves) {
    say(summary, fmt::format("{} on {}: {}{}{}", label_of(each.what), each.scheduler,
                             greatest_speedup_of(each, known), limit_of(each, known),
                             foreign_price_of(each, known)));
  }
  return summary;
}

using texts = std::vector<std::string>;

/// A row for each cell, whose texts are `texts_of(cell)`. One that failed has a reason.
template <class F>
report::table table_of(const estimates& known, const std::string& title,
                       const std::vector<report::column>& columns,
                       const std::vector<std::size_t>& cells, const F& texts_of) {
  report::table table{title, {{"scheduler", alignment::left}, {"workers"}}};
  table.columns.insert(table.columns.end(), columns.begin(), columns.end());
  for (const std::size_t at : cells) {
    const measured_cell& cell = known.cell(at);
    texts row{cell.which.scheduler, fmt::format("{}", cell.which.workers)};
    if (has_finished(cell)) {
      std::ranges::move(texts_of(at), std::back_inserter(row));
    } else {
      table.marks.push_back({table.rows.size(), row.size(), report::emphasis::failed});
      row.push_back("DNF: " + reason_of(cell));
    }
    row.resize(table.columns.size(), std::string(missing));
    table.rows.push_back(std::move(row));
  }
  return table;
}

texts shares_of(const measured_cell& cell) {
  texts shares;
  for (std::size_t i = 0; i < analysis::share_names.size(); ++i) {
    shares.push_back(share_text(share_of(cell, i)));
  }
  return shares;
}

texts hottest_of(const measured_cell& cell, std::size_t most) {
  texts lines;
  for (const hot_line& each : hot_lines_of(cell)) {
    if (lines.size() == most || each.share < least_share) break;
    lines.push_back(fmt::format("{} {}", each.name, share_text(each.share)));
  }
  return lines;
}

/// The tables of one workload instance; of varied costs none if no cost was varied.
void add_tables(const std::vector<simulated_curve>& curves, const estimates& known,
                const dataset::instance& what, section& times, section& shares,
                section& sensitivity) {
  std::vector<std::size_t> points;
  std::vector<std::size_t> varied;
  for (const simulated_curve& each : curves) {
    if (each.what != what) continue;
    points.insert(points.end(), each.points.begin(), each.points.end());
    varied.insert(varied.end(), each.varied.begin(), each.varied.end());
  }
  const auto time_at = [&](std::size_t at) {
    return report::seconds_with_interval(known.of(metric::seconds, at));
  };
  const auto count_at = [&](metric which, std::size_t at) {
    return report::count(median_of(known.of(which, at)));
  };
  const auto with_kind = [&](const char* header) {
    return report::column{with_interval_kind(header, known.have_intervals()), alignment::left};
  };
  const std::string label = label_of(what);
  times.blocks.emplace_back(table_of(
      known, label + ": simulated time and speedup",
      {with_kind("time"), with_kind("speedup"), {"moved"}, {"steal attempts"}}, points,
      [&](std::size_t at) {
        return texts{time_at(at), report::ratio_with_interval(known.standing_of(at).speedup),
                     count_at(metric::tasks_moved, at), count_at(metric::steal_attempts, at)};
      }));
  shares.blocks.emplace_back(table_of(known, label + ": shares of the workers' simulated time",
                                      {{"work"}, {"overhead"}, {"search"}, {"lines"}, {"asleep"}},
                                      points,
                                      [&](std::size_t at) { return shares_of(known.cell(at)); }));
  shares.blocks.emplace_back(table_of(
      known, label + ": hottest cache lines, simulated, and their shares",
      {{"first", alignment::left}, {"second", alignment::left}, {"third", alignment::left}}, points,
      [&](std::size_t at) { return hottest_of(known.cell(at), 3); }));
  if (varied.empty()) return;
  sensitivity.blocks.emplace_back(
      table_of(known, label + ": simulated time with one cost varied",
               {{"cost", alignment::left}, with_kind("time"), with_kind("ratio to unvaried")},
               varied, [&](std::size_t at) {
                 const analysis::cost_variation each = variation_of(known, at);
                 return texts{fmt::format("{} × {:g}", each.cost, each.factor), time_at(at),
                              report::ratio_with_interval(each.ratio)};
               }));
}

report::plot plot_of(const std::vector<simulated_curve>& curves, const estimates& known,
                     const dataset::instance& what) {
  const double most = known.most_workers();
  report::plot plot{
      .title = "Simulated speedup of " + label_of(what),
      .x = {.label = "workers", .is_logarithmic = true},
      .y = {.label = "speedup over one worker", .is_logarithmic = true, .format = report::ratio},
      .references = {{"ideal", {{1, 1}, {most, most}}}}};
  for (const simulated_curve& each : curves) {
    if (each.what != what) continue;
    std::vector<report::curve_point> points;
    for (const std::size_t at : each.points) {
      if (const auto& speedup = known.standing_of(at).speedup) {
        points.push_back({static_cast<double>(known.cell(at).which.workers), *speedup});
      }
    }
    add_curve(each.scheduler, std::move(points), plot);
  }
  return plot;
}

std::vector<section> curve_sections(const estimates& known) {
  const std::vector<simulated_curve> curves = analysis::curves_of(known);
  section times{"Simulated times", prominence::tables, {}};
  section shares{"Where the simulated time went", prominence::tables, {}};
  section sensitivity{"Sensitivity of the simulation", prominence::tables, {}};
  report::plot_group plots;
  for (const dataset::instance& what : known.instances()) {
    add_tables(curves, known, what, times, shares, sensitivity);
    add_plot(plot_of(curves, known, what), plots);
  }
  std::vector<section> all{summary_of(curves, known), std::move(times), std::move(shares)};
  std::ranges::move(regret_section(known), std::back_inserter(all));
  if (!sensitivity.blocks.empty()) all.push_back(std::move(sensitivity));
  if (!plots.plots.empty()) {
    all.push_back({"Simulated speedup", prominence::summary, {std::move(plots)}});
  }
  return all;
}

}  // namespace

std::vector<section> simulate_sections(const measurements& data) {
  const estimates known(data);
  // An ablation has many strategies, of which each is compared with one alone.
  std::vector<section> all = ablation_sections(known);
  if (all.empty()) all = curve_sections(known);
  for (section& each : all) {
    const bool are_plots =
        !each.blocks.empty() && std::holds_alternative<report::plot_group>(each.blocks.front());
    if (are_plots) {
      std::get<report::plot_group>(each.blocks.front()).meaning = simulation_note(data);
    } else {
      each.blocks.emplace(each.blocks.begin(), paragraph{simulation_note(data)});
    }
  }
  all.push_back(guide("How to read a simulation"));
  return all;
}

}  // namespace stealbench::experiments::simulate
