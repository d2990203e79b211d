#include <array>
#include <iterator>

#include "results/sections/parts.hpp"

namespace stealbench::sections {
namespace {

using analysis::error_group;
using analysis::error_summary;
using analysis::fewest_rounds;
using analysis::goal;
using analysis::validated_cell;
using analysis::validation;
using report::table;
using row = std::vector<std::string>;

std::string signed_percent(double part) { return fmt::format("{:+.1f} %", 100 * part); }
std::string percent(double part) { return fmt::format("{:.1f} %", 100 * part); }

const char* model_text(bool is_held_out) { return is_held_out ? "held out" : "calibrated"; }

std::string pairs_text(std::size_t in_order, std::size_t pairs) {
  return pairs == 0 ? std::string(missing) : fmt::format("{} of {}", in_order, pairs);
}

const char* met(bool is_met) { return is_met ? "met" : "missed"; }

/// Each goal of a group that has errors, and whether it is met.
std::vector<std::pair<const char*, bool>> goals_of(const error_group& group) {
  const error_summary& errors = group.errors.value();
  if (group.is_contended) {
    return {{"factor", errors.greatest_factor <= goal::factor},
            {"order", group.pairs_in_order == group.pairs}};
  }
  return {{"median", errors.median <= goal::median_error},
          {"nine in ten", errors.ninth_decile <= goal::ninth_decile_error}};
}

/// `missed: median`, or `met`.
std::string verdict_text(const error_group& group) {
  row missed;
  for (const auto& [name, is_met] : goals_of(group)) {
    if (!is_met) missed.emplace_back(name);
  }
  return missed.empty() ? "met" : fmt::format("missed: {}", fmt::join(missed, ", "));
}

/// Of the benchmarks held out.
paragraph verdict_on(const error_group& group) {
  const char* const kind = group.is_contended ? "contended" : "uncontended";
  if (!group.errors) return {fmt::format("No benchmark held out is {}.", kind), true};
  const auto goals = goals_of(group);
  const std::string subject =
      fmt::format("Held out, {} ({}): ", kind, report::counted(group.errors->cells, "benchmark"));
  if (!group.is_contended) {
    return {fmt::format("{}the median error is {} (goal: at most {:g} %, {}); nine in ten errors "
                        "are at most {} (goal: {:g} %, {}).",
                        subject, percent(group.errors->median), 100 * goal::median_error,
                        met(goals[0].second), percent(group.errors->ninth_decile),
                        100 * goal::ninth_decile_error, met(goals[1].second)),
            true};
  }
  const std::string order =
      group.pairs == 0
          ? "the measurement tells no pair of schedulers apart"
          : fmt::format("{} pairs of schedulers are in the measured order (goal: all, {})",
                        pairs_text(group.pairs_in_order, group.pairs), met(goals[1].second));
  return {fmt::format("{}the greatest factor is {:.2f} (goal: at most {:g}, {}); {}.", subject,
                      group.errors->greatest_factor, goal::factor, met(goals[0].second), order),
          true};
}

std::string origin_of(const validation& found, const measurements& measured,
                      const measurements& simulated) {
  const auto text = [&](const char* key) { return text_at(measured.context(), key); };
  const json& profile = simulated.header().at("about").at("profile");
  return fmt::format(
      "Measured on {}, {} processors; commit {}; {}; {}. Simulated with the profile {}{} of {}; "
      "commit {}; {}; {}. {} compared, {} not.",
      text("processor"), text("num_cpus"), text("commit"),
      measured.header().at("date").get<std::string>(),
      report::counted(fewest_rounds(measured), "round"), text_at(profile, "name"),
      changes_of_profile(simulated.header().at("about")), text_at(profile, "date"),
      text_at(simulated.context(), "commit"), simulated.header().at("date").get<std::string>(),
      report::counted(fewest_rounds(simulated), "seed"),
      report::counted(found.cells.size(), "benchmark"), found.unpaired.size());
}

/// Empty where every instance has a price of its own.
std::string foreign_units_in(const validation& found) {
  std::vector<std::string> texts;
  for (const validated_cell& each : found.cells) {
    if (each.unit_from.empty()) continue;
    texts.push_back(fmt::format("{} has that of {}", label_of(each.which.what), each.unit_from));
  }
  if (texts.empty()) return {};
  return fmt::format("Not priced by its own sequential time: {}.",
                     fmt::join(dataset::distinct(texts), "; "));
}

/// What every summary has, as `texts_of` has it.
constexpr std::array summary_headers{"error, median", "error, nine in ten",  "error, greatest",
                                     "bias",          "factor, nine in ten", "factor, greatest"};

row texts_of(const std::optional<error_summary>& errors) {
  if (!errors) return row(summary_headers.size(), std::string(missing));
  return {percent(errors->median),
          percent(errors->ninth_decile),
          percent(errors->greatest),
          signed_percent(errors->bias),
          report::ratio(errors->ninth_decile_factor),
          report::ratio(errors->greatest_factor)};
}

/// A table whose rows are summaries, behind columns that say of what.
table summary_table(const char* title, std::vector<report::column> columns) {
  for (const char* const header : summary_headers) columns.push_back({header});
  return {title, std::move(columns)};
}

/// A row for each group, and whether it meets its goals.
table group_table(const validation& found) {
  table groups =
      summary_table("Errors of simulated times", {{"benchmarks", alignment::left}, {"number"}});
  groups.columns.push_back({"pairs in order"});
  groups.columns.push_back({"goal", alignment::left});
  for (const bool is_held_out : {true, false}) {
    for (const bool is_contended : {false, true}) {
      const error_group group = group_of(found, is_held_out, is_contended);
      row& added = groups.rows.emplace_back();
      added = {fmt::format("{}, {}", model_text(is_held_out),
                           is_contended ? "contended" : "uncontended"),
               fmt::format("{}", group.errors ? group.errors->cells : 0)};
      std::ranges::move(texts_of(group.errors), std::back_inserter(added));
      added.push_back(pairs_text(group.pairs_in_order, group.pairs));
      added.push_back(group.errors ? verdict_text(group) : std::string(missing));
    }
  }
  return groups;
}

/// Of the benchmarks held out, a row for each scheduler and worker count.
table scheduler_table(const validation& found) {
  table schedulers =
      summary_table("Benchmarks held out, by scheduler and worker count",
                    {{"scheduler", alignment::left}, {"workers"}, {"number"}, {"contended"}});
  using kind = std::pair<std::string, unsigned>;
  const auto kind_of = [](const validated_cell& each) {
    return kind(each.which.scheduler, each.which.workers);
  };
  std::vector<kind> kinds;
  for (const validated_cell& each : found.cells) {
    if (each.is_held_out()) kinds.push_back(kind_of(each));
  }
  kinds = dataset::distinct(kinds);
  std::ranges::stable_sort(kinds, {}, &kind::second);
  for (const kind& each : kinds) {
    const auto errors = summary_of(found, [&](const validated_cell& cell) {
      return cell.is_held_out() && kind_of(cell) == each;
    });
    row& added = schedulers.rows.emplace_back();
    added = {each.first, fmt::format("{}", each.second), fmt::format("{}", errors->cells),
             fmt::format("{}", errors->contended_cells)};
    std::ranges::move(texts_of(errors), std::back_inserter(added));
  }
  return schedulers;
}

/// `a < b < c`.
std::string order_text(const std::vector<std::size_t>& order, const validation& found) {
  row names;
  for (const std::size_t at : order) names.push_back(found.cells[at].which.scheduler);
  return fmt::format("{}", fmt::join(names, " < "));
}

/// A row for each instance and worker count: both orders of the schedulers.
table order_table(const validation& found) {
  table orders{"Schedulers by time, the fastest first",
               {{"workload", alignment::left},
                {"workers"},
                {"model", alignment::left},
                {"measured", alignment::left},
                {"simulated", alignment::left},
                {"pairs in order"}}};
  for (const analysis::scheduler_order& each : found.orders) {
    const validated_cell& first = found.cells[each.measured.front()];
    const auto right = std::ranges::count(each.pairs, true, &analysis::scheduler_pair::is_right);
    orders.rows.push_back(
        {label_of(first.which.what), fmt::format("{}", first.which.workers),
         model_text(first.is_held_out()), order_text(each.measured, found),
         each.simulated == each.measured ? "the same" : order_text(each.simulated, found),
         pairs_text(static_cast<std::size_t>(right), each.pairs.size())});
  }
  return orders;
}

/// The header says whether times have 95 % intervals or ranges.
report::column validated_time_column(const char* header, const measurements& data) {
  const bool has_intervals = fewest_rounds(data) >= analysis::fewest_for_interval;
  return {with_interval_kind(header, has_intervals), alignment::left};
}

/// Every benchmark, and those that are not compared.
section errors_by_benchmark(const validation& found, const measurements& measured,
                            const measurements& simulated) {
  table errors{"Every benchmark",
               {{"workload", alignment::left},
                {"scheduler", alignment::left},
                {"workers"},
                validated_time_column("measured", measured),
                validated_time_column("simulated", simulated),
                {"error"},
                {"model", alignment::left},
                {"waiting"},
                {"contended", alignment::left}}};
  for (const validated_cell& each : found.cells) {
    errors.rows.push_back({label_of(each.which.what), each.which.scheduler,
                           fmt::format("{}", each.which.workers),
                           report::seconds_with_interval(each.measured),
                           report::seconds_with_interval(each.simulated),
                           signed_percent(each.error()), model_text(each.is_held_out()),
                           share_text(each.waiting), each.is_contended() ? "contended" : "no"});
  }
  section all{"Errors by benchmark", prominence::tables, {std::move(errors)}};
  table unpaired{"Benchmarks that are not compared",
                 {{"benchmark", alignment::left}, {"reason", alignment::left}}};
  for (const analysis::unpaired_cell& each : found.unpaired) {
    unpaired.rows.push_back({each.cell, each.reason});
  }
  if (!unpaired.rows.empty()) all.blocks.emplace_back(std::move(unpaired));
  return all;
}

}  // namespace

std::vector<section> validation_sections(const validation& found, const measurements& measured,
                                         const measurements& simulated) {
  section summary{
      "Accuracy of the simulation",
      prominence::summary,
      {verdict_on(group_of(found, true, false)), verdict_on(group_of(found, true, true)),
       paragraph{origin_of(found, measured, simulated)}}};
  say(summary, foreign_units_in(found));
  summary.blocks.emplace_back(group_table(found));
  summary.blocks.emplace_back(scheduler_table(found));
  section orders{"Order of the schedulers", prominence::tables, {order_table(found)}};
  return {std::move(summary),
          guide("How to read a validation", fmt::arg("contended", 100 * analysis::contended_above),
                fmt::arg("median_error", 100 * goal::median_error),
                fmt::arg("ninth_decile_error", 100 * goal::ninth_decile_error),
                fmt::arg("factor", goal::factor)),
          std::move(orders), errors_by_benchmark(found, measured, simulated)};
}

}  // namespace stealbench::sections
