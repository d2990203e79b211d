#include <array>
#include <charconv>
#include <map>
#include <span>

#include "results/sections/parts.hpp"

namespace stealbench::sections {
namespace {

section failures(const measurements& data) {
  report::definition_list reasons;
  for (const measured_cell& each : data.cells()) {
    if (has_finished(each)) continue;
    reasons.definitions.push_back({"DNF " + name_of(each.which), reason_of(each)});
  }
  return {"Did not finish", prominence::tables, {std::move(reasons)}};
}

report::table values_table(const std::string& title) {
  return {title, {{"what", alignment::left}, {"value", alignment::left}}};
}

/// The costs of the profile.
section simulated_machine(const measurements& data) {
  const json& profile = data.header().at("about").at("profile");
  report::table table = values_table("The profile");
  for (const char* const key : {"name", "processor", "date", "source"}) {
    table.rows.push_back({key, profile.at(key)});
  }
  for (const auto& [key, value] : profile.at("costs").items()) {
    table.rows.push_back({key, value.dump()});
  }
  return {"The simulated machine",
          prominence::detail,
          {paragraph{simulation_note(data)}, std::move(table)}};
}

section machine(const measurements& data) {
  if (data.is_simulated()) return simulated_machine(data);
  report::table table{"What may disturb a measurement on this machine",
                      {{"check", alignment::left}, {"status"}, {"detail", alignment::left}}};
  for (const json& each : data.host_checks()) {
    const std::string status = each.at("status");
    if (status == "warn") table.marks.push_back({table.rows.size(), 1, report::emphasis::failed});
    table.rows.push_back({each.at("check"), status, each.at("detail")});
  }
  return {"The machine", prominence::detail, {std::move(table)}};
}

/// A number, a word, or a list of such; nothing for what has more structure.
std::string text_of(const json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_object()) return {};
  if (!value.is_array()) return value.dump();
  std::string text;
  for (const json& each : value) {
    if (each.is_structured()) return {};
    text += (text.empty() ? "" : ", ") + text_of(each);
  }
  return text;
}

section provenance(const measurements& data) {
  report::table table = values_table("Build, machine and settings");
  const auto add = [&](const std::string& key, const json& value) {
    if (std::string text = text_of(value); !text.empty()) table.rows.push_back({key, text});
  };
  const json& header = data.header();
  for (const char* const key : {"command", "date"}) add(key, header.at(key));
  for (const auto& [key, value] : header.at("settings").items()) add(key, value);
  add("spent_seconds", data.spent_seconds());
  if (data.times_resumed() > 0) add("resumed", data.times_resumed());
  json known = json::object();  // Of another build only what differs.
  for (const std::string& build : data.builds()) {
    json context = data.context(build);
    // The last two are of older files: of Google Benchmark's package, and of the first process
    // alone.
    for (const char* const key : {"date", "library_build_type", "scheduler_library"}) {
      context.erase(key);
    }
    for (const auto& [key, value] : context.items()) {
      if (known.contains(key) && known[key] == value) continue;
      add(known.empty() ? key : fmt::format("{} of {}", key, build), value);
    }
    known = context;
  }
  return {"Provenance", prominence::detail, {std::move(table)}};
}

/// By name, what is changed of it included: the processor of each profile that values are simulated
/// with.
std::map<std::string, std::string> profiles_of(const measurements& data) {
  const json about = data.header().value("about", json::object());
  std::map<std::string, std::string> all;
  const auto add = [&](const json& profile, const std::string& changes) {
    all.emplace(text_at(profile, "name") + changes, text_at(profile, "processor"));
  };
  if (data.is_simulated()) add(about.at("profile"), changes_of_profile(about));
  if (data.experiment() == "claims") {
    for (const json& each : about.at("machines")) add(each, "");
  }
  if (data.experiment() == "explain" && about.contains("simulation")) {
    const json& simulation = about.at("simulation");
    if (!simulation.at("times").empty()) add(simulation.at("profile"), "");
  }
  return all;
}

}  // namespace

std::string changes_of_profile(const json& about) {
  const json changes = about.value("changes", json::array());
  return changes.empty() ? "" : " with " + text_of(changes);
}

std::string simulation_note(const measurements& data) {
  return simulation_note(data.header().at("about"));
}

