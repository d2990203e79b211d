// The sections of a report's page, each from the view of a comparison. All functions are pure but
// those that draw, which run gnuplot.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "bench/compare/report_view.hpp"
#include "results/report/page.hpp"
#include "results/report/table.hpp"

namespace stealbench::compare {

using page_blocks = std::vector<report::page_block>;

/// Who leads, what cannot be told apart from it, where it does not lead; then what did not finish.
[[nodiscard]] std::string verdict_of(const report_view& view);

/// A row for each workload instance and a column for each scheduler: rank and time over the best,
/// with the greatest worker count. The first row is the geometric mean over the instances.
[[nodiscard]] report::table rank_table(const report_view& view);

/// A table of that shape, of one figure of each cell. A cell that has failed is DNF.
[[nodiscard]] report::table table_over_instances(
    const report_view& view, const std::string& title,
    const std::function<std::string(std::size_t cell)>& text_of);

/// The verdict, and the ranks.
[[nodiscard]] page_blocks verdict_sections(const report_view& view);
/// Speedup over the worker count, and overhead. Throws report::plot_error.
[[nodiscard]] page_blocks plot_sections(const report_view& view);
/// Balance, memory, cold and warm, processor time and switches, energy.
[[nodiscard]] page_blocks topic_sections(const report_view& view);
/// The table of each instance, and the reasons of what did not finish.
[[nodiscard]] page_blocks full_sections(const report_view& view);
/// What was checked of the machine, where the figures come from, and what they mean.
[[nodiscard]] page_blocks origin_sections(const document& of);

/// Of a file of another kind: grain, metg, micro. Throws workloads::bad_input if its context lacks
/// what that kind needs, and report::plot_error.
[[nodiscard]] page_blocks sections_of(const document& of);

/// A row for each cell: every figure with the ends of its interval, as plain numbers in SI units
/// (and bytes), and why it did not finish. What is not known is empty.
[[nodiscard]] report::table csv_table(const report_view& view);

}  // namespace stealbench::compare
