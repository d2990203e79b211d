#include <iterator>
#include <numeric>

#include "results/sections/parts.hpp"

namespace stealbench::sections {
namespace {

/// More workers than this, and a list of them is no longer read.
constexpr std::size_t most_listed = 4;

/// What part of the sum each worker has, from the run that counts; a dash if a worker lacks it.
std::string shares_of(const measured_cell& cell, const char* member) {
  std::vector<double> values;
  const json workers =
      cell.counters.is_object() ? cell.counters.value("per_worker", json()) : json();
  for (const json& each : workers.is_array() ? workers : json::array()) {
    const bool is_known = each.is_object() && each.contains(member) && each[member].is_number();
    if (!is_known) return std::string(missing);
    values.push_back(each[member]);
  }
  const double sum = std::accumulate(values.begin(), values.end(), 0.0);
  if (sum <= 0) return std::string(missing);
  const auto percent = [&](double value) { return fmt::format("{:.0f} %", 100 * value / sum); };
  if (values.size() > most_listed) {
    const auto [least, most] = std::ranges::minmax(values);
    return fmt::format("{} to {}", percent(least), percent(most));
  }
  std::vector<std::string> percents;
  std::ranges::transform(values, std::back_inserter(percents), percent);
  return fmt::format("{}", fmt::join(percents, ", "));
}

/// The greatest resident set of the processes. One that cannot read it says 0.
std::string peak_memory_of(const measured_cell& cell) {
  const double peak = std::ranges::max(values_of(cell, metric::peak_rss_bytes));
  return peak > 0 ? report::bytes(peak) : std::string(missing);
}

/// What the strategy itself keeps in memory, from the run that counts.
std::string bytes_of_strategy(const measured_cell& cell) {
  const auto stacks = counter_of(cell, "stack_bytes");
  const auto queues = counter_of(cell, "queue_bytes");
  return stacks && queues ? report::bytes(*stacks + *queues) : std::string(missing);
}

/// One value of each cell, with the greatest worker count.
struct value_table {
  const char* title;
  std::function<std::string(std::size_t cell)> text_of;
};

/// A section of those tables that have a value, and not a dash in every place.
section section_of(const estimates& known, const char* title, const char* meaning,
                   const std::vector<value_table>& tables) {
  section section{title, report::prominence::detail, {paragraph{meaning}}};
  for (const value_table& each : tables) {
    report::table table = table_over_instances(
        known, fmt::format("{}, workers: {}", each.title, known.most_workers()), each.text_of);
    const bool has_values = std::ranges::any_of(table.rows, [](const auto& row) {
      return std::any_of(row.begin() + 1, row.end(),
                         [](const std::string& text) { return text != missing && text != "DNF"; });
    });
    if (has_values) section.blocks.emplace_back(std::move(table));
  }
  return section;
}

}  // namespace

std::vector<section> topic_sections(const estimates& known) {
  const auto median = [&](metric which, std::size_t at) { return median_of(known.of(which, at)); };
  const auto share = [&](const char* member) {
    return [&known, member](std::size_t at) { return shares_of(known.cell(at), member); };
  };
  const auto seconds = [&](metric which) {
    return [&known, which](std::size_t at) {
      return report::seconds_with_interval(known.of(which, at));
    };
  };
  const auto events = [&](metric which) {
    return [=](std::size_t at) {
      const auto value = median(which, at);
      // Per run, so it may be a fraction of one.
      return value && *value < 10 ? fmt::format("{:.2g}", *value) : report::count(value);
    };
  };
  const auto quotient = [&](metric over, metric under, const char* format, double scale = 1) {
    return [=](std::size_t at) {
      const auto dividend = median(over, at);
      const auto divisor = median(under, at).value_or(0);
      return dividend && divisor != 0
                 ? fmt::format(fmt::runtime(format), *dividend / divisor * scale)
                 : std::string(missing);
    };
  };
  std::vector<section> all{
      section_of(known, "Balance",
                 "How evenly the work fell to the workers, from the run that counts. A worker is "
                 "busy while it executes the program, and not while it looks for work or sleeps. "
                 "Schedulers that count nothing show a dash.",
                 {{"Share of the busy time, worker by worker", share("busy_ns")},
                  {"Share of the jobs, worker by worker", share("jobs_run")}}),
      section_of(known, "Memory",
                 "The resident set includes the input. A live job has been spawned and has not "
                 "finished: the space that the strategy itself needs.",
                 {{"Peak resident set of the process",
                   [&](std::size_t at) { return peak_memory_of(known.cell(at)); }},
                  {"Most live jobs at one time",
                   [&](std::size_t at) {
                     return report::count(counter_of(known.cell(at), "most_live_jobs"));
                   }},
                  {"Queues and the stacks of fibers that migrate, at the most",
                   [&](std::size_t at) { return bytes_of_strategy(known.cell(at)); }}}),
      section_of(known, "First run and steady state",
                 "Making the scheduler, the first run in a new process, and what it costs over the "
                 "steady state, from which all other values come.",
                 {{"Start-up: making the scheduler", seconds(metric::start_up_seconds)},
                  {"First run", seconds(metric::first_run_seconds)},
                  {"First run over the steady state",
                   quotient(metric::first_run_seconds, metric::seconds, "{:#.3g} ×")}}),
      section_of(known, "Processor time and context switches",
                 "Of all threads of the process, per run in the steady state. More processors in "
                 "use than the speedup accounts for are workers that looked for work.",
                 {{"Processor time per run", seconds(metric::cpu_seconds)},
                  {"Processor time per task",
                   [&](std::size_t at) {
                     const auto used = median(metric::cpu_seconds, at);
                     const auto tasks = median(metric::fork_count, at).value_or(0);
                     return tasks > 0 && used ? report::seconds(*used / tasks)
                                              : std::string(missing);
                   }},
                  {"Processors in use: processor time over wall time",
                   quotient(metric::cpu_seconds, metric::seconds, "{:.2f}")},
                  {"Share of the processor time in the kernel",
                   quotient(metric::system_seconds, metric::cpu_seconds, "{:.1f} %", 100)},
                  {"Voluntary context switches per run", events(metric::voluntary_switches)},
                  {"Forced context switches per run", events(metric::forced_switches)}}),
      section_of(known, "Beside other programs",
                 "Other processes wanted a processor each meanwhile. The share is how fast they "
                 "counted, over how fast they do without the scheduler: what it leaves to them.",
                 {{"Share of the other processes",
                   [&](std::size_t at) {
                     const auto theirs = median(metric::neighbour_share, at);
                     return theirs ? share_text(*theirs) : std::string(missing);
                   }}}),
      section_of(known, "Energy", "From the processor's own counters, of the whole package.",
                 {{"Energy per run", [&](std::size_t at) {
                     const auto joules = median(metric::energy_joules, at);
                     return joules ? fmt::format("{:.3g} J", *joules) : std::string(missing);
                   }}})};
  // The meaning alone says nothing.
  std::erase_if(all, [](const section& each) { return each.blocks.size() == 1; });
  return all;
}

}  // namespace stealbench::sections
