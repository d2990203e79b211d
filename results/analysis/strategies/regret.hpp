// Regret: the time of a strategy over that of the best one, for whoever must choose one for all
// programs. The values are `estimates::over`; here is what datasets have to have in common.
//
// All functions are pure; any thread may call them.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "results/analysis/estimates.hpp"

namespace stealbench::analysis {

/// With fewer strategies a ranking says no more than one ratio.
inline constexpr std::size_t fewest_strategies = 3;

/// Instances that one statement is about.
struct family {
  std::string name;                    ///< Empty for all instances.
  std::vector<std::size_t> instances;  ///< Of the estimates.
};

/// All instances, and then those of each family.
[[nodiscard]] std::vector<family> families_of(const estimates& known);

/// The number of those that have a benchmark with that many workers: `serial` has one with the most
/// alone.
[[nodiscard]] std::size_t strategies_with(const measurements& data, unsigned workers);

/// Whether it compares strategies, and with some worker count at least `fewest_strategies` of them.
[[nodiscard]] bool has_regret(const measurements& data);

/// The strategy that most others of an ablation are compared with; empty if it is none.
[[nodiscard]] std::string base_of(const measurements& data);

/// The worker counts of a measurement; of a simulation those that it reports, since one worker may
/// have been simulated for the speedup alone. Without those of fewer than `fewest_strategies`.
[[nodiscard]] std::vector<unsigned> reported_workers(const estimates& known);

/// Of each dataset that has regret what all of them have: the best of more strategies, or on other
/// workloads, is another one. None if too few strategies are left.
[[nodiscard]] std::vector<measurements> comparable(std::span<const measurements> all);

/// The regret of a scheduler with each worker count with which it finished all, for other programs.
/// Without those of fewer than `fewest_strategies`.
[[nodiscard]] json regret_in_json(const estimates& known, const std::string& scheduler);

}  // namespace stealbench::analysis
