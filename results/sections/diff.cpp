#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "results/report/format.hpp"
#include "results/sections/sections.hpp"

namespace stealbench::sections {

using analysis::cell_change;
using analysis::change;
using report::alignment;

namespace {

const char* word_of(change found) {
  constexpr std::array words{"", "not told apart yet", "slower", "faster"};
  return words.at(static_cast<std::size_t>(found));
}

std::string time_or_failure(const std::optional<analysis::estimate>& time) {
  return time ? report::seconds_with_interval(time) : "DNF";
}

}  // namespace

report::table table_of(const analysis::difference& found, bool all) {
  report::table table{"",
                      {{"benchmark", alignment::left},
                       {"old", alignment::left},
                       {"new", alignment::left},
                       {"new ÷ old [99 %]", alignment::left},
                       {"change", alignment::left}},
                      {}};
  for (const cell_change& each : found.cells) {
    if (!all && (each.found == change::none || each.found == change::unknown)) continue;
    std::string word = word_of(each.found);
    if (!each.failure.empty()) word += fmt::format("{}({})", word.empty() ? "" : " ", each.failure);
    table.rows.push_back({each.cell, time_or_failure(each.before), time_or_failure(each.after),
                          report::ratio_with_interval(each.ratio), word});
  }
  return table;
}

std::string summary_of(const analysis::difference& found, double threshold) {
  const auto count = [&](change which) {
    return std::ranges::count(found.cells, which, &cell_change::found);
  };
  std::string text = fmt::format(
      "{}: {} slower, {} faster, {} without a significant change of more than {:g} %.\n",
      report::counted(found.cells.size(), "benchmark"), count(change::slower),
      count(change::faster), count(change::none), 100 * threshold);
  if (const auto unknown = count(change::unknown); unknown > 0) {
    text += fmt::format(
        "{} not told apart yet: that needs {} rounds on either side (--rounds {}), and a change of "
        "theirs counts as none.\n",
        report::counted(static_cast<std::size_t>(unknown), "benchmark"),
        analysis::fewest_for_interval, analysis::fewest_for_interval);
  }
  std::vector<double> ratios;
  std::size_t undecided = 0;
  for (const cell_change& each : found.cells) {
    if (!each.ratio) continue;
    const double ratio = each.ratio->median;
    ratios.push_back(ratio);
    const bool is_far = std::max(ratio, 1 / ratio) > 1 + threshold;
    undecided += each.found == change::none && is_far ? 1U : 0U;
  }
  if (undecided > 0) {
    text += fmt::format(
        "{} of these {} by more than that, but the rounds are too few or too far apart to tell: "
        "unchanged is not shown.\n",
        undecided, undecided == 1 ? "differs" : "differ");
  }
  if (ratios.empty()) return text;
  return text + fmt::format("Geometric mean of new ÷ old ({} that finished in both): {}\n",
                            report::counted(ratios.size(), "benchmark"),
                            report::ratio(analysis::geometric_mean(ratios)));
}

}  // namespace stealbench::sections
