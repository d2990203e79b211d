#include "bench/cell/warm_cell.hpp"

#include <vector>

#include "results/analysis/statistics.hpp"
#include "results/system/waiting.hpp"

namespace stealbench::cell {

steady_state warm_cell::run_for(std::chrono::nanoseconds at_least) {
  std::vector<double> seconds;
  std::chrono::nanoseconds total{0};
  system::usage used;
  const system::waiting_meter waiting(process_);
  const system::energy_meter::reading energy_before = energy_.read();
  bool is_wrong = false;
  do {
    const measurement ran = cell_->run(slowed_by_);
    seconds.push_back(std::chrono::duration<double>(ran.wall).count());
    total += ran.wall;
    used = used + ran.used;
    is_wrong = ran.verified == false;
  } while (total < at_least && !is_wrong);
  const auto runs = static_cast<double>(seconds.size());
  std::optional<double> joules = energy_.joules(energy_before, energy_.read());
  if (joules) *joules /= runs;
  return {.seconds = analysis::median(seconds),
          .used = used / runs,
          .energy_joules = joules,
          .waiting_threads = waiting.threads(),
          .runs = seconds.size(),
          .is_wrong = is_wrong};
}

}  // namespace stealbench::cell
