#include <algorithm>
#include <cmath>
#include <numeric>

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
  for (std::size_t i = 0; i < known.data().cells().size(); ++i) {
    const dataset::cell& which = known.cell(i).which;
    const bounds within =
        bounds_of(number(recorded, "work_ns"), number(recorded, "span_ns"), which.workers);
    const auto& seconds = known.standing_of(i).seconds;
    table.rows.push_back(
        {which.scheduler, fmt::format("{}", which.workers), report::seconds(within.least_seconds),
         has_finished(known.cell(i)) ? report::seconds_with_interval(seconds) : "DNF",
         report::seconds(within.most_seconds),
         seconds ? report::ratio(seconds->median / within.least_seconds)
                 : std::string(report::missing)});
  }
  return table;
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

std::string sentence_on_parallelism(const json& recorded, unsigned workers) {
  const double parallelism = number(recorded, "burdened_parallelism");
  const std::string all = workers_in_words(workers);
  if (parallelism >= ample * workers) {
    return fmt::format(
        "There is parallelism enough for {}: {} if every steal on the critical path is paid for, "
        "at least {:.0f} times the workers. A greedy schedule is then within 10 % of linear "
        "speedup.",
        all, report::ratio(parallelism), ample);
  }
  if (parallelism >= workers) {
    return fmt::format(
        "Parallelism is scarce for {}: {} if every steal on the critical path is paid for, less "
        "than {:.0f} times the workers. A greedy schedule may take {} of the time of linear "
        "speedup.",
        all, report::ratio(parallelism), ample, report::ratio(1 + workers / parallelism));
  }
  return fmt::format(
      "There is not enough parallelism for {}: {} if every steal on the critical path is paid for. "
      "No more than {:.0f} can be used.",
      all, report::ratio(parallelism), std::max(1.0, std::ceil(parallelism)));
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
        "A strand is {} long on average, shorter than a steal ({}): what a fork costs decides the "
        "time with one worker, and a coarser grain would save it.",
        time(strand), time(burden)));
  }
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
  for (std::size_t i = 0; i < data.cells().size(); ++i) {
    const dataset::cell& which = known.cell(i).which;
    const bounds within =
        bounds_of(number(object, "work_ns"), number(object, "span_ns"), which.workers);
    json& each = times.emplace_back(json{{"scheduler", which.scheduler},
                                         {"workers", which.workers},
                                         {"lower_bound_ns", within.least_seconds * 1e9},
                                         {"upper_bound_ns", within.most_seconds * 1e9},
                                         {"time_ns", nullptr}});
    if (const auto& seconds = known.standing_of(i).seconds) each["time_ns"] = seconds->median * 1e9;
  }
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
  report::plot_group profile{
      .meaning = "How many strands could run at each time if there were a processor for each."};
  add_plot(profile_plot(recorded), profile);
  if (!profile.plots.empty()) {
    all.push_back({"Parallelism over time", prominence::summary, {std::move(profile)}});
  }
  for (section& each : plot_sections(known)) all.push_back(std::move(each));
  return all;
}

}  // namespace stealbench::experiments::explain
