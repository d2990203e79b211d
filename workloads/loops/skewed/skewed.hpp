// Loops whose indices differ in cost by a known law: even, rising, heavy-tailed, or in four blocks.
// How well a scheduler balances can be read off, since what an even split in advance would reach
// can be computed.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "workloads/workload.hpp"

namespace stealbench::skewed {

/// The law of the cost by the index.
enum class body_kind : std::uint8_t { uniform, linear, pareto, blocks };

struct law {
  body_kind body;
  std::uint64_t units;  ///< Mean cost of an index, but for the cap of the Pareto law.
  double alpha;         ///< Exponent of the Pareto law, above 1: the lower, the heavier the tail.
  std::uint64_t seed;   ///< Of the Pareto law.
};

/// The cost of each index, in units of work. O(indices).
[[nodiscard]] std::vector<std::uint32_t> costs(const law& by, std::size_t indices);

/// What the index leaves behind after `units` units of work: a chain of as many steps, each of
/// which needs the result of the one before, so that no compiler and no processor can skip one. A
/// unit is counted and not timed: about 4 ns where it was measured.
[[nodiscard]] std::uint64_t work(std::uint64_t index, std::uint32_t units);

struct workload {
  struct visit {
    std::uint64_t result;  ///< Sum over all visits of the index.
    std::uint64_t times;
  };
  struct input {
    std::vector<std::uint32_t> costs;
    std::size_t grain;
    std::vector<visit> visits;                      ///< One for each index.
    mutable std::optional<std::uint64_t> expected;  ///< Sum of results, once it is known.
  };
  struct output {};  ///< The answer is in the input's visits.

  static kit::description describe() { return kit::description_of("skewed"); }
  static input prepare(const kit::parameters& chosen);
  static void reset(input& in) { std::fill(in.visits.begin(), in.visits.end(), visit{0, 0}); }

  template <class Worker>
  static output run(Worker worker, input& in) {
    worker->parallel_for(std::size_t{0}, in.costs.size(), in.grain,
                         [&in](Worker w, std::size_t index) {
                           visit_index(in, index);
                           kit::charge(w, in.costs[index] + std::uint64_t{1});  // See `work`.
                         });
    return {};
  }

  static output sequential(input& in);
  static void corrupt(input& in, output& /*unused*/) {
    visit_index(in, in.costs.size() / 2);  // Once more.
  }
  /// Every index once, and the sum of the results that of plain serial code.
  static std::optional<bool> verify(const input& in, const output& /*unused*/);
  static nlohmann::ordered_json answer(const input& in, const output& /*unused*/);

  static std::uint64_t fork_count(const input& in, const output& /*unused*/) {
    return kit::pieces_of_loop(in.costs.size(), in.grain);
  }

 private:
  static void visit_index(input& in, std::size_t index) {
    visit& mine = in.visits[index];
    mine.result += work(index, in.costs[index]);
    ++mine.times;
  }
};

}  // namespace stealbench::skewed
