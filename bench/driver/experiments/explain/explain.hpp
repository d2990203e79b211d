// What `stealbench explain` computes from a recorded dag and measured times.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "results/analysis/estimates.hpp"
#include "results/report/document.hpp"
#include "results/report/format.hpp"

namespace stealbench::experiments::explain {

/// Between which times every greedy schedule lies (Graham 1966; Brent 1974).
struct bounds {
  double least_seconds;  ///< max(T1 / P, T∞).
  double most_seconds;   ///< T1 / P + T∞.
};
[[nodiscard]] bounds bounds_of(const dataset::json& recorded, unsigned workers);

/// Where the time of all workers of one benchmark went [ns]: their sum is P · T_P. What is known of
/// more than one worker is none with one, and where the scheduler does not count.
struct budget {
  std::string scheduler;
  unsigned workers;
  double total_ns;  ///< P · T_P.
  double alone_ns;  ///< T1 of the scheduler.
  double work_ns;   ///< Ts.
  double tasks_ns;  ///< Tasks × the price of one, which another instance of the workload has shown.
  std::optional<double> wake_ups_ns = {};  ///< Wake-ups × their price for the waker.
  std::optional<double> steals_ns = {};    ///< Stolen tasks × the price of a steal for the thief.
  std::optional<double> waiting_ns = {};   ///< Other time on a processor without a task.
  std::optional<double> idle_ns = {};      ///< Time without a processor: asleep, or preempted.
  /// By how much T1 is longer while the other processors are busy.
  std::optional<double> inflation_ns = {};
  /// The part of `to_explain_ns` that is explained; none where it is not told apart from 0.
  std::optional<double> explained = {};

  /// T1 − Ts with one worker, P · T_P − T1 with more.
  [[nodiscard]] double to_explain_ns() const;
  [[nodiscard]] double unexplained_ns() const;
};

/// What a task costs, by the fastest round with one worker and that of serial; not below 0.
[[nodiscard]] double task_price_ns(std::span<const double> times_ns,
                                   std::span<const double> serial_ns, double tasks);

/// Of each benchmark that has finished, but serial, and of whose scheduler one worker has.
[[nodiscard]] std::vector<budget> budgets_of(const analysis::estimates& known);
[[nodiscard]] dataset::json json_of(const budget& each);
[[nodiscard]] report::section budget_section(const analysis::estimates& known);

[[nodiscard]] inline double number(const dataset::json& object, const char* key) {
  return object.at(key).get<double>();
}
[[nodiscard]] inline std::string time(double ns) { return report::seconds(ns * 1e-9); }

/// The places by what they have of the span, the greatest first.
[[nodiscard]] std::vector<dataset::json> by_span(const dataset::json& recorded);
[[nodiscard]] std::string place_text(const dataset::json& place);

/// What was simulated; empty if nothing was.
[[nodiscard]] dataset::json simulation_in(const analysis::estimates& known);

/// A measured or a simulated time.
struct known_time {
  std::string scheduler;
  unsigned workers;  ///< Of `serial` 1, beside however many the dataset has it.
  bool is_simulated;
  std::optional<analysis::estimate> seconds = {};
  std::optional<analysis::estimate> speedup = {};  ///< Over `serial`.
  const dataset::measured_cell* cell = nullptr;    ///< Unless it is simulated.
};
/// Of estimates that outlive them. The simulated ones last, but for those that were measured too.
[[nodiscard]] std::vector<known_time> times_of(const analysis::estimates& known);

/// Whether it has one worker, whatever the number in its cell.
[[nodiscard]] bool is_serial(const known_time& each);

/// Sentences that the recorded values and the measured times carry; the most important one first.
[[nodiscard]] std::vector<std::string> advice_for(const dataset::json& recorded,
                                                  const analysis::estimates& known);

/// One object: what was recorded, and `bounds`, `advice`.
[[nodiscard]] dataset::json json_of(const dataset::measurements& data);

[[nodiscard]] std::vector<report::section> explain_sections(const dataset::measurements& data);

}  // namespace stealbench::experiments::explain
