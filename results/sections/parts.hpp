// What sections are made of, and the words for it: for whoever writes one.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "results/analysis/estimates.hpp"
#include "results/report/document.hpp"
#include "results/report/format.hpp"
#include "results/sections/sections.hpp"

namespace stealbench::sections {

using analysis::estimate;
using analysis::estimates;
using analysis::overall_standing;
using analysis::standing;
using dataset::json;
using dataset::measured_cell;
using dataset::metric;
using dataset::text_at;
using dataset::text_or_empty;
using dataset::workers_of;
using report::alignment;
using report::emphasis;
using report::joined;
using report::missing;
using report::paragraph;
using report::prominence;

/// `1 worker`, `2 workers`.
[[nodiscard]] std::string workers_in_words(unsigned count);
/// `16 workers on 2 processors`: the processors too where they were fewer than the workers.
[[nodiscard]] std::string workers_in_words(const measurements& data, unsigned count);

/// `serial (1 worker)`: a scheduler among the benchmarks with that worker count, and its workers
/// where they are others.
[[nodiscard]] std::string scheduler_in(const measurements& data, const std::string& scheduler,
                                       unsigned workers);
/// `2`, or `1 of 2`: the same for a column of worker counts.
[[nodiscard]] std::string workers_in(const measurements& data, const std::string& scheduler,
                                     unsigned workers);
[[nodiscard]] std::string workers_in(const measured_cell& cell);
/// `fib/serial/n:35/workers:2 (1 worker)`: the same behind the name of a benchmark.
[[nodiscard]] std::string benchmark_in(const measured_cell& cell);

/// `not told apart yet (2 of 6 rounds).`, how long the rest takes, and how to go on. Requires: a
/// cell has fewer rounds than that.
[[nodiscard]] std::string not_told_apart_yet(const estimates& known);

/// `median time [95 %]`, or `[range]` where there are too few rounds for an interval.
[[nodiscard]] std::string with_interval_kind(const std::string& header, bool has_intervals);

/// The texts, by descending numbers.
[[nodiscard]] std::vector<std::string> greatest_first(
    std::vector<std::pair<double, std::string>> all);

/// Those that the processes could use; of an older file all of the machine; 0 if it says neither.
[[nodiscard]] unsigned processors_of(const measurements& data);

/// The median; none of nothing.
[[nodiscard]] std::optional<double> median_of(const std::optional<estimate>& value);

/// The section of guides.md with that title, with the named values (`fmt::arg`) for what is in
/// braces there. Throws std::invalid_argument if there is none.
[[nodiscard]] section guide_with(std::string_view title, fmt::format_args values);
template <class... Named>
[[nodiscard]] section guide(std::string_view title, const Named&... values) {
  return guide_with(title, fmt::make_format_args(values...));
}

/// The paragraph of such a section, without its terms.
[[nodiscard]] std::string guide_text(std::string_view title);

/// Adds a paragraph, unless its text is empty.
inline void say(section& to, std::string text, bool is_lead = false) {
  if (!text.empty()) to.blocks.emplace_back(paragraph{std::move(text), is_lead});
}

/// Who leads, what is not told apart from it, and where it does not lead; or how much is missing
/// until that can be said.
[[nodiscard]] std::string verdict_of(const estimates& known);

/// `If you may choose one for 2 workers: …`: the strategy of the least mean regret, its worst, what
/// is not told apart from it, what each family of workloads takes instead, and which other costs
/// contradict it. Empty of fewer than three strategies, and below six rounds.
[[nodiscard]] std::string choice_of(const estimates& known, unsigned workers);

/// Mean and worst regret: a row for each strategy and a column for each worker count. None of fewer
/// than three.
[[nodiscard]] std::vector<section> regret_section(const estimates& known);

/// ` with transfer 180ns, wake 5us`: the costs of the profile that were changed; empty if none was.
/// Takes what a simulation's first line says.
[[nodiscard]] std::string changes_of_profile(const json& about);

/// What `share_text` does not write as 0.
inline constexpr double least_share = 0.0005;

/// `58.3 %`.
[[nodiscard]] std::string share_text(double share);

/// Adds a curve in a style of its own, unless it has no point.
void add_curve(std::string name, std::vector<report::curve_point> points, report::plot& to);

/// Adds a plot, unless no curve has a point. Points are put in order. Without a caption it has its
/// title as such.
void add_plot(report::plot plot, report::plot_group& to);

/// Indices of the schedulers as tables have them: the one of the least mean first where there are
/// rounds enough for ranks, else as in the dataset.
[[nodiscard]] std::vector<std::size_t> order_of(const estimates& known);

/// A row for each scheduler and a column for each workload instance: rank and time over the best,
/// with the greatest worker count. The first column is the geometric mean over the instances.
[[nodiscard]] report::table rank_table(const estimates& known);

/// A table of that shape, of one value of each cell. A cell that has failed is DNF.
[[nodiscard]] report::table table_over_instances(
    const estimates& known, const std::string& title,
    const std::function<std::string(std::size_t cell)>& text_of);

/// Balance, memory, first run, processor time and switches.
[[nodiscard]] std::vector<section> topic_sections(const estimates& known);

/// Speedup over the worker count, and overhead.
[[nodiscard]] std::vector<section> plot_sections(const estimates& known);

/// Of an ablation, a table for each worker count: a row for each contrast, which is the time of a
/// variant over that of what it is compared with, and a column for each workload instance. Of any
/// other experiment nothing.
[[nodiscard]] std::vector<section> ablation_sections(const estimates& known);

}  // namespace stealbench::sections
