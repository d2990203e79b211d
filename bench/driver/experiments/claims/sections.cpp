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

constexpr std::array names{"holds", "holds in its model, not at the costs of a real machine",
                           "does not hold", "undecided"};
constexpr std::array plurals{"hold", "hold in their model, not at the costs of a real machine",
                             "do not hold", "are undecided"};

std::string to_string(verdict which) { return names.at(static_cast<std::size_t>(which)); }

bool is_of_this_machine(const judged& one) {
  return !is_simulated(*one.what) &&
         (one.found.verdict == verdict::holds || one.found.verdict == verdict::does_not_hold);
}

/// What is measured is said of the machine it was measured on alone.
std::string verdict_of(const judged& one) {
  return to_string(one.found.verdict) + (is_of_this_machine(one) ? " here" : "");
}

/// Those that the processes could use; of the machine, where a file does not say so.
double processors_of(const json& context) {
  const std::string usable = context.value("processors", std::string());
  double found = context.value("num_cpus", 1.0);
  std::from_chars(usable.data(), usable.data() + usable.size(), found);
  return found;
}

std::vector<std::string> profiles_of(const measurements& data) {
  std::vector<std::string> found;
  for (const auto& [name, profile] : data.header().at("about").at("machines").items()) {
    if (name != free_machine) found.push_back(name);
  }
  return found;
}

/// Why there is no verdict, if there can be none.
std::optional<std::string> gap_in(const std::vector<cell>& cells, const claim& which,
                                  const measurements& data) {
  for (const cell& each : cells) {
    const auto place = data.place_of(each);
    if (!place) {
      return fmt::format(
          "The run lacks {}: another version of stealbench made it; stealbench "
          "claims --only {} measures anew.",
          name_of(each), which.number);
    }
    const measured_cell& found = data.cells()[*place];
    if (!has_finished(found)) {
      return fmt::format("{} did not finish: {}.", name_of(each), reason_of(found));
    }
    if (found.samples.size() < analysis::fewest_for_interval) {
      return fmt::format("A verdict needs {} rounds, and there are {}.",
                         analysis::fewest_for_interval, found.samples.size());
    }
  }
  return {};
}

evidence evidence_of(const std::vector<cell>& cells, const measurements& data) {
  evidence known{{}, data.header().at("about").at("recorded"), processors_of(data.context())};
  for (const cell& each : cells) known.cells.push_back(data.cells()[*data.place_of(each)]);
  return known;
}

finding judge(const claim& which, const measurements& data) {
  const std::vector<std::string> profiles = profiles_of(data);
  if (const auto gap = gap_in(all_cells_of(which, profiles), which, data)) {
    return {{}, verdict::undecided, *gap};
  }
  finding found = which.rule(evidence_of(cells_on(which.cells, profiles), data));
  if (!which.in_model) return found;
  const finding in_model = which.in_model->rule(evidence_of(which.in_model->cells, data));
  found.verdict = both(of_theorem(in_model.verdict, found.verdict), found.beyond_theorem);
  found.figure_in_model = in_model.figure;
  found.because += " Where only work takes time: " + in_model.because;
  return found;
}

std::string machine_of(const claim& which) {
  return is_simulated(which) ? "simulated" : "measured";
}

/// `2.89 [2.36, 4.09]`.
std::string figure_text(const std::optional<estimate>& figure) {
  if (!figure) return std::string(missing);
  return fmt::format("{:.3g} [{:.3g}, {:.3g}]", figure->median, figure->around.low,
                     figure->around.high);
}

std::string figures_of(const judged& one) {
  std::string text = fmt::format("{}: {}", one.what->figure, figure_text(one.found.figure));
  if (!one.what->in_model) return text;
  const std::string& other = one.what->in_model->figure;
  return fmt::format("{}; without costs{}: {}", text, other.empty() ? "" : ", " + other,
                     figure_text(one.found.figure_in_model));
}

