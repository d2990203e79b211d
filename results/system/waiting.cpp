#include "results/system/waiting.hpp"

#include <algorithm>
#include <fstream>
#include <system_error>
#include <utility>

namespace stealbench::system {

std::optional<double> waited_seconds(const std::filesystem::path& process) {
  constexpr double seconds_per_nanosecond = 1e-9;
  std::optional<double> sum;
  std::error_code error;
  std::filesystem::directory_iterator each(process / "task", error);
  for (const std::filesystem::directory_iterator end; !error && each != end;
       each.increment(error)) {
    std::ifstream file(each->path() / "schedstat");
    double ran = 0;
    double waited = 0;
    if (!(file >> ran >> waited)) continue;  // It has just ended.
    sum = sum.value_or(0) + waited * seconds_per_nanosecond;
  }
  return sum;
}

waiting_meter::waiting_meter(std::filesystem::path process)
    : process_(std::move(process)), before_(waited_seconds(process_)) {}

std::optional<double> waiting_meter::threads(std::chrono::duration<double> elapsed) const {
  const std::optional<double> now = waited_seconds(process_);
  if (!before_ || !now || elapsed.count() <= 0) return {};
  return std::max(0.0, (*now - *before_) / elapsed.count());
}

}  // namespace stealbench::system
