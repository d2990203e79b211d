#include <algorithm>
#include <cmath>
#include <iterator>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "bench/cell/program.hpp"
#include "bench/driver/experiments/explain/explain.hpp"
#include "results/report/format.hpp"
#include "results/sections/parts.hpp"

namespace stealbench::experiments::explain {

using namespace sections;
namespace {

using analysis::separation;

/// Ten times as much parallelism as workers, and a greedy schedule is within 10 % of linear
/// speedup.
constexpr double ample = 10;

std::string sentence_on_parallelism(const json& recorded, unsigned workers) {
  const double parallelism = number(recorded, "burdened_parallelism");
  const std::string all = workers_in_words(workers);
  if (parallelism >= ample * workers) {
    return fmt::format(
        "There is parallelism enough for {}: {} even with a steal at each fork of the critical "
        "path, and {:.0f} times the workers suffice. Without costs of scheduling, a greedy "
        "schedule is then within 10 % of linear speedup.",
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

/// Whether the second one is shown to be slower than the first. Requires: both are measured.
bool is_second_behind(const std::vector<known_time>& fastest_first) {
  separation::table times;
  for (const known_time& each : fastest_first) {
    if (each.cell != nullptr) times.push_back(values_of(*each.cell, metric::seconds));
  }
  return separation({std::move(times)}).is_slower(0, 1, 0);
}

/// Which scheduler is ahead of all others with that many workers, and by what; empty where the
/// measurement does not show it, or the model's error with contended workers is greater. Serial is
/// among them, for it may be ahead of all.
std::string sentence_on_choice(const estimates& known, unsigned workers) {
  std::vector<known_time> rivals = times_of(known);
  std::erase_if(rivals, [workers](const known_time& each) {
    return !each.seconds || (each.workers != workers && !is_serial(each));
  });
  if (std::ssize(rivals) - std::ranges::count_if(rivals, is_serial) < 2) return {};
  std::ranges::sort(rivals, {}, [](const known_time& each) { return each.seconds->median; });
  const auto& [best, next] = std::tie(rivals[0], rivals[1]);
  const double margin = next.seconds->median / best.seconds->median;
  const std::string text =
      fmt::format("With {}, {} is the fastest: {} takes {} its time", workers_in_words(workers),
                  best.scheduler, next.scheduler, report::ratio(margin));
  if (!best.is_simulated && !next.is_simulated) {
    return is_second_behind(rivals) ? text + "." : "";
  }
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
      "task has {} of work.",
      alone.scheduler, time(price), time(price / useful_loss), 100 * useful_loss,
      time(number(recorded, "work_ns") / tasks));
}

}  // namespace

std::string place_text(const json& place) {
  if (place.at("line") == 0) return "start of the program";
  return fmt::format("{}:{}", place.at("file").get<std::string>(),
                     place.at("line").get<unsigned>());
}

std::vector<json> by_span(const json& recorded) {
  std::vector<json> places(recorded.at("places").begin(), recorded.at("places").end());
  std::ranges::stable_sort(places, std::greater<>(),
                           [](const json& each) { return number(each, "span_ns"); });
  std::erase_if(places, [](const json& each) { return number(each, "work_ns") <= 0; });
  return places;
}

json simulation_in(const estimates& known) {
  return known.data().header().at("about").value("simulation", json::object());
}

bool is_serial(const known_time& each) {
  return each.scheduler == "serial" || each.scheduler == cell::sequential_name;
}

std::vector<known_time> times_of(const estimates& known) {
  std::vector<known_time> all;
  std::optional<estimate> serial;
  for (std::size_t i = 0; i < known.data().cells().size(); ++i) {
    const measured_cell& each = known.cell(i);
    const auto& standing = known.standing_of(i);
    known_time& added = all.emplace_back(known_time{each.which.scheduler, each.which.workers, false,
                                                    standing.seconds, standing.speedup, &each});
    if (is_serial(added)) added.workers = 1;
    if (each.which.scheduler == "serial") serial = standing.seconds;
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
    const auto certain = [](double value) { return estimate{value, {value, value}}; };
    const double seconds = number(each, "time_ns") * 1e-9;
    known_time& added = all.emplace_back(known_time{scheduler, workers, true, certain(seconds)});
    if (serial) added.speedup = certain(serial->median / seconds);
  }
  return all;
}

bounds bounds_of(const json& recorded, unsigned workers) {
  const double even = number(recorded, "work_ns") / workers;
  const double span_ns = number(recorded, "span_ns");
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

}  // namespace stealbench::experiments::explain
