#include <array>

#include "results/sections/parts.hpp"

namespace stealbench::sections {
namespace {

using analysis::fewest_rounds;
using analysis::goal;
using analysis::scheduler_pair;
using analysis::validated_cell;
using analysis::validation;
using report::table;

std::string signed_percent(double part) { return fmt::format("{:+.1f} %", 100 * part); }

std::string kind_text(bool is_contended) { return is_contended ? "contended" : "uncontended"; }

const char* met(bool is_met) { return is_met ? "met" : "missed"; }

/// The goals, of the benchmarks held out.
std::string verdict_on(const validation& found, bool is_contended) {
  const std::string kind = kind_text(is_contended);
  const auto errors = held_out_summary(found, is_contended);
  if (!errors) return fmt::format("No benchmark held out is {}.", kind);
  std::size_t pairs = 0;
  std::size_t right = 0;
  for (const scheduler_pair& each : found.pairs) {
    if (!found.cells[each.faster].is_held_out()) continue;
    if (found.is_contended(each) != is_contended) continue;
    ++pairs;
    right += found.is_right(each) ? 1U : 0U;
  }
  const std::string errors_text =
      is_contended
          ? fmt::format("the greatest factor is {:.2f} (goal: at most {:g}, {})",
                        errors->greatest_factor, goal::factor,
                        met(errors->greatest_factor <= goal::factor))
          : fmt::format(
                "the median error is {} (goal: at most {:g} %, {}); nine in ten errors are "
                "at most {} (goal: {:g} %, {})",
                share_text(errors->median), 100 * goal::median_error,
                met(errors->median <= goal::median_error), share_text(errors->ninth_decile),
                100 * goal::ninth_decile_error,
                met(errors->ninth_decile <= goal::ninth_decile_error));
  return fmt::format(
      "Held out, {} ({}): {}; of {} of schedulers that the measurement tells apart, {} {} in its "
      "order{}.",
      kind, report::counted(errors->cells, "benchmark"), errors_text,
      report::counted(pairs, "pair"), right, right == 1 ? "is" : "are",
      is_contended ? fmt::format(" (goal: all, {})", met(right == pairs)) : "");
}

std::string origin_of(const validation& found, const measurements& measured,
                      const measurements& simulated) {
  const json& profile = simulated.header().at("about").at("profile");
  return fmt::format("{} {} Profile {}{} of {}. {} and {}; {} compared, {} not.",
                     subtitle_of(measured), subtitle_of(simulated), text_at(profile, "name"),
                     changes_of_profile(simulated.header().at("about")), text_at(profile, "date"),
                     report::counted(fewest_rounds(measured), "round"),
                     report::counted(fewest_rounds(simulated), "seed"),
                     report::counted(found.cells.size(), "benchmark"), found.unpaired.size());
}

/// Of the benchmarks held out: those that are contended or not, then by scheduler and workers.
table error_table(const validation& found) {
  table errors{"Errors of the benchmarks held out",
               {{"benchmarks", alignment::left},
                {"number"},
                {"contended"},
                {"error, median"},
                {"error, nine in ten"},
                {"error, greatest"},
                {"bias"},
                {"factor, nine in ten"},
                {"factor, greatest"}}};
  const auto add = [&](std::string kind, const std::optional<analysis::error_summary>& of_kind) {
    if (!of_kind) return;
    errors.rows.push_back({std::move(kind), fmt::format("{}", of_kind->cells),
                           fmt::format("{}", of_kind->contended_cells), share_text(of_kind->median),
                           share_text(of_kind->ninth_decile), share_text(of_kind->greatest),
                           signed_percent(of_kind->bias),
                           report::ratio(of_kind->ninth_decile_factor),
                           report::ratio(of_kind->greatest_factor)});
  };
  for (const bool is_contended : {false, true}) {
    add(kind_text(is_contended), held_out_summary(found, is_contended));
  }
  std::vector<std::pair<unsigned, std::string>> kinds;
  for (const validated_cell& each : found.cells) {
    kinds.emplace_back(each.which.workers, each.which.scheduler);
  }
  kinds = dataset::distinct(kinds);
  std::ranges::stable_sort(kinds, {}, &std::pair<unsigned, std::string>::first);
  for (const auto& kind : kinds) {
    add(fmt::format("{}, {}", kind.second, workers_in_words(kind.first)),
        summary_of(found, [&](const validated_cell& each) {
          return each.is_held_out() && each.which.workers == kind.first &&
                 each.which.scheduler == kind.second;
        }));
  }
  return errors;
}

/// Both ratios are of the time of the one that was measured to be slower.
table wrong_pairs(const validation& found) {
  table wrong{"Pairs of schedulers that the simulation has in another order",
              {{"workload", alignment::left},
               {"workers"},
               {"faster", alignment::left},
               {"slower", alignment::left},
               {"slower ÷ faster, measured"},
               {"simulated"}}};
  for (const scheduler_pair& each : found.pairs) {
    if (found.is_right(each)) continue;
    const validated_cell& faster = found.cells[each.faster];
    const validated_cell& slower = found.cells[each.slower];
    wrong.rows.push_back({label_of(faster.which.what), fmt::format("{}", faster.which.workers),
                          faster.which.scheduler, slower.which.scheduler,
                          report::ratio(slower.measured.median / faster.measured.median),
                          report::ratio(slower.simulated.median / faster.simulated.median)});
  }
  return wrong;
}

table every_error(const validation& found, const measurements& measured,
                  const measurements& simulated) {
  const auto column_of = [](const char* header, const measurements& data) {
    const bool has_intervals = fewest_rounds(data) >= analysis::fewest_for_interval;
    return report::column{with_interval_kind(header, has_intervals), alignment::left};
  };
  table errors{"Every benchmark",
               {{"workload", alignment::left},
                {"scheduler", alignment::left},
                {"workers"},
                column_of("measured", measured),
                column_of("simulated", simulated),
                {"error"},
                {"waiting"},
                {"contended", alignment::left},
                {"price of a unit from", alignment::left}}};
  for (const validated_cell& each : found.cells) {
    errors.rows.push_back(
        {label_of(each.which.what), each.which.scheduler, fmt::format("{}", each.which.workers),
         report::seconds_with_interval(each.measured),
         report::seconds_with_interval(each.simulated), signed_percent(each.error()),
         share_text(each.waiting), each.is_contended() ? "contended" : "no",
         each.is_held_out() ? each.unit_from : "calibrated"});
  }
  return errors;
}

}  // namespace

std::vector<section> validation_sections(const validation& found, const measurements& measured,
                                         const measurements& simulated) {
  section summary{"Accuracy of the simulation", prominence::summary, {}};
  for (const bool is_contended : {false, true}) say(summary, verdict_on(found, is_contended), true);
  say(summary, origin_of(found, measured, simulated));
  summary.blocks.emplace_back(error_table(found));
  section all{"Errors by benchmark",
              prominence::tables,
              {wrong_pairs(found), every_error(found, measured, simulated)}};
  report::definition_list unpaired;
  for (const auto& [name, reason] : found.unpaired) {
    unpaired.definitions.push_back({"Not compared: " + name, reason});
  }
  if (!unpaired.definitions.empty()) all.blocks.emplace_back(std::move(unpaired));
  std::vector<section> sections{
      std::move(summary),
      guide("How to read a validation", fmt::arg("contended", 100 * analysis::contended_above),
            fmt::arg("median_error", 100 * goal::median_error),
            fmt::arg("ninth_decile_error", 100 * goal::ninth_decile_error),
            fmt::arg("factor", goal::factor)),
      std::move(all)};
  name_machine(machine_note(std::array{&measured, &simulated}), sections);
  return sections;
}

}  // namespace stealbench::sections
