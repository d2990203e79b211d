// What a measurement does next: the order of a round, whether it is enough, how long it still
// takes. It starts no process and reads no clock.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <random>
#include <span>
#include <vector>

#include "bench/driver/rounds/progress.hpp"
#include "results/analysis/statistics.hpp"
#include "results/dataset/cell.hpp"

namespace stealbench::rounds {

inline constexpr unsigned most_rounds = 1000;

/// Below these nothing is told apart, whatever the budget says.
inline constexpr unsigned fewest_rounds = analysis::fewest_for_interval;

/// When to stop: after `rounds` if there are some. Otherwise, after `fewest_rounds`, as soon as the
/// interval of every median is within the target or the budget is spent.
struct stopping_rule {
  unsigned rounds = 0;
  double target_percent = 2;      ///< Half of an interval's width, as a part of the median.
  unsigned budget_seconds = 120;  ///< Another round begins if at least half of it would fit.
};

using seconds = std::chrono::duration<double>;
using cells_so_far = std::span<const dataset::measured_cell>;

/// What a measurement has taken.
struct effort {
  seconds spent{0};       ///< Since the experiment began, without what an interruption took.
  seconds last_round{0};  ///< The latest that measured anything; 0 before.
  std::optional<seconds> per_process = {};  ///< None before the first.
  unsigned round = 0;                       ///< The one in hand, which is finished in any case.
  seconds report{0};                        ///< What follows the last process takes.
};

/// To compute, write and draw the report of so many cells, roughly.
[[nodiscard]] constexpr seconds report_time(std::size_t cells) {
  return seconds(0.25) + seconds(0.004) * static_cast<double>(cells);
}

/// Whether no round is to follow `rounds`, which every cell has that has not failed. One that some
/// cells have, too, is finished in any case.
[[nodiscard]] bool is_enough(const stopping_rule& until, unsigned rounds, const effort& so_far,
                             cells_so_far cells);

/// The cells that lack this round, counted from 1, as indices, in an order of its own. The random
/// numbers that it draws do not depend on what is measured: a resumed experiment has the orders of
/// one that was never stopped.
[[nodiscard]] std::vector<std::size_t> order_of_round(unsigned round, cells_so_far cells,
                                                      std::mt19937_64& random);

/// Whether the run that counts is missing: the cell has not failed, and it is not known that its
/// scheduler has no counters.
[[nodiscard]] bool is_to_count(std::size_t index, cells_so_far cells);

/// By what the processes so far took each, and by the budget if it lasts longer than the rounds
/// that run in any case: the fewest, and the one in hand. `counts`: one more run of each cell
/// counts its events.
[[nodiscard]] outlook outlook_on(const stopping_rule& until, bool counts, const effort& so_far,
                                 cells_so_far cells);

}  // namespace stealbench::rounds
