#include "schedulers/operating_system/distance.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include "schedulers/operating_system/thread.hpp"

namespace stealbench::operating_system {
namespace {

TEST(Distance, NamesEveryWorkerOnceAndTheWorkerItselfFirst) {
  for (const unsigned workers : {1U, 2U, 3U, 8U, 256U}) {
    for (unsigned worker = 0; worker < workers; worker += 3) {
      std::vector<unsigned> order = workers_by_distance(worker, workers);
      EXPECT_EQ(order.front(), worker);
      std::sort(order.begin(), order.end());
      std::vector<unsigned> all(workers);
      std::iota(all.begin(), all.end(), 0U);
      EXPECT_EQ(order, all);
    }
  }
}

TEST(Distance, PutsThoseOnTheSameProcessorBeforeThoseOnAnother) {
  const unsigned processors = processor_count();
  const std::vector<unsigned> order = workers_by_distance(0, 2 * processors);
  if (processors > 1) {
    EXPECT_EQ(order.at(1), processors);
  }
}

}  // namespace
}  // namespace stealbench::operating_system
