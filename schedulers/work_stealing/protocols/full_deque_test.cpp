// The engine over deques with room for one job, then two: most pushes are refused, under thieves.
// A refused branch runs at once, and none is lost or run twice.
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "schedulers/work_stealing/rings_fixture.hpp"
#include "schedulers/work_stealing/scheduler.hpp"

namespace stealbench::work_stealing {
namespace {

template <class Of>
// NOLINTNEXTLINE(readability-identifier-naming): GoogleTest shows it as the name of the suite.
class FullDeque : public testing::Test {
 protected:
  typename scheduler_over<narrow<Of>>::counting_variant scheduler_{{.workers = 3}};  // NOLINT
};

TYPED_TEST_SUITE(FullDeque, rings::types, ring_names);

/// Counts what it runs in leaves[0] to leaves[count - 1]. Every hundredth leaf or so lets thieves
/// come, who have little time otherwise: most of the program is calls.
template <class Worker>
void fork_leaves(Worker worker, std::atomic<int>* leaves, std::size_t count) {
  if (count == 1) {
    if (reinterpret_cast<std::uintptr_t>(leaves) % 512 == 0) std::this_thread::yield();
    ++*leaves;
    return;
  }
  const std::size_t half = count / 2;
  worker->fork_join([=](auto w) { fork_leaves(w, leaves, half); },
                    [=](auto w) { fork_leaves(w, leaves + half, count - half); });
}

TYPED_TEST(FullDeque, RunsEveryBranchOnce) {
  std::vector<std::atomic<int>> leaves(20'000);
  for (int round = 1; round <= 50; ++round) {
    this->scheduler_.run([&](auto w) { fork_leaves(w, leaves.data(), leaves.size()); });
    for (std::size_t i = 0; i < leaves.size(); ++i) ASSERT_EQ(leaves[i], round) << i;
  }
  const auto seen = this->scheduler_.counters().value();
  EXPECT_EQ(seen.jobs_spawned, seen.jobs_run);
  EXPECT_GT(seen.jobs_inlined, 0U);
  EXPECT_GT(seen.steals, 0U);
}

TYPED_TEST(FullDeque, RunsEveryChildOnceWhicheverThrows) {
  constexpr std::size_t children = 50;
  for (std::size_t throwing = 0; throwing < children; ++throwing) {
    std::vector<std::atomic<int>> leaves(children * 8);
    this->scheduler_.run([&](auto worker) {
      auto group = worker->task_group();
      for (std::size_t i = 0; i < children; ++i) {
        group.spawn([&leaves, i, throwing](auto w) {
          fork_leaves(w, &leaves[i * 8], 8);
          if (i == throwing) throw std::runtime_error("a child");
        });
      }
      EXPECT_THROW(group.sync(), std::runtime_error);
    });
    for (std::size_t i = 0; i < leaves.size(); ++i) ASSERT_EQ(leaves[i], 1) << i;
  }
  const auto seen = this->scheduler_.counters().value();
  EXPECT_EQ(seen.jobs_spawned, seen.jobs_run);
  EXPECT_GT(seen.jobs_inlined, 0U);
}

}  // namespace
}  // namespace stealbench::work_stealing
