#include "bench/compare/settings.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "workloads/parameters.hpp"

namespace stealbench::compare {
namespace {

using nlohmann::ordered_json;

/// A setting that is typed as text.
struct setting {
  const char* option;
  const char* key;  ///< In the record.
  std::string compare_request::*typed;
};

constexpr std::array settings{
    setting{"--workloads", "workloads", &compare_request::workloads},
    setting{"--schedulers", "schedulers", &compare_request::schedulers},
    setting{"--workers", "workers", &compare_request::workers},
    setting{"--size", "size", &compare_request::size},
    setting{"--budget", "budget_seconds", &compare_request::budget_seconds},
    setting{"--target", "target_percent", &compare_request::target_percent},
    setting{"--rounds", "rounds", &compare_request::rounds},
    setting{"--timeout", "timeout_seconds", &compare_request::timeout_seconds},
    setting{"--seed", "seed", &compare_request::seed},
};

std::string text_of(const ordered_json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

/// The different values among all cells, in their order.
template <class F>
std::string list_over(const std::vector<cell>& cells, const F& value_of) {
  std::vector<std::string> values;
  values.reserve(cells.size());
  for (const cell& each : cells) values.push_back(value_of(each));
  return fmt::format("{}", fmt::join(without_repetitions(values), ","));
}

}  // namespace

ordered_json settings_of(const compare_request& asked, const plan& made) {
  const auto& cells = made.cells;
  return {
      {"workloads", list_over(cells, [](const cell& each) { return each.what.workload; })},
      {"schedulers", list_over(cells, [](const cell& each) { return each.scheduler; })},
      {"ablation", asked.ablation},
      {"workers", list_over(cells, [](const cell& each) { return std::to_string(each.workers); })},
      {"size", asked.size},
      {"budget_seconds", made.until.budget.count()},
      {"target_percent", 100 * made.until.target},
      {"rounds", made.until.rounds ? ordered_json(*made.until.rounds) : ordered_json("")},
      {"timeout_seconds", made.timeout.count()},
      {"seed", made.seed}};
}

compare_request completed(compare_request asked, const ordered_json& begun) {
  const auto is_typed = [&](const std::string& option) {
    return std::find(asked.typed.begin(), asked.typed.end(), option) != asked.typed.end();
  };
  // One choice, made by either of two options.
  const bool are_schedulers_typed = is_typed("--schedulers") || is_typed("--ablation");
  if (!are_schedulers_typed) begun.at("ablation").get_to(asked.ablation);
  for (const setting& each : settings) {
    const bool is_kept = each.typed == &compare_request::schedulers
                             ? are_schedulers_typed || asked.ablation
                             : is_typed(each.option);
    if (!is_kept) asked.*each.typed = text_of(begun.at(each.key));
  }
  return asked;
}

void expect_same_settings(const ordered_json& begun, const ordered_json& now) {
  std::vector<std::string> differences;
  for (const setting& each : settings) {
    const ordered_json& before = begun.at(each.key);
    const ordered_json& after = now.at(each.key);
    if (before == after) continue;
    differences.push_back(
        fmt::format("{} was {}, not {}", each.option, text_of(before), text_of(after)));
  }
  if (begun.at("ablation") != now.at("ablation")) {
    differences.emplace_back(now.at("ablation") == true ? "it was begun without --ablation"
                                                        : "it was begun with --ablation");
  }
  if (differences.empty()) return;
  throw workloads::bad_input(fmt::format(
      "--resume: the comparison was begun with other settings: {}; valid: leave them out, "
      "or --overwrite to start anew",
      fmt::join(differences, "; ")));
}

void refuse_to_resume(std::string_view why) {
  throw workloads::bad_input(fmt::format(
      "--resume: the unfinished comparison does not fit this stealbench: {}; valid: the "
      "same build, or --overwrite to start anew",
      why));
}

}  // namespace stealbench::compare
