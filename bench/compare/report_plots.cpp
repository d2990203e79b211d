#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "bench/compare/report_sections.hpp"
#include "results/report/format.hpp"
#include "results/report/plot.hpp"

namespace stealbench::compare {
namespace {

using analysis::estimate;

/// Speedups further apart than this, and a linear axis shows the small ones as nothing.
constexpr double widest_linear = 8;

/// Serial is the line at 1 that the others are held against.
bool is_baseline(const std::string& scheduler) { return scheduler == "serial"; }

/// Marker and colour: the place among those that are drawn.
std::size_t style_of(const report_view& view, std::size_t scheduler) {
  const auto begin = view.schedulers().begin();
  const auto end = begin + static_cast<std::ptrdiff_t>(scheduler);
  return scheduler - static_cast<std::size_t>(std::count_if(begin, end, is_baseline));
}

report::curve_plot speedup_plot(const report_view& view, std::size_t instance) {
  const double most = view.most_workers();
  report::curve_plot plot{
      .title = "Speedup of " + label_of(view.instances()[instance]),
      .x = {.label = "workers"},
      .y = {.label = "speedup over serial", .format = report::ratio},
      .curves = {},
      .references = {{"ideal", {{1, 1}, {most, most}}}, {"serial", {{1, 1}, {most, 1}}}}};
  for (const unsigned each : view.worker_counts()) plot.x.ticks.push_back(each);
  double least_speedup = 1;
  for (std::size_t i = 0; i < view.schedulers().size(); ++i) {
    if (is_baseline(view.schedulers()[i])) continue;
    report::curve drawn{view.schedulers()[i], style_of(view, i), {}};
    for (const unsigned workers : view.worker_counts()) {
      const auto at = view.cell_at(instance, i, workers);
      if (!at || !view.standing(*at).speedup) continue;
      const estimate& speedup = *view.standing(*at).speedup;
      drawn.points.push_back({static_cast<double>(workers), speedup});
      least_speedup = std::min(least_speedup, speedup.median);
    }
    if (!drawn.points.empty()) plot.curves.push_back(std::move(drawn));
  }
  // Both or neither, so that the ideal is a straight line.
  plot.x.is_logarithmic = plot.y.is_logarithmic =
      most / least_speedup > widest_linear || most > widest_linear;
  return plot;
}

report::bar_plot overhead_plot(const report_view& view, std::size_t instance) {
  report::bar_plot plot{.title = "Overhead on " + label_of(view.instances()[instance]),
                        .x = {.label = "T1 / Ts", .format = report::ratio},
                        .origin = 1,
                        .bars = {}};
  double most = 1;
  for (std::size_t i = 0; i < view.schedulers().size(); ++i) {
    const auto at = view.cell_at(instance, i, 1);
    if (!at || is_baseline(view.schedulers()[i])) continue;
    const auto& overhead = view.standing(*at).overhead;
    plot.bars.push_back({view.schedulers()[i], overhead,
                         has_finished(view.cell(*at)) ? std::string(report::missing) : "DNF",
                         style_of(view, i)});
    if (overhead) most = std::max(most, overhead->median);
  }
  plot.x.is_logarithmic = most > widest_linear;
  return plot;
}

std::string caption_of(const report_view& view, std::size_t instance) {
  std::vector<std::string> failed;
  for (std::size_t i = 0; i < view.schedulers().size(); ++i) {
    for (const unsigned workers : view.worker_counts()) {
      const auto at = view.cell_at(instance, i, workers);
      if (at && !has_finished(view.cell(*at))) {
        failed.push_back(fmt::format("{} at {}", view.schedulers()[i], workers));
      }
    }
  }
  const std::string label = label_of(view.instances()[instance]);
  return failed.empty() ? label : fmt::format("{} (DNF: {})", label, fmt::join(failed, ", "));
}

bool has_overhead(const report::bar_plot& plot) {
  return std::any_of(plot.bars.begin(), plot.bars.end(),
                     [](const report::bar& each) { return each.value.has_value(); });
}

}  // namespace

page_blocks plot_sections(const report_view& view) {
  report::figure_group speedups;
  report::figure_group overheads;
  for (std::size_t i = 0; i < view.instances().size(); ++i) {
    const std::string caption = caption_of(view, i);
    if (const auto plot = speedup_plot(view, i); !plot.curves.empty()) {
      speedups.figures.push_back({to_svg(plot, fmt::format("speedup-{}", i)), caption});
    }
    if (const auto plot = overhead_plot(view, i); has_overhead(plot)) {
      overheads.figures.push_back(
          {to_svg(plot, fmt::format("overhead-{}", i)), label_of(view.instances()[i])});
    }
  }
  const auto section = [](const char* title, const char* meaning, report::figure_group group) {
    page_blocks blocks{{report::heading{title}}};
    if (group.figures.empty()) {
      blocks.push_back({report::paragraph{
          "None: it takes serial, and another scheduler, that finished with one worker."}});
      return blocks;
    }
    blocks.push_back({report::paragraph{meaning}});
    blocks.push_back({std::move(group)});
    return blocks;
  };
  page_blocks blocks =
      section("Speedup",
              "Ts / Tp, the time of serial over that of the scheduler; the bars are 95 "
              "% intervals, or ranges below six rounds. Both axes are logarithmic where the "
              "speedups lie far apart.",
              std::move(speedups));
  for (report::page_block& each :
       section("Overhead",
               "T1 / Ts: the scheduler's time with one worker over that of serial. It "
               "is what one pays for the possibility of running in parallel; 1 is free.",
               std::move(overheads))) {
    blocks.push_back(std::move(each));
  }
  return blocks;
}

}  // namespace stealbench::compare
