#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "bench/driver/experiments/explain/explain.hpp"
#include "results/report/format.hpp"
#include "results/sections/parts.hpp"

namespace stealbench::experiments::explain {

using namespace sections;
namespace {

report::table values_table(const json& recorded, double burden_ns) {
  report::table table{"Work and span", {{"quantity", alignment::left}, {"value"}}, {}};
  const auto add = [&](std::string name, std::string value) {
    table.rows.push_back({std::move(name), std::move(value)});
  };
  add("work T1", time(number(recorded, "work_ns")));
  add("span T∞", time(number(recorded, "span_ns")));
  add("parallelism T1 / T∞", report::ratio(number(recorded, "parallelism")));
  add("burden: a steal", time(burden_ns));
  add("burdened span", time(number(recorded, "burdened_span_ns")));
  add("burdened parallelism", report::ratio(number(recorded, "burdened_parallelism")));
  add("tasks", report::count(number(recorded, "tasks")));
  add("strands", report::count(number(recorded, "strands")));
  add("mean length of a strand",
      time(number(recorded, "work_ns") / std::max(1.0, number(recorded, "strands"))));
  add("depth of nested tasks", report::count(number(recorded, "depth")));
  add("most live tasks with one worker", report::count(number(recorded, "most_live_tasks")));
  return table;
}

report::table places_table(const json& recorded) {
  report::table table{"The critical path, by what precedes its strands",
                      {{"fork, loop, spawn or sync", alignment::left},
                       {"of the span"},
                       {"of the work"},
                       {"work / span"}},
                      {}};
  for (const json& each : by_span(recorded)) {
    const double span = number(each, "span_ns");
    const double work = number(each, "work_ns");
    table.rows.push_back({place_text(each), share_text(span / number(recorded, "span_ns")),
                          share_text(work / number(recorded, "work_ns")),
                          span > 0 ? report::ratio(work / span) : std::string(report::missing)});
  }
  return table;
}

report::table bounds_table(const json& recorded, const estimates& known) {
  report::table table{with_interval_kind("Times and the bounds of a greedy schedule: median time",
                                         known.have_intervals()),
                      {{"scheduler", alignment::left},
                       {"workers"},
                       {"lower bound"},
                       {"time", alignment::left},
                       {"upper bound"},
                       {"time / lower bound"}},
                      {},
                      {},
                      2};
  for (const known_time& each : times_of(known)) {
    const bounds within = bounds_of(recorded, each.workers);
    std::string shown = "DNF";
    if (each.seconds) {
      shown = each.is_simulated ? report::seconds(each.seconds->median) + ", simulated"
                                : report::seconds_with_interval(each.seconds);
    }
    table.rows.push_back({each.scheduler, fmt::format("{}", each.workers),
                          report::seconds(within.least_seconds), std::move(shown),
                          report::seconds(within.most_seconds),
                          each.seconds ? report::ratio(each.seconds->median / within.least_seconds)
                                       : std::string(missing)});
  }
  return table;
}

/// What is simulated, with which profile, how far it is from what was measured of this program, and
/// what could not be simulated.
std::vector<std::string> notes_on_simulation(const estimates& known) {
  const json simulation = simulation_in(known);
  if (simulation.empty()) return {};
  std::vector<std::string> notes;
  std::string errors;
  for (const json& each : simulation.at("times")) {
    const dataset::cell same{known.instances().front(), each.at("scheduler"), each.at("workers")};
    const auto at = known.data().place_of(same);
    if (!at || !known.standing_of(*at).seconds) continue;
    const double seconds = known.standing_of(*at).seconds->median;
    errors += fmt::format("{}{:+.1f} % on {} with {}", errors.empty() ? "" : ", ",
                          100 * (number(each, "time_ns") * 1e-9 / seconds - 1), same.scheduler,
                          workers_in_words(same.workers));
  }
  if (!simulation.at("times").empty()) notes.push_back(simulation_note(simulation));
  if (!errors.empty()) {
    notes.push_back(fmt::format(
        "Where this program is measured too, the simulated time is off by {}.", errors));
  }
  for (const json& each : simulation.at("gaps")) {
    notes.push_back("Not simulated: " + each.get<std::string>());
  }
  return notes;
}

/// Measured and simulated speedup, between the bounds of a greedy schedule.
report::plot speedup_plot(const json& recorded, const estimates& known) {
  report::plot plot{
      .title = "Speedup, and the bounds of a greedy schedule",
      .x = {.label = "workers", .is_logarithmic = true},
      .y = {.label = "speedup over serial", .is_logarithmic = true, .format = report::ratio},
      .curves = {}};
  std::map<std::string, std::vector<report::curve_point>> curves;
  std::map<unsigned, bounds> all_bounds;
  double serial = 0;
  for (const known_time& each : times_of(known)) {
    all_bounds[each.workers] = bounds_of(recorded, each.workers);
    if (each.scheduler == "serial" && each.seconds) serial = each.seconds->median;
    if (each.scheduler == "serial" || !each.speedup) continue;
    curves[each.scheduler + (each.is_simulated ? ", simulated" : "")].push_back(
        {static_cast<double>(each.workers), *each.speedup});
  }
  for (auto& [name, points] : curves) add_curve(name, std::move(points), plot);
  report::reference_line upper{"upper bound", {}};
  report::reference_line lower{"lower bound", {}};
  for (const auto& [workers, within] : all_bounds) {
    upper.points.push_back({static_cast<double>(workers), serial / within.least_seconds});
    lower.points.push_back({static_cast<double>(workers), serial / within.most_seconds});
  }
  if (all_bounds.size() > 1) plot.references = {std::move(upper), std::move(lower)};
  return plot;
}

/// Parallelism over time on unlimited processors.
report::plot profile_plot(const json& recorded) {
  report::plot plot{.title = "Parallelism over time, on unlimited processors",
                    .x = {.label = "time, µs", .unit = 1e-6, .format = report::seconds},
                    .y = {.label = "strands that can run", .format = report::ratio},
                    .curves = {}};
  const double interval = number(recorded, "interval_ns") * 1e-9;
  std::vector<report::curve_point> points;
  for (const double each : recorded.at("parallelism_over_time").get<std::vector<double>>()) {
    points.push_back({static_cast<double>(points.size()) * interval, {each, {each, each}}});
  }
  plot.y.is_logarithmic =
      number(recorded, "parallelism") > 1 &&
      std::ranges::all_of(points, [](const auto& each) { return each.y.median > 0; });
  add_curve("parallelism", std::move(points), plot);
  return plot;
}

/// A histogram: how many strands have a length from a power of 2 up to the next.
report::plot lengths_plot(const json& recorded) {
  report::plot plot{.title = "Strands by their length",
                    .x = {.label = "length from, µs",
                          .is_logarithmic = true,
                          .unit = 1e-6,
                          .format = report::seconds},
                    .y = {.label = "strands", .is_logarithmic = true, .format = report::count},
                    .curves = {}};
  std::vector<report::curve_point> points;
  double length = 1e-9;
  for (const double each : recorded.at("strands_of_length").get<std::vector<double>>()) {
    if (each > 0) points.push_back({length, {each, {each, each}}});
    length *= 2;
  }
  if (points.size() > 1) add_curve("strands", std::move(points), plot);
  return plot;
}

}  // namespace

json json_of(const dataset::measurements& data) {
  const estimates known(data);
  const json& about = data.header().at("about");
  json object = about.at("recorded");
  for (const char* const key : {"scheduler", "workers", "time_ns", "counters"}) object.erase(key);
  object["burden_ns"] = about.at("burden_ns");
  json& times = object["times"] = json::array();
  for (const known_time& each : times_of(known)) {
    const bounds within = bounds_of(object, each.workers);
    times.push_back({{"scheduler", each.scheduler},
                     {"workers", each.workers},
                     {"is_simulated", each.is_simulated},
                     {"time_ns", each.seconds ? json(each.seconds->median * 1e9) : json()},
                     {"lower_bound_ns", within.least_seconds * 1e9},
                     {"upper_bound_ns", within.most_seconds * 1e9}});
  }
  json& budgets = object["budget"] = json::array();
  for (const budget& each : budgets_of(known)) budgets.push_back(json_of(each));
  object["advice"] = advice_for(about.at("recorded"), known);
  return object;
}

std::vector<section> explain_sections(const dataset::measurements& data) {
  const estimates known(data);
  const json& about = data.header().at("about");
  const json& recorded = about.at("recorded");
  section answer{"Work, span and parallelism", prominence::summary, {}};
  for (const std::string& each : advice_for(recorded, known)) {
    answer.blocks.emplace_back(report::paragraph{each, answer.blocks.empty()});
    if (answer.blocks.size() == 1) {
      answer.blocks.emplace_back(values_table(recorded, number(about, "burden_ns")));
    }
  }
  std::vector<section> all{std::move(answer)};
  all.push_back({"Critical path", prominence::tables, {places_table(recorded)}});
  all.push_back({"Bounds", prominence::tables, {bounds_table(recorded, known)}});
  for (std::string& each : notes_on_simulation(known)) say(all.back(), std::move(each));
  all.push_back(budget_section(known));
  const auto add = [&all](const char* title, std::string meaning, report::plot plot) {
    report::plot_group group{.meaning = std::move(meaning)};
    add_plot(std::move(plot), group);
    if (!group.plots.empty()) all.push_back({title, prominence::summary, {std::move(group)}});
  };
  add("Parallelism over time",
      "How many strands could run at each time if there were a processor for each.",
      profile_plot(recorded));
  const std::string lengths =
      "How many strands, the instructions between two forks or joins, have a length from one value "
      "to twice as much.";
  add("Lengths of strands",
      recorded.at("strands_by") == "units"
          ? lengths + " A strand is as long as its units of the workload's work, each of one time."
          : lengths,
      lengths_plot(recorded));
  add("Speedup", "Speedup over serial. A greedy schedule without costs lies between the bounds.",
      speedup_plot(recorded, known));
  return all;
}

}  // namespace stealbench::experiments::explain
