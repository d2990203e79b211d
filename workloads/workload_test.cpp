// What holds of every workload, checked on one scheduler: the one that STEALBENCH_SCHEDULER names.
#include "workloads/workload.hpp"

#include <cstdint>

#include <gtest/gtest.h>

#include "workloads/all_workloads.hpp"

#include STEALBENCH_SCHEDULER_HEADER

namespace stealbench::workloads {
namespace {

using tested_scheduler = STEALBENCH_SCHEDULER;

template <class Workload>
// NOLINTNEXTLINE(readability-identifier-naming): GoogleTest shows it as the name of the suite.
class AnyWorkload : public testing::Test {
 protected:
  using input = typename Workload::input;
  using output = typename Workload::output;

  static output run(tested_scheduler& scheduler, input& in) {
    Workload::reset(in);
    return scheduler.run([&](auto worker) { return Workload::run(worker, in); });
  }
};

TYPED_TEST_SUITE(AnyWorkload, all_workloads);

TYPED_TEST(AnyWorkload, IsRightTwiceInARowOnAnyNumberOfWorkers) {
  for (const unsigned workers : {1U, 2U, 3U}) {
    tested_scheduler scheduler(schedulers::options{.workers = workers});
    for (const parameters& instance : test_instances<TypeParam>()) {
      auto in = TypeParam::prepare(instance);
      for (int repetition = 0; repetition < 2; ++repetition) {
        const auto out = this->run(scheduler, in);
        EXPECT_EQ(TypeParam::verify(in, out), true) << workers << " workers, " << repetition;
      }
    }
  }
}

TYPED_TEST(AnyWorkload, IsWrongWhereAnErrorWasPlanted) {
  tested_scheduler scheduler(schedulers::options{.workers = 2});
  for (const parameters& instance : test_instances<TypeParam>()) {
    auto in = TypeParam::prepare(instance);
    auto out = this->run(scheduler, in);
    TypeParam::spoil(in, out);
    EXPECT_EQ(TypeParam::verify(in, out), false);
  }
}

TYPED_TEST(AnyWorkload, ForksAsOftenOnEveryNumberOfWorkers) {
  tested_scheduler one(schedulers::options{.workers = 1});
  tested_scheduler three(schedulers::options{.workers = 3});
  for (const parameters& instance : test_instances<TypeParam>()) {
    auto in = TypeParam::prepare(instance);
    const std::uint64_t forks = TypeParam::fork_count(in, this->run(one, in));
    EXPECT_GT(forks, 0u);
    EXPECT_EQ(TypeParam::fork_count(in, this->run(three, in)), forks);
  }
}

}  // namespace
}  // namespace stealbench::workloads
