// What is known of the cells of a dataset beside each other: the one place where the estimate of a
// metric, a speedup or a rank is computed.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "results/analysis/evidence.hpp"
#include "results/analysis/statistics.hpp"
#include "results/dataset/measurements.hpp"

namespace stealbench::analysis {

using dataset::json;
using dataset::measured_cell;
using dataset::measurements;
using dataset::metric;

/// As the baseline of a dataset: each scheduler with one worker.
inline constexpr const char* own_baseline = "itself";

/// The fewest rounds of a cell that has finished; 0 if none has.
[[nodiscard]] std::size_t fewest_rounds(const measurements& data);

/// A cell beside the others of its workload instance. All is none if the cell has not finished.
///
/// A time is estimated from all rounds of its cell. A ratio is paired, round by round, over the
/// rounds that both of its cells have: so a cell has one speedup, wherever it is shown, also where
/// a measurement ended in the middle of a round.
struct standing {
  std::optional<estimate> seconds;
  std::optional<estimate> per_fork;  ///< Seconds × workers over the tasks.
  /// Ts / Tp, with the time of the baseline at the fewest workers that it finished with; of
  /// `own_baseline` the scheduler's own with one worker.
  std::optional<estimate> speedup;
  std::optional<estimate> overhead;  ///< T1 / Ts, of the scheduler with one worker.
  std::optional<estimate> slowdown;  ///< Over the least median with as many workers.
  /// Among those with as many workers; none where one of these has fewer than `fewest_for_interval`
  /// rounds. All ranks with one worker count are of one family: one is false in at most 5 % of
  /// datasets.
  std::optional<unsigned> rank;
  bool is_best = false;    ///< It has the least median, and is the first of these.
  bool is_behind = false;  ///< It is shown to be slower than that one.
};

/// A scheduler over some instances with one worker count: the regret of whoever chose it for all.
struct overall_standing {
  std::optional<double> mean_slowdown;  ///< Geometric; none unless every cell has finished.
  interval around{};                    ///< Of that mean.
  /// The cell of the greatest slowdown: of those that are shown to be slower than the best, none if
  /// none is; of all below `fewest_for_interval` rounds.
  std::optional<std::size_t> worst;
  std::size_t failed_cells = 0;
  /// It has a mean, all that have one have `fewest_for_interval` rounds, and it is not shown that
  /// the mean of the leader is less. Over the geometric means of each round; all pairs of
  /// schedulers are of one family, so that one is said to be slower wrongly in at most 5 % of
  /// datasets.
  bool leads = false;
};

struct ranking {
  std::vector<overall_standing> standings;  ///< One for each scheduler.
  std::optional<std::size_t> leader;        ///< The scheduler of the least mean.
};

/// Immutable; any thread may call it. Cells are named by their index in the dataset.
class estimates {
 public:
  /// The measurements must outlive the estimates. Cost: cells × rounds × resamples.
  explicit estimates(const measurements& data);
  explicit estimates(const measurements&&) = delete;

  [[nodiscard]] const measurements& data() const { return data_; }
  [[nodiscard]] const measured_cell& cell(std::size_t index) const { return data_.cells()[index]; }

  /// Each in the order of the dataset; worker counts ascend.
  [[nodiscard]] const std::vector<dataset::instance>& instances() const { return instances_; }
  [[nodiscard]] const std::vector<std::string>& schedulers() const { return schedulers_; }
  [[nodiscard]] const std::vector<unsigned>& worker_counts() const { return workers_; }
  [[nodiscard]] unsigned most_workers() const { return workers_.back(); }

  /// The cell at indices of `instances` and `schedulers`, with that cost varied, or none, and of no
  /// build; none if it was not asked for.
  [[nodiscard]] std::optional<std::size_t> cell_at(std::size_t instance, std::size_t scheduler,
                                                   unsigned workers,
                                                   const std::string& varied = {}) const {
    return data_.place_of({instances_[instance], schedulers_[scheduler], workers, varied});
  }

  [[nodiscard]] const standing& standing_of(std::size_t cell) const { return standings_[cell]; }

  /// The median of any metric over the rounds of a cell; none if it has not finished or lacks it.
  [[nodiscard]] std::optional<estimate> of(metric which, std::size_t cell) const;

  /// All schedulers over these instances, with that cost varied, or none.
  [[nodiscard]] ranking over(const std::vector<std::size_t>& instances, unsigned workers,
                             const std::string& varied = {}) const;
  /// The costs that were varied, each with its factor; empty if none was.
  [[nodiscard]] const std::vector<std::string>& variations() const { return variations_; }

  /// Over all instances, with the greatest worker count: one for each of `schedulers`.
  [[nodiscard]] const std::vector<overall_standing>& overall() const { return overall_.standings; }
  /// The scheduler of the least mean; none if none has one. Whether it leads is another question.
  [[nodiscard]] std::optional<std::size_t> leader() const { return overall_.leader; }

  [[nodiscard]] std::size_t fewest_rounds() const { return analysis::fewest_rounds(data_); }
  /// Whether every cell that has finished has rounds enough for an interval. Below six the interval
  /// of a median is the range of what was measured.
  [[nodiscard]] bool have_intervals() const {
    return fewest_rounds() == 0 || fewest_rounds() >= fewest_for_interval;
  }

  /// What the rounds that are missing until anything is told apart would take, by what those so far
  /// have taken. Requires: some cell has finished.
  [[nodiscard]] double seconds_until_evidence() const;

 private:
  void index_cells();
  void compare_instance(std::size_t instance);
  void rank_cells(unsigned workers, const std::string& varied);
  [[nodiscard]] std::vector<std::size_t> finished_cells(std::size_t instance, unsigned workers,
                                                        const std::string& varied = {}) const;

  const measurements& data_;
  std::vector<dataset::instance> instances_;
  std::vector<std::string> schedulers_;
  std::vector<unsigned> workers_;
  std::vector<standing> standings_;
  std::vector<std::string> variations_;
  ranking overall_;
};

/// The number of rounds that all of these cells have; 0 for none.
[[nodiscard]] std::size_t common_rounds(const std::vector<const measured_cell*>& cells);

/// Median of `over` divided by that of `under`, in the rounds that both have; none if one has not
/// finished.
[[nodiscard]] std::optional<estimate> paired_ratio(const measured_cell* over,
                                                   const measured_cell* under,
                                                   double confidence = default_confidence);

/// The geometric mean of the ratios of cells to the cells at the same places of `under`, all of
/// them finished: the median over the rounds that all have; none of no cell.
[[nodiscard]] std::optional<estimate> mean_ratio(const std::vector<const measured_cell*>& over,
                                                 const std::vector<const measured_cell*>& under);

/// Whether others had a processor that this process wanted: its threads were ready to run and
/// waited for more than a tenth of its workers' time. False where that is not known.
[[nodiscard]] bool lost_processor(const dataset::sample& process);

/// Whether a third of the rounds of a cell at least lost a processor: fewer do not move its median.
[[nodiscard]] bool lost_processor(const measured_cell& cell);

/// The finished cells of which that is so, by name; none if no process recorded how long its
/// threads waited.
[[nodiscard]] std::optional<std::vector<std::string>> cells_without_processor(
    const measurements& data);

}  // namespace stealbench::analysis
