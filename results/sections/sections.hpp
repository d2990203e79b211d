// What is said of each experiment, as sections of a document. All functions are pure: plots are
// values here, and drawn by whoever renders them.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "results/analysis/estimates.hpp"
#include "results/analysis/validation.hpp"
#include "results/dataset/measurements.hpp"
#include "results/report/document.hpp"

namespace stealbench::sections {

using dataset::measurements;
using report::section;

/// Of `compare`: who leads, ranks, speedups, overheads, topics, and the table of each instance.
[[nodiscard]] std::vector<section> compare_sections(const measurements& data);

/// Of what these have in common: which strategy to choose for all programs, with each worker count
/// of each, and how far each strategy is from the best. Empty unless three strategies or more are
/// in all that have as many. Throws std::invalid_argument as below.
[[nodiscard]] std::vector<section> regret_sections(std::span<const measurements> all);

/// Of all ablations among these, measured and simulated: which factors matter where, and what each
/// variant gains or costs. Empty if none is an ablation. Throws std::invalid_argument if the values
/// of a dataset do not belong together.
[[nodiscard]] std::vector<section> ablation_findings(std::span<const measurements> all);

/// That values are simulated, with which profile, and how far they are from measured ones: part of
/// whatever shows a simulated value. Requires: the dataset is simulated.
[[nodiscard]] std::string simulation_note(const measurements& data);
/// The same of an object with the members that the first line of a simulation has.
[[nodiscard]] std::string simulation_note(const dataset::json& about);

/// `Measured on 2 processors: AMD EPYC.`, or `Simulated, …`, or both: where the values of these
/// come from, for each of their tables.
[[nodiscard]] std::string machine_note(std::span<const measurements* const> all);
[[nodiscard]] std::string machine_note(const measurements& data);
/// Gives it to the tables that have none.
void name_machine(const std::string& note, std::vector<section>& all);

/// What was measured, or simulated, on what: the experiment, processor, commit and date.
[[nodiscard]] std::string subtitle_of(const measurements& data);

/// Of any experiment: what did not finish, what was checked of the machine or what the simulated
/// one costs, and where the values come from. `name` is put into the titles where a page has more
/// than one experiment.
[[nodiscard]] std::vector<section> origin_sections(const measurements& data,
                                                   const std::string& name = {});

/// What the words of all measuring experiments mean: once on a page.
[[nodiscard]] section definitions();

/// A row for each cell: every metric with the ends of its interval, as plain numbers in SI units
/// (and bytes), and why it did not finish. What is not known is empty.
[[nodiscard]] report::table csv_table(const measurements& data);

/// Runs of several machines or commits beside each other: two or more, of which each build is one,
/// by machine and date. What they are; then for each experiment who leads in each run, the times,
/// the ranks within each run, and what has changed from a run to the next one on the same machine,
/// by `threshold` at least. No value of two runs is ever pooled: a ratio is of one run, or of two
/// on the same machine.
[[nodiscard]] std::vector<section> merged_sections(std::vector<measurements> runs,
                                                   double threshold);

/// Of simulated times beside measured ones: how large the errors are, which pairs of schedulers are
/// in another order, and the error of each benchmark. Requires: `found` is of these two.
[[nodiscard]] std::vector<section> validation_sections(const analysis::validation& found,
                                                       const measurements& measured,
                                                       const measurements& simulated);

}  // namespace stealbench::sections
