#include "schedulers/rayon/bridge.hpp"

#include <atomic>
#include <cstddef>

#include <gtest/gtest.h>

namespace stealbench::rayon {
namespace {

std::atomic<unsigned> threads_ended =
    0;  // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)

struct at_the_end {
  at_the_end() = default;
  at_the_end(const at_the_end&) = delete;
  at_the_end& operator=(const at_the_end&) = delete;
  ~at_the_end() { ++threads_ended; }

  std::size_t index = 0;
};

// Many, so that some have not begun yet when the pool is stopped.
TEST(RayonBridge, HasNoThreadLeftOnceItHasStopped) {
  constexpr std::size_t workers = 200;
  pool* const threads = stealbench_rayon_start(workers, 1U << 16, [](std::size_t index) {
    thread_local at_the_end counted;
    counted.index = index;
  });
  ASSERT_NE(threads, nullptr);
  stealbench_rayon_stop(threads);
  EXPECT_EQ(threads_ended, workers);
}

}  // namespace
}  // namespace stealbench::rayon
