#include "bench/compare/plan.hpp"

#include <limits>
#include <random>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "bench/compare/ablation.hpp"
#include "workloads/catalogue.hpp"

namespace stealbench::compare {
namespace {

std::vector<workloads::description> chosen_workloads(const compare_request& asked) {
  if (asked.workloads == "all") return workloads::descriptions();
  if (asked.workloads.empty()) return {find_workload(asked.workloads)};  // Refused.
  std::vector<workloads::description> chosen;
  for (const std::string& name : without_repetitions(split_list(asked.workloads))) {
    chosen.push_back(find_workload(name));
  }
  return chosen;
}

std::vector<instance> chosen_instances(const compare_request& asked) {
  std::vector<instance> instances;
  for (const workloads::description& each : chosen_workloads(asked)) {
    for (instance& what : instances_of(each, asked.size, {})) instances.push_back(std::move(what));
  }
  return instances;
}

}  // namespace

std::vector<runnable> chosen_schedulers(const std::string& typed, const installation& here) {
  const std::vector<std::string> names = typed.empty() ? here.built() : split_list(typed);
  if (names.empty()) {
    throw workloads::bad_input(fmt::format(
        "no scheduler is built here; build all of them with\n  {}", build_command("compare")));
  }
  std::vector<runnable> chosen;
  chosen.reserve(names.size());
  for (const std::string& each : names) chosen.push_back(here.choose(each));
  return without_repetitions(chosen);
}

std::vector<unsigned> chosen_workers(const std::string& typed) {
  if (typed.empty()) return {parse_workers(typed)};  // Refused.
  std::vector<unsigned> workers;
  for (const std::string& text : split_list(typed)) workers.push_back(parse_workers(text));
  return without_repetitions(workers);
}

stopping_rule parse_stopping_rule(const std::string& rounds, const std::string& target_percent,
                                  const std::string& budget_seconds) {
  stopping_rule rule{.target = parse_percent("target", target_percent) / 100,
                     .budget = std::chrono::seconds(
                         parse_whole_number("budget", budget_seconds, 1, most_budget_seconds))};
  if (!rounds.empty()) rule.rounds = parse_whole_number("rounds", rounds, 1, most_rounds);
  return rule;
}

std::uint64_t parse_seed(const std::string& text) {
  if (text.empty()) return std::random_device{}();
  return parse_whole_number("seed", text, 0, std::numeric_limits<std::uint64_t>::max());
}

std::chrono::seconds parse_timeout(const std::string& text) {
  return std::chrono::seconds(parse_whole_number("timeout", text, 1, most_timeout_seconds));
}

plan plan_for(const compare_request& asked, const installation& here) {
  const std::vector<instance> instances = chosen_instances(asked);
  if (asked.ablation && !asked.schedulers.empty()) {
    throw workloads::bad_input(
        "--ablation chooses the schedulers; valid: --ablation or --schedulers, not both");
  }
  const std::vector<runnable> schedulers = chosen_schedulers(
      asked.ablation ? fmt::format("{}", fmt::join(ablation_schedulers(), ",")) : asked.schedulers,
      here);
  const std::vector<unsigned> workers = chosen_workers(asked.workers);
  plan made{.cells = {},
            .until = parse_stopping_rule(asked.rounds, asked.target_percent, asked.budget_seconds),
            .timeout = parse_timeout(asked.timeout_seconds),
            .seed = parse_seed(asked.seed)};
  for (const instance& what : instances) {
    for (const unsigned count : workers) {
      for (const runnable& each : schedulers) {
        made.cells.push_back({each.name, each.executable, what, count});
      }
    }
  }
  return made;
}

}  // namespace stealbench::compare
