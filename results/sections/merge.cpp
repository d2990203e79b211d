#include <map>
#include <span>
#include <tuple>

#include "results/sections/diff.hpp"
#include "results/sections/parts.hpp"

namespace stealbench::sections {
namespace {

/// Of a simulation also the profile, with the costs that were changed: its context says nothing of
/// the simulated machine.
std::vector<std::string> machine_of(const measurements& run) {
  std::vector<std::string> texts;
  if (run.is_simulated()) {
    const json& about = run.header().at("about");
    texts = {costs_of(about).dump(), changes_of_profile(about)};
  }
  for (const char* const key : machine_keys) texts.push_back(text_at(run.context(), key));
  return texts;
}

std::string date_of(const measurements& run) { return text_at(run.header(), "date"); }

std::string name_of_run(std::size_t index) { return fmt::format("run {}", index + 1); }

report::table table_of_runs(std::span<const measurements> runs) {
  report::table table{"Machine and build of each run", {}};
  for (const char* const header :
       {"run", "experiment", "date", "processor", "processors", "commit", "compiler"}) {
    table.columns.push_back({header, alignment::left});
  }
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const auto text = [&](const char* key) { return text_at(runs[i].context(), key); };
    table.rows.push_back({name_of_run(i), runs[i].experiment(), date_of(runs[i]), text("processor"),
                          text("num_cpus"), text("commit"), text("compiler")});
  }
  return table;
}

/// Runs of one experiment, with their numbers among all.
struct group {
  std::vector<estimates> known;
  std::vector<std::size_t> numbers;
};

/// A row for each benchmark of any run, a column for each run; a dash where a run lacks it.
report::table table_over_runs(
    const group& runs, std::string title,
    const std::function<std::string(const estimates& known, std::size_t cell)>& text_of) {
  report::table table{std::move(title), {{"benchmark", alignment::left}}};
  std::map<std::string, std::size_t> rows;  // By the name of the benchmark.
  for (std::size_t column = 0; column < runs.known.size(); ++column) {
    table.columns.push_back({name_of_run(runs.numbers[column])});
    const auto& cells = runs.known[column].data().cells();
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const std::string name = name_of(cells[i].which);
      const auto [row, is_new] = rows.emplace(name, table.rows.size());
      if (is_new) {
        table.rows.emplace_back(1 + runs.known.size(), std::string(missing)).front() =
            benchmark_in(cells[i]);
      }
      table.rows[row->second][1 + column] =
          has_finished(cells[i]) ? text_of(runs.known[column], i) : "DNF";
    }
  }
  return table;
}

std::string time_of(const estimates& known, std::size_t cell) {
  return report::seconds_with_interval(known.of(metric::seconds, cell));
}

std::string rank_of(const estimates& known, std::size_t cell) {
  const standing& own = known.standing_of(cell);
  return fmt::format("{}{}", own.rank ? fmt::format("{} · ", *own.rank) : "",
                     report::ratio(median_of(own.slowdown)));
}

bool are_comparable(const measurements& one, const measurements& other) {
  const bool have_common_benchmark = std::ranges::any_of(
      one.cells(),
      [&](const measured_cell& each) { return other.place_of(each.which).has_value(); });
  return have_common_benchmark && machine_of(one) == machine_of(other);
}

/// To each run from the latest earlier one on its machine that has a benchmark of it.
std::vector<report::block> changes_in(const group& runs, double threshold) {
  std::vector<report::block> blocks;
  for (std::size_t i = 1; i < runs.known.size(); ++i) {
    const measurements& after = runs.known[i].data();
    std::size_t earlier = i;  // One behind the run that is looked at.
    while (earlier > 0 && !are_comparable(runs.known[earlier - 1].data(), after)) --earlier;
    if (earlier == 0) continue;
    const std::size_t from = earlier - 1;
    const difference found = difference_between(runs.known[from].data(), after, threshold);
    const std::string names =
        fmt::format("{} → {}", name_of_run(runs.numbers[from]), name_of_run(runs.numbers[i]));
    blocks.emplace_back(paragraph{fmt::format("{}: {}", names, summary_of(found, threshold))});
    for (const std::string& each : found.warnings) {
      blocks.emplace_back(paragraph{fmt::format("{}, warning: {}", names, each)});
    }
    report::table changed = table_of(found, false);
    changed.title = names;
    if (!changed.rows.empty()) blocks.emplace_back(std::move(changed));
  }
  return blocks;
}

}  // namespace

std::vector<section> merged_sections(std::vector<measurements> merged, double threshold) {
  std::vector<measurements> runs;
  for (measurements& each : merged) {
    const std::vector<std::string> builds = each.builds();
    if (builds.size() < 2) {
      runs.push_back(std::move(each));
      continue;
    }
    for (const std::string& build : builds) runs.push_back(each.of_build(build));
  }
  std::ranges::stable_sort(runs, {}, [](const measurements& run) {
    return std::tuple(run.experiment(), machine_of(run), date_of(run));
  });
  std::vector<section> all{{"Runs", report::prominence::summary, {table_of_runs(runs)}}};
  std::map<std::string, group> groups;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    group& own = groups[runs[i].experiment()];
    own.known.emplace_back(runs[i]);
    own.numbers.push_back(i);
  }
  for (const auto& [experiment, own] : groups) {
    section leads{"Who leads: " + experiment, report::prominence::summary, {}};
    for (std::size_t i = 0; i < own.known.size(); ++i) {
      const measurements& run = own.known[i].data();
      say(leads, fmt::format("{}{}: {}", name_of_run(own.numbers[i]),
                             run.is_simulated() ? ", simulated" : "", verdict_of(own.known[i])));
      if (run.is_simulated()) say(leads, simulation_note(run));
    }
    all.push_back(std::move(leads));
    const std::string kind =
        std::ranges::all_of(own.known, &estimates::have_intervals)
            ? "95 %"
            : fmt::format("95 %, below {} rounds the range", analysis::fewest_for_interval);
    all.push_back(
        {"Times: " + experiment,
         report::prominence::tables,
         {table_over_runs(own, fmt::format("Median time [{}] in each run", kind), time_of),
          table_over_runs(own, "Rank, and time over the best of the same run", rank_of)}});
    if (auto changes = changes_in(own, threshold); !changes.empty()) {
      all.push_back({"Changes: " + experiment, report::prominence::summary, std::move(changes)});
    }
  }
  std::vector<const measurements*> origins;
  for (const measurements& each : runs) origins.push_back(&each);
  name_machine(machine_note(origins), all);
  return all;
}

}  // namespace stealbench::sections
