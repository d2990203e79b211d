// What one recorded run of a program shows of its dag: the strands between its forks and joins.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace stealbench::work_span {

/// A call of fork_join, parallel_for, spawn or sync in the program, and what follows it up to the
/// next one. Line 0 is the start of the program.
struct place {
  const char* file = "";
  unsigned line = 0;
  double work_ns = 0;  ///< Of all strands that follow it.
  double span_ns = 0;  ///< Of those on the critical path.
};

/// What the program offers, and a scheduler charges for in its own way.
enum class task_kind : std::uint8_t { fork, spawn, piece };

inline constexpr std::size_t most_places = 24;  ///< A further place counts as the last one.
inline constexpr std::size_t most_depths = 64;  ///< A deeper strand counts as one of the deepest.
inline constexpr std::size_t length_classes = 40;

/// Times are in ns: of the clock, or of units of work at a given price each.
struct record {
  double work_ns = 0;  ///< T1: of all strands.
  double span_ns = 0;  ///< Of the longest chain of strands, on unlimited processors.
  /// The span if each spawned branch or child, and each piece of a loop but the first, also pays
  /// for a steal: what a scheduler can hope for (He, Leiserson & Leiserson, "The Cilkview
  /// scalability analyzer", SPAA 2010).
  double burdened_span_ns = 0;
  std::uint64_t burdens = 0;     ///< The number in burdened_span_ns.
  std::uint64_t work_units = 0;  ///< 0 where the workload charges for none.
  std::uint64_t span_units = 0;  ///< Of the chain that is longest in units.
  std::uint64_t tasks = 0;       ///< Forked branches, spawned children, and pieces of loops:
  std::array<std::uint64_t, 3> tasks_of_kind = {};  ///< each by its `task_kind`.
  std::uint64_t strands = 0;
  std::uint64_t depth = 0;  ///< Most forks, loops and spawns that are nested.
  /// Most branches and children that are spawned and not joined, if one worker runs the program and
  /// children wait for their sync, which joins them as it returns. A loop counts as one.
  std::uint64_t most_live_tasks = 0;
  std::array<std::uint64_t, length_classes> strands_of_length = {};  ///< [i]: of [2^i, 2^(i+1)) ns.
  std::array<double, most_depths> span_ns_at_depth = {};             ///< Of the critical path.
  std::vector<place> places = {};  ///< In the order of the program's first calls.
  /// The work in each interval of `interval_ns` of a schedule on unlimited processors that starts
  /// every strand as early as it can. Divided by the interval it is the parallelism over time.
  std::vector<double> work_over_time = {};
  double interval_ns = 0;

  [[nodiscard]] double parallelism() const { return span_ns > 0 ? work_ns / span_ns : 1; }
};

}  // namespace stealbench::work_span
