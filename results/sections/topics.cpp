#include <algorithm>
#include <numeric>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "results/report/format.hpp"
#include "results/sections/parts.hpp"

namespace stealbench::sections {
namespace {

using analysis::estimate;
using dataset::json;
using dataset::measured_cell;
using dataset::metric;
using report::missing;
using report::section;

/// More workers than this, and a list of them is no longer read.
constexpr std::size_t most_listed = 4;

std::optional<double> quotient(std::optional<double> over, std::optional<double> under) {
  if (!over || !under || *under == 0) return {};
  return *over / *under;
}

/// One value of every worker, from the run that counts; nothing if a worker lacks it.
std::vector<double> values_of_workers(const measured_cell& cell, const char* member) {
  std::vector<double> values;
  if (!cell.counters.is_object()) return values;
  const auto workers = cell.counters.find("per_worker");
  if (workers == cell.counters.end() || !workers->is_array()) return values;
  for (const json& each : *workers) {
    const auto found = each.is_object() ? each.find(member) : each.end();
    if (!each.is_object() || found == each.end() || !found->is_number()) return {};
    values.push_back(found->get<double>());
  }
  return values;
}

/// What part of the sum each worker has.
std::string shares_of(const measured_cell& cell, const char* member) {
  const std::vector<double> values = values_of_workers(cell, member);
  const double sum = std::accumulate(values.begin(), values.end(), 0.0);
  if (values.empty() || sum <= 0) return std::string(missing);
  const auto percent = [&](double value) { return fmt::format("{:.0f} %", 100 * value / sum); };
  if (values.size() > most_listed) {
    const auto [least, most] = std::minmax_element(values.begin(), values.end());
    return fmt::format("{} to {}", percent(*least), percent(*most));
  }
  std::vector<std::string> percents;
  percents.reserve(values.size());
  for (const double each : values) percents.push_back(percent(each));
  return fmt::format("{}", fmt::join(percents, ", "));
}

/// Whether a table has a value at all, and not a dash in every place.
bool has_values(const report::table& table) {
  return std::ranges::any_of(table.rows, [](const auto& row) {
    return std::any_of(row.begin() + 1, row.end(),
                       [](const std::string& text) { return text != missing && text != "DNF"; });
  });
}

section section_of(const char* title, const char* meaning, std::vector<report::table> tables) {
  section made{title, report::prominence::detail, {report::paragraph{meaning}}};
  for (report::table& each : tables) {
    if (has_values(each)) made.blocks.emplace_back(std::move(each));
  }
  return made;
}

/// What the strategy itself keeps in memory, from the run that counts.
std::string bytes_of_strategy(const measured_cell& cell) {
  const auto stacks = counter_of(cell, "stack_bytes");
  const auto queues = counter_of(cell, "queue_bytes");
  return stacks && queues ? report::bytes(*stacks + *queues) : std::string(missing);
}

/// Makes a table of one value of each cell, with the greatest worker count.
class tables {
 public:
  explicit tables(const estimates& known) : known_(known) {}

  template <class F>
  [[nodiscard]] report::table of(const char* title, const F& text_of) const {
    return table_over_instances(
        known_, fmt::format("{}, workers: {}", title, known_.most_workers()), text_of);
  }

  [[nodiscard]] report::table seconds(const char* title, metric which) const {
    return of(title, [this, which](std::size_t at) {
      return report::seconds_with_interval(known_.of(which, at));
    });
  }

  /// Of events per run, which may be a fraction of one.
  [[nodiscard]] report::table events(const char* title, metric which) const {
    return of(title, [this, which](std::size_t at) {
      const auto value = median(which, at);
      return value && *value < 10 ? fmt::format("{:.2g}", *value) : report::count(value);
    });
  }

  /// One metric over another, written as `format` has it.
  [[nodiscard]] report::table quotients(const char* title, metric over, metric under,
                                        const char* format, double scale = 1) const {
    return of(title, [=, this](std::size_t at) {
      const auto value = quotient(median(over, at), median(under, at));
      return value ? fmt::format(fmt::runtime(format), *value * scale) : std::string(missing);
    });
  }

  [[nodiscard]] report::table shares(const char* title, const char* member) const {
    return of(title, [this, member](std::size_t at) { return shares_of(known_.cell(at), member); });
  }

  [[nodiscard]] std::optional<double> median(metric which, std::size_t at) const {
    return median_of(known_.of(which, at));
  }

 private:
  const estimates& known_;
};

}  // namespace

std::vector<section> topic_sections(const estimates& known) {
  const tables make(known);
  std::vector<section> all{
      section_of("Balance",
                 "How evenly the work fell to the workers, from the run that counts. A worker is "
                 "busy while it executes the program, and not while it looks for work or sleeps. "
                 "Schedulers that count nothing show a dash.",
                 {make.shares("Share of the busy time, worker by worker", "busy_ns"),
                  make.shares("Share of the jobs, worker by worker", "jobs_run")}),
      section_of("Memory",
                 "The resident set includes the input. A live job has been spawned and has not "
                 "finished: the space that the strategy itself needs.",
                 {make.of("Peak resident set of the process",
                          [&](std::size_t at) { return peak_memory_of(known.cell(at)); }),
                  make.of("Most live jobs at one time",
                          [&](std::size_t at) {
                            return report::count(counter_of(known.cell(at), "most_live_jobs"));
                          }),
                  make.of("Queues and the stacks of fibers that migrate, at the most",
                          [&](std::size_t at) { return bytes_of_strategy(known.cell(at)); })}),
      section_of("First run and steady state",
                 "Making the scheduler, the first run in a new process, and what it costs over the "
                 "steady state, from which all other values come.",
                 {make.seconds("Start-up: making the scheduler", metric::start_up_seconds),
                  make.seconds("First run", metric::first_run_seconds),
                  make.quotients("First run over the steady state", metric::first_run_seconds,
                                 metric::seconds, "{:#.3g} ×")}),
      section_of("Processor time and context switches",
                 "Of all threads of the process, per run in the steady state. More processors in "
                 "use than the speedup accounts for are workers that looked for work.",
                 {make.seconds("Processor time per run", metric::cpu_seconds),
                  make.quotients("Processors in use: processor time over wall time",
                                 metric::cpu_seconds, metric::seconds, "{:.2f}"),
                  make.quotients("Share of the processor time in the kernel",
                                 metric::system_seconds, metric::cpu_seconds, "{:.1f} %", 100),
                  make.events("Voluntary context switches per run", metric::voluntary_switches),
                  make.events("Forced context switches per run", metric::forced_switches)}),
      section_of("Energy", "From the processor's own counters, of the whole package.",
                 {make.of("Energy per run", [&](std::size_t at) {
                   const auto joules = make.median(metric::energy_joules, at);
                   return joules ? fmt::format("{:.3g} J", *joules) : std::string(missing);
                 })})};
  // The meaning alone says nothing.
  std::erase_if(all, [](const section& each) { return each.blocks.size() == 1; });
  return all;
}

}  // namespace stealbench::sections
