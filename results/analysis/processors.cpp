#include "results/analysis/processors.hpp"

#include <algorithm>

namespace stealbench::analysis {

using dataset::metric;

bool lost_processor(const dataset::sample& of) {
  constexpr double most_waiting = 0.1;  // Of each worker's time.
  const auto waiting = of[metric::waiting_threads];
  return waiting && *waiting > most_waiting * of[metric::worker_count].value();
}

bool lost_processor(const dataset::measured_cell& of) {
  constexpr std::ptrdiff_t part = 3;
  const auto lost = std::ranges::count_if(
      of.samples, [](const dataset::sample& each) { return lost_processor(each); });
  return lost > 0 && lost * part >= std::ssize(of.samples);
}

bool is_waiting_known(const dataset::measurements& data) {
  return std::ranges::any_of(data.cells(), [](const dataset::measured_cell& each) {
    return std::ranges::any_of(each.samples, [](const dataset::sample& one) {
      return one[metric::waiting_threads].has_value();
    });
  });
}

std::vector<std::string> cells_without_processor(const dataset::measurements& data) {
  std::vector<std::string> names;
  for (const dataset::measured_cell& each : data.cells()) {
    if (has_finished(each) && lost_processor(each)) names.push_back(name_of(each.which));
  }
  return names;
}

}  // namespace stealbench::analysis
