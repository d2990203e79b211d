#include "bench/driver/experiments/grain/grain.hpp"
#include "results/sections/parts.hpp"

namespace stealbench::experiments::grain {

using namespace sections;
namespace {

using analysis::grain_row;
using analysis::grain_sweep;
using analysis::swept_cells;

/// `12 % slower`.
std::string slower(const grain_sweep& sweep, std::size_t row) {
  const double excess = sweep.rows[row].seconds.median / sweep.rows[sweep.best].seconds.median - 1;
  return excess < 1 ? fmt::format("{:.0f} % slower", 100 * excess)
                    : fmt::format("{:.1f} times as slow", 1 + excess);
}

/// `28,000 tasks of 1.20 µs`.
std::string tasks_of(const grain_row& row) {
  if (row.tasks == 0) return "no branch";
  if (row.tasks == 1) return "one branch";
  return fmt::format("{} branches of {} each", report::count(row.tasks),
                     report::seconds(row.task_seconds));
}

std::string flatness_of(const grain_sweep& sweep, const std::string& parameter) {
  const std::size_t good = sweep.coarsest_good - sweep.finest_good + 1;
  if (good == 1) {
    return fmt::format("It is sharp: no other {} is within {:.0f} %.", parameter,
                       100 * analysis::flatness);
  }
  const auto [least, most] =
      std::minmax(sweep.rows[sweep.finest_good].grain, sweep.rows[sweep.coarsest_good].grain);
  return fmt::format("It is flat from {} to {}: {} of {} values lie within {:.0f} % of it.",
                     report::count(least), report::count(most), good, sweep.rows.size(),
                     100 * analysis::flatness);
}

/// Where pieces of a side begin to cost; `nothing` if they do not.
std::string side_of(const grain_sweep& sweep, std::optional<std::size_t> row,
                    std::string_view sets_in, const std::string& nothing) {
  if (!row) return nothing;
  return fmt::format("{} at {}: {}, with {}.", sets_in, report::count(sweep.rows[*row].grain),
                     slower(sweep, *row), tasks_of(sweep.rows[*row]));
}

/// With how many workers the model is asked too.
constexpr unsigned many_workers = 64;
/// A model that misses a time by more explains nothing.
constexpr double greatest_model_error = 0.2;

/// `400 to 60,000 with 2 workers`.
std::string good_grains_of(const grain_sweep& sweep) {
  const auto [least, most] =
      std::minmax(sweep.rows[sweep.finest_good].grain, sweep.rows[sweep.coarsest_good].grain);
  const std::string workers = workers_in_words(static_cast<unsigned>(sweep.workers));
  return least == most
             ? fmt::format("{} alone with {}", report::count(least), workers)
             : fmt::format("{} to {} with {}", report::count(least), report::count(most), workers);
}

/// Where the model of the times puts the sweet spot; nothing where it has too few points.
std::string model_in_words(const grain_sweep& sweep) {
  const auto model = analysis::model_of(sweep);
  if (!model) return {};
  const std::string error = fmt::format("{:.0f} %", 100 * model->greatest_error);
  if (model->greatest_error > greatest_model_error) {
    return fmt::format(
        " No model of work, tasks and span fits these times: the best one is off by {}.", error);
  }
  const grain_sweep here = predicted(*model, sweep, sweep.workers);
  std::string text = fmt::format(
      " A model within {} of each time has {} for a task, and predicts {} as the best. By it, the "
      "grains within {:.0f} % of the best are {}",
      error, report::seconds(model->task_seconds), report::count(here.rows[here.best].grain),
      100 * analysis::flatness, good_grains_of(here));
  if (sweep.workers > 1 && sweep.workers < many_workers) {
    text += fmt::format("; {}", good_grains_of(predicted(*model, sweep, many_workers)));
  }
  return text + ".";
}

/// Why a run says nothing about grains; empty if it does.
std::string why_inconclusive(const grain_sweep& sweep, const measurements& data) {
  if (data.context().value("processors", std::string()) == "1") {
    return "This process had one processor, so the times say nothing about grains.";
  }
  if (std::ranges::all_of(sweep.rows, [](const grain_row& row) { return row.tasks == 0; })) {
    return "No task was made at any grain, so the times say nothing about grains.";
  }
  return {};
}

std::string rating_of(const grain_sweep& sweep, std::size_t row) {
  if (row == sweep.best) return "best";
  if (row < sweep.finest_good) return "too fine";
  if (row > sweep.coarsest_good) return "too coarse";
  return "good";
}

/// Ratings are claims: `has_evidence` says whether they can be made.
void add_rows(const swept_cells& swept, const std::string& parameter, bool has_evidence,
              const measurements& data, report::table& table) {
  const std::string workers = workers_in(data, swept.scheduler, swept.workers);
  for (std::size_t i = 0; swept.found && i < swept.found->rows.size(); ++i) {
    const grain_row& row = swept.found->rows[i];
    table.rows.push_back({swept.scheduler, workers, report::count(row.grain),
                          report::seconds_with_interval(row.seconds),
                          report::ratio_with_interval(row.efficiency), report::count(row.tasks),
                          report::seconds(row.task_seconds),
                          has_evidence ? rating_of(*swept.found, i) : std::string(missing)});
  }
  for (const measured_cell* each : swept.cells) {
    if (has_finished(*each)) continue;
    std::vector<std::string> texts{
        swept.scheduler, workers,
        report::count(dataset::number_of(each->which.what, parameter).value_or(0)),
        "DNF: " + reason_of(*each)};
    texts.resize(table.columns.size(), std::string(missing));
    table.rows.push_back(std::move(texts));
  }
}

std::string name_of(const swept_cells& swept, const measurements& data) {
  return fmt::format("{}, {}", scheduler_in(data, swept.scheduler, swept.workers),
                     workers_in_words(data, swept.workers));
}

/// Efficiency over the grain: a curve for each scheduler and worker count.
report::plot plot_of(const std::vector<swept_cells>& sweeps, const dataset::instance& what,
                     const analysis::grain_parameter& parameter, const measurements& data) {
  report::plot plot{.title = fmt::format("{}: efficiency over {}", label_of(what), parameter.name),
                    // Levels are few and may be 0; sizes go in steps of a factor.
                    .x = {.label = parameter.name, .is_logarithmic = parameter.is_size},
                    .y = {.label = "efficiency", .format = report::ratio}};
  for (const swept_cells& each : sweeps) {
    if (each.what != what || !each.found) continue;
    std::vector<report::curve_point> points;
    for (const grain_row& row : each.found->rows) points.push_back({row.grain, row.efficiency});
    add_curve(name_of(each, data), std::move(points), plot);
  }
  return plot;
}

}  // namespace

std::string verdict_of(const grain_sweep& sweep, const std::string& parameter) {
  const grain_row& best = sweep.rows[sweep.best];
  std::string spot =
      fmt::format("The best {} is {}, with {}: {}.", parameter, report::count(best.grain),
                  tasks_of(best), report::seconds_with_interval(best.seconds));
  if (sweep.rows.size() == 1) return spot;
  const double finest = sweep.rows.front().grain;
  const double coarsest = sweep.rows.back().grain;
  const auto end = [](double grain, double other) {
    return fmt::format("{} to {}", grain < other ? "down" : "up", report::count(grain));
  };
  const std::string fine_side =
      side_of(sweep, sweep.too_fine(), "Overhead sets in",
              fmt::format("No overhead shows {}.", end(finest, coarsest)));
  // One worker has all pieces, so whatever slows it is something else, such as the caches.
  const std::string until = end(coarsest, finest);
  const std::string coarse_side =
      sweep.workers > 1 ? side_of(sweep, sweep.too_coarse(), "Imbalance sets in",
                                  fmt::format("No imbalance shows {}.", until))
                        : side_of(sweep, sweep.too_coarse(),
                                  "Coarse pieces cost without imbalance, for there is one worker,",
                                  fmt::format("No cost of coarse pieces shows {}.", until));
  return fmt::format("{} {} {} {}", spot, flatness_of(sweep, parameter), fine_side, coarse_side);
}

std::vector<section> grain_sections(const measurements& data) {
  const estimates known(data);
  const analysis::grain_parameter parameter = analysis::grain_parameter_of(data);
  const std::vector<swept_cells> sweeps = analysis::sweeps_of(data);
  const std::string time = with_interval_kind("median time", known.have_intervals());
  section verdict{"Granularity", prominence::summary, {}};
  std::vector<dataset::instance> instances;
  for (const swept_cells& each : sweeps) {
    instances.push_back(each.what);
    std::string words = each.found ? why_inconclusive(*each.found, data) : "No grain has finished.";
    if (words.empty()) {
      words = known.have_intervals()
                  ? verdict_of(*each.found, parameter.name) + model_in_words(*each.found)
                  : fmt::format("The grains are {}", not_told_apart_yet(known));
    }
    say(verdict, fmt::format("{} on {}: {}", label_of(each.what), name_of(each, data), words));
  }
  section values{"Every grain", prominence::tables, {}};
  report::plot_group plots;
  for (const dataset::instance& what : dataset::distinct(instances)) {
    report::table table{fmt::format("{}: {}", label_of(what), parameter.name),
                        {{"scheduler", alignment::left},
                         {"workers"},
                         {parameter.name},
                         {time, alignment::left},
                         {"efficiency", alignment::left},
                         {"tasks"},
                         {"per task"},
                         {"rating", alignment::left}}};
    for (const swept_cells& each : sweeps) {
      const bool is_rated =
          known.have_intervals() && each.found && why_inconclusive(*each.found, data).empty();
      if (each.what == what) add_rows(each, parameter.name, is_rated, data, table);
    }
    values.blocks.emplace_back(std::move(table));
    add_plot(plot_of(sweeps, what, parameter, data), plots);
  }
  std::vector<section> all{std::move(verdict), std::move(values), guide("How to read the grains")};
  if (!plots.plots.empty()) {
    all.insert(all.begin() + 1, {"Efficiency and grain", prominence::summary, {std::move(plots)}});
  }
  return all;
}

}  // namespace stealbench::experiments::grain
