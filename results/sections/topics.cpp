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

/// The greatest resident set of the processes. One that cannot read it says 0, and a simulation has
/// none.
std::optional<double> peak_rss_of(const measured_cell& cell) {
  const std::vector<double> values = values_of(cell, metric::peak_rss_bytes);
  if (values.empty()) return {};
  const double peak = std::ranges::max(values);
  return peak > 0 ? std::optional(peak) : std::nullopt;
}

/// What the strategy itself keeps in memory, from the run that counts.
std::optional<double> bytes_of_strategy(const measured_cell& cell) {
  const auto stacks = counter_of(cell, "stack_bytes");
  const auto queues = counter_of(cell, "queue_bytes");
  return stacks && queues ? std::optional(*stacks + *queues) : std::nullopt;
}

/// Gaps included.
std::optional<double> cpu_seconds_per_tick(const measured_cell& cell) {
  const std::vector<double> used = values_of(cell, metric::cpu_seconds);
  const double ticks = number_of(cell.which.what, "ticks").value_or(0);
  return ticks > 0 && !used.empty() ? std::optional(analysis::median(used) / ticks) : std::nullopt;
}

/// One value of each cell, with the greatest worker count.
struct value_table {
  const char* title;
  std::function<std::string(std::size_t cell)> text_of;
};

/// A section of those tables that have a value, and not a dash in every place.
section section_of(const estimates& known, const char* title,
                   const std::vector<value_table>& tables) {
  section section = guide(title);
  section.shown = prominence::detail;
  for (const value_table& each : tables) {
    report::table table =
        table_over_instances(known,
                             fmt::format("{}, with {}", each.title,
                                         workers_in_words(known.data(), known.most_workers())),
                             each.text_of);
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
  const auto seconds = [&](metric which) {
    return [&known, which](std::size_t at) {
      return report::seconds_with_interval(known.of(which, at));
    };
  };
  const auto share = [&](const char* member) {
    return [&known, member](std::size_t at) { return shares_of(known.cell(at), member); };
  };
  const auto of_cell = [&](const auto& value_of) {
    return [&known, value_of](std::size_t at) { return value_of(known.cell(at)); };
  };
  const auto median = [&](metric which) {
    return [&known, which](std::size_t at) { return median_of(known.of(which, at)); };
  };
  const auto quotient = [=](metric over, metric under) {
    return [=](std::size_t at) -> std::optional<double> {
      const auto dividend = median(over)(at);
      const double divisor = median(under)(at).value_or(0);
      if (!dividend || divisor == 0) return {};
      return *dividend / divisor;
    };
  };
  const auto shown = [](const auto& value_of, const auto& text_of) {
    return [=](std::size_t at) {
      const std::optional<double> value = value_of(at);
      return value ? text_of(*value) : std::string(missing);
    };
  };
  const auto live_jobs = [](const measured_cell& cell) {
    return counter_of(cell, "most_live_jobs");
  };
  const auto times = [](double value) { return fmt::format("{:#.3g} ×", value); };
  const auto processors = [](double value) { return fmt::format("{:.2f}", value); };
  const auto events = [](double value) {  // Per run, so it may be a fraction of one.
    return value < 10 ? fmt::format("{:.2g}", value) : report::count(value);
  };
  const auto counted = [&](const char* name) {
    return shown(of_cell([name](const measured_cell& cell) { return counter_of(cell, name); }),
                 [](double ns) { return report::seconds(ns * 1e-9); });
  };
  std::vector<section> all{
      section_of(known, "Search over several processes",
                 {{"Steal, from the request to the tasks", counted("steal_ns")},
                  {"Split of a bag", counted("split_ns")},
                  {"Merge of tasks that have come", counted("merge_ns")},
                  {"Termination", counted("termination_ns")}}),
      section_of(known, "Balance",
                 {{"Share of the busy time, worker by worker", share("busy_ns")},
                  {"Share of the jobs, worker by worker", share("jobs_run")}}),
      section_of(known, "Memory",
                 {{"Peak resident set of the process", shown(of_cell(peak_rss_of), report::bytes)},
                  {"Most live jobs at one time", shown(of_cell(live_jobs), report::count)},
                  {"Queues and the stacks of fibers that migrate, at the most",
                   shown(of_cell(bytes_of_strategy), report::bytes)}}),
      section_of(known, "First run and steady state",
                 {{"Start-up: making the scheduler", seconds(metric::start_up_seconds)},
                  {"First run", seconds(metric::first_run_seconds)},
                  {"First run over the steady state",
                   shown(quotient(metric::first_run_seconds, metric::seconds), times)}}),
      section_of(
          known, "Processor time and context switches",
          {{"Processor time per run", seconds(metric::cpu_seconds)},
           {"Processor time per task",
            shown(quotient(metric::cpu_seconds, metric::fork_count), report::seconds)},
           {"Processor time per tick of a control loop",
            shown(of_cell(cpu_seconds_per_tick), report::seconds)},
           {"Processors in use: processor time over wall time",
            shown(quotient(metric::cpu_seconds, metric::seconds), processors)},
           {"Share of the processor time in the kernel",
            shown(quotient(metric::system_seconds, metric::cpu_seconds), share_text)},
           {"Voluntary context switches per run",
            shown(median(metric::voluntary_switches), events)},
           {"Forced context switches per run", shown(median(metric::forced_switches), events)}})};
  // The meaning alone says nothing.
  std::erase_if(all, [](const section& each) { return each.blocks.size() == 1; });
  return all;
}

}  // namespace stealbench::sections
