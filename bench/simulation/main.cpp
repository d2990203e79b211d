// The command line of stealbench-simulated-<scheduler>: one benchmark in simulated time, as JSON.
// The shipped engine runs on the virtual machine.
#include <algorithm>
#include <charconv>
#include <iostream>
#include <iterator>
#include <map>
#include <string>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "bench/cell/command_line.hpp"
#include "bench/cell/program.hpp"
#include "bench/system/inherited.hpp"
#include "bench/system/usage.hpp"
#include "schedulers/virtual_machine/machine.hpp"
#include "schedulers/virtual_machine/profile.hpp"

namespace stealbench::simulation {
namespace {

using cell::linked_strategy;
using cell::program;
using nlohmann::ordered_json;
using virtual_machine::profile;
using virtual_machine::unit_price;

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
  cell::add_option(app, "--workers", typed.workers,
                   cell::takes::number(1, virtual_machine::max_workers), "Worker count");
  cell::add_option(app, "--profile", typed.profile, cell::takes::file,
                   "What the machine charges for: a file, or /dev/stdin")
      ->required();
  cell::add_option(app, "--seed", typed.seed, "N", "Seed of the random part of the charges");
  cell::add_option(
      app, "--vary", typed.vary, "KEY=FACTOR",
      "Multiply a cost: transfer=FACTOR, wake=FACTOR or jitter=FACTOR. May be repeated");
  app.add_flag("--exact", typed.is_exact,
               "Let no worker run ahead of another one, not even by half a transfer");
}

/// What a simulated run gave.
struct outcome {
  std::optional<bool> verified;
  ordered_json answer;
  std::uint64_t fork_count = 0;
  schedulers::counters counters;  ///< Of the run alone, but for maxima.
  virtual_machine::window seen;
};

/// One run, which begins when all workers but the first sleep, as after a pause on a real machine.
outcome simulate(const program& subject, const kit::parameters& chosen,
                 const schedulers::options& options, const virtual_machine::settings& settings) {
  outcome found;
  virtual_machine::simulation machine(settings);
  machine.run(options.stack_bytes, [&] {
    const std::unique_ptr<cell::cell> simulated = subject.counting(options, chosen);
    simulated->reset();
    machine.await_stillness();
    const schedulers::counters before = simulated->counters().value();
    machine.begin_window(options.workers);
    simulated->execute();
    found.seen = machine.end_window();
    // The start of the workers counts too.
    found.counters = since(simulated->counters().value(), before);
    found.verified = simulated->verified();
    found.answer = simulated->answer();
    found.fork_count = simulated->fork_count();
  });
  return found;
}

const program& program_named(const std::string& name) {
  std::string complaint = fmt::format("unknown workload '{}'", name);
  std::vector<std::string> valid;
  for (const program& each : linked_strategy().programs) {
    const std::string why_not = kit::why_not_simulated(each.description);
    if (why_not.empty()) valid.push_back(each.description.name);
    if (each.description.name != name) continue;
    if (why_not.empty()) return each;
    complaint = fmt::format("{}: {}", name, why_not);
  }
  kit::refuse(complaint, valid);
}

void vary(const std::vector<std::string>& variations, virtual_machine::costs& some) {
  for (const std::string& text : variations) {
    const auto [key, value] = kit::parse_assignment(text);
    const char* const end = value.data() + value.size();
    double factor = -1;
    if (std::from_chars(value.data(), end, factor).ptr != end || !(factor >= 0 && factor <= 1000)) {
      throw kit::bad_input(fmt::format("--vary {}: must be a factor from 0 to 1000", text));
    }
    virtual_machine::vary(some, key, factor);
  }
}

/// Of the deque that is linked here, whatever else is typed.
schedulers::variant variant_of(const std::optional<std::string>& typed) {
  const auto& [self, deque, programs, measure] = linked_strategy();
  const std::string settings = typed.value_or(deque.empty() ? "" : fmt::format("deque={}", deque));
  schedulers::variant chosen = settings.empty()
                                   ? schedulers::variant(self.settings)
                                   : schedulers::variant(self.scheduler, self.settings, settings);
  if (chosen.value_of("deque") == deque) return chosen;
  throw kit::bad_input(
      fmt::format("--variant {}: this executable simulates deque={}", settings, deque));
}

/// All of them, also those that have their defaults.
std::map<std::string, std::string> comparable(const kit::parameters& chosen) {
  std::map<std::string, std::string> found;
  for (const auto& [key, value] : chosen.all()) found.emplace(key, kit::to_string(value));
  return found;
}

/// The prices of the workload's work. A profile has parameters as they were typed: `links=2^20`.
void make_comparable(std::vector<unit_price>& work, const kit::description& workload) {
  for (unit_price& each : work) {
    if (each.workload != workload.name) continue;
    each.parameters =
        comparable(kit::parameters(workload, {each.parameters.begin(), each.parameters.end()}));
  }
}

std::string label_of(const unit_price& price) {
  std::string label = price.workload;
  for (const auto& [key, value] : price.parameters) label += fmt::format(" {}={}", key, value);
  return label;
}

/// What part of its workers' time each took: `shares` of all of it, and the most costly `lines`.
void report_time(const virtual_machine::window& seen, ordered_json& report) {
  const auto all = static_cast<double>(seen.length) * seen.threads;
  const auto share = [all](virtual_machine::picoseconds part) {
    return all > 0 ? static_cast<double>(part) / all : 0;
  };
  const virtual_machine::time_spent& spent = seen.spent;
  const double busy = 1 - share(spent.search) - share(spent.lines) - share(spent.asleep);
  // A task with a price below 0 overlaps with the work, which then has all of the busy time.
  const double work = std::min(share(spent.work), busy);
  report["shares"] = {{"work", work},
                      {"overhead", std::max(0.0, busy - work)},
                      {"search", share(spent.search)},
                      {"lines", share(spent.lines)},
                      {"asleep", share(spent.asleep)}};
  ordered_json& lines = report["lines"] = ordered_json::array();
  for (std::size_t i = 0; i < std::min(seen.lines.size(), most_lines); ++i) {
    const virtual_machine::line_wait& each = seen.lines[i];
    lines.push_back({{"name", each.name}, {"share", share(each.time)}, {"waits", each.waits}});
  }
}

/// From the standard input without those that it is based on.
profile profile_in(const std::string& file) {
  if (file != "/dev/stdin") return virtual_machine::read_profile(file);
  return virtual_machine::profile_of(
      virtual_machine::parse_profile({std::istreambuf_iterator<char>(std::cin), {}}));
}

int run(const arguments& typed) {
  const std::string& workload = typed.instance.workload;
  const program& subject = program_named(workload);
  const kit::parameters chosen = cell::instances_of(subject.description, typed.instance).front();
  const schedulers::variant variant = variant_of(typed.instance.variant);
  const std::string& strategy = linked_strategy().self.scheduler;
  const std::string scheduler = variant.name_of(strategy);
  profile prices = profile_in(typed.profile);
  vary(typed.vary, prices.costs);
  const auto parameters = comparable(chosen);
  const std::vector<unit_price> typed_prices = prices.work;
  make_comparable(prices.work, subject.description);
  const unit_price& unit = virtual_machine::price_of(prices, workload, parameters);
  const virtual_machine::settings machine{
      .costs = prices.costs,
      .prices = virtual_machine::prices_of(prices, scheduler, workload, parameters),
      .unit_ns = unit.ns,
      .seed = typed.seed,
      .job_stacks = typed.workers,
      .looks_ahead = !typed.is_exact};

  const system::usage before = system::usage_of_process();
  const outcome found = simulate(
      subject, chosen,
      cell::options_of(strategy, typed.workers, false, typed.instance.stack_mib, variant), machine);
  ordered_json report{
      {"workload", workload},
      {"scheduler", scheduler},
      {"parameters", cell::json_of(chosen)},
      {"workers", typed.workers},
      {"seed", typed.seed},
      {"profile", prices.name},
      {"verified", cell::json_of(found.verified)},
      {"answer", found.answer},
      {"seconds", static_cast<double>(found.seen.length) * 1e-12},
      {"fork_count", found.fork_count},
      {"work_units", found.seen.units},
      {"tasks_moved", found.counters.jobs_moved},
      {"steal_attempts", found.counters.attempts_taken + found.counters.failed_steals()}};
  report_time(found.seen, report);
  report["counters"] = cell::json_of(found.counters);
  report["unit_ns"] = unit.ns;
  report["unit_from"] =
      unit.parameters == parameters
          ? "this instance"
          : label_of(typed_prices[static_cast<std::size_t>(&unit - prices.work.data())]);
  const auto& [forks, calls, spawns, pieces] = found.seen.charged;
  report["charges"] = {{"fork", forks}, {"call", calls}, {"spawn", spawns}, {"piece", pieces}};
  report["host_seconds"] = (system::usage_of_process() - before).cpu_seconds();
  std::cout << report.dump() << '\n';
  return found.verified == false ? 1 : 0;
}

}  // namespace
}  // namespace stealbench::simulation

int main(int argc, char** argv) {
  namespace cell = stealbench::cell;
  namespace simulation = stealbench::simulation;
  stealbench::system::begin_with_own_state();
  const std::string name =
      fmt::format("stealbench-simulated-{}", cell::linked_strategy().self.scheduler);
  CLI::App app{"Simulates one benchmark and prints JSON. `stealbench simulate` runs it.", name};
  simulation::arguments typed;
  simulation::declare(app, typed);
  cell::add_footer(app, "",
                   {"--workload fib --workers 64 --profile profiles/reference.json",
                    "--workload uts --set tree=T1 --workers 256 --seed 2 --profile "
                    "profiles/reference.json"});
  return cell::run_command_line(app, argc, argv, [&typed] { return simulation::run(typed); });
}
