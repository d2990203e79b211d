#include "bench/driver/calibration/tables.hpp"

#include <cmath>
#include <string_view>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "bench/driver/rounds/installation.hpp"
#include "results/dataset/cell.hpp"
#include "results/report/format.hpp"
#include "results/report/table.hpp"

namespace stealbench::calibration {
namespace {

using virtual_machine::profile;

/// Four digits: the rest is noise, and people read the file.
double rounded(double value) {
  if (value == 0) return 0;
  const double scale = std::pow(10.0, 3 - std::floor(std::log10(std::abs(value))));
  return std::round(value * scale) / scale;
}

/// `28.1 ns`; a cost without a unit is a part of each charge.
std::string text_of(const std::string& key, double value) {
  constexpr std::string_view suffix = "_ns";
  return key.ends_with(suffix) ? report::seconds(value * 1e-9) : fmt::format("{:.3g}", value);
}

std::string costs_of(const profile& what) {
  report::table costs{.title = fmt::format("Costs of {}", what.processor),
                      .columns = {{"cost", report::alignment::left}, {"value"}},
                      .rows = {}};
  const nlohmann::ordered_json all = json_of(what.costs);
  for (const auto& [key, value] : all.items()) {
    costs.rows.push_back({key.substr(0, key.find("_ns")), text_of(key, value.get<double>())});
  }
  return to_text(costs);
}

std::string prices_of(const profile& what) {
  report::table strategies{.title = "Prices of strategies",
                           .columns = {{"scheduler", report::alignment::left},
                                       {"fork"},
                                       {"call"},
                                       {"spawn"},
                                       {"piece of a loop"}},
                           .rows = {}};
  for (const auto& [name, each] : what.strategies) {
    strategies.rows.push_back(
        {name, report::seconds(each.fork * 1e-9), report::seconds(each.call * 1e-9),
         report::seconds(each.spawn * 1e-9), report::seconds(each.piece * 1e-9)});
  }
  report::table units{.title = "Prices of units of work",
                      .columns = {{"instance", report::alignment::left},
                                  {"price of a unit"},
                                  {"unit", report::alignment::left}},
                      .rows = {}};
  for (const virtual_machine::unit_price& each : what.work) {
    const dataset::instance instance{each.workload,
                                     {each.parameters.begin(), each.parameters.end()}};
    units.rows.push_back({label_of(instance), report::seconds(each.ns * 1e-9),
                          rounds::find_workload(each.workload).about.unit});
  }
  return to_text(strategies) + '\n' + to_text(units);
}

}  // namespace

void round(profile& measured) {
  nlohmann::ordered_json costs = json_of(measured.costs);
  for (auto& [key, value] : costs.items()) value = rounded(value.get<double>());
  measured.costs = virtual_machine::costs_of(costs);
  const auto round_all = [](std::map<std::string, virtual_machine::strategy_prices>& all) {
    for (auto& [name, each] : all) {
      each = {.fork = rounded(each.fork),
              .call = rounded(each.call),
              .spawn = rounded(each.spawn),
              .piece = rounded(each.piece)};
    }
  };
  round_all(measured.strategies);
  for (virtual_machine::unit_price& each : measured.work) {
    each.ns = rounded(each.ns);
    round_all(each.schedulers);
  }
}

std::string to_text(const profile& what) { return costs_of(what) + '\n' + prices_of(what); }

}  // namespace stealbench::calibration
