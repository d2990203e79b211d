#include "results/sections/parts.hpp"

namespace stealbench::sections {
namespace {

using report::plot_group;

/// Speedups further apart than this, and a linear axis shows the small ones as nothing.
constexpr double widest_linear = 8;

/// The line at 1 that the others are held against.
bool is_baseline(const estimates& known, std::size_t scheduler) {
  return known.data().header().at("baseline") == known.schedulers()[scheduler];
}

/// The instance, and what has no point.
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

/// A curve for each scheduler, of a value at each worker count.
template <class ValueOf>
std::vector<report::curve> curves_of(const estimates& known, std::size_t instance,
                                     const std::vector<unsigned>& worker_counts,
                                     const ValueOf& value_of) {
  std::vector<report::curve> all;
  for (std::size_t i = 0; i < known.schedulers().size(); ++i) {
    if (is_baseline(known, i)) continue;
    report::curve curve{
        scheduler_in(known.data(), known.schedulers()[i], worker_counts.back()), i, {}};
    for (const unsigned workers : worker_counts) {
      const auto at = known.cell_at(instance, i, workers);
      if (!at) continue;
      curve.instead = has_finished(known.cell(*at)) ? std::string(missing) : "DNF";
      if (const auto& value = value_of(known.standing_of(*at))) {
        curve.points.push_back({static_cast<double>(workers), *value});
      }
    }
    if (!curve.instead.empty()) all.push_back(std::move(curve));
  }
  return all;
}

report::plot speedup_plot(const estimates& known, std::size_t instance) {
  const double most = known.most_workers();
  const char* const baseline = most > 1 ? "serial (1 worker)" : "serial";
  const std::string label = label_of(known.instances()[instance]);
  report::plot plot{.title = "Speedup of " + label,
                    .caption = caption_of(known, instance),
                    .x = {.label = "workers"},
                    .y = {.label = "speedup over serial", .format = report::ratio},
                    .curves = curves_of(known, instance, known.worker_counts(),
                                        [](const auto& standing) { return standing.speedup; }),
                    .references = {{baseline, {{1, 1}, {most, 1}}}}};
  if (most > 1) plot.references.push_back({"ideal", {{1, 1}, {most, most}}});
  double least_speedup = 1;
  for (const report::curve& each : plot.curves) {
    for (const auto& point : each.points) least_speedup = std::min(least_speedup, point.y.median);
  }
  // Both or neither, so that the ideal is a straight line.
  plot.x.is_logarithmic = plot.y.is_logarithmic = most / least_speedup > widest_linear;
  return plot;
}

report::plot overhead_plot(const estimates& known, std::size_t instance) {
  const std::string label = label_of(known.instances()[instance]);
  report::plot plot{.title = "Overhead on " + label,
                    .caption = label,
                    .x = {.label = "workers"},
                    .y = {.label = "T1 / Ts", .format = report::ratio},
                    .curves = curves_of(known, instance, {1},
                                        [](const auto& standing) { return standing.overhead; }),
                    .references = {{"serial", {{1, 1}}}},
                    .is_less_better = true};
  plot.y.is_logarithmic = std::ranges::any_of(plot.curves, [](const report::curve& each) {
    return !each.points.empty() && each.points.front().y.median > widest_linear;
  });
  return plot;
}

}  // namespace

void add_curve(std::string name, std::vector<report::curve_point> points, report::plot& to) {
  if (points.empty()) return;
  to.curves.push_back({std::move(name), to.curves.size(), std::move(points)});
}

void add_plot(report::plot plot, report::plot_group& to) {
  const auto is_empty = [](const report::curve& each) { return each.points.empty(); };
  if (std::ranges::all_of(plot.curves, is_empty)) return;
  for (auto& each : plot.curves) std::ranges::sort(each.points, {}, &report::curve_point::x);
  if (plot.caption.empty()) plot.caption = plot.title;
  to.plots.push_back(std::move(plot));
}

std::vector<section> plot_sections(const estimates& known) {
  plot_group speedups{.meaning = guide_text("Speedup")};
  plot_group overheads{.meaning = guide_text("Overhead")};
  for (std::size_t i = 0; i < known.instances().size(); ++i) {
    add_plot(speedup_plot(known, i), speedups);
    add_plot(overhead_plot(known, i), overheads);
  }
  std::vector<section> all{{"Speedup", report::prominence::summary, {std::move(speedups)}},
                           {"Overhead", report::prominence::summary, {std::move(overheads)}}};
  std::erase_if(all, [](const section& each) {
    return std::get<plot_group>(each.blocks.front()).plots.empty();
  });
  return all;
}

}  // namespace stealbench::sections
