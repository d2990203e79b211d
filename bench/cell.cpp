#include "bench/cell.hpp"

#include <cstdlib>

namespace stealbench::bench {

bool error_is_planted(std::string_view workload) {
  // NOLINTNEXTLINE(concurrency-mt-unsafe): nothing here sets the environment.
  const char* const planted = std::getenv("STEALBENCH_PLANT_ERROR");
  return planted != nullptr && planted == workload;
}

measurement cell::run() {
  reset();
  const auto before = std::chrono::steady_clock::now();
  execute();
  const auto after = std::chrono::steady_clock::now();
  return {.wall = after - before, .verified = verified()};
}

}  // namespace stealbench::bench
