// One program cut into ever coarser pieces: which grain is best, how far one may miss it, and what
// is wrong on either side. Pieces that are too fine cost overhead; pieces that are too coarse leave
// workers without any.
//
// All functions are pure; any thread may call them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "results/analysis/sweep.hpp"

namespace stealbench::analysis {

/// What a greater grain means: that of levels which fork is finer.
enum class greater_grain : std::uint8_t { is_coarser, is_finer };

struct grain_row {
  double grain;
  double tasks;
  estimate seconds;
  estimate efficiency;  ///< The time of the best grain ÷ this one's, in the same rounds.
  double task_seconds;  ///< Time × workers ÷ tasks; of a program without branches, ÷ 1.
};

/// How much slower than the best a grain may be and still count as good.
inline constexpr double flatness = 0.05;

struct grain_sweep {
  double workers;
  std::vector<grain_row> rows = {};  ///< The finest first.
  std::size_t best = 0;              ///< The row of the least median.
  /// The first and the last row of those around the best, itself included, without a gap, whose
  /// medians exceed that of the best by at most `flatness`.
  std::size_t finest_good = 0;
  std::size_t coarsest_good = 0;

  /// The coarsest row that is too fine, where overhead sets in; none if nothing is.
  [[nodiscard]] std::optional<std::size_t> too_fine() const {
    return finest_good == 0 ? std::nullopt : std::optional(finest_good - 1);
  }
  /// The finest row that is too coarse, where imbalance sets in; none if nothing is.
  [[nodiscard]] std::optional<std::size_t> too_coarse() const {
    return coarsest_good + 1 == rows.size() ? std::nullopt : std::optional(coarsest_good + 1);
  }
};

/// T = (work + τ · tasks) ÷ P + s · (1 − 1 ÷ P) · work ÷ tasks: work and what each task costs are
/// shared by the workers; the span grows with the length of a task, for which the others wait.
struct grain_model {
  double work_seconds;
  double task_seconds;    ///< τ.
  double waited_for;      ///< s: tasks in a row for which the other workers wait.
  double greatest_error;  ///< Over all rows, as a part of the measured time.

  [[nodiscard]] double seconds(double tasks, double workers) const;
};

/// Least squares of the relative error; no part of the time is negative. None unless the rows have
/// at least one more number of tasks than the model has parts, and some task was made.
[[nodiscard]] std::optional<grain_model> model_of(const grain_sweep& sweep);

/// Which rows are best and good by the model with another number of workers.
[[nodiscard]] grain_sweep predicted(const grain_model& model, const grain_sweep& sweep,
                                    double workers);

/// From points in any order, whose values are grains. Throws as `descending`. Cost: points × rounds
/// × resamples.
[[nodiscard]] grain_sweep analyse(std::vector<sweep_point> points, double workers,
                                  greater_grain greater);

/// One scheduler with one number of workers on one workload instance, at every grain.
struct swept_cells : sweep {
  std::optional<grain_sweep> found = {};  ///< None if no cell has finished.
};

/// What the first line of an experiment `grain` says of its parameter, in the member `about`.
struct grain_parameter {
  std::string name;
  greater_grain greater;
  bool is_size;  ///< Grains go in steps of a factor; else they are levels.
};

/// Requires: the dataset is of that experiment.
[[nodiscard]] grain_parameter grain_parameter_of(const measurements& data);
[[nodiscard]] json json_of(const grain_parameter& parameter);

/// The cells must outlive the result. Throws as grain_parameter_of.
[[nodiscard]] std::vector<swept_cells> sweeps_of(const measurements& data);

}  // namespace stealbench::analysis
