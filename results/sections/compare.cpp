#include "results/sections/parts.hpp"

namespace stealbench::sections {
namespace {

constexpr std::size_t time_column = 2;
constexpr std::size_t rank_column = 3;

/// Behind a time.
constexpr const char* waited = " (waited)";

std::string title_of(const measured_cell& cell) {
  return fmt::format("{} on {} with {}", cell.which.scheduler, label_of(cell.which.what),
                     workers_in_words(workers_of(cell)));
}

/// What had fewer processors than workers; empty if nothing had.
std::string who_lost_a_processor(const measurements& data) {
  std::vector<std::string> names;
  for (const measured_cell& each : data.cells()) {
    if (has_finished(each) && analysis::lost_processor(each)) names.push_back(title_of(each));
  }
  if (names.empty()) return {};
  return fmt::format(
      "{} of {} waited for a processor for more than a tenth of their workers' time: {}. Other "
      "programs had it, or there are fewer processors than workers. Their times are too long, so "
      "it is not certain who leads. Stop the other programs, and measure again.",
      names.size(), report::counted(data.cells().size(), "benchmark"), joined(names));
}

std::vector<std::string> row_of(const estimates& known, std::size_t at, std::size_t width) {
  const measured_cell& cell = known.cell(at);
  const standing& own = known.standing_of(at);
  std::vector<std::string> row{cell.which.scheduler, workers_in(cell)};
  if (!has_finished(cell)) {
    row.emplace_back("DNF");
    row.resize(width, std::string(missing));
    return row;
  }
  row.push_back(report::seconds_with_interval(own.seconds) +
                (analysis::lost_processor(cell) ? waited : ""));
  row.push_back(own.rank ? fmt::format("{}", *own.rank) : std::string(missing));
  row.push_back(report::ratio(median_of(own.speedup)));
  row.push_back(report::ratio(median_of(own.overhead)));
  row.push_back(report::seconds(median_of(own.per_fork)));
  row.push_back(report::count(counter_of(cell, "steals")));
  return row;
}

/// A row for each worker count and scheduler of a workload instance. A cell that failed is a row.
report::table table_of(const estimates& known, std::size_t instance) {
  report::table table{label_of(known.instances()[instance]),
                      {{"scheduler", alignment::left},
                       {"workers"},
                       {with_interval_kind("median time", known.have_intervals()), alignment::left},
                       {"rank"},
                       {"speedup"},
                       {"overhead"},
                       {"per fork"},
                       {"steals"}}};
  table.keys = 2;
  for (const unsigned workers : known.worker_counts()) {
    for (const std::size_t scheduler : order_of(known)) {
      const auto at = known.cell_at(instance, scheduler, workers);
      if (!at) continue;
      if (!has_finished(known.cell(*at))) {
        table.marks.push_back({table.rows.size(), time_column, emphasis::failed});
      } else if (known.standing_of(*at).rank == 1U) {
        table.marks.push_back({table.rows.size(), rank_column, emphasis::best});
      }
      table.rows.push_back(row_of(known, *at, table.columns.size()));
    }
  }
  return table;
}

section verdict_section(const estimates& known) {
  section verdict{"Verdict", prominence::summary, {paragraph{verdict_of(known), true}}};
  std::vector<std::string> failed;
  for (const measured_cell& each : known.data().cells()) {
    if (!has_finished(each)) failed.push_back(title_of(each));
  }
  say(verdict, who_lost_a_processor(known.data()), true);
  if (!failed.empty()) say(verdict, fmt::format("Did not finish: {}.", joined(failed)));
  return verdict;
}

/// Of the schedulers that are compared by default, and the command that adds them.
std::string what_is_not_built(const json& about) {
  if (!about.contains("not_built")) return {};
  constexpr std::size_t most_named = 4;
  const json& missing = about.at("not_built");
  return fmt::format("Not built, so not compared: {}. The command that adds them: {}",
                     joined(missing.at("schedulers").get<std::vector<std::string>>(), most_named),
                     text_at(missing, "command"));
}

section rank_section(const estimates& known) {
  section ranks{"Ranks", prominence::summary, {rank_table(known)}};
  say(ranks, what_is_not_built(known.data().header().value("about", json::object())));
  say(ranks, guide_text(known.have_intervals() ? "Ranks" : "Ranks below six rounds"));
  say(ranks, choice_of(known, known.most_workers()));
  return ranks;
}

}  // namespace

std::vector<section> compare_sections(const measurements& data) {
  const estimates known(data);
  std::vector<section> all{verdict_section(known)};
  const auto append = [&](std::vector<section> more) {
    std::move(more.begin(), more.end(), std::back_inserter(all));
  };
  // An ablation has many strategies, of which each is compared with one alone.
  if (std::vector<section> ablation = ablation_sections(known); !ablation.empty()) {
    append(std::move(ablation));
  } else {
    all.push_back(rank_section(known));
    append(plot_sections(known));
    append(topic_sections(known));
  }
  section values{"All values", prominence::tables, {}};
  for (section& each : regret_section(known)) {
    std::ranges::move(each.blocks, std::back_inserter(values.blocks));
  }
  for (std::size_t i = 0; i < known.instances().size(); ++i) {
    values.blocks.emplace_back(table_of(known, i));
  }
  if (const auto lost = analysis::cells_without_processor(data); lost && !lost->empty()) {
    say(values,
        "(waited): in a third of the rounds or more the workers waited for a processor, so the "
        "time is too long.");
  }
  say(values, "The last section of the report and of compare.md explains the columns.");
  all.push_back(std::move(values));
  return all;
}

}  // namespace stealbench::sections
