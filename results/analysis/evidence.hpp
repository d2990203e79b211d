// Whether measurements carry a claim: that one is slower than another. What is called a rank, a
// lead, slower or faster anywhere in results/ was decided here: two rows of times are compared by
// Welch's t-test on their logarithms, and all comparisons of one table are corrected together.
// results/evidence.md argues for both, and names the papers.
//
// All functions are pure; any thread may call them.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "results/analysis/statistics.hpp"

namespace stealbench::analysis {

/// The part of tables, or of verdicts, that may be wrong.
inline constexpr double accepted_error = 1 - default_confidence;

/// The probability of a difference of the geometric means as great as this one, or greater, if both
/// rows come from one distribution. It is 1 where a row has fewer than `fewest_for_interval`
/// values: that carries no claim. Throws std::invalid_argument if a row is empty, or a value is not
/// finite and greater than 0. Linear.
[[nodiscard]] double difference_p_value(std::span<const double> row, std::span<const double> other);

/// Which of these hypotheses are rejected, so that with a probability of at most `accepted_error`
/// any one of them was true (Holm). It assumes nothing about how they depend on each other. Cost:
/// n log n.
[[nodiscard]] std::vector<bool> rejected_all_right(std::span<const double> p_values);

/// Which of these hypotheses are rejected, so that of the rejected ones a part of at most
/// `accepted_error` was true, in expectation (Benjamini & Hochberg). If all are true, any is
/// rejected with that probability. It assumes that they are independent, or depend positively on
/// each other, as comparisons with one and the same row do. Cost: n log n.
[[nodiscard]] std::vector<bool> rejected_mostly_right(std::span<const double> p_values);

/// The rows of some tables beside each other. All pairs of rows within the tables are one family of
/// hypotheses: any of them is told apart wrongly with a probability of at most `accepted_error`.
class separation {
 public:
  using times = std::vector<double>;  ///< Of one row, one for each round.
  using table = std::vector<times>;

  /// Throws std::invalid_argument if a row is empty, or a value is not finite and greater than 0.
  /// Cost: that of all pairs.
  explicit separation(std::vector<table> tables);

  /// Whether the times of a row of the table are shown to be greater.
  [[nodiscard]] bool is_slower(std::size_t at, std::size_t row, std::size_t than) const {
    return told_apart_.contains({at, row, than});
  }

  /// The rank of each row of a table, where 1 is the best; none where a row has fewer than
  /// `fewest_for_interval` rounds, or there is no row.
  ///
  /// By median, and of equal ones in the order of the table, each row joins the current rank unless
  /// it is shown to be slower than the row that opened it (1, 1, 3). So a shared rank says: none of
  /// these is shown to differ from the best of them.
  [[nodiscard]] std::optional<std::vector<unsigned>> ranks(std::size_t at) const;

 private:
  std::vector<table> tables_;
  std::set<std::array<std::size_t, 3>> told_apart_;  // Table, slower row, faster row.
};

}  // namespace stealbench::analysis