std::string simulation_note(const json& about) {
  const json& profile = about.at("profile");
  std::string text = fmt::format("Simulated, not measured: profile {} ({}, {}){}",
                                 text_at(profile, "name"), text_at(profile, "processor"),
                                 text_at(profile, "date"), changes_of_profile(about));
  const json& known = profile.at("accuracy");
  if (known.is_null()) {
    text += ", not validated.";
  } else {
    text += fmt::format(
        ". Error against {} benchmarks measured on {}: without contention median {:.2g} %, nine in "
        "ten within {:.2g} %; nine in ten contended ones within a factor of {:.2g}. With more "
        "workers than were measured, trust only an order that all profiles share, and no time.",
        known.at("cells").get<unsigned>(), profile.at("processor").get<std::string>(),
        100 * known.at("median_error").get<double>(),
        100 * known.at("ninth_decile_error").get<double>(),
        known.at("contended_factor").get<double>());
  }
  if (const std::string doubt = text_or_empty(profile, "doubt"); !doubt.empty()) {
    text += " The profile is doubtful: " + doubt;
  }
  if (const std::string processor = text_or_empty(about, "other_processor"); !processor.empty()) {
    text += fmt::format(" The profile is of another processor than this simulation ran on ({}).",
                        processor);
  }
  if (profile.at("measured").get<bool>()) return text;
  return text + fmt::format(" The costs of the profile are not measured; they come from: {}",
                            profile.at("source").get<std::string>());
}

unsigned processors_of(const measurements& data) {
  unsigned found = 0;
  for (const char* const key : {"num_cpus", "processors"}) {
    const std::string text = text_at(data.context(), key);
    std::from_chars(text.data(), text.data() + text.size(), found);
  }
  return found;
}

std::string machine_note(std::span<const measurements* const> all) {
  std::map<std::string, unsigned> measured;  // By machine the most workers, where they shared it.
  std::map<std::string, std::string> profiles;
  for (const measurements* const each : all) {
    profiles.merge(profiles_of(*each));
    const unsigned processors = processors_of(*each);
    const std::string environment = text_or_empty(each->context(), "environment");
    const std::string machine =
        (processors == 0 ? "" : report::counted(processors, "processor") + ": ") +
        text_at(each->context(), "processor") +
        (environment.empty() || environment == "none" ? "" : ", with " + environment);
    for (const measured_cell& cell : each->cells()) {
      if (each->simulates(cell.which)) continue;
      unsigned& most = measured[machine];
      if (processors > 0 && workers_of(cell) > processors) most = std::max(most, workers_of(cell));
    }
  }
  std::vector<std::string> sentences;
  for (const auto& [machine, most] : measured) {
    const std::string workers = "with up to " + workers_in_words(most) + " ";
    sentences.push_back(fmt::format("Measured {}on {}.", most == 0 ? "" : workers, machine));
  }
  if (!profiles.empty()) {
    std::vector<std::string> names;
    for (const auto& [name, processor] : profiles) names.push_back(name);
    if (names.size() == 1) names.front() += fmt::format(" ({})", profiles.begin()->second);
    sentences.push_back(fmt::format("Simulated, with a processor for each worker: {} {}.",
                                    names.size() == 1 ? "profile" : "profiles",
                                    fmt::join(names, ", ")));
  }
  return fmt::format("{}", fmt::join(sentences, " "));
}

std::string machine_note(const measurements& data) { return machine_note(std::array{&data}); }

void name_machine(const std::string& note, std::vector<section>& all) {
  for (section& part : all) {
    for (report::block& each : part.blocks) {
      auto* const table = std::get_if<report::table>(&each);
      if (table != nullptr && table->origin.empty()) table->origin = note;
    }
  }
}

std::string subtitle_of(const measurements& data) {
  const auto text = [&](const char* key) { return text_at(data.context(), key); };
  std::vector<std::string> commits;
  for (const std::string& build : data.builds()) {
    commits.push_back(text_at(data.context(build), "commit"));
  }
  return fmt::format(
      "{}: {}{}; commit {}; {}.", data.experiment(),
      report::counted(data.cells().size(), "benchmark"),
      data.is_simulated()
          ? ", simulated"
          : fmt::format(" on {}, {} processors", text("processor"), text("num_cpus")),
      fmt::join(dataset::distinct(commits), " and "), text_at(data.header(), "date"));
}

std::vector<section> origin_sections(const measurements& data, const std::string& name) {
  std::vector<section> all{machine(data), provenance(data)};
  if (!std::ranges::all_of(data.cells(), dataset::has_finished)) {
    all.insert(all.begin(), failures(data));
  }
  for (section& each : all) {
    if (!name.empty()) each.title += fmt::format(" ({})", name);
  }
  return all;
}

section definitions() {
  section all = guide("How each value was measured");
  all.shown = prominence::detail;
  return all;
}

}  // namespace stealbench::sections
