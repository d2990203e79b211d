// What the schedulers of both engines refuse.
#include "schedulers/engine/base_scheduler.hpp"

#include <stdexcept>

#include <gtest/gtest.h>

#include "schedulers/busy_leaves/scheduler.hpp"
#include "schedulers/central_queue/scheduler.hpp"
#include "schedulers/engine/std_machine.hpp"
#include "schedulers/options.hpp"

namespace stealbench::engine {
namespace {

TEST(BaseScheduler, IsNotMadeWithoutAWorkerOrWithMoreThanTheMachineAllows) {
  for (const unsigned workers : {0U, std_machine::limits().max_workers + 1}) {
    const schedulers::options options{.workers = workers};
    EXPECT_THROW(central_queue::scheduler{options}, std::invalid_argument) << workers;
    EXPECT_THROW(busy_leaves::scheduler{options}, std::invalid_argument) << workers;
  }
  const schedulers::options most{.workers = std_machine::limits().max_workers};
  EXPECT_EQ(&checked<std_machine>(most), &most);
}

}  // namespace
}  // namespace stealbench::engine
