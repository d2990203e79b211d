#include "bench/cell.hpp"

namespace stealbench::bench {

measurement cell::run() {
  reset();
  const auto before = std::chrono::steady_clock::now();
  execute();
  const auto after = std::chrono::steady_clock::now();
  return {.wall = after - before, .verified = verified()};
}

}  // namespace stealbench::bench
