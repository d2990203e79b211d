// The engine over deques with room for one job, then two: most pushes are refused, under thieves.
// A refused branch runs at once, and none is lost or run twice.
#include <atomic>
#include <cstddef>
#include <stdexcept>
#include <string>
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

TYPED_TEST(FullDeque, RunsEveryBranchOnce) {
  expect_each_leaf_once(this->scheduler_, 20'000, 50);
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
          count_leaves(w, &leaves[i * 8], 8);
          if (i >= throwing) throw std::runtime_error(std::to_string(i));
        });
      }
      try {
        group.sync();
        ADD_FAILURE() << "threw nothing";
      } catch (const std::runtime_error& first) {
        EXPECT_EQ(first.what(), std::to_string(throwing));
      }
    });
    for (std::size_t i = 0; i < leaves.size(); ++i) ASSERT_EQ(leaves[i], 1) << i;
  }
  const auto seen = this->scheduler_.counters().value();
  EXPECT_EQ(seen.jobs_spawned, seen.jobs_run);
  EXPECT_GT(seen.jobs_inlined, 0U);
}

}  // namespace
}  // namespace stealbench::work_stealing
