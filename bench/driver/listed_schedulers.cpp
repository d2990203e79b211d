#include "bench/driver/listed_schedulers.hpp"

#include <algorithm>
#include <initializer_list>
#include <iostream>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "bench/cell/program.hpp"
#include "bench/cell/self_description.hpp"
#include "schedulers/variant.hpp"

namespace stealbench::driver {
namespace {

using nlohmann::ordered_json;
using schedulers::description;
using schedulers::setting;
using schedulers::setting_value;

bool is_among(const std::vector<std::string>& names, const std::string& name) {
  return std::ranges::count(names, name) > 0;
}

/// Those of `names` that are built, with `sequential`, in the order of the list of schedulers.
std::vector<std::string> built_among(const std::vector<std::string>& names,
                                     const rounds::installation& installed) {
  std::vector<std::string> built = installed.built();
  const std::string sequential(cell::sequential_name);
  if (installed.is_built(sequential)) built.push_back(sequential);
  std::erase_if(built, [&](const std::string& each) { return !is_among(names, each); });
  return built;
}

/// `What it does (paper)`.
std::string line_of(const description& about) {
  if (about.paper.empty()) return about.summary;
  return fmt::format("{} ({})", about.summary, about.paper);
}

void print_known(const description& about, std::string_view indent) {
  for (const auto& [heading, text] : std::initializer_list<std::pair<const char*, std::string>>{
           {"Paper", about.paper}, {"Bound", about.bound}}) {
    if (!text.empty()) std::cout << fmt::format("{}{:<9} {}\n", indent, heading, text);
  }
}

/// One line for each setting.
void print_settings_in_short(const cell::self_description& of) {
  for (const setting& each : of.settings) {
    std::cout << fmt::format("    {:<18} {}\n", each.name + "=", fmt::join(each.words(), ", "));
  }
}

void print_settings_in_full(const cell::self_description& of) {
  if (of.settings.empty()) return;
  std::cout << fmt::format("  Settings ({}:KEY=VALUE:KEY=VALUE; the first value is the default)\n",
                           of.scheduler);
  for (const setting& each : of.settings) {
    std::cout << fmt::format("    {}: {}\n", each.name, each.meaning);
    for (const setting_value& value : each.values) {
      std::cout << fmt::format("      {:<14} {}\n", value.word, value.about.summary);
      print_known(value.about, "        ");
    }
    for (const schedulers::requirement& need : each.requirements) {
      std::cout << fmt::format("      {}={} requires {}={}: {}\n", each.name, need.value,
                               need.other, fmt::join(need.values, "|"), need.reason);
    }
  }
}

}  // namespace

ordered_json json_of_schedulers(const std::vector<std::string>& names,
                                const rounds::installation& installed) {
  ordered_json all = ordered_json::array();
  for (const std::string& name : built_among(names, installed)) {
    const cell::self_description& of = installed.description_of(name);
    ordered_json& made = all.emplace_back(ordered_json{{"name", name}});
    made.update(ordered_json(nlohmann::json(of.about)));
    made["library"] = of.library;
    made["settings"] = nlohmann::json(of.settings);
  }
  return all;
}

void print_schedulers(const std::vector<std::string>& names,
                      const rounds::installation& installed) {
  const std::vector<std::string> built = built_among(names, installed);
  if (names.size() == 1 && !built.empty()) {
    const cell::self_description& of = installed.description_of(names.front());
    std::cout << fmt::format("{}: {}\n", names.front(), of.about.summary);
    print_known(of.about, "  ");
    print_settings_in_full(of);
    return;
  }
  std::cout << "Schedulers, as NAME or NAME:KEY=VALUE:KEY=VALUE; the first value is the default\n";
  for (const char* const group : schedulers::group::all) {
    bool is_first = true;
    for (const std::string& name : built) {
      const cell::self_description& of = installed.description_of(name);
      if (of.about.group != group) continue;
      if (std::exchange(is_first, false)) std::cout << fmt::format(" {}\n", group);
      std::cout << fmt::format("  {:<20} {}\n", name, line_of(of.about));
      print_settings_in_short(of);
    }
  }
  for (const std::string& name : names) {
    // The sequential versions come with another scheduler.
    if (is_among(built, name) || (name == cell::sequential_name && names.size() > 1)) continue;
    std::cout << fmt::format("  {:<20} not built; build it with {}\n", name,
                             rounds::build_command(name));
  }
}

void print_catalogue(const std::vector<std::string>& names, const rounds::installation& installed,
                     const std::map<std::string, std::string>& strengths) {
  const bool is_measured = !strengths.empty();
  std::cout << fmt::format("| strategy | what it does | paper | bound |{}\n|---|---|---|---|{}\n",
                           is_measured ? " good for, as measured |" : "",
                           is_measured ? "---|" : "");
  const auto print = [&](const std::string& shown, const description& about,
                         const std::string& name) {
    std::cout << fmt::format("| {} | {} | {} | {} |", shown, about.summary, about.paper,
                             about.bound);
    const auto found = strengths.find(name);
    if (is_measured)
      std::cout << fmt::format(" {} |", found == strengths.end() ? "" : found->second);
    std::cout << '\n';
  };
  const std::vector<std::string> built = built_among(names, installed);
  for (const char* const group : schedulers::group::all) {
    for (const std::string& name : built) {
      const cell::self_description& of = installed.description_of(name);
      if (of.about.group != group) continue;
      print(fmt::format("**`{}`**", name), of.about, name);
      for (const setting& each : of.settings) {
        for (const setting_value& value : each.values) {
          print(fmt::format("`{}={}`{}", each.name, value.word,
                            value.word == each.standard() ? ", the default" : ""),
                value.about, fmt::format("{}:{}={}", name, each.name, value.word));
        }
      }
    }
  }
}

void print_settings(const std::string& scheduler, const rounds::installation& installed) {
  const std::vector<setting>& settings = installed.description_of(scheduler).settings;
  if (settings.empty()) {
    throw kit::bad_input(
        fmt::format("--markdown: scheduler {} has no settings; valid: schedulers, workloads, a "
                    "workload, or a scheduler with settings",
                    scheduler));
  }
  std::cout << "| setting | meaning | values, the default first |\n|---|---|---|\n";
  for (const setting& each : settings) {
    std::cout << fmt::format("| `{}` | {} | `{}` |\n", each.name, each.meaning,
                             fmt::join(each.words(), "`, `"));
  }
}

}  // namespace stealbench::driver
