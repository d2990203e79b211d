// Of all ablations of a folder, measured and simulated: which factors matter, and where.
#include <array>

#include "results/analysis/strategies/ablation.hpp"
#include "results/sections/parts.hpp"

namespace stealbench::sections {
namespace {

using analysis::count_of;
using analysis::direction;
using analysis::effect;
using dataset::distinct;

/// All effects with one worker count, measured or simulated.
struct setup {
  std::vector<dataset::instance> instances;
  std::string heading;  ///< `2 workers, simulated`
  bool is_simulated;
  bool is_finished;
  std::string missing;  ///< `not told apart yet …`; empty where there are rounds enough.
  unsigned workers;
  std::vector<effect> effects;
};

std::string heading_of(const measurements& data, unsigned workers) {
  return workers_in_words(data, workers) + (data.is_simulated() ? ", simulated" : "");
}

std::vector<setup> setups_of(std::span<const measurements* const> ablations,
                             std::span<const measurements> all_data) {
  std::vector<setup> all;
  for (const measurements* const each : ablations) {
    const estimates known(*each);
    std::vector<const measurements*> others;  // Simulations with other costs.
    for (const measurements& other : all_data) {
      if (&other != each && each->is_simulated() && other.is_simulated()) others.push_back(&other);
    }
    const std::vector<effect> effects = effects_of(known, others);
    for (const unsigned workers : known.worker_counts()) {
      setup& added = all.emplace_back(setup{known.instances(),
                                            heading_of(*each, workers),
                                            each->is_simulated(),
                                            each->is_finished(),
                                            known.have_intervals() ? "" : not_told_apart_yet(known),
                                            workers,
                                            {}});
      std::ranges::copy_if(effects, std::back_inserter(added.effects),
                           [=](const effect& one) { return one.workers == workers; });
    }
  }
  return all;
}

std::vector<std::string> distinct_of(std::string analysis::contrast::*part,
                                     const std::vector<setup>& setups) {
  std::vector<std::string> all;
  for (const setup& each : setups) {
    for (const effect& one : each.effects) all.push_back(one.what.*part);
  }
  return distinct(all);
}

/// The least and the greatest ratio that is shown to be a difference.
struct reach {
  double least = 1;
  double greatest = 1;

