#include <cmath>
#include <limits>
#include <numeric>

#include "results/sections/parts.hpp"

namespace stealbench::sections {
namespace {

/// Among those with the greatest worker count.
std::string name_of(const estimates& known, std::size_t scheduler) {
  return scheduler_in(known.data(), known.schedulers()[scheduler], known.most_workers());
}

/// Those that lead, each with its mean, the one of the least mean first: the others were compared
/// with that one alone. And the best of those that are slower.
std::pair<std::vector<std::string>, std::optional<std::size_t>> leaders_and_next(
    const estimates& known) {
  std::vector<std::string> leaders;
  std::optional<std::size_t> next;
  for (std::size_t i = 0; i < known.schedulers().size(); ++i) {
    const overall_standing& each = known.overall()[i];
    if (!each.mean_slowdown) continue;
    if (each.leads) {
      leaders.insert(i == known.leader() ? leaders.begin() : leaders.end(),
                     fmt::format("{} ({})", name_of(known, i), report::ratio(each.mean_slowdown)));
    } else if (!next || *each.mean_slowdown < *known.overall()[*next].mean_slowdown) {
      next = i;
    }
  }
  return {std::move(leaders), next};
}

/// `With 2 workers, work-stealing leads. …`.
std::string who_leads(const estimates& known) {
  const std::string workers = workers_in_words(known.data(), known.most_workers());
  if (known.schedulers().size() < 2) return "One scheduler alone, so there is nothing to compare.";
  if (!known.leader()) {
    // A worker count may be that of a few instances, or of other machines, alone.
    const bool has_failed = std::ranges::any_of(
        known.overall(), [](const overall_standing& each) { return each.failed_cells > 0; });
    return fmt::format("With {} no scheduler {} every workload instance, so none leads.", workers,
                       has_failed ? "finished" : "was measured on");
  }
  if (!known.have_intervals()) {
    return fmt::format("With {}, the schedulers are {}", workers, not_told_apart_yet(known));
  }
  const std::string mean =
      fmt::format("(geometric mean of {})", report::counted(known.instances().size(), "instance"));
  const auto [leaders, next] = leaders_and_next(known);
  const auto failed = std::ranges::count_if(
      known.overall(), [](const overall_standing& each) { return !each.mean_slowdown; });
  const char* const finished = failed > 0 ? " that finished" : "";
  if (!next && leaders.size() > 1) {
    return fmt::format(
        "With {}, no scheduler leads: none{} is shown to be slower than {}, whose mean is the "
        "least {}.",
        workers, finished, name_of(known, *known.leader()), mean);
  }
  const std::string others =
      next ? fmt::format(" All others{} are slower on average; {} is next with {}.", finished,
                         name_of(known, *next), report::ratio(known.overall()[*next].mean_slowdown))
           : " No other scheduler finished every workload instance.";
  if (leaders.size() > 1) {
    return fmt::format(
        "With {}, {} share the lead: none of them is shown to be slower than the first of them "
        "{}.{}",
        workers, joined(leaders), mean, others);
  }
  return fmt::format(
      "With {}, {} leads. It takes {} the time of the fastest scheduler of each workload instance "
      "{}.{}",
      workers, name_of(known, *known.leader()),
      report::ratio(known.overall()[*known.leader()].mean_slowdown), mean, others);
}

/// Of the one of the least mean.
std::string where_it_does_not_lead(const estimates& known) {
  if (!known.leader() || known.schedulers().size() < 2 || !known.have_intervals()) return {};
  const std::string leader = name_of(known, *known.leader());
  const auto& worst = known.overall()[*known.leader()].worst;
  if (!worst) {
    return fmt::format(" {} is shown to be slower than the fastest on no instance.", leader);
  }
  return fmt::format(" At worst {} takes {} ({}).", leader,
                     report::ratio_with_interval(known.standing_of(*worst).slowdown),
                     label_of(known.cell(*worst).which.what));
}

/// That the scheduler had, by the first of those benchmarks that has run.
unsigned workers_of(const measurements& data, const std::string& scheduler, unsigned workers) {
  const auto has_run = [&](const measured_cell& each) {
    return each.which.scheduler == scheduler && each.which.workers == workers &&
           !each.samples.empty();
  };
  const auto found = std::ranges::find_if(data.cells(), has_run);
  return found == data.cells().end() ? workers : workers_of(*found);
}

std::string workers_text(unsigned had, unsigned workers) {
  return had == workers ? fmt::format("{}", had) : fmt::format("{} of {}", had, workers);
}

/// Of a time that is a guess.
std::string length_of(double seconds) {
  constexpr double longest_in_seconds = 180;
  return seconds < longest_in_seconds ? report::seconds(seconds)
                                      : fmt::format("{:.0f} min", std::ceil(seconds / 60));
}

}  // namespace

std::string workers_in_words(unsigned count) { return report::counted(count, "worker"); }

std::string workers_in_words(const measurements& data, unsigned count) {
  const unsigned processors = processors_of(data);
  const bool is_shared = !data.is_simulated() && processors > 0 && count > processors;
  return workers_in_words(count) +
         (is_shared ? " on " + report::counted(processors, "processor") : "");
}

std::string scheduler_in(const measurements& data, const std::string& scheduler, unsigned workers) {
  const unsigned had = workers_of(data, scheduler, workers);
  return had == workers ? scheduler : fmt::format("{} ({})", scheduler, workers_in_words(had));
}

std::string workers_in(const measurements& data, const std::string& scheduler, unsigned workers) {
  return workers_text(workers_of(data, scheduler, workers), workers);
}

std::string workers_in(const measured_cell& cell) {
  return workers_text(workers_of(cell), cell.which.workers);
}

std::string benchmark_in(const measured_cell& cell) {
  const unsigned had = workers_of(cell);
  return dataset::name_of(cell.which) +
         (had == cell.which.workers ? "" : fmt::format(" ({})", workers_in_words(had)));
}

std::string not_told_apart_yet(const estimates& known) {
  const std::size_t rounds = known.fewest_rounds();
  const bool is_simulated = known.data().is_simulated();
  const char* const round = is_simulated ? "seed" : "round";
  std::string text = fmt::format("not told apart yet ({} of {} {}s).", rounds,
                                 analysis::fewest_for_interval, round);
  if (rounds == 0 || rounds >= analysis::fewest_for_interval) return text;
  const std::size_t to_come = analysis::fewest_for_interval - rounds;
  text += fmt::format(
      " {} {} about {}; {}.", report::counted(to_come, fmt::format("more {}", round)),
      to_come == 1 ? "takes" : "take", length_of(known.seconds_until_evidence()),
      known.data().is_finished()
          ? fmt::format("measure again with --{}s {} or more", round, analysis::fewest_for_interval)
          : "continue with --resume");
  return text;
}

std::string with_interval_kind(const std::string& header, bool has_intervals) {
  return fmt::format("{} [{}]", header, has_intervals ? "95 %" : "range");
}

std::string share_text(double share) { return fmt::format("{:.1f} %", 100 * share); }

std::vector<std::string> greatest_first(std::vector<std::pair<double, std::string>> all) {
  std::ranges::stable_sort(all, std::greater<>(), &std::pair<double, std::string>::first);
  std::vector<std::string> texts;
  texts.reserve(all.size());
  for (auto& [size, text] : all) texts.push_back(std::move(text));
  return texts;
}

std::optional<double> median_of(const std::optional<estimate>& value) {
  return value ? std::optional(value->median) : std::nullopt;
}

std::string verdict_of(const estimates& known) {
  return who_leads(known) + where_it_does_not_lead(known);
}

std::vector<std::size_t> order_of(const estimates& known) {
  std::vector<std::size_t> order(known.schedulers().size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (!known.have_intervals()) return order;
  std::ranges::stable_sort(order, {}, [&](std::size_t each) {
    return known.overall()[each].mean_slowdown.value_or(std::numeric_limits<double>::infinity());
  });
  return order;
}

report::table table_over_instances(const estimates& known, const std::string& title,
                                   const std::function<std::string(std::size_t)>& text_of) {
  report::table table{title, {{"scheduler", alignment::left}}};
  for (const dataset::instance& each : known.instances()) table.columns.push_back({label_of(each)});
  for (const std::size_t scheduler : order_of(known)) {
    std::vector<std::string> texts{name_of(known, scheduler)};
    for (std::size_t i = 0; i < known.instances().size(); ++i) {
      const auto at = known.cell_at(i, scheduler, known.most_workers());
      const bool has_failed = at && !has_finished(known.cell(*at));
      if (has_failed) table.marks.push_back({table.rows.size(), texts.size(), emphasis::failed});
      texts.push_back(!at ? std::string(missing) : has_failed ? "DNF" : text_of(*at));
    }
    table.rows.push_back(std::move(texts));
  }
  return table;
}

report::table rank_table(const estimates& known) {
  report::table table =
      table_over_instances(known,
                           fmt::format("{}, with {}",
                                       known.have_intervals() ? "Rank and time over the best"
                                                              : "Time over the least median",
                                       workers_in_words(known.data(), known.most_workers())),
                           [&](std::size_t at) {
                             const standing& own = known.standing_of(at);
                             const std::string ratio = report::ratio(median_of(own.slowdown));
                             return own.rank ? fmt::format("{} · {}", *own.rank, ratio) : ratio;
                           });
  table.columns.insert(table.columns.begin() + 1, {"geometric mean"});
  for (report::mark& each : table.marks) ++each.column;
  const std::vector<std::size_t> order = order_of(known);
  for (std::size_t row = 0; row < order.size(); ++row) {
    const overall_standing& overall = known.overall()[order[row]];
    const bool has_failed = overall.failed_cells > 0;
    if (has_failed) table.marks.push_back({row, 1, emphasis::failed});
    if (!has_failed && overall.leads) table.marks.push_back({row, 1, emphasis::best});
    for (std::size_t i = 0; i < known.instances().size(); ++i) {
      const auto at = known.cell_at(i, order[row], known.most_workers());
      if (at && known.standing_of(*at).rank == 1U) {
        table.marks.push_back({row, i + 2, emphasis::best});
      }
    }
    table.rows[row].insert(table.rows[row].begin() + 1,
                           has_failed ? fmt::format("DNF ({})", overall.failed_cells)
                                      : report::ratio(overall.mean_slowdown));
  }
  return table;
}

}  // namespace stealbench::sections
