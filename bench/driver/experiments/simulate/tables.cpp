#include "bench/driver/experiments/simulate/tables.hpp"

#include <algorithm>

#include <fmt/format.h>

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
using report::alignment;
using report::missing;

/// A table with a row for each point of the curves of an instance. One that failed has a reason.
class table_of_points {
 public:
  table_of_points(std::string title, std::vector<report::column> columns)
      : table_{std::move(title), {{"scheduler", alignment::left}, {"workers"}}, {}} {
    table_.columns.insert(table_.columns.end(), columns.begin(), columns.end());
  }

  void add(const measured_cell& cell, std::vector<std::string> values) {
    std::vector<std::string>& row = table_.rows.emplace_back();
    row = {cell.which.scheduler, fmt::format("{}", cell.which.workers)};
    if (!has_finished(cell)) {
      table_.marks.push_back({table_.rows.size() - 1, row.size(), report::emphasis::failed});
      values = {"DNF: " + reason_of(cell)};
    }
    row.insert(row.end(), values.begin(), values.end());
    row.resize(table_.columns.size(), std::string(missing));
  }

  [[nodiscard]] const report::table& made() const { return table_; }

 private:
  report::table table_;
};

void add_times(const simulated_curve& curve, const estimates& known, table_of_points& to) {
  for (const std::size_t at : curve.points) {
    const analysis::standing& own = known.standing_of(at);
    to.add(known.cell(at),
           {report::seconds_with_interval(own.seconds), report::ratio_with_interval(own.speedup),
            report::count(median_of(known.of(metric::tasks_moved, at))),
            report::count(median_of(known.of(metric::steal_attempts, at)))});
  }
}

void add_shares(const simulated_curve& curve, const estimates& known, table_of_points& to) {
  for (const std::size_t at : curve.points) {
    std::vector<std::string> shares;
    for (std::size_t i = 0; has_finished(known.cell(at)) && i < analysis::share_names.size(); ++i) {
      shares.push_back(share_text(share_of(known.cell(at), i)));
    }
    to.add(known.cell(at), std::move(shares));
  }
}

constexpr std::size_t most_lines = 3;

void add_lines(const simulated_curve& curve, const estimates& known, table_of_points& to) {
  for (const std::size_t at : curve.points) {
    std::vector<std::string> texts;
    for (const hot_line& each : hot_lines_of(known.cell(at))) {
      if (texts.size() == most_lines || each.share < least_share) break;
      texts.push_back(fmt::format("{} {}", each.name, share_text(each.share)));
    }
    to.add(known.cell(at), std::move(texts));
  }
}

void add_variations(const simulated_curve& curve, const estimates& known, table_of_points& to) {
  for (const analysis::cost_variation& each : curve.variations) {
    to.add(known.cell(each.cell),
           {fmt::format("{} × {:g}", each.cost, each.factor),
            report::seconds_with_interval(known.of(metric::seconds, each.cell)),
            report::ratio_with_interval(each.ratio)});
  }
}

}  // namespace

simulation_tables simulation_tables_of(const std::vector<simulated_curve>& curves,
                                       const estimates& known, const dataset::instance& what) {
  const std::string label = label_of(what);
  const auto with_kind = [&](const char* header) {
    return report::column{with_interval_kind(header, known.have_intervals()), alignment::left};
  };
  table_of_points times(label + ": simulated time and speedup",
                        {with_kind("time"), with_kind("speedup"), {"moved"}, {"steal attempts"}});
  table_of_points shares(label + ": shares of the workers' simulated time",
                         {{"work"}, {"overhead"}, {"search"}, {"lines"}, {"asleep"}});
  table_of_points lines(
      label + ": hottest cache lines, simulated, and their shares",
      {{"first", alignment::left}, {"second", alignment::left}, {"third", alignment::left}});
  table_of_points variations(
      label + ": simulated time with one cost varied",
      {{"cost", alignment::left}, with_kind("time"), with_kind("ratio to unvaried")});
  for (const simulated_curve& each : curves) {
    if (each.what != what) continue;
    add_times(each, known, times);
    add_shares(each, known, shares);
    add_lines(each, known, lines);
    add_variations(each, known, variations);
  }
  return {times.made(), shares.made(), lines.made(), variations.made()};
}

}  // namespace stealbench::experiments::simulate
