#include "results/sections/validation.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "results/analysis/estimates.hpp"
#include "results/report/format.hpp"
#include "results/sections/sections.hpp"

namespace stealbench::sections {
namespace {

using analysis::common_rounds;
using analysis::error_summary;
using analysis::goal;
using analysis::pair_count;
using analysis::validated_cell;
using analysis::validation;
using report::paragraph;
using report::prominence;

const char* met(bool is_met) { return is_met ? "met" : "missed"; }

std::optional<error_summary> held_out(const validation& found, bool is_contended) {
  return summary_of(found, [=](const validated_cell& each) {
    return each.is_held_out() && each.is_contended() == is_contended;
  });
}

std::string verdict_on_uncontended(const validation& found) {
  const auto known = held_out(found, false);
  if (!known) return "No benchmark held out is uncontended.";
  return fmt::format(
      "Held out, uncontended ({}): the median error is {:.1f} % (goal: at most {:g} %, {}); nine "
      "in "
      "ten errors are at most {:.1f} % (goal: {:g} %, {}).",
      report::counted(known->cells, "benchmark"), 100 * known->median, 100 * goal::median_error,
      met(known->median <= goal::median_error), 100 * known->ninth_decile,
      100 * goal::ninth_decile_error, met(known->ninth_decile <= goal::ninth_decile_error));
}

std::string verdict_on_contended(const validation& found) {
  const auto known = held_out(found, true);
  if (!known) return "No benchmark held out is contended.";
  const pair_count pairs = pairs_in(found, true, true);
  const std::string factor = fmt::format(
      "Held out, contended ({}): the greatest factor is {:.2f} (goal: at most {:g}, {})",
      report::counted(known->cells, "benchmark"), known->greatest_factor, goal::factor,
      met(known->greatest_factor <= goal::factor));
  if (pairs.all == 0) {
    return factor + "; the measurement tells no pair of schedulers apart.";
  }
  return fmt::format("{}; {} of {} pairs of schedulers are in the measured order (goal: all, {}).",
                     factor, pairs.right, pairs.all, met(pairs.right == pairs.all));
}

/// Those that have finished.
std::vector<const dataset::measured_cell*> finished_in(const measurements& data) {
  std::vector<const dataset::measured_cell*> cells;
  for (const dataset::measured_cell& each : data.cells()) {
    if (has_finished(each)) cells.push_back(&each);
  }
  return cells;
}

std::string origin_of(const validation& found, const measurements& measured,
                      const measurements& simulated) {
  const auto text = [&](const char* key) { return dataset::text_at(measured.context(), key); };
  const dataset::json& profile = simulated.header().at("about").at("profile");
  std::string changes;
  for (const auto& each : simulated.header().at("about").value("changes", dataset::json::array())) {
    changes += fmt::format("{} {}", changes.empty() ? " with" : ",", each.get<std::string>());
  }
  return fmt::format(
      "Measured on {}, {} processors; commit {}; {}; {}. Simulated with the profile {}{} of {}; "
      "commit {}; {}; {}. {} compared, {} not.",
      text("processor"), text("num_cpus"), text("commit"),
      measured.header().at("date").get<std::string>(),
      report::counted(common_rounds(finished_in(measured)), "round"),
      dataset::text_at(profile, "name"), changes, dataset::text_at(profile, "date"),
      dataset::text_at(simulated.context(), "commit"),
      simulated.header().at("date").get<std::string>(),
      report::counted(common_rounds(finished_in(simulated)), "seed"),
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

section guide() {
  return {
      "How to read a validation",
      prominence::tables,
      {report::definition_list{
          {{"Error",
            "simulated median time minus the measured one, divided by the measured one. Above 0 "
            "the simulation is too slow. Median, nine in ten and greatest are of its size without "
            "the sign; the bias is the median with the sign."},
           {"Factor", "simulated time over measured time, or the inverse if that is greater."},
           {"Held out, calibrated",
            "of a benchmark held out nothing was measured with its parameters: the price of a unit "
            "is that of another instance of its workload, and so are those of its tasks. A "
            "calibrated instance has a price of its own, from its sequential version."},
           {"Waiting",
            "part of the workers' time, in the simulation, in which they wait for cache lines; or, "
            "if that is more, in which they wait for cache lines and locks while they run tasks."},
           {"Contended", fmt::format("waiting exceeds {:g} %. Only the simulation decides.",
                                     100 * analysis::contended_above)},
           {"Pairs in order",
            "pairs of schedulers that the measurement tells apart, which takes six rounds, and how "
            "many of them the simulation puts in the measured order. A pair is contended if one of "
            "the two is."},
           {"Goal",
            fmt::format(
                "uncontended: median at most {:g} %, nine in ten at most {:g} %. Contended: "
                "greatest factor at most {:g}, all pairs in order.",
                100 * goal::median_error, 100 * goal::ninth_decile_error, goal::factor)}}}}};
}

bool have_intervals(const measurements& data) {
  return common_rounds(finished_in(data)) >= analysis::fewest_for_interval;
}

}  // namespace

std::vector<section> validation_sections(const validation& found, const measurements& measured,
                                         const measurements& simulated) {
  section summary{
      "Accuracy of the simulation",
      prominence::summary,
      {paragraph{verdict_on_uncontended(found), true}, paragraph{verdict_on_contended(found), true},
       paragraph{origin_of(found, measured, simulated)}}};
  if (std::string units = foreign_units_in(found); !units.empty()) {
    summary.blocks.emplace_back(paragraph{std::move(units)});
  }
  summary.blocks.emplace_back(group_table(found));
  summary.blocks.emplace_back(scheduler_table(found));
  section all{"Errors by benchmark",
              prominence::tables,
              {error_table(found, {have_intervals(measured), have_intervals(simulated)})}};
  if (!found.unpaired.empty()) all.blocks.emplace_back(unpaired_table(found));
  section orders{"Order of the schedulers", prominence::tables, {order_table(found)}};
  return {std::move(summary), guide(), std::move(orders), std::move(all)};
}

}  // namespace stealbench::sections
