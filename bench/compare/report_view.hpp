// A comparison as its report looks at it: by workload instance, scheduler and worker count.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "bench/compare/document.hpp"
#include "results/analysis/statistics.hpp"

namespace stealbench::compare {

/// What a cell is beside the others of its instance. Ratios are paired: round by round.
struct standing_of_cell {
  std::optional<analysis::estimate> seconds;   ///< None if the cell has failed.
  std::optional<analysis::estimate> speedup;   ///< Ts / Tp.
  std::optional<analysis::estimate> overhead;  ///< T1 / Ts; cells of one worker alone have it.
  std::optional<analysis::estimate> slowdown;  ///< Over the least median with as many workers.
  std::optional<unsigned> rank;                ///< With as many workers; none after one round.
};

/// A scheduler over all instances, with the greatest worker count.
struct standing_of_scheduler {
  std::optional<double> mean_slowdown;  ///< Geometric; none unless every cell has finished.
  std::size_t failed_cells = 0;
  /// Over the leader: the geometric mean over the instances, round by round. Only with a mean.
  std::optional<analysis::estimate> over_leader;

  /// Whether it has a mean and it is not shown that the leader's is less.
  [[nodiscard]] bool leads() const { return over_leader && over_leader->around.low <= 1; }
};

class report_view {
 public:
  /// The document must outlive the view.
  explicit report_view(const document& of);
  explicit report_view(const document&&) = delete;

  [[nodiscard]] const document& source() const { return of_; }
  /// Each in the order of the document; worker counts ascend.
  [[nodiscard]] const std::vector<instance>& instances() const { return instances_; }
  [[nodiscard]] const std::vector<std::string>& schedulers() const { return schedulers_; }
  [[nodiscard]] const std::vector<unsigned>& worker_counts() const { return workers_; }
  [[nodiscard]] unsigned most_workers() const { return workers_.back(); }

  /// The index of a cell in the document, from indices of `instances` and `schedulers`. None if it
  /// was not asked for.
  [[nodiscard]] std::optional<std::size_t> cell_at(std::size_t instance, std::size_t scheduler,
                                                   unsigned workers) const;
  [[nodiscard]] const cell_result& cell(std::size_t index) const { return of_.cells[index]; }
  [[nodiscard]] const standing_of_cell& standing(std::size_t cell) const { return cells_[cell]; }

  /// One for each of `schedulers`.
  [[nodiscard]] const std::vector<standing_of_scheduler>& overall() const { return overall_; }
  /// The scheduler of the least mean; none if none has one.
  [[nodiscard]] std::optional<std::size_t> leader() const { return leader_; }

 private:
  void index_cells();
  void compare_instance(std::size_t instance);
  void rank_rows(std::size_t instance, unsigned workers);
  void find_leader();

  const document& of_;
  std::vector<instance> instances_;
  std::vector<std::string> schedulers_;
  std::vector<unsigned> workers_;
  std::map<std::tuple<std::size_t, std::size_t, unsigned>, std::size_t> places_;
  std::vector<standing_of_cell> cells_;
  std::vector<standing_of_scheduler> overall_;
  std::optional<std::size_t> leader_;
};

}  // namespace stealbench::compare
