// As many workers as large machines have processors, whatever this one has.
#include <atomic>
#include <cstddef>
#include <vector>

#include "schedulers/contract/fixture.hpp"

namespace stealbench::schedulers::contract {
namespace {

// NOLINTNEXTLINE(readability-identifier-naming): GoogleTest shows it as the name of the suite.
class HundredsOfWorkers : public testing::TestWithParam<unsigned> {};

void check(const options& chosen) {
  subject scheduler(chosen);
  EXPECT_TRUE(scheduler.worker_count() == chosen.workers || scheduler.worker_count() == 1);
  for (unsigned run = 0; run < 3; ++run) {
    EXPECT_EQ(scheduler.run([](auto worker) { return fork_leaves(worker, 12); }), 1U << 12);
    std::vector<std::atomic<unsigned>> visits(10'000);
    std::atomic<unsigned> children = 0;
    scheduler.run([&](auto worker) {
      worker->parallel_for(std::size_t{0}, visits.size(), std::size_t{1},
                           [&](auto, std::size_t i) { ++visits[i]; });
      auto group = worker->task_group();
      for (unsigned i = 0; i < 256; ++i) {
        group.spawn([&](auto) {
          linger();  // So that most workers wake up.
          ++children;
        });
      }
      group.sync();
    });
    for (const auto& each : visits) EXPECT_EQ(each, 1U);
    EXPECT_EQ(children, 256U);
  }
}

TEST_P(HundredsOfWorkers, ForksLoopsAndGroupsAreComplete) { check({.workers = GetParam()}); }

TEST_P(HundredsOfWorkers, TheyAreCompleteOnPinnedWorkersToo) {
  check({.workers = GetParam(), .pin = true});
}

#ifdef STEALBENCH_THREAD_SANITIZER
constexpr unsigned most_workers = 128;  // It keeps megabytes for each thread.
#else
constexpr unsigned most_workers = max_workers;
#endif
INSTANTIATE_TEST_SUITE_P(Counts, HundredsOfWorkers,
                         testing::Values(most_workers / 16, most_workers / 2, most_workers),
                         testing::PrintToStringParamName());

}  // namespace
}  // namespace stealbench::schedulers::contract