  [[nodiscard]] bool is_empty() const { return least == 1 && greatest == 1; }
};

reach reach_of(const std::string& factor, std::span<const setup> setups) {
  reach found;
  for (const setup& each : setups) {
    for (const effect& one : each.effects) {
      if (one.what.factor != factor) continue;
      for (std::size_t i = 0; i < one.ratios.size(); ++i) {
        if (one.verdicts[i] == direction::neither) continue;
        found.least = std::min(found.least, one.ratios[i]->median);
        found.greatest = std::max(found.greatest, one.ratios[i]->median);
      }
    }
  }
  return found;
}

std::string text_of(const reach& what) {
  if (what.is_empty()) return "none";
  return fmt::format("{} to {}", report::ratio(what.least), report::ratio(what.greatest));
}

report::table factor_table(const std::vector<std::string>& factors,
                           const std::vector<setup>& setups) {
  report::table table{"what a factor changes: the least and the greatest ratio of times",
                      {{"factor", alignment::left}}};
  for (const setup& each : setups) table.columns.push_back({each.heading});
  for (const std::string& factor : factors) {
    std::vector<std::string> row{factor};
    for (const setup& each : setups) {
      row.push_back(each.missing.empty() ? text_of(reach_of(factor, {&each, 1}))
                                         : "not told apart yet");
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

/// `1.09 × +5 −1`: slower on five instances, faster on one.
std::string text_of(const effect& one) {
  if (!one.mean) return std::ranges::count(one.failed, true) > 0 ? "DNF" : "—";
  std::string text = report::ratio(one.mean->median);
  if (const auto slower = count_of(direction::slower, one)) text += fmt::format(" +{}", slower);
  if (const auto faster = count_of(direction::faster, one)) text += fmt::format(" −{}", faster);
  if (const auto failed = std::ranges::count(one.failed, true)) {
    text += fmt::format(", {} DNF", failed);
  }
  return text;
}

const effect* find(const std::string& variant, const setup& in) {
  const auto found =
      std::ranges::find(in.effects, variant, [](const effect& each) { return each.what.variant; });
  return found == in.effects.end() ? nullptr : &*found;
}

report::table variant_table(const std::vector<setup>& setups) {
  report::table table{
      "variants: geometric mean of the ratios, and on how many instances slower (+) "
      "and faster (−)",
      {{"variant", alignment::left}, {"compared with", alignment::left}}};
  for (const setup& each : setups) table.columns.push_back({each.heading});
  for (const std::string& variant : distinct_of(&analysis::contrast::variant, setups)) {
    std::vector<std::string> row{variant, {}};
    for (const setup& each : setups) {
      const effect* const found = find(variant, each);
      if (found != nullptr) row[1] = found->what.against;
      row.push_back(found == nullptr ? std::string(missing) : text_of(*found));
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

/// A part of the setups, such as those on few processors.
struct scope {
  const char* name;
  bool (*holds)(const setup&);
};

constexpr std::array scopes{
    scope{"Measured", [](const setup& each) { return !each.is_simulated; }},
    scope{"Simulated with few workers (at most 2)",
          [](const setup& each) { return each.is_simulated && each.workers <= 2; }},
    scope{"Simulated with many workers",
          [](const setup& each) { return each.is_simulated && each.workers > 2; }}};

/// Over these setups, the one with the greatest effect first.
std::vector<std::string> factors_that_matter(const std::vector<std::string>& factors,
                                             const std::vector<setup>& setups) {
  std::vector<std::pair<double, std::string>> found;
  for (const std::string& factor : factors) {
    const reach there = reach_of(factor, setups);
    if (!there.is_empty()) found.emplace_back(std::max(there.greatest, 1 / there.least), factor);
  }
  return greatest_first(std::move(found));
}

std::string list_or_none(const std::vector<std::string>& names) {
  return names.empty() ? "none" : fmt::format("{}", fmt::join(names, "; "));
}

/// ` (0.251 ×)`, or ` (0.251 ×, with other costs 0.900 × to 2.25 ×)` where these contradict it.
std::string ratio_of(const effect& on, std::size_t instance) {
  std::string text = report::ratio(on.ratios[instance]->median);
  if (analysis::is_contradicted(on, instance)) {
    const auto [low, high] = *on.elsewhere[instance];
    text += ", with other costs " + report::ratio(low);
    if (low != high) text += " to " + report::ratio(high);
  }
  return fmt::format(" ({})", text);
}

/// What a simulation found, and finds no more with other costs.
std::string contradictions_in(const std::vector<setup>& setups) {
  constexpr std::size_t most_named = 4;
  std::size_t checked = 0;
  std::vector<std::pair<double, std::string>> found;
  for (const setup& each : setups) {
    for (const effect& one : each.effects) {
      for (std::size_t i = 0; i < one.ratios.size(); ++i) {
        if (one.verdicts[i] == direction::neither || !one.elsewhere[i]) continue;
        ++checked;
        if (!analysis::is_contradicted(one, i)) continue;
        const double ratio = one.ratios[i]->median;
        found.emplace_back(
            std::max(ratio, 1 / ratio),
            fmt::format("{} on {} with {}{}", one.what.variant, label_of(each.instances[i]),
                        workers_in_words(each.workers), ratio_of(one, i)));
      }
    }
  }
  if (checked == 0) return {};
  const std::string names = found.empty() ? "" : ": " + joined(greatest_first(found), most_named);
  return fmt::format(
      "{} of the {} differences that were simulated with other costs too vanish or "
      "turn there{}.",
      found.size(), checked, names);
}

section findings_of(const std::vector<std::string>& factors, const std::vector<setup>& setups) {
  section section{"What matters", prominence::summary, {}};
  for (const scope& each : scopes) {
    std::vector<setup> part;
    std::ranges::copy_if(setups, std::back_inserter(part), each.holds);
    if (part.empty()) continue;
    if (!part.front().missing.empty()) {
      say(section, fmt::format("{}, the factors are {}", each.name, part.front().missing));
      continue;
    }
    say(section,
        fmt::format("{}, these factors matter, the one with the greatest effect first: {}.",
                    each.name, list_or_none(factors_that_matter(factors, part))));
    say(section, contradictions_in(part));
  }
  if (!std::ranges::all_of(setups, [](const setup& each) { return each.missing.empty(); })) {
    return section;
  }
  std::vector<std::string> never = factors;
  std::erase_if(never, [&](const auto& factor) { return !reach_of(factor, setups).is_empty(); });
  say(section, fmt::format("Shown to matter nowhere, after the correction for the number of "
                           "comparisons: {}.",
                           list_or_none(never)));
  return section;
}

std::vector<const measurements*> ablations_among(std::span<const measurements> all) {
  std::vector<const measurements*> found;
  for (const measurements& each : all) {
    if (!analysis::contrasts_of(each).empty()) found.push_back(&each);
  }
  return found;
}

}  // namespace

std::vector<section> ablation_findings(std::span<const measurements> all) {
  const std::vector<const measurements*> ablations = ablations_among(all);
  if (ablations.empty()) return {};
  const std::vector<setup> setups = setups_of(ablations, all);
  const auto factors = distinct_of(&analysis::contrast::factor, setups);
  section tables{"Factors and variants",
                 prominence::tables,
                 {factor_table(factors, setups), variant_table(setups)}};
  for (const measurements* const each : ablations) {
    if (each->is_simulated()) say(tables, simulation_note(*each));
  }
  section findings = findings_of(factors, setups);
  if (!std::ranges::all_of(setups, &setup::is_finished)) {
    say(findings,
        "An ablation is unfinished: rounds are missing, and the values may still change.");
  }
  std::vector<section> sections = regret_sections(all);
  for (section* const each : {&findings, &tables}) sections.push_back(std::move(*each));
  name_machine(machine_note(ablations), sections);
  sections.push_back(guide("How to read an ablation",
                           fmt::arg("least_effect", 100 * (analysis::least_effect - 1))));
  return sections;
}

}  // namespace stealbench::sections
