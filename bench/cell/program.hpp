// What a scheduler's benchmark executable offers, types erased.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "bench/cell/cell.hpp"
#include "bench/cell/self_description.hpp"
#include "bench/costs/catalogue.hpp"
#include "bench/costs/times.hpp"
#include "schedulers/options.hpp"
#include "schedulers/variant.hpp"
#include "workloads/kit/parameters.hpp"

namespace stealbench::cell {

/// A workload on one scheduler type.
struct program {
  kit::description description;
  cell_maker timed;     ///< Counts nothing.
  cell_maker counting;  ///< The same strategy with counting compiled in; null where there is none.
};

/// What stands in a scheduler's place where a workload's sequential version is run.
inline constexpr std::string_view sequential_name = "sequential";

/// One scheduler type of this executable: what one compilation of scheduler_benchmark.cpp gives.
/// A scheduler whose variants differ in type has several.
struct strategy {
  std::string_view scheduler;
  schedulers::description (*describe)();
  std::string_view deque;  ///< Its value of the key `deque`; empty where there is one type only.
  std::vector<program> (*programs)();
  std::string (*library)();  ///< As schedulers::library_of.
  /// Measures a figure: costs::measure_figure(), or the raw cost.
  costs::figure_result (*measure)(costs::figure, const schedulers::options&);
};

/// Adds to the strategies of this executable. For initializers of namespace-scope variables, so
/// that linking a compilation is all it takes. Returns true.
bool register_strategy(const strategy& added);

/// In no particular order; all are of the same scheduler.
[[nodiscard]] const std::vector<strategy>& strategies();

/// Whether the type whose deque the variant names is linked here.
[[nodiscard]] bool is_linked(const schedulers::variant& chosen);

/// That type. Requires: it is linked here.
[[nodiscard]] const strategy& strategy_of(const schedulers::variant& chosen);

/// What can be set on the scheduler of this executable; empty where it has one type only.
[[nodiscard]] std::vector<schedulers::setting> settings_of_scheduler();

[[nodiscard]] self_description describe();

/// The scheduler of this executable, without settings.
[[nodiscard]] std::string_view scheduler_name();

}  // namespace stealbench::cell
