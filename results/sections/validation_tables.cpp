#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "results/report/format.hpp"
#include "results/sections/parts.hpp"
#include "results/sections/validation.hpp"

namespace stealbench::sections {
namespace {

using analysis::error_summary;
using analysis::goal;
using analysis::pair_count;
using analysis::validated_cell;
using analysis::validation;
using report::alignment;
using report::missing;

std::string size_text(double error) { return fmt::format("{:.1f} %", 100 * error); }

std::string pairs_text(const pair_count& pairs) {
  if (pairs.all == 0) return std::string(missing);
  return fmt::format("{} of {}", pairs.right, pairs.all);
}

const char* origin_text(bool is_held_out) { return is_held_out ? "held out" : "calibrated"; }

/// The columns that every summary has.
std::vector<report::column> columns_of_summary() {
  return {{"error, median"}, {"error, nine in ten"},  {"error, greatest"},
          {"bias"},          {"factor, nine in ten"}, {"factor, greatest"}};
}

std::vector<std::string> texts_of(const std::optional<error_summary>& summary) {
  if (!summary) return std::vector<std::string>(columns_of_summary().size(), std::string(missing));
  return {size_text(summary->median),
          size_text(summary->ninth_decile),
          size_text(summary->greatest),
          error_text(summary->bias),
          report::ratio(summary->ninth_decile_factor),
          report::ratio(summary->greatest_factor)};
}

void add_texts(const std::optional<error_summary>& summary, std::vector<std::string>& row) {
  const std::vector<std::string> texts = texts_of(summary);
  row.insert(row.end(), texts.begin(), texts.end());
}

/// What a group misses of its goal.
std::string verdict_on(const error_summary& summary, const pair_count& pairs, bool is_contended) {
  std::vector<std::string> missed;
  if (is_contended) {
    if (summary.greatest_factor > goal::factor) missed.emplace_back("factor");
    if (pairs.right < pairs.all) missed.emplace_back("order");
  } else {
    if (summary.median > goal::median_error) missed.emplace_back("median");
    if (summary.ninth_decile > goal::ninth_decile_error) missed.emplace_back("nine in ten");
  }
  return missed.empty() ? "met" : fmt::format("missed: {}", fmt::join(missed, ", "));
}

/// `a < b < c`.
std::string order_text(const std::vector<std::size_t>& order, const validation& found) {
  std::vector<std::string> names;
  names.reserve(order.size());
  for (const std::size_t at : order) names.push_back(found.cells[at].which.scheduler);
  return fmt::format("{}", fmt::join(names, " < "));
}

}  // namespace

std::string error_text(double error) { return fmt::format("{:+.1f} %", 100 * error); }

report::table group_table(const validation& found) {
  report::table table{
      "Errors of simulated times", {{"benchmarks", alignment::left}, {"number"}}, {}};
  const std::vector<report::column> columns = columns_of_summary();
  table.columns.insert(table.columns.end(), columns.begin(), columns.end());
  table.columns.push_back({"pairs in order"});
  table.columns.push_back({"goal", alignment::left});
  for (const bool is_held_out : {true, false}) {
    for (const bool is_contended : {false, true}) {
      const auto summary = summary_of(found, [=](const validated_cell& each) {
        return each.is_held_out() == is_held_out && each.is_contended() == is_contended;
      });
      std::vector<std::string>& row = table.rows.emplace_back();
      row = {fmt::format("{}, {}", origin_text(is_held_out),
                         is_contended ? "contended" : "uncontended"),
             fmt::format("{}", summary ? summary->cells : 0)};
      add_texts(summary, row);
      const pair_count pairs = pairs_in(found, is_held_out, is_contended);
      row.push_back(pairs_text(pairs));
      row.push_back(summary ? verdict_on(*summary, pairs, is_contended) : std::string(missing));
    }
  }
  return table;
}

report::table scheduler_table(const validation& found) {
  report::table table{"Benchmarks held out, by scheduler and worker count",
                      {{"scheduler", alignment::left}, {"workers"}, {"number"}, {"contended"}},
                      {}};
  const std::vector<report::column> columns = columns_of_summary();
  table.columns.insert(table.columns.end(), columns.begin(), columns.end());
  std::vector<std::pair<std::string, unsigned>> kinds;
  for (const validated_cell& each : found.cells) {
    if (each.is_held_out()) kinds.emplace_back(each.which.scheduler, each.which.workers);
  }
  kinds = dataset::distinct(kinds);
  std::ranges::stable_sort(kinds, {}, &std::pair<std::string, unsigned>::second);
  for (const std::pair<std::string, unsigned>& kind : kinds) {
    const auto summary = summary_of(found, [&](const validated_cell& each) {
      return each.is_held_out() && kind == std::pair(each.which.scheduler, each.which.workers);
    });
    std::vector<std::string>& row = table.rows.emplace_back();
    row = {kind.first, fmt::format("{}", kind.second), fmt::format("{}", summary->cells),
           fmt::format("{}", summary->contended_cells)};
    add_texts(summary, row);
  }
  return table;
}

report::table order_table(const validation& found) {
  report::table table{"Schedulers by time, the fastest first",
                      {{"workload", alignment::left},
                       {"workers"},
                       {"model", alignment::left},
                       {"measured", alignment::left},
                       {"simulated", alignment::left},
                       {"pairs in order"}},
                      {}};
  for (const analysis::scheduler_order& each : found.orders) {
    const validated_cell& first = found.cells[each.measured.front()];
    const auto right = std::ranges::count(each.pairs, true, &analysis::scheduler_pair::is_right);
    table.rows.push_back(
        {label_of(first.which.what), fmt::format("{}", first.which.workers),
         origin_text(first.is_held_out()), order_text(each.measured, found),
         each.simulated == each.measured ? "the same" : order_text(each.simulated, found),
         pairs_text({static_cast<std::size_t>(right), each.pairs.size()})});
  }
  return table;
}

report::table error_table(const validation& found, intervals_known known) {
  report::table table{"Every benchmark",
                      {{"workload", alignment::left},
                       {"scheduler", alignment::left},
                       {"workers"},
                       {with_interval_kind("measured", known.measured), alignment::left},
                       {with_interval_kind("simulated", known.simulated), alignment::left},
                       {"error"},
                       {"model", alignment::left},
                       {"waiting"},
                       {"contended", alignment::left}},
                      {}};
  for (const validated_cell& each : found.cells) {
    table.rows.push_back({label_of(each.which.what), each.which.scheduler,
                          fmt::format("{}", each.which.workers),
                          report::seconds_with_interval(each.measured),
                          report::seconds_with_interval(each.simulated), error_text(each.error()),
                          origin_text(each.is_held_out()), share_text(each.waiting),
                          each.is_contended() ? "contended" : "no"});
  }
  return table;
}

report::table unpaired_table(const validation& found) {
  report::table table{"Benchmarks that are not compared",
                      {{"benchmark", alignment::left}, {"reason", alignment::left}},
                      {}};
  for (const analysis::unpaired_cell& each : found.unpaired) {
    table.rows.push_back({each.cell, each.reason});
  }
  return table;
}

}  // namespace stealbench::sections
