#include "workloads/stress/spc/spc.hpp"

#include <cstdint>
#include <string>

#include <gtest/gtest.h>

#include "schedulers/serial/scheduler.hpp"
#include "workloads/kit/counting_worker.hpp"

namespace stealbench::spc {
namespace {

workload::input prepared(std::uint64_t tasks, std::uint64_t batch) {
  return workload::prepare({workload::describe(),
                            {{"tasks", std::to_string(tasks)},
                             {"batch", std::to_string(batch)},
                             {"work", "3"},
                             {"produce", "2"}}});
}

TEST(Spc, SpawnsEveryTaskWhateverTheBatch) {
  for (const std::uint64_t batch : {0U, 1U, 2U, 7U, 16U, 17U, 100U, 1000U}) {
    for (const std::uint64_t tasks : {1U, 16U, 17U, 100U}) {
      workload::input in = prepared(tasks, batch);
      std::uint64_t spawned = 0;
      const workload::output out = workload::run(kit::counting_worker{&spawned}, in);
      EXPECT_EQ(spawned, tasks) << batch;
      EXPECT_EQ(workload::verify(in, out), true) << batch;
    }
  }
}

TEST(Spc, TakesAllBatchesAsLargeAsTheTasksIfNoneIsSet) {
  EXPECT_EQ(prepared(100, 0).how.batch, 100u);
}

TEST(Spc, NoticesAProducerThatSkippedAStep) {
  workload::input in = prepared(10, 0);
  const workload::output out = workload::run(serial::worker{}, in);
  EXPECT_EQ(workload::verify(in, out + 1), false);
}

}  // namespace
}  // namespace stealbench::spc
