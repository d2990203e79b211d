#include "bench/compare/grain_report.hpp"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <utility>

#include <fmt/format.h>

#include "bench/compare/names.hpp"
#include "results/report/format.hpp"

namespace stealbench::compare {
namespace {

using analysis::grain_row;
using nlohmann::ordered_json;
using report::alignment;
using report::missing;

std::string swept_parameter(const ordered_json& context) {
  return context.at("sweep").get<std::string>();
}

instance without(const std::string& parameter, instance what) {
  std::erase_if(what.set, [&](const auto& each) { return each.first == parameter; });
  return what;
}

/// 0 where the cell has no such parameter, which no driver writes.
double grain_of(const cell_result& of, const std::string& parameter) {
  std::uint64_t grain = 0;
  for (const auto& [key, value] : of.which.what.set) {
    if (key == parameter) std::from_chars(value.data(), value.data() + value.size(), grain);
  }
  return static_cast<double>(grain);
}

/// By whole rounds, for those that all cells have: a measurement may have ended inside a round.
std::optional<analysis::grain_sweep> found_in(const swept& all, const std::string& parameter,
                                              analysis::greater_grain greater) {
  std::vector<analysis::grain_point> points;
  std::size_t rounds = ~std::size_t{0};
  double workers = 1;
  for (const cell_result* each : all.cells) {
    if (!has_finished(*each)) continue;
    points.push_back({.grain = grain_of(*each, parameter),
                      .tasks = each->samples.front().fork_count,
                      .seconds = values_of(*each, &sample::seconds)});
    rounds = std::min(rounds, each->samples.size());
    workers = each->samples.front().worker_count;
  }
  if (points.empty()) return {};
  for (analysis::grain_point& each : points) each.seconds.resize(rounds);
  return analysis::analyse(std::move(points), workers, greater);
}

std::string verdict_on(const analysis::grain_sweep& of, std::size_t row) {
  if (row == of.best) return "best";
  if (row < of.finest_good) return "too fine";
  if (row > of.coarsest_good) return "too coarse";
  return "good";
}

std::vector<std::string> text_of(const swept& all, std::size_t row) {
  const grain_row& of = all.found->rows[row];
  return {all.scheduler,
          fmt::format("{}", all.workers),
          report::count(of.grain),
          report::seconds_with_interval(of.seconds),
          report::ratio_with_interval(of.efficiency),
          report::count(of.tasks),
          report::seconds(of.task_seconds),
          verdict_on(*all.found, row)};
}

void add_rows(const swept& all, const std::string& parameter, report::table& into) {
  for (std::size_t row = 0; all.found && row < all.found->rows.size(); ++row) {
    into.rows.push_back(text_of(all, row));
  }
  for (const cell_result* each : all.cells) {
    if (has_finished(*each)) continue;
    std::vector<std::string> text{all.scheduler, fmt::format("{}", all.workers),
                                  report::count(grain_of(*each, parameter)),
                                  "DNF: " + each->failure};
    text.resize(into.columns.size(), std::string(missing));
    into.rows.push_back(std::move(text));
  }
}

std::vector<std::string> spot_of(const swept& all) {
  std::vector<std::string> text{label_of(all.what), all.scheduler, fmt::format("{}", all.workers)};
  if (!all.found) {
    text.emplace_back("DNF");
    text.resize(9, std::string(missing));
    return text;
  }
  const analysis::grain_sweep& found = *all.found;
  const auto grain_at = [&](std::optional<std::size_t> row) {
    return row ? report::count(found.rows[*row].grain) : std::string(missing);
  };
  text.push_back(grain_at(found.best));
  text.push_back(report::seconds_with_interval(found.rows[found.best].seconds));
  text.push_back(
      fmt::format("{} to {}", grain_at(found.finest_good), grain_at(found.coarsest_good)));
  text.push_back(
      fmt::format("{} of {}", found.coarsest_good - found.finest_good + 1, found.rows.size()));
  text.push_back(grain_at(found.too_fine()));
  text.push_back(grain_at(found.too_coarse()));
  return text;
}

/// The different instances among sweeps, in their order.
std::vector<instance> instances_of(const std::vector<swept>& all) {
  std::vector<instance> instances;
  for (const swept& each : all) instances.push_back(each.what);
  return without_repetitions(instances);
}

std::string name_of(const swept& all) {
  return fmt::format("{}, {} worker{}", all.scheduler, all.workers, all.workers == 1 ? "" : "s");
}

}  // namespace

std::vector<swept> sweeps_of(const std::vector<cell_result>& cells, const ordered_json& context) {
  const std::string parameter = swept_parameter(context);
  const auto greater = context.at("greater_grain") == "finer" ? analysis::greater_grain::is_finer
                                                              : analysis::greater_grain::is_coarser;
  std::vector<swept> all;
  for (const cell_result& each : cells) {
    const instance what = without(parameter, each.which.what);
    const auto known = std::find_if(all.begin(), all.end(), [&](const swept& other) {
      return other.what == what && other.scheduler == each.which.scheduler &&
             other.workers == each.which.workers;
    });
    swept& of = known != all.end() ? *known
                                   : all.emplace_back(swept{.what = what,
                                                            .scheduler = each.which.scheduler,
                                                            .workers = each.which.workers,
                                                            .cells = {},
                                                            .found = {}});
    of.cells.push_back(&each);
  }
  for (swept& each : all) each.found = found_in(each, parameter, greater);
  return all;
}

std::vector<report::table> grain_tables(const std::vector<cell_result>& cells,
                                        const ordered_json& context) {
  const std::string parameter = swept_parameter(context);
  const std::string time = have_intervals(cells) ? "median time [95 %]" : "median time [range]";
  const std::vector<swept> all = sweeps_of(cells, context);
  std::vector<report::table> tables;
  for (const instance& what : instances_of(all)) {
    report::table made{fmt::format("{}: {}", label_of(what), parameter),
                       {{"scheduler", alignment::left},
                        {"workers"},
                        {parameter},
                        {time, alignment::left},
                        {"efficiency", alignment::left},
                        {"branches"},
                        {"per branch"},
                        {"verdict", alignment::left}},
                       {}};
    for (const swept& each : all) {
      if (each.what == what) add_rows(each, parameter, made);
    }
    tables.push_back(std::move(made));
  }
  report::table spots{"Sweet spots",
                      {{"workload", alignment::left},
                       {"scheduler", alignment::left},
                       {"workers"},
                       {"best " + parameter},
                       {time, alignment::left},
                       {fmt::format("within {:.0f} %", 100 * analysis::flatness)},
                       {"values"},
                       {"overhead from"},
                       {"imbalance from"}},
                      {}};
  for (const swept& each : all) spots.rows.push_back(spot_of(each));
  tables.push_back(std::move(spots));
  return tables;
}

std::vector<std::string> grain_verdicts(const std::vector<cell_result>& cells,
                                        const ordered_json& context) {
  std::vector<std::string> verdicts;
  for (const swept& each : sweeps_of(cells, context)) {
    verdicts.push_back(fmt::format("{} on {}: {}", label_of(each.what), name_of(each),
                                   each.found
                                       ? analysis::verdict_of(*each.found, swept_parameter(context))
                                       : std::string("No grain has finished.")));
  }
  return verdicts;
}

std::string grain_guide() {
  return "Time: median over the rounds, with a bootstrap 95 % interval (below six rounds: the "
         "range).\n"
         "Efficiency: the time of the best grain over this one's, in the same rounds; branches: "
         "that the program offers; per branch: time × workers / branches.\n"
         "best: the least median; good: within 5 % of it without a gap; too fine and too coarse: "
         "on either side of those.\n";
}

std::vector<report::curve_plot> grain_plots(const std::vector<cell_result>& cells,
                                            const ordered_json& context) {
  const std::string parameter = swept_parameter(context);
  const std::vector<swept> all = sweeps_of(cells, context);
  std::vector<report::curve_plot> plots;
  for (const instance& what : instances_of(all)) {
    report::curve_plot& plot = plots.emplace_back(report::curve_plot{
        .title = fmt::format("{}: efficiency over {}", label_of(what), parameter),
        .x = {.label = parameter},
        .y = {.label = "efficiency", .format = report::ratio},
        .curves = {}});
    // Levels are few and may be 0; sizes go in steps of a factor.
    plot.x.is_logarithmic = context.value("grain_unit", "size") == "size";
    for (const swept& each : all) {
      if (each.what != what || !each.found) continue;
      report::curve& curve = plot.curves.emplace_back(
          report::curve{.name = name_of(each), .style = plot.curves.size(), .points = {}});
      for (const grain_row& row : each.found->rows) {
        curve.points.push_back({row.grain, row.efficiency});
      }
      std::sort(
          curve.points.begin(), curve.points.end(),
          [](const report::curve_point& a, const report::curve_point& b) { return a.x < b.x; });
    }
  }
  return plots;
}

}  // namespace stealbench::compare
