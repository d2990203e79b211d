// The command line of stealbench-simulated-<scheduler>: one benchmark in simulated time, as JSON.
#include <algorithm>
#include <charconv>
#include <cstdint>
#include <exception>
#include <iostream>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "bench/cell/command_line.hpp"
#include "bench/cell/once.hpp"
#include "bench/simulation/simulated_cell.hpp"
#include "results/system/usage.hpp"
#include "schedulers/settings.hpp"
#include "schedulers/virtual_machine/profile.hpp"

namespace stealbench::simulation {
namespace {

using nlohmann::ordered_json;
using virtual_machine::profile;

constexpr std::size_t most_lines = 10;

struct arguments {
  cell::instance_options instance;
  unsigned workers = 1;
  std::string profile;
  std::uint64_t seed = 1;
  std::vector<std::string> vary;
  bool is_exact = false;
};

void declare(CLI::App& app, arguments& typed) {
  cell::declare_instance(app, typed.instance)->required();
  app.add_option("--workers", typed.workers, "Worker count")
      ->type_name("N")
      ->check(cell::between(1, virtual_machine::max_workers))
      ->capture_default_str();
  app.add_option("--profile", typed.profile, "What the machine charges for")
      ->type_name(cell::takes::file)
      ->required();
  app.add_option("--seed", typed.seed, "Seed of the random part of the charges")
      ->type_name("N")
      ->capture_default_str();
  app.add_option("--vary", typed.vary,
                 "Multiply a cost: transfer=FACTOR, wake=FACTOR or jitter=FACTOR. May be repeated")
      ->type_name("KEY=FACTOR")
      ->allow_extra_args(false);
  app.add_flag("--exact", typed.is_exact,
               "Let no worker run ahead of another one, not even by half a transfer");
}

const program& program_named(const strategy& linked, const std::string& name) {
  std::vector<std::string> valid;
  const program* found = nullptr;
  for (const program& each : linked.programs) {
    if (each.description.name == name) found = &each;
    if (kit::why_not_simulated(each.description).empty()) valid.push_back(each.description.name);
  }
  if (found == nullptr) {
    throw kit::bad_input(
        fmt::format("unknown workload '{}'; valid: {}", name, fmt::join(valid, ", ")));
  }
  if (const std::string why = kit::why_not_simulated(found->description); !why.empty()) {
    throw kit::bad_input(fmt::format("{}: {}; valid: {}", name, why, fmt::join(valid, ", ")));
  }
  return *found;
}

void apply(const std::vector<std::string>& variations, virtual_machine::costs& to) {
  for (const std::string& text : variations) {
    const auto [key, value] = kit::parse_assignment(text);
    double factor = 0;
    const auto read = std::from_chars(value.data(), value.data() + value.size(), factor);
    if (read.ec != std::errc{} || read.ptr != value.data() + value.size() ||
        !(factor >= 0 && factor <= 1000)) {
      throw kit::bad_input(fmt::format("--vary {}: must be a factor from 0 to 1000", text));
    }
    virtual_machine::vary(to, key, factor);
  }
}

/// Of the deque that is linked here, whatever else is typed.
schedulers::variant variant_of(const strategy& linked, const std::optional<std::string>& typed) {
  const std::vector<schedulers::setting>& valid = schedulers::settings_of(linked.scheduler);
  const std::string deque = linked.deque.empty() ? "" : fmt::format("deque={}", linked.deque);
  const std::string said = typed.value_or(deque);
  schedulers::variant chosen = said.empty() ? schedulers::variant(valid)
                                            : schedulers::variant(linked.scheduler, valid, said);
  if (chosen.value_of("deque") != linked.deque) {
    throw kit::bad_input(
        fmt::format("--variant {}: this executable simulates deque={}", said, linked.deque));
  }
  return chosen;
}

/// All of them, also those that have their defaults.
std::map<std::string, std::string> comparable(const kit::parameters& chosen) {
  std::map<std::string, std::string> found;
  for (const auto& [key, value] : chosen.all()) found.emplace(key, kit::to_string(value));
  return found;
}

/// A profile has parameters as they were typed: `links=2^20`.
void make_comparable(profile& prices, const kit::description& workload) {
  for (virtual_machine::unit_price& each : prices.work) {
    if (each.workload != workload.name) continue;
    const std::vector<kit::assignment> typed(each.parameters.begin(), each.parameters.end());
    each.parameters = comparable(kit::parameters(workload, typed));
  }
}

std::string label_of(const virtual_machine::unit_price& price) {
  std::string label = price.workload;
  for (const auto& [key, value] : price.parameters) label += fmt::format(" {}={}", key, value);
  return label;
}

ordered_json shares_of(const virtual_machine::window& seen) {
  const auto all = static_cast<double>(seen.length) * seen.threads;
  const auto share = [&](virtual_machine::picoseconds part) {
    return all > 0 ? static_cast<double>(part) / all : 0;
  };
  const virtual_machine::time_spent& spent = seen.spent;
  const double known =
      share(spent.work) + share(spent.search) + share(spent.lines) + share(spent.asleep);
  return {{"work", share(spent.work)},
          {"overhead", std::max(0.0, 1 - known)},
          {"search", share(spent.search)},
          {"lines", share(spent.lines)},
          {"asleep", share(spent.asleep)}};
}

ordered_json lines_of(const virtual_machine::window& seen) {
  const auto all = static_cast<double>(seen.length) * seen.threads;
  ordered_json lines = ordered_json::array();
  for (const virtual_machine::line_wait& each : seen.lines) {
    if (lines.size() == most_lines) break;
    lines.push_back({{"name", each.name},
                     {"share", static_cast<double>(each.time) / all},
                     {"waits", each.waits}});
  }
  return lines;
}

int run(const arguments& typed) {
  const strategy linked = linked_strategy();
  const program& subject = program_named(linked, typed.instance.workload);
  const kit::parameters chosen = cell::instances_of(subject.description, typed.instance).front();
  const schedulers::variant variant = variant_of(linked, typed.instance.variant);
  const std::string scheduler = variant.name_of(linked.scheduler);
  profile prices = virtual_machine::read_profile(typed.profile);
  apply(typed.vary, prices.costs);
  const auto parameters = comparable(chosen);
  const std::vector<virtual_machine::unit_price> typed_prices = prices.work;
  make_comparable(prices, subject.description);
  const virtual_machine::unit_price& unit =
      virtual_machine::price_of(prices, typed.instance.workload, parameters);
  schedulers::options options{.workers = typed.workers,
                              .stack_bytes = typed.instance.stack_mib << 20};
  // Not cell::options_of: the strategies of that are those of a measuring executable.
  schedulers::apply(linked.scheduler, variant, options);
  const virtual_machine::settings machine{
      .costs = prices.costs,
      .prices = virtual_machine::prices_of(prices, scheduler, typed.instance.workload, parameters),
      .unit_ns = unit.ns,
      .seed = typed.seed,
      .job_stacks = typed.workers,
      .looks_ahead = !typed.is_exact};

  const system::usage before = system::usage_of_process();
  const outcome made = subject.simulate({chosen, options, machine});
  ordered_json report{
      {"workload", typed.instance.workload},
      {"scheduler", scheduler},
      {"parameters", cell::json_of(chosen)},
      {"workers", typed.workers},
      {"seed", typed.seed},
      {"profile", prices.name},
      {"verified", made.verified ? ordered_json(*made.verified) : ordered_json(nullptr)},
      {"answer", made.answer},
      {"seconds", static_cast<double>(made.seen.length) * 1e-12},
      {"fork_count", made.fork_count},
      {"work_units", made.seen.units},
      {"tasks_moved", made.counters.jobs_moved},
      {"steal_attempts", made.counters.attempts_taken + made.counters.failed_steals()},
      {"shares", shares_of(made.seen)},
      {"lines", lines_of(made.seen)},
      {"counters", cell::json_of(made.counters)},
      {"unit_ns", unit.ns},
      {"unit_from",
       unit.parameters == parameters
           ? "this instance"
           : label_of(typed_prices[static_cast<std::size_t>(&unit - prices.work.data())])},
      {"charges",
       {{"fork", made.seen.charged[0]},
        {"call", made.seen.charged[1]},
        {"spawn", made.seen.charged[2]},
        {"piece", made.seen.charged[3]}}},
      {"host_seconds", (system::usage_of_process() - before).cpu_seconds()}};
  std::cout << report.dump() << '\n';
  return made.verified == false ? 1 : 0;
}

}  // namespace
}  // namespace stealbench::simulation

int main(int argc, char** argv) {
  namespace cell = stealbench::cell;
  namespace simulation = stealbench::simulation;
  const std::string name =
      fmt::format("stealbench-simulated-{}", simulation::linked_strategy().scheduler);
  CLI::App app{"Simulates one benchmark and prints JSON. `stealbench simulate` runs it.", name};
  app.formatter(cell::help_layout());
  app.get_help_ptr()->description("Print this help");
  simulation::arguments typed;
  simulation::declare(app, typed);
  app.footer(
      fmt::format("Examples:\n"
                  "  {0} --workload fib --workers 64 --profile profiles/reference.json\n"
                  "  {0} --workload uts --set tree=T1 --workers 256 --seed 2 --profile "
                  "profiles/reference.json",
                  name));
  return cell::run_command_line(app, argc, argv, [&typed] { return simulation::run(typed); });
}
