// From the values of the claims to verdicts, JSON and a report.
#include <algorithm>
#include <array>
#include <charconv>
#include <iterator>

#include <fmt/format.h>

#include "bench/driver/experiments/claims/claims.hpp"
#include "results/report/format.hpp"
#include "results/sections/parts.hpp"

namespace stealbench::experiments::claims {

using namespace sections;
namespace {

std::string to_string(verdict which) {
  constexpr std::array names{"holds", "does not hold", "undecided"};
  return names.at(static_cast<std::size_t>(which));
}

/// Those that the processes could use; of the machine, where a file does not say so.
double processors_of(const json& context) {
  const std::string usable = context.value("processors", std::string());
  double found = context.value("num_cpus", 1.0);
  std::from_chars(usable.data(), usable.data() + usable.size(), found);
  return found;
}

finding judge(const claim& which, const measurements& data,
              const std::vector<std::string>& profiles) {
  evidence known{{}, data.header().at("about").at("recorded"), processors_of(data.context())};
  for (const cell& each : cells_on(which, profiles)) {
    const auto place = data.place_of(each);
    analysis::require(place.has_value(), "a benchmark of a claim is missing");
    const measured_cell& found = known.cells.emplace_back(data.cells()[*place]);
    if (!has_finished(found)) {
      return {{},
              verdict::undecided,
              fmt::format("{} did not finish: {}.", name_of(each), reason_of(found))};
    }
    if (found.samples.size() < analysis::fewest_for_interval) {
      return {{},
              verdict::undecided,
              fmt::format("A verdict needs {} rounds, and there are {}.",
                          analysis::fewest_for_interval, found.samples.size())};
    }
  }
  return which.rule(known);
}

std::string machine_of(const claim& which) { return is_simulated(which) ? "simulated" : "real"; }

}  // namespace

const std::vector<claim>& all_claims() {
  static const std::vector<claim> all = [] {
    std::vector<claim> found = claims_on_bounds();
    std::ranges::move(claims_on_costs(), std::back_inserter(found));
    std::ranges::move(claims_on_strategies(), std::back_inserter(found));
    std::ranges::sort(found, {}, &claim::number);
    return found;
  }();
  return all;
}

std::vector<judged> judge(const measurements& data) {
  const json& about = data.header().at("about");
  std::vector<std::string> profiles;
  for (const auto& [name, profile] : about.at("machines").items()) {
    if (name != free_machine) profiles.push_back(name);
  }
  const auto chosen = about.at("claims").get<std::vector<unsigned>>();
  std::vector<judged> all;
  for (const claim& each : all_claims()) {
    if (std::ranges::count(chosen, each.number) == 0) continue;
    all.push_back({&each, judge(each, data, profiles)});
  }
  return all;
}

json json_of(const std::vector<judged>& all) {
  json object{{"claims", json::array()}};
  for (const auto& [what, found] : all) {
    json& added = object["claims"].emplace_back(json{{"number", what->number},
                                                     {"claim", what->text},
                                                     {"source", what->source},
                                                     {"machine", machine_of(*what)},
                                                     {"figure", nullptr},
                                                     {"low", nullptr},
                                                     {"high", nullptr},
                                                     {"verdict", to_string(found.verdict)},
                                                     {"because", found.because}});
    if (!found.figure) continue;
    added["figure"] = found.figure->median;
    added["low"] = found.figure->around.low;
    added["high"] = found.figure->around.high;
  }
  return object;
}

std::vector<section> claims_sections(const measurements& data) {
  report::table table{"Claims of textbooks and manuals",
                      {{"#"},
                       {"claim", alignment::left},
                       {"verdict", alignment::left},
                       {"machine", alignment::left},
                       {"figure (if the claim holds), with its interval", alignment::left}}};
  report::definition_list reasons;
  std::array<unsigned, 3> counts{};
  for (const auto& [what, found] : judge(data)) {
    const std::string number = fmt::format("{}", what->number);
    const std::string verdict = to_string(found.verdict);
    ++counts.at(static_cast<std::size_t>(found.verdict));
    const std::string figure =
        found.figure ? fmt::format("{:.3g} [{:.3g}, {:.3g}]", found.figure->median,
                                   found.figure->around.low, found.figure->around.high)
                     : std::string(missing);
    table.rows.push_back({number, what->text, verdict, machine_of(*what),
                          fmt::format("{}: {}", what->figure, figure)});
    reasons.definitions.push_back({fmt::format("{}. {} ({})", number, what->text, what->source),
                                   fmt::format("{}. {}", verdict, found.because)});
  }
  return {{"Claims put to the test",
           prominence::summary,
           {paragraph{fmt::format("Of {}, {} hold here; {} do not hold; {} undecided.",
                                  report::counted(table.rows.size(), "claim"), counts[0], counts[1],
                                  counts[2])},
            std::move(table)}},
          {"Why", prominence::tables, {std::move(reasons)}},
          guide("How a claim is judged", fmt::arg("factor", model_error))};
}

}  // namespace stealbench::experiments::claims
