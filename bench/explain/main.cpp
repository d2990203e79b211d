// The command line of stealbench-serial.work-span: records the work and the span of one benchmark,
// and prints them as JSON. `stealbench explain` runs it.
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "bench/cell/cell.hpp"
#include "bench/cell/command_line.hpp"
#include "bench/cell/program.hpp"
#include "bench/system/inherited.hpp"
#include "schedulers/operating_system/thread.hpp"
#include "schedulers/serial/scheduler.hpp"
#include "schedulers/work_span/scheduler.hpp"
#include "workloads/catalogue.hpp"

namespace stealbench::explain {
namespace {

using nlohmann::ordered_json;
using work_span::recording;

struct arguments {
  cell::instance_options instance;
  unsigned workers = 1;
  double seconds = 0;
  double burden_ns = 0;
};

template <class Scheduler, class... Workloads>
std::vector<cell::program> programs_of(const std::tuple<Workloads...>& /*catalogue*/) {
  return {
      {Workloads::describe(), &cell::make_cell<cell::cell_of<Scheduler, Workloads>>, nullptr}...};
}

template <class Scheduler>
const cell::program& program_named(const std::string& name) {
  static const std::vector<cell::program> all = programs_of<Scheduler>(workloads::catalogue());
  return kit::find_named(
      all, [](const cell::program& each) { return each.description.name; }, name,
      fmt::format("unknown workload '{}'", name));
}

/// Everything in ns: a strand is as long as `scale` times what was recorded, and a burden is not.
ordered_json json_of(const work_span::record& seen, double scale, double burden_ns) {
  const double burdens_ns = burden_ns * static_cast<double>(seen.burdens);
  const double burdened_span_ns = (seen.burdened_span_ns - burdens_ns) * scale + burdens_ns;
  ordered_json found{{"work_ns", seen.work_ns * scale},
                     {"span_ns", seen.span_ns * scale},
                     {"work_units", seen.work_units},
                     {"span_units", seen.span_units},
                     {"parallelism", seen.parallelism()},
                     {"burdened_span_ns", burdened_span_ns},
                     {"burdened_parallelism", seen.work_ns * scale / burdened_span_ns},
                     {"tasks", seen.tasks},
                     {"strands", seen.strands},
                     {"depth", seen.depth},
                     {"most_live_tasks", seen.most_live_tasks}};
  ordered_json& places = found["places"] = ordered_json::array();
  for (const work_span::place& each : seen.places) {
    const std::string file(each.file);
    places.push_back({{"file", file.substr(file.rfind('/') + 1)},
                      {"line", each.line},
                      {"work_ns", each.work_ns * scale},
                      {"span_ns", each.span_ns * scale}});
  }
  found["span_ns_at_depth"] = seen.span_ns_at_depth;
  for (auto& each : found["span_ns_at_depth"]) each = each.get<double>() * scale;
  found["strands_of_length"] = seen.strands_of_length;
  found["interval_ns"] = seen.interval_ns * scale;
  ordered_json& over_time = found["parallelism_over_time"] = ordered_json::array();
  for (const double work : seen.work_over_time) over_time.push_back(work / seen.interval_ns);
  return found;
}

/// What a run takes that nothing records, after a first one.
double serial_seconds(const arguments& typed, const kit::parameters& chosen) {
  const cell::program& program = program_named<serial::scheduler>(typed.instance.workload);
  double seconds = 0;
  operating_system::run_on_stack(typed.instance.stack_mib << 20, [&] {
    seconds = cell::warm_cell(program.timed({}, chosen)).run_for({}).seconds;
  });
  return seconds;
}

/// Twice: what a unit costs, or how much the clock slows the program down, is known after a run.
int run(const arguments& typed) {
  const cell::program& recorded_program =
      program_named<work_span::scheduler>(typed.instance.workload);
  const bool has_units = !recorded_program.description.about.unit.empty();
  const kit::parameters chosen =
      cell::instances_of(recorded_program.description, typed.instance).front();
  const double ns = 1e9 * (typed.seconds > 0 ? typed.seconds : serial_seconds(typed, chosen));
  const std::unique_ptr<cell::cell> subject = recorded_program.timed({}, chosen);
  const auto record_with = [&](const work_span::settings& settings) {
    recording::chosen = settings;
    operating_system::run_on_stack(typed.instance.stack_mib << 20, [&] {
      subject->reset();
      subject->execute();
    });
    return std::exchange(recording::latest, {});
  };
  work_span::settings settings{.unit_ns = has_units ? 1.0 : 0.0, .burden_ns = typed.burden_ns};
  const work_span::record first = record_with(settings);
  // Without any time or work, the clock's own lengths stay.
  const auto scale_of = [ns](const work_span::record& seen) {
    return ns > 0 && seen.work_ns > 0 ? ns / seen.work_ns : 1;
  };
  (has_units ? settings.unit_ns : settings.clock_ns) = scale_of(first);
  const work_span::record seen = record_with(settings);
  // By the clock no two runs take the same time.
  const double scale = has_units ? 1 : scale_of(seen);
  const std::optional<bool> verified = subject->verified();
  // With the members of any single run. No name of a scheduler has a dot: this is no row.
  ordered_json report{{"workload", typed.instance.workload},
                      {"scheduler", "serial.work-span"},
                      {"workers", 1},
                      {"parameters", cell::json_of(chosen)},
                      {"answer", subject->answer()},
                      {"verified", cell::json_of(verified)},
                      {"time_ns", nullptr},
                      {"counters", nullptr},
                      {"fork_count", subject->fork_count()},
                      {"strands_by", has_units ? "units" : "clock"}};
  report.update(json_of(seen, scale, typed.burden_ns));
  std::cout << report.dump() << '\n';
  return verified == false ? 1 : 0;
}

}  // namespace
}  // namespace stealbench::explain

int main(int argc, char** argv) {
  using stealbench::cell::add_option;
  stealbench::system::begin_with_own_state();
  CLI::App app{
      "Records work and span of one benchmark and prints JSON. `stealbench explain` runs it.",
      "stealbench-serial.work-span"};
  stealbench::explain::arguments typed;
  stealbench::cell::declare_instance(app, typed.instance)->required();
  add_option(app, "--workers", typed.workers, stealbench::cell::takes::number(1, 1),
             "Worker count");
  add_option(app, "--seconds", typed.seconds, {"SECONDS", CLI::NonNegativeNumber},
             "Time of the serial elision, which is the work; 0: as long as it takes here");
  add_option(app, "--burden", typed.burden_ns, {"NS", CLI::NonNegativeNumber},
             "What a steal costs, for the burdened span");
  stealbench::cell::add_footer(
      app, "", {"--workload fib --seconds 0.03 --burden 1000", "--workload mergesort --size test"});
  return stealbench::cell::run_command_line(app, argc, argv,
                                            [&typed] { return stealbench::explain::run(typed); });
}
