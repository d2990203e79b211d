#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "bench/compare/report_sections.hpp"
#include "results/report/format.hpp"

namespace stealbench::compare {
namespace {

using report::alignment;
using report::emphasis;

/// More names than this, and a sentence is a list.
constexpr std::size_t most_named = 6;

std::string workers_in_words(unsigned count) {
  return fmt::format("{} worker{}", count, count == 1 ? "" : "s");
}

std::string joined(const std::vector<std::string>& all) {
  if (all.size() <= most_named) return fmt::format("{}", fmt::join(all, ", "));
  return fmt::format("{} and {} more", fmt::join(all.begin(), all.begin() + most_named, ", "),
                     all.size() - most_named);
}

/// One round tells nothing apart.
bool has_rounds_to_tell(const report_view& view) {
  const auto& cells = view.source().cells;
  return std::all_of(cells.begin(), cells.end(), [](const cell_result& each) {
    return !has_finished(each) || each.samples.size() > 1;
  });
}

/// `With 2 workers, work-stealing leads: …`.
std::string who_leads(const report_view& view) {
  const std::string with = workers_in_words(view.most_workers());
  if (view.schedulers().size() < 2) return "One scheduler alone, so there is nothing to compare.";
  if (!view.leader()) {
    return fmt::format("With {} no scheduler finished every workload instance, so none leads.",
                       with);
  }
  const standing_of_scheduler& first = view.overall()[*view.leader()];
  std::vector<std::string> sharing;
  std::optional<std::size_t> next;  // The best of those that are slower for certain.
  for (std::size_t i = 0; i < view.schedulers().size(); ++i) {
    const standing_of_scheduler& each = view.overall()[i];
    if (i == *view.leader() || !each.mean_slowdown) continue;
    if (each.leads()) {
      sharing.push_back(
          fmt::format("{} ({})", view.schedulers()[i], report::ratio(each.mean_slowdown)));
    } else if (!next || *each.mean_slowdown < *view.overall()[*next].mean_slowdown) {
      next = i;
    }
  }
  std::vector<std::string> others;
  if (!sharing.empty()) {
    others.push_back("not shown to be slower: " + joined(sharing));
  } else if (has_rounds_to_tell(view)) {
    others.emplace_back("no other shares its rank");
  }
  if (next) {
    others.push_back(fmt::format("{} is next with {}", view.schedulers()[*next],
                                 report::ratio(view.overall()[*next].mean_slowdown)));
  }
  const std::size_t instances = view.instances().size();
  return fmt::format(
      "With {}, {} leads: its time is {} that of the best scheduler of each "
      "workload instance, in the geometric mean over {}{}{}.",
      with, view.schedulers()[*view.leader()], report::ratio(first.mean_slowdown),
      instances == 1 ? "the only one" : fmt::format("all {}", instances),
      others.empty() ? "" : "; ", fmt::join(others, ", and "));
}

/// The best of an instance with the greatest worker count.
std::string best_of(const report_view& view, std::size_t instance) {
  std::string name;
  double least = 0;
  for (std::size_t i = 0; i < view.schedulers().size(); ++i) {
    const auto at = view.cell_at(instance, i, view.most_workers());
    if (!at || !view.standing(*at).seconds) continue;
    const double seconds = view.standing(*at).seconds->median;
    if (name.empty() || seconds < least) {
      name = view.schedulers()[i];
      least = seconds;
    }
  }
  return name;
}

std::string where_it_does_not_lead(const report_view& view) {
  if (!view.leader() || view.schedulers().size() < 2) return {};
  struct loss {
    double by;
    std::string words;
  };
  std::vector<loss> losses;
  for (std::size_t i = 0; i < view.instances().size(); ++i) {
    const auto at = view.cell_at(i, *view.leader(), view.most_workers());
    const standing_of_cell& standing = view.standing(*at);
    const bool is_behind =
        standing.rank ? *standing.rank > 1 : standing.slowdown && standing.slowdown->median > 1;
    if (!is_behind) continue;
    losses.push_back(
        {standing.slowdown->median,
         fmt::format("{} ({} the time of {})", label_of(view.instances()[i]),
                     report::ratio_with_interval(standing.slowdown), best_of(view, i))});
  }
  if (losses.empty()) return " It is first on every instance, alone or with others.";
  std::stable_sort(losses.begin(), losses.end(),
                   [](const loss& left, const loss& right) { return left.by > right.by; });
  std::vector<std::string> words;
  for (const loss& each : losses) words.push_back(each.words);
  return fmt::format(
      " It does not lead on {}.{}", joined(words),
      has_rounds_to_tell(view) ? "" : " After a single round none of this is certain.");
}

std::string what_did_not_finish(const report_view& view) {
  std::vector<std::string> names;
  for (const cell_result& each : view.source().cells) {
    if (has_finished(each)) continue;
    names.push_back(fmt::format("{} on {} with {}", each.which.scheduler, label_of(each.which.what),
                                workers_in_words(each.which.workers)));
  }
  return names.empty() ? "" : fmt::format("Did not finish: {}.", joined(names));
}

std::string standing_text(const standing_of_cell& of) {
  return fmt::format(
      "{} · {}", of.rank ? fmt::format("{}", *of.rank) : report::missing,
      report::ratio(of.slowdown ? std::optional(of.slowdown->median) : std::nullopt));
}

}  // namespace

std::string verdict_of(const report_view& view) {
  return who_leads(view) + where_it_does_not_lead(view);
}

report::table table_over_instances(const report_view& view, const std::string& title,
                                   const std::function<std::string(std::size_t)>& text_of) {
  report::table made{title, {{"workload", alignment::left}}, {}};
  for (const std::string& each : view.schedulers()) made.columns.push_back({each});
  for (std::size_t row = 0; row < view.instances().size(); ++row) {
    std::vector<std::string> texts{label_of(view.instances()[row])};
    for (std::size_t i = 0; i < view.schedulers().size(); ++i) {
      const auto at = view.cell_at(row, i, view.most_workers());
      const bool has_failed = at && !has_finished(view.cell(*at));
      if (has_failed) made.marks.push_back({row, texts.size(), emphasis::failed});
      texts.push_back(!at ? std::string(report::missing) : has_failed ? "DNF" : text_of(*at));
    }
    made.rows.push_back(std::move(texts));
  }
  return made;
}

report::table rank_table(const report_view& view) {
  report::table made = table_over_instances(
      view,
      fmt::format("Rank and time over the best, with {}", workers_in_words(view.most_workers())),
      [&](std::size_t at) { return standing_text(view.standing(at)); });
  std::vector<std::string> means{"geometric mean"};
  std::vector<report::mark> marks;
  for (report::mark each : made.marks) {
    ++each.row;
    marks.push_back(each);
  }
  for (std::size_t i = 0; i < view.schedulers().size(); ++i) {
    const standing_of_scheduler& overall = view.overall()[i];
    if (overall.failed_cells > 0) {
      marks.push_back({0, means.size(), emphasis::failed});
      means.push_back(fmt::format("DNF ({})", overall.failed_cells));
      continue;
    }
    if (overall.leads()) marks.push_back({0, means.size(), emphasis::best});
    means.push_back(report::ratio(overall.mean_slowdown));
  }
  made.rows.insert(made.rows.begin(), std::move(means));
  for (std::size_t row = 0; row < view.instances().size(); ++row) {
    for (std::size_t i = 0; i < view.schedulers().size(); ++i) {
      const auto at = view.cell_at(row, i, view.most_workers());
      if (at && view.standing(*at).rank == 1U) {
        marks.push_back({row + 1, i + 1, emphasis::best});
      }
    }
  }
  made.marks = std::move(marks);
  return made;
}

page_blocks verdict_sections(const report_view& view) {
  page_blocks blocks{{report::heading{"Verdict"}}, {report::paragraph{verdict_of(view), true}}};
  if (const std::string failed = what_did_not_finish(view); !failed.empty()) {
    blocks.push_back({report::paragraph{failed + " The reasons stand below."}});
  }
  if (view.source().context["finished"] == false) {
    blocks.push_back({report::paragraph{
        "This comparison has not come to its end: rounds are missing, and more may change."}});
  }
  blocks.push_back({report::heading{"Ranks"}});
  blocks.push_back({report::paragraph{
      "Rank · time over that of the best. Schedulers that cannot be told apart share a rank. A "
      "scheduler that did not finish every instance has no mean."}});
  blocks.push_back({rank_table(view)});
  return blocks;
}

}  // namespace stealbench::compare
