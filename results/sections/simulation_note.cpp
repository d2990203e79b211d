#include <fmt/format.h>

#include "results/sections/sections.hpp"

namespace stealbench::sections {

using dataset::json;

std::string simulation_note(const measurements& data) {
  const json& about = data.header().at("about");
  const json& profile = about.at("profile");
  std::string changes;
  if (about.contains("changes")) {
    for (const json& each : about.at("changes")) {
      changes += fmt::format("{} {}", changes.empty() ? " with" : ",", each.get<std::string>());
    }
  }
  std::string text = fmt::format(
      "Simulated, not measured: profile {} ({}, {}){}", dataset::text_at(profile, "name"),
      dataset::text_at(profile, "processor"), dataset::text_at(profile, "date"), changes);
  const json& known = profile.at("accuracy");
  if (known.is_null()) {
    text += ", not validated.";
  } else {
    text += fmt::format(
        ". Error against {} benchmarks measured with 1 and 2 workers on {}: median {:.2g} %, nine "
        "in ten within {:.2g} %; contended ones within a factor of {:.2g}. With more workers, "
        "trust shapes and mechanisms, not times.",
        known.at("cells").get<unsigned>(), profile.at("processor").get<std::string>(),
        100 * known.at("median_error").get<double>(),
        100 * known.at("ninth_decile_error").get<double>(),
        known.at("contended_factor").get<double>());
  }
  if (const std::string doubt = profile.value("doubt", ""); !doubt.empty()) {
    text += " The profile is doubtful: " + doubt;
  }
  if (const std::string here = about.value("other_processor", ""); !here.empty()) {
    text +=
        fmt::format(" The profile is of another processor than this simulation ran on ({}).", here);
  }
  if (profile.at("measured").get<bool>()) return text;
  return text + fmt::format(" The costs of the profile are not measured; they come from: {}",
                            profile.at("source").get<std::string>());
}

}  // namespace stealbench::sections
