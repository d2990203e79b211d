#include <algorithm>
#include <array>
#include <cmath>

#include "bench/driver/experiments/explain/explain.hpp"
#include "results/report/format.hpp"
#include "results/sections/parts.hpp"

namespace stealbench::experiments::explain {

using namespace sections;
namespace {

/// The time in which a counting run's workers have no task [ns]. Counting makes tasks longer, but
/// not the search for them.
std::optional<double> not_busy_ns_of(const measured_cell& cell) {
  const std::optional<double> wall = counter_of(cell, "wall_ns");
  if (!wall) return {};
  double sum = 0;
  for (const json& each : cell.counters.at("per_worker")) {
    sum += *wall - each.at("busy_ns").get<double>();
  }
  return std::max(0.0, sum);
}

/// In the fastest round: what slows a process down by chance is neither work nor a price.
double nanoseconds_of(const measured_cell& cell, metric which) {
  const auto seconds = [](const dataset::sample& each) { return each[metric::seconds].value(); };
  return std::ranges::min(cell.samples, {}, seconds)[which].value() * 1e9;
}

/// What is beyond the time of one worker.
void explain_workers(const measured_cell& cell, const json& prices, budget& found) {
  found.idle_ns = std::max(0.0, found.total_ns - nanoseconds_of(cell, metric::cpu_seconds));
  if (prices.contains("slowdown_beside")) {
    found.inflation_ns =
        std::max(0.0, prices.at("slowdown_beside").get<double>() - 1) * found.alone_ns;
  }
  const std::optional<double> not_busy = not_busy_ns_of(cell);
  if (!not_busy) return;
  const auto paid = [&](const char* counter, const char* price) {
    return counter_of(cell, counter).value_or(0) * prices.value(price, 0.0);
  };
  found.wake_ups_ns = paid("wakes", "waker_ns");
  found.idle_ns = std::min(*found.idle_ns, *not_busy);
  found.steals_ns = std::min(paid("jobs_moved", "steal_ns"), *not_busy - *found.idle_ns);
  found.waiting_ns = *not_busy - *found.idle_ns - *found.steals_ns;
}

struct part {
  const char* name;
  const char* key;
  std::optional<double> budget::*ns;
};
constexpr std::array parts_beyond_one{part{"wake-ups", "wake_ups_ns", &budget::wake_ups_ns},
                                      part{"steals", "steals_ns", &budget::steals_ns},
                                      part{"waiting", "waiting_ns", &budget::waiting_ns},
                                      part{"idle", "idle_ns", &budget::idle_ns},
                                      part{"inflation", "inflation_ns", &budget::inflation_ns}};

}  // namespace

double budget::to_explain_ns() const {
  return workers == 1 ? total_ns - work_ns : total_ns - alone_ns;
}

double budget::unexplained_ns() const {
  double rest = total_ns - work_ns - tasks_ns;
  for (const part& each : parts_beyond_one) rest -= (this->*each.ns).value_or(0);
  return rest;
}

double task_price_ns(std::span<const double> times_ns, std::span<const double> serial_ns,
                     double tasks) {
  return std::max(0.0, std::ranges::min(times_ns) - std::ranges::min(serial_ns)) / tasks;
}

std::vector<budget> budgets_of(const estimates& known) {
  const json& about = known.data().header().at("about");
  const auto& cells = known.data().cells();
  const auto find = [&](const std::string& scheduler, unsigned workers) -> const measured_cell* {
    for (const measured_cell& each : cells) {
      if (each.which.scheduler == scheduler && has_finished(each) &&
          (each.which.workers == workers || scheduler == "serial")) {
        return &each;
      }
    }
    return nullptr;
  };
  const measured_cell* const serial = find("serial", 1);
  std::vector<budget> all;
  for (const measured_cell& each : cells) {
    const std::string& scheduler = each.which.scheduler;
    const measured_cell* const alone = find(scheduler, 1);
    const json prices = about.value("prices", json::object()).value(scheduler, json::object());
    if (!has_finished(each) || &each == serial || serial == nullptr || alone == nullptr) continue;
    budget found{
        .scheduler = scheduler,
        .workers = each.which.workers,
        .total_ns = each.which.workers * nanoseconds_of(each, metric::seconds),
        .alone_ns = nanoseconds_of(*alone, metric::seconds),
        .work_ns = nanoseconds_of(*serial, metric::seconds),
        .tasks_ns = about.at("recorded").at("tasks").get<double>() * prices.value("task_ns", 0.0)};
    if (&each != alone) explain_workers(each, prices, found);
    // The part of one worker's time that stays unexplained is not explained by more of them.
    const double rest = found.unexplained_ns() -
                        (&each == alone ? 0 : found.alone_ns - found.work_ns - found.tasks_ns);
    const auto ratio = analysis::paired_ratio(&each, &each == alone ? serial : alone);
    if (ratio && ratio->around.low * found.workers > 1) {
      found.explained = 1 - std::abs(rest) / found.to_explain_ns();
    }
    all.push_back(std::move(found));
  }
  return all;
}

json json_of(const budget& each) {
  json object{{"scheduler", each.scheduler},
              {"workers", each.workers},
              {"total_ns", each.total_ns},
              {"work_ns", each.work_ns},
              {"tasks_ns", each.tasks_ns}};
  const auto add = [&](const char* key, const std::optional<double>& value) {
    object[key] = value ? json(*value) : json();
  };
  for (const part& other : parts_beyond_one) add(other.key, each.*other.ns);
  object["unexplained_ns"] = each.unexplained_ns();
  object["to_explain_ns"] = each.to_explain_ns();
  add("explained", each.explained);
  return object;
}

section budget_section(const estimates& known) {
  report::table table{
      "Where the time of all workers went: shares of P · T_P",
      {{"scheduler", alignment::left}, {"workers"}, {"P · T_P"}, {"work"}, {"tasks"}},
      {},
      {},
      2};
  for (const part& each : parts_beyond_one) table.columns.push_back({each.name});
  for (const char* const name : {"unexplained", "to explain", "explained"}) {
    table.columns.push_back({name});
  }
  std::vector<std::string> uncounted;
  for (const budget& each : budgets_of(known)) {
    const auto share = [&](const std::optional<double>& ns) {
      return ns ? share_text(*ns / each.total_ns) : std::string(missing);
    };
    auto& row = table.rows.emplace_back(std::vector<std::string>{
        each.scheduler, fmt::format("{}", each.workers), report::seconds(each.total_ns * 1e-9),
        share(each.work_ns), share(each.tasks_ns)});
    for (const part& other : parts_beyond_one) row.push_back(share(each.*other.ns));
    row.push_back(share(each.unexplained_ns()));
    row.push_back(share(each.to_explain_ns()));
    row.push_back(each.explained ? share_text(*each.explained) : std::string(missing));
    if (each.workers > 1 && !each.steals_ns) uncounted.push_back(each.scheduler);
  }
  section all = guide("Budget");
  if (!uncounted.empty()) {
    say(all, fmt::format("No counters of {}: its wake-ups, steals and waiting are missing.",
                         joined(dataset::distinct(uncounted))));
  }
  all.blocks.emplace_back(std::move(table));
  return all;
}

}  // namespace stealbench::experiments::explain
