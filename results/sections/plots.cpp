#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "results/report/format.hpp"
#include "results/sections/parts.hpp"

namespace stealbench::sections {
namespace {

using analysis::estimate;
using report::plot_group;

/// Speedups further apart than this, and a linear axis shows the small ones as nothing.
constexpr double widest_linear = 8;

/// The line at 1 that the others are held against.
bool is_baseline(const estimates& known, std::size_t scheduler) {
  return known.schedulers()[scheduler] == known.data().header().at("baseline");
}

/// Marker and colour: the place among those that are drawn.
std::size_t style_of(const estimates& known, std::size_t scheduler) {
  std::size_t style = 0;
  for (std::size_t i = 0; i < scheduler; ++i) style += is_baseline(known, i) ? 0 : 1;
  return style;
}

report::curve_plot speedup_plot(const estimates& known, std::size_t instance) {
  const double most = known.most_workers();
  report::curve_plot plot{
      .title = "Speedup of " + label_of(known.instances()[instance]),
      .x = {.label = "workers"},
      .y = {.label = "speedup over serial", .format = report::ratio},
      .curves = {},
      .references = {{"ideal", {{1, 1}, {most, most}}}, {"serial", {{1, 1}, {most, 1}}}}};
  for (const unsigned each : known.worker_counts()) plot.x.ticks.push_back(each);
  double least_speedup = 1;
  for (std::size_t i = 0; i < known.schedulers().size(); ++i) {
    if (is_baseline(known, i)) continue;
    report::curve curve{known.schedulers()[i], style_of(known, i), {}};
    for (const unsigned workers : known.worker_counts()) {
      const auto at = known.cell_at(instance, i, workers);
      if (!at || !known.standing_of(*at).speedup) continue;
      const estimate& speedup = *known.standing_of(*at).speedup;
      curve.points.push_back({static_cast<double>(workers), speedup});
      least_speedup = std::min(least_speedup, speedup.median);
    }
    if (!curve.points.empty()) plot.curves.push_back(std::move(curve));
  }
  // Both or neither, so that the ideal is a straight line.
  plot.x.is_logarithmic = plot.y.is_logarithmic =
      most / least_speedup > widest_linear || most > widest_linear;
  return plot;
}

report::bar_plot overhead_plot(const estimates& known, std::size_t instance) {
  report::bar_plot plot{.title = "Overhead on " + label_of(known.instances()[instance]),
                        .x = {.label = "T1 / Ts", .format = report::ratio},
                        .origin = 1,
                        .bars = {}};
  double most = 1;
  for (std::size_t i = 0; i < known.schedulers().size(); ++i) {
    const auto at = known.cell_at(instance, i, 1);
    if (!at || is_baseline(known, i)) continue;
    const auto& overhead = known.standing_of(*at).overhead;
    plot.bars.push_back({known.schedulers()[i], overhead,
                         has_finished(known.cell(*at)) ? std::string(report::missing) : "DNF",
                         style_of(known, i)});
    if (overhead) most = std::max(most, overhead->median);
  }
  plot.x.is_logarithmic = most > widest_linear;
  return plot;
}

std::string caption_of(const estimates& known, std::size_t instance) {
  std::vector<std::string> failed;
  for (std::size_t i = 0; i < known.schedulers().size(); ++i) {
    for (const unsigned workers : known.worker_counts()) {
      const auto at = known.cell_at(instance, i, workers);
      if (at && !has_finished(known.cell(*at))) {
        failed.push_back(fmt::format("{} at {}", known.schedulers()[i], workers));
      }
    }
  }
  const std::string label = label_of(known.instances()[instance]);
  return failed.empty() ? label : fmt::format("{} (DNF: {})", label, fmt::join(failed, ", "));
}

report::section section_of(const char* title, const char* meaning, plot_group plots) {
  if (plots.plots.empty()) {
    meaning = "None: it takes serial, and another scheduler, that finished with one worker.";
    return {title, report::prominence::detail, {report::paragraph{meaning}}};
  }
  return {title, report::prominence::detail, {report::paragraph{meaning}, std::move(plots)}};
}

}  // namespace

std::vector<report::section> plot_sections(const estimates& known) {
  plot_group speedups;
  plot_group overheads;
  for (std::size_t i = 0; i < known.instances().size(); ++i) {
    if (auto plot = speedup_plot(known, i); !plot.curves.empty()) {
      speedups.plots.push_back({std::move(plot), caption_of(known, i)});
    }
    auto plot = overhead_plot(known, i);
    if (std::ranges::any_of(plot.bars, [](const auto& each) { return each.value.has_value(); })) {
      overheads.plots.push_back({std::move(plot), label_of(known.instances()[i])});
    }
  }
  return {section_of("Speedup",
                     "Ts / Tp, the time of serial over that of the scheduler; the bars are 95 "
                     "% intervals, or ranges below six rounds. Both axes are logarithmic where the "
                     "speedups lie far apart.",
                     std::move(speedups)),
          section_of("Overhead",
                     "T1 / Ts: the scheduler's time with one worker over that of serial. It is "
                     "the price of being able to run in parallel; 1 is free.",
                     std::move(overheads))};
}

}  // namespace stealbench::sections
