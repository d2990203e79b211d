#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <tuple>

#include <fmt/format.h>

#include "bench/driver/experiments/explain/explain.hpp"
#include "results/report/format.hpp"
#include "results/sections/parts.hpp"

namespace stealbench::experiments::explain {

using namespace sections;
using dataset::json;
namespace {

using report::alignment;
using report::prominence;

/// Ten times as much parallelism as workers, and a greedy schedule is within 10 % of linear
/// speedup.
constexpr double ample = 10;

double number(const json& object, const char* key) { return object.at(key).get<double>(); }
std::string time(double ns) { return report::seconds(ns * 1e-9); }

std::string place_text(const json& place) {
  if (place.at("line") == 0) return "start of the program";
  return fmt::format("{}:{}", place.at("file").get<std::string>(),
                     place.at("line").get<unsigned>());
}

/// The places by what they have of the span, the greatest first.
std::vector<json> by_span(const json& recorded) {
  std::vector<json> places(recorded.at("places").begin(), recorded.at("places").end());
  std::ranges::stable_sort(places, std::greater<>(),
                           [](const json& each) { return number(each, "span_ns"); });
  std::erase_if(places, [](const json& each) { return number(each, "work_ns") <= 0; });
  return places;
}

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

/// What was simulated; empty if nothing was.
json simulation_in(const estimates& known) {
  return known.data().header().at("about").value("simulation", json::object());
}

/// A measured or a simulated time.
struct known_time {
  std::string scheduler;
  unsigned workers;
  bool is_simulated;
  std::optional<estimate> seconds = {};
  bool is_behind = false;  ///< It is shown to be slower than the fastest that is measured.
};

/// The simulated ones last, but for those that were measured too.
std::vector<known_time> times_of(const estimates& known) {
  std::vector<known_time> all;
  for (std::size_t i = 0; i < known.data().cells().size(); ++i) {
    const measured_cell& each = known.cell(i);
    const auto& standing = known.standing_of(i);
    all.push_back(
        {each.which.scheduler, each.which.workers, false, standing.seconds, standing.is_behind});
  }
  const std::size_t measured = all.size();
  for (const json& each : simulation_in(known).value("times", json::array())) {
    const std::string scheduler = each.at("scheduler");
    const unsigned workers = each.at("workers");
    const auto is_same = [&](const known_time& other) {
      return other.scheduler == scheduler && other.workers == workers;
    };
    const auto end = all.begin() + static_cast<std::ptrdiff_t>(measured);
    if (std::any_of(all.begin(), end, is_same)) continue;
    const double seconds = number(each, "time_ns") * 1e-9;
    all.push_back({scheduler, workers, true, estimate{seconds, {seconds, seconds}}});
  }
  return all;
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
    const bounds within =
        bounds_of(number(recorded, "work_ns"), number(recorded, "span_ns"), each.workers);
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
    for (std::size_t i = 0; i < known.data().cells().size(); ++i) {
      const dataset::cell& which = known.cell(i).which;
      const auto& seconds = known.standing_of(i).seconds;
      if (which.scheduler != each.at("scheduler") || which.workers != each.at("workers") ||
          !seconds)
        continue;
      errors += fmt::format("{}{:+.1f} % on {} with {}", errors.empty() ? "" : ", ",
                            100 * (number(each, "time_ns") * 1e-9 / seconds->median - 1),
                            which.scheduler, workers_in_words(which.workers));
    }
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
  const double work = number(recorded, "work_ns") * 1e-9;
  std::map<std::string, std::vector<report::curve_point>> curves;
  std::map<unsigned, bounds> all_bounds;
  for (const known_time& each : times_of(known)) {
    const unsigned workers = each.scheduler == "serial" ? 1 : each.workers;
    all_bounds[workers] = bounds_of(work * 1e9, number(recorded, "span_ns"), workers);
    if (each.scheduler == "serial" || !each.seconds) continue;
    const auto& [median, around] = *each.seconds;
    curves[each.scheduler + (each.is_simulated ? ", simulated" : "")].push_back(
        {static_cast<double>(workers), {work / median, {work / around.high, work / around.low}}});
  }
  for (auto& [name, points] : curves) add_curve(name, std::move(points), plot);
  report::reference_line upper{"upper bound", {}};
  report::reference_line lower{"lower bound", {}};
  for (const auto& [workers, within] : all_bounds) {
    upper.points.push_back({static_cast<double>(workers), work / within.least_seconds});
    lower.points.push_back({static_cast<double>(workers), work / within.most_seconds});
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
  double from = 1e-9;
  for (const double each : recorded.at("strands_of_length").get<std::vector<double>>()) {
    if (each > 0) points.push_back({from, {each, {each, each}}});
    from *= 2;
  }
  if (points.size() > 1) add_curve("strands", std::move(points), plot);
  return plot;
}

std::string sentence_on_parallelism(const json& recorded, unsigned workers) {
  const double parallelism = number(recorded, "burdened_parallelism");
  const std::string all = workers_in_words(workers);
  if (parallelism >= ample * workers) {
    return fmt::format(
        "There is parallelism enough for {}: {} even with a steal at each fork of the critical "
        "path, "
        "and {:.0f} times the workers suffice. Without costs of scheduling, a greedy schedule is "
        "then within 10 % of linear speedup.",
        all, report::ratio(parallelism), ample);
  }
  if (parallelism >= workers) {
    return fmt::format(
        "Parallelism is scarce for {}: {} with a steal at each fork of the critical path, less "
        "than {:.0f} times the workers. A greedy schedule may take {} of the time of linear "
        "speedup.",
        all, report::ratio(parallelism), ample, report::ratio(1 + workers / parallelism));
  }
  return fmt::format(
      "There is not enough parallelism for {}: {} with a steal at each fork of the critical path. "
      "No more than {:.0f} can be used.",
      all, report::ratio(parallelism), std::max(1.0, std::ceil(parallelism)));
}

/// Which scheduler is ahead of all others with that many workers, and by what; empty where the
/// measurement does not show it, or the model's error with contended workers is greater.
std::string sentence_on_choice(const estimates& known, unsigned workers) {
  std::vector<known_time> rivals = times_of(known);
  std::erase_if(rivals, [workers](const known_time& each) {
    return each.workers != workers || each.scheduler == "serial" || !each.seconds;
  });
  if (rivals.size() < 2) return {};
  std::ranges::sort(rivals, {}, [](const known_time& each) { return each.seconds->median; });
  const auto& [best, next] = std::tie(rivals[0], rivals[1]);
  const double margin = next.seconds->median / best.seconds->median;
  const std::string text =
      fmt::format("With {}, {} is the fastest: {} takes {} its time", workers_in_words(workers),
                  best.scheduler, next.scheduler, report::ratio(margin));
  if (!best.is_simulated && !next.is_simulated) return next.is_behind ? text + "." : "";
  const json accuracy = simulation_in(known).at("profile").at("accuracy");
  const double error = accuracy.is_null() ? margin : number(accuracy, "contended_factor");
  if (margin <= error) return {};
  return fmt::format("{}, simulated; the model may be off by {}.", text, report::ratio(error));
}

/// How long a task has to be so that no more than a part of `useful_loss` goes to it.
constexpr double useful_loss = 0.05;
/// A price that explains less of T1 − Ts, or more than all, carries no advice.
constexpr double trusted = 0.9;
std::string sentence_on_grain(const json& recorded, const budget& alone) {
  const double tasks = number(recorded, "tasks");
  if (alone.workers != 1 || !(alone.tasks_ns > 0) || alone.explained.value_or(0) < trusted)
    return {};
  const double price = alone.tasks_ns / tasks;
  return fmt::format(
      "On {} each task adds {} here: below a grain of {} more than {:.0f} % is lost to tasks. A "
      "task "
      "has {} of work.",
      alone.scheduler, time(price), time(price / useful_loss), 100 * useful_loss,
      time(number(recorded, "work_ns") / tasks));
}

}  // namespace

bounds bounds_of(double work_ns, double span_ns, unsigned workers) {
  const double even = work_ns / workers;
  return {.least_seconds = 1e-9 * std::max(even, span_ns), .most_seconds = 1e-9 * (even + span_ns)};
}

std::vector<std::string> advice_for(const json& recorded, const estimates& known) {
  std::vector<std::string> advice{sentence_on_parallelism(recorded, known.most_workers())};
  const double span = number(recorded, "span_ns");
  const std::vector<json> places = by_span(recorded);
  if (number(recorded, "burdened_parallelism") < ample * known.most_workers() && !places.empty()) {
    const double part = number(places.front(), "span_ns") / span;
    advice.push_back(fmt::format(
        "To shorten the critical path, begin with what follows {}: it is {} of the span.",
        place_text(places.front()), share_text(part)));
  }
  const double strand = number(recorded, "work_ns") / std::max(1.0, number(recorded, "strands"));
  if (const double burden = number(known.data().header().at("about"), "burden_ns");
      number(recorded, "tasks") > 0 && strand < burden) {
    advice.push_back(fmt::format(
        "A strand is {} long on average, shorter than a steal ({}): to steal pays only where the "
        "stolen task forks many more.",
        time(strand), time(burden)));
  }
  for (const budget& each : budgets_of(known)) advice.push_back(sentence_on_grain(recorded, each));
  for (const unsigned workers : {2U, 16U, 64U}) {
    advice.push_back(sentence_on_choice(known, workers));
  }
  std::erase(advice, "");
  return advice;
}

json json_of(const dataset::measurements& data) {
  const estimates known(data);
  const json& about = data.header().at("about");
  json object{{"workload", about.at("recorded").at("workload")}};
  for (const auto& [key, value] : about.at("recorded").items()) {
    if (key != "scheduler" && key != "workers" && key != "time_ns" && key != "counters") {
      object[key] = value;
    }
  }
  object["burden_ns"] = about.at("burden_ns");
  json& times = object["times"] = json::array();
  for (const known_time& each : times_of(known)) {
    const bounds within =
        bounds_of(number(object, "work_ns"), number(object, "span_ns"), each.workers);
    times.push_back({{"scheduler", each.scheduler},
                     {"workers", each.workers},
                     {"is_simulated", each.is_simulated},
                     {"time_ns", each.seconds ? json(each.seconds->median * 1e9) : json()},
                     {"lower_bound_ns", within.least_seconds * 1e9},
                     {"upper_bound_ns", within.most_seconds * 1e9}});
  }
  json& budgets = object["budget"] = json::array();
  for (const budget& each : budgets_of(known)) budgets.push_back(json_of(each));
  object["hardware"] = about.value("hardware", json::array());
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
