#include "bench/compare/micro_table.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "bench/costs/catalogue.hpp"
#include "results/analysis/statistics.hpp"
#include "results/report/format.hpp"

namespace stealbench::compare {
namespace {

const cell_result* find(const std::vector<cell_result>& cells, std::string_view scheduler,
                        std::string_view figure) {
  const auto found = std::find_if(cells.begin(), cells.end(), [&](const cell_result& each) {
    return each.which.scheduler == scheduler && each.which.what.workload == figure;
  });
  return found == cells.end() ? nullptr : &*found;
}

std::string text_of(const cell_result* of) {
  if (of == nullptr) return std::string(report::missing);
  if (!has_finished(*of)) return "DNF";
  return report::seconds_with_interval(analysis::estimate_median(values_of(*of, &sample::seconds)));
}

}  // namespace

report::table micro_table(const std::vector<cell_result>& cells, const micro_axes& axes) {
  report::table made{fmt::format("micro-figures: median time of one operation [{}]",
                                 have_intervals(cells) ? "95 %" : "range"),
                     {{"scheduler", report::alignment::left}},
                     {}};
  for (const std::string& each : axes.figures) made.columns.push_back({each});
  for (const std::string& scheduler : axes.schedulers) {
    std::vector<std::string> row{scheduler};
    for (const std::string& figure : axes.figures) {
      row.push_back(text_of(find(cells, scheduler, figure)));
    }
    made.rows.push_back(std::move(row));
  }
  return made;
}

std::string micro_guide(const std::vector<cell_result>& cells, const micro_axes& axes) {
  std::string meanings;
  std::string gaps;
  for (const std::string& name : axes.figures) {
    const costs::figure_description& of = costs::find_figure(name);
    meanings += fmt::format("{} ({} worker{}): {}\n", name, of.workers, of.workers == 1 ? "" : "s",
                            of.meaning);
    for (const std::string& scheduler : axes.schedulers) {
      const cell_result* const found = find(cells, scheduler, name);
      if (found == nullptr) {
        gaps += fmt::format("{} {} of {}: not applicable, {}\n", report::missing, name, scheduler,
                            costs::why_not_applicable(of, scheduler));
      } else if (!found->failure.empty()) {
        gaps += fmt::format("DNF {} of {}: {}\n", name, scheduler, found->failure);
      }
    }
  }
  return meanings + gaps;
}

}  // namespace stealbench::compare
