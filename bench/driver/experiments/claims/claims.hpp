// What textbooks and manuals claim of scheduling, as experiments: what each needs measured,
// simulated or recorded, and the rule by which the values decide. A rule is pure, and sees no
// values of which a benchmark has failed or has too few rounds: that is undecided.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "results/analysis/statistics.hpp"
#include "results/dataset/measurements.hpp"
#include "results/report/document.hpp"

namespace stealbench::experiments::claims {

using analysis::estimate;
using dataset::cell;
using dataset::instance;
using dataset::json;
using dataset::metric;

// As the machine of a cell: none, for it is measured; each profile; or the first one where nothing
// but work takes time.
inline constexpr const char* real_machine = "";
inline constexpr const char* every_profile = "*";
inline constexpr const char* free_machine = "no-costs";

inline constexpr const char* work_stealing = "work-stealing";

/// A simulated time may be wrong by so much where workers wait for each other, either way
/// (schedulers/virtual_machine/validation.md): no verdict may depend on less.
inline constexpr double model_error = 2;

/// `holds_in_model`: of a theorem, which speaks of a machine where only work takes time.
enum class verdict : std::uint8_t { holds, holds_in_model, does_not_hold, undecided };

struct finding {
  std::optional<estimate> figure;  ///< The deciding one; none if values are missing.
  claims::verdict verdict = verdict::undecided;
  std::string because;
  /// Of what a claim says beyond its theorem: this costs can refute.
  claims::verdict beyond_theorem = verdict::holds;
  std::optional<estimate> figure_in_model = {};  ///< Of a theorem that is simulated.
};

/// The values of a claim on one machine in some rounds.
struct reader {
  std::span<const dataset::measured_cell> cells;
  const json& records;
  std::string machine;
  std::span<const std::size_t> rounds;

  /// The median.
  double operator()(const instance& what, const std::string& scheduler, unsigned workers,
                    metric which = metric::seconds) const;
  /// Of the first round, which alone has them.
  [[nodiscard]] double counter(const instance& what, const std::string& scheduler, unsigned workers,
                               const char* name) const;
  /// The median of what was recorded of an instance: `work_units`, `span_units`, `parallelism`.
  [[nodiscard]] double recorded(const instance& what, const char* key) const;
};

/// One figure, on each machine of a claim.
using figures = std::vector<estimate>;

/// What is known of the cells of one claim.
struct evidence {
  std::vector<dataset::measured_cell> cells;  ///< All of as many rounds.
  json records;
  double processors;  ///< That the processes could use.

  /// With intervals by the bootstrap over whole rounds.
  [[nodiscard]] figures of(const std::function<double(const reader&)>& figure,
                           double confidence = analysis::default_confidence) const;
};

/// How a theorem is judged where only work takes time.
struct theorem {
  std::vector<claims::cell> cells;  ///< On `free_machine`.
  std::function<finding(const evidence&)> rule;
  std::string figure = {};  ///< If it is another than at costs.
};

struct claim {
  unsigned number;
  std::string text;
  std::string source;
  std::string figure;  ///< What the deciding figure is.
  std::vector<claims::cell> cells;
  std::function<finding(const evidence&)> rule;
  std::vector<instance> recorded = {};
  std::optional<theorem> in_model = {};
};

inline constexpr unsigned claim_count = 25;

/// By number. Throws kit::bad_input where a workload that one needs is not built
/// (STEALBENCH_WORKLOADS).
[[nodiscard]] const std::vector<claim>& all_claims();
/// But for what a theorem needs in its model.
[[nodiscard]] bool is_simulated(const claim& which);
/// With each profile for `every_profile`.
[[nodiscard]] std::vector<cell> cells_on(const std::vector<cell>& cells,
                                         const std::vector<std::string>& profiles);
/// All that a claim needs.
[[nodiscard]] std::vector<cell> all_cells_of(const claim& which,
                                             const std::vector<std::string>& profiles);
/// The simulated claim is a theorem: its rule judges the same cells in the model too.
[[nodiscard]] claim also_in_model(claim which);

/// What a claim says of a figure.
struct bound {
  double least = -std::numeric_limits<double>::infinity();
  double most = std::numeric_limits<double>::infinity();
};

/// Holds if the intervals of all machines are inside, also with their ends moved apart by the
/// factor; does not hold if all are outside on one side.
[[nodiscard]] verdict decide(const figures& all, const bound& within, double error = 1);
/// Holds if both do, does not hold if one of them does not.
[[nodiscard]] verdict both(verdict one, verdict other);
/// A theorem does not hold if it fails in its model. What fails at costs alone refutes nothing: it
/// holds in the model, or is undecided where the model has not shown it.
[[nodiscard]] verdict of_theorem(verdict in_model, verdict at_costs);
/// The median of the medians, and an interval around all intervals.
[[nodiscard]] estimate hull(const figures& all);

/// `0.15 [0.04, 0.26]`, of what is no ratio.
[[nodiscard]] std::string number_with_interval(const estimate& value);

/// A line y = at_zero + slope · x, by least squares of the relative errors.
struct line {
  double at_zero;
  double slope;
  double misfit;  ///< The greatest factor between a y and the line.
};
[[nodiscard]] line line_through(const std::vector<std::pair<double, double>>& points);

/// One strategy is said to need less of a metric than its rivals. It beats one on a program if the
/// ratio of rival and claimed is above 1 on every machine, beyond the interval and, of simulated
/// values, the model's error; and loses likewise. It may lose if the ratio is below 1 on every
/// machine by less than that error, or on one by more. All ratios are corrected together. The claim
/// does not hold if it loses on a program, and holds if it beats each rival on some and may lose on
/// none.
struct contest {
  std::string claimed;
  std::vector<std::string> rivals;
  std::vector<instance> programs;
  std::vector<unsigned> workers;
  metric which = metric::seconds;
  std::string machine = every_profile;
};
[[nodiscard]] finding judge(const contest& what, const evidence& known);

/// Each program on each scheduler with each worker count.
[[nodiscard]] std::vector<cell> grid(const std::vector<instance>& programs,
                                     const std::vector<std::string>& schedulers,
                                     const std::vector<unsigned>& workers,
                                     const std::string& machine = every_profile);

/// An instance by what is set of it, in canonical form: `{"fib", "n=30"}`.
[[nodiscard]] instance program(const std::string& workload, const std::vector<std::string>& set);

// The claims by subject; a file for each.
[[nodiscard]] std::vector<claim> claims_on_bounds();
[[nodiscard]] std::vector<claim> claims_on_space();
[[nodiscard]] std::vector<claim> claims_on_costs();
[[nodiscard]] std::vector<claim> claims_on_strategies();

/// Of records of one program by the clock: what interrupts a strand can but add to the span.
[[nodiscard]] json most_parallel(const std::vector<json>& records);

struct judged {
  const claim* what;
  finding found;
};
/// Those that the experiment was asked for. Requires: the dataset is one of it.
[[nodiscard]] std::vector<judged> judge(const dataset::measurements& data);
/// An object with the member `claims`.
[[nodiscard]] json json_of(const std::vector<judged>& all);
[[nodiscard]] std::vector<report::section> claims_sections(const dataset::measurements& data);

}  // namespace stealbench::experiments::claims
