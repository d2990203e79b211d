#include "bench/driver/rounds/schedule.hpp"

#include <algorithm>
#include <numeric>

namespace stealbench::rounds {
namespace {

using dataset::measured_cell;

bool are_intervals_narrow(double percent, cells_so_far cells) {
  return std::ranges::all_of(cells, [=](const measured_cell& each) {
    if (!has_finished(each)) return true;
    if (each.samples.size() < fewest_rounds) return false;
    const analysis::estimate time =
        analysis::estimate_median(values_of(each, dataset::metric::seconds));
    return 100 * analysis::relative_half_width(time) <= percent;
  });
}

}  // namespace

bool is_enough(const stopping_rule& until, unsigned rounds, const effort& so_far,
               cells_so_far cells) {
  if (until.rounds > 0) return rounds >= until.rounds;
  if (rounds < fewest_rounds) return false;
  // One that was begun before an interruption, and whose budget is spent.
  const bool is_begun = std::ranges::any_of(cells, [=](const measured_cell& each) {
    return each.failure.empty() && each.samples.size() > rounds;
  });
  if (is_begun) return false;
  return rounds >= most_rounds ||
         (so_far.spent + so_far.last_round / 2).count() > until.budget_seconds ||
         are_intervals_narrow(until.target_percent, cells);
}

// In an order of its own, so that what drifts with time (heat, other programs) does not favour one
// scheduler.
std::vector<std::size_t> order_of_round(unsigned round, cells_so_far cells,
                                        std::mt19937_64& random) {
  std::vector<std::size_t> order(cells.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::shuffle(order.begin(), order.end(), random);
  std::erase_if(order, [&](std::size_t index) {
    return !cells[index].failure.empty() || cells[index].samples.size() >= round;
  });
  return order;
}

bool is_to_count(std::size_t index, cells_so_far cells) {
  const measured_cell& subject = cells[index];
  return subject.failure.empty() && !subject.was_counted &&
         std::ranges::none_of(cells, [&](const measured_cell& each) {
           return each.which.scheduler == subject.which.scheduler && each.failure.empty() &&
                  each.was_counted && each.counters.is_null();
         });
}

outlook outlook_on(const stopping_rule& until, bool counts, const effort& so_far,
                   cells_so_far cells) {
  const std::size_t rounds =
      until.rounds > 0 ? until.rounds : std::max(fewest_rounds, so_far.round);
  const std::size_t passes = rounds + (counts ? 1U : 0U);
  const auto all = static_cast<double>(cells.size() * passes);
  double finished = 0;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const std::size_t of_cell =
        std::min(cells[i].samples.size(), rounds) + (counts && !is_to_count(i, cells) ? 1U : 0U);
    finished += static_cast<double>(cells[i].failure.empty() ? of_cell : passes);
  }
  outlook ahead{.done = finished / all, .seconds_left = {}};
  if (!so_far.per_process) return ahead;
  double left = so_far.per_process->count() * (all - finished);
  const double spent = so_far.spent.count();
  if (until.rounds == 0) left = std::max(left, until.budget_seconds - spent);
  left += so_far.report.count();
  ahead.seconds_left = left;
  if (until.rounds == 0) ahead.done = left > 0 ? spent / (spent + left) : 1.0;
  return ahead;
}

}  // namespace stealbench::rounds
