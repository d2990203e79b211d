// A measurement under way: rounds over all cells, and their counters.
#pragma once

#include <chrono>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "bench/compare/plan.hpp"
#include "bench/compare/process.hpp"
#include "bench/compare/progress.hpp"
#include "bench/compare/record.hpp"
#include "bench/compare/tables.hpp"

namespace stealbench::compare {

/// Measures the cells of a plan and keeps what was measured on disk. A cell that fails is not run
/// again, and the others go on.
class comparison {
 public:
  /// Takes over what has been measured if the record is of a comparison that is resumed. Throws
  /// workloads::bad_input if that is not a part of the plan.
  comparison(plan what, record& into);

  /// Measures everything that has not been measured yet. Throws `interrupted`, and
  /// std::system_error if the record cannot be written; what was measured before is on disk.
  void run();

  /// One for each cell of the plan, in its order.
  [[nodiscard]] const std::vector<cell_result>& results() const { return results_; }

 private:
  using clock = std::chrono::steady_clock;
  using seconds = std::chrono::duration<double>;

  void take_over(const nlohmann::ordered_json& begun);
  void run_round(std::uint64_t round);
  [[nodiscard]] bool is_enough(std::uint64_t rounds) const;
  [[nodiscard]] bool are_intervals_narrow() const;
  /// Since the measurement was begun, without what lay between an interruption and its resumption.
  [[nodiscard]] seconds spent() const;
  [[nodiscard]] outlook prospects() const;
  void measure(cell_result& of, std::uint64_t round);
  void count_events();
  nlohmann::ordered_json counters_of(cell_result& of);
  void fail(cell_result& of, const std::string& reason);
  void describe_cells();
  void save();

  plan plan_;
  record& record_;
  progress progress_;
  std::mt19937_64 random_;
  signal_watch watch_;
  std::vector<cell_result> results_;
  clock::time_point begin_ = clock::now();
  seconds spent_before_{0};      ///< Until this process resumed it.
  seconds last_round_{0};        ///< How long the latest round took that measured anything.
  std::uint64_t processes_ = 0;  ///< Started by this process.
};

}  // namespace stealbench::compare