/// What `here` is, and on which machines was simulated.
std::string machines_of(const std::vector<judged>& all, const measurements& data) {
  const auto any = [&](const auto& is) { return std::ranges::any_of(all, is); };
  std::string text;
  if (any([](const judged& each) { return !is_simulated(*each.what); })) {
    const double processors = processors_of(data.context());
    text = fmt::format("Measured, here: on {}, {} {}. ", text_at(data.context(), "processor"),
                       processors, processors == 1 ? "processor" : "processors");
  }
  if (any([](const judged& each) { return is_simulated(*each.what); })) {
    text += fmt::format("Simulated: on the profiles {}. ", fmt::join(profiles_of(data), ", "));
  }
  if (any([](const judged& each) { return each.what->in_model.has_value(); })) {
    text += "Without costs: simulated where only work takes time.";
  }
  return text;
}

}  // namespace

const std::vector<claim>& all_claims() {
  static const std::vector<claim> all = [] {
    std::vector<claim> found = claims_on_bounds();
    std::ranges::move(claims_on_space(), std::back_inserter(found));
    std::ranges::move(claims_on_costs(), std::back_inserter(found));
    std::ranges::move(claims_on_strategies(), std::back_inserter(found));
    std::ranges::sort(found, {}, &claim::number);
    return found;
  }();
  return all;
}

std::vector<judged> judge(const measurements& data) {
  const auto chosen = data.header().at("about").at("claims").get<std::vector<unsigned>>();
  std::vector<judged> all;
  for (const claim& each : all_claims()) {
    if (std::ranges::count(chosen, each.number) == 0) continue;
    all.push_back({&each, judge(each, data)});
  }
  return all;
}

json json_of(const std::vector<judged>& all) {
  json object{{"claims", json::array()}};
  const auto add = [](json& to, const std::optional<estimate>& figure) {
    to["figure"] = figure ? json(figure->median) : json();
    to["low"] = figure ? json(figure->around.low) : json();
    to["high"] = figure ? json(figure->around.high) : json();
  };
  for (const auto& [what, found] : all) {
    json& added = object["claims"].emplace_back(json{{"number", what->number},
                                                     {"claim", what->text},
                                                     {"source", what->source},
                                                     {"machine", machine_of(*what)},
                                                     {"without_costs", nullptr},
                                                     {"verdict", to_string(found.verdict)},
                                                     {"because", found.because}});
    add(added, found.figure);
    if (what->in_model) add(added["without_costs"], found.figure_in_model);
  }
  return object;
}

std::vector<section> claims_sections(const measurements& data) {
  report::table table{"Claims of textbooks and manuals",
                      {{"#"},
                       {"claim", alignment::left},
                       {"source", alignment::left},
                       {"verdict", alignment::left},
                       {"machine", alignment::left},
                       {"figure (if the claim holds), with its interval", alignment::left}}};
  report::definition_list reasons;
  std::array<unsigned, plurals.size()> counts{};
  const std::vector<judged> all = judge(data);
  for (const judged& each : all) {
    const auto& [what, found] = each;
    const std::string number = fmt::format("{}", what->number);
    ++counts.at(static_cast<std::size_t>(found.verdict));
    table.rows.push_back(
        {number, what->text, what->source, verdict_of(each), machine_of(*what), figures_of(each)});
    reasons.definitions.push_back({fmt::format("{}. {} ({})", number, what->text, what->source),
                                   fmt::format("{}. {}", verdict_of(each), found.because)});
  }
  std::string count = fmt::format("Of {}, ", report::counted(all.size(), "claim"));
  for (std::size_t i = 0; i < plurals.size(); ++i) {
    count += fmt::format("{}{} {}", i == 0 ? "" : "; ", counts.at(i), plurals.at(i));
  }
  return {{"Claims put to the test",
           prominence::summary,
           {paragraph{count + "."}, paragraph{machines_of(all, data)}, std::move(table)}},
          {"Why", prominence::tables, {std::move(reasons)}},
          guide("How a claim is judged", fmt::arg("factor", model_error))};
}

}  // namespace stealbench::experiments::claims
