#include "schedulers/operating_system/processors.hpp"

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <hwloc.h>
#include <sched.h>

#include "schedulers/options.hpp"

namespace stealbench::operating_system {
namespace {

using numbers = std::vector<unsigned>;

numbers range(unsigned first, unsigned last) {
  numbers all(last - first);
  std::iota(all.begin(), all.end(), first);
  return all;
}

/// As hwloc describes it: `package:2 core:4 pu:2`. hwloc numbers the processors as it is told.
class machine {
 public:
  explicit machine(const std::string& description) {
    hwloc_topology_init(&topology_);
    if (hwloc_topology_set_synthetic(topology_, description.c_str()) != 0 ||
        hwloc_topology_load(topology_) != 0) {
      throw std::invalid_argument(description);
    }
  }
  machine(const machine&) = delete;
  machine& operator=(const machine&) = delete;
  ~machine() { hwloc_topology_destroy(topology_); }

  [[nodiscard]] processor_map map(const numbers& allowed) const { return {topology_, allowed}; }

 private:
  hwloc_topology_t topology_ = nullptr;
};

TEST(Processors, PinnedWorkersFillTheCoresPackageByPackageAndThenTheSecondThreads) {
  const auto order = [](const char* description, const numbers& allowed) {
    return machine(description).map(allowed).order();
  };
  EXPECT_EQ(order("package:2 core:4 pu:2", range(0, 16)),
            (numbers{0, 2, 4, 6, 8, 10, 12, 14, 1, 3, 5, 7, 9, 11, 13, 15}));
  // As Linux numbers them on most machines: the second threads after the first ones of all cores.
  EXPECT_EQ(order("package:2 core:2 pu:2(indexes=0,4,2,6,1,5,3,7)", range(0, 8)),
            (numbers{0, 2, 1, 3, 4, 6, 5, 7}));
  // Where the process may not use all.
  const char* const two_packages = "package:2 numa:1 core:4 pu:2";
  EXPECT_EQ(order(two_packages, range(8, 16)), (numbers{8, 10, 12, 14, 9, 11, 13, 15}));
  EXPECT_EQ(order(two_packages, {1, 2, 3, 9}), (numbers{1, 2, 9, 3})) << "first of those allowed";
  // Third threads come after the second ones; what the machine does not show, after its cores.
  EXPECT_EQ(order("core:2 pu:4", {1, 2, 3, 5, 6, 7, 40, 41}), (numbers{1, 5, 40, 41, 2, 6, 3, 7}));
  const processor_map nothing_known(nullptr, {3, 5});
  EXPECT_EQ(nothing_known.order(), (numbers{3, 5}));
  EXPECT_EQ(nothing_known.workers_by_distance(1, 3), (numbers{1, 2, 0}));
}

TEST(Processors, AMachineOfAThousandCoresIsPinnedCoreByCore) {
  const processor_map map = machine("package:8 numa:4 l3:4 core:8 pu:2").map(range(0, 2048));
  for (unsigned i = 0; i < 1024; ++i) {
    ASSERT_EQ(map.order()[i], 2 * i);
    ASSERT_EQ(map.order()[1024 + i], 2 * i + 1);
  }
}

TEST(Processors, TheNearestWorkersAreOnTheSameCoreThenCacheThenPackage) {
  const machine two_packages("package:2 l3:2 core:2 pu:2");
  const processor_map map = two_packages.map(range(0, 16));
  // Workers 0 to 7 have the cores, and 8 to 15 the second threads of the same ones.
  EXPECT_EQ(map.workers_by_distance(1, 16),
            (numbers{1, 9, 8, 0, 2, 3, 10, 11, 4, 5, 6, 7, 12, 13, 14, 15}));
  // Worker 16 has the processor of worker 0.
  EXPECT_EQ(map.workers_by_distance(0, 17).at(1), 16U);
}

TEST(Processors, EveryWorkerIsNamedOnceAndTheWorkerItselfFirst) {
  for (const unsigned workers : {1U, 2U, 3U, 8U, 256U, schedulers::max_workers}) {
    for (unsigned worker = 0; worker < workers; worker += 1 + workers / 10) {
      numbers order = this_machine().workers_by_distance(worker, workers);
      EXPECT_EQ(order.front(), worker);
      std::ranges::sort(order);
      EXPECT_EQ(order, range(0, workers));
    }
  }
}

TEST(Processors, ThoseOfThisProcessAreItsAffinity) {
  processor_set own{};
  ASSERT_EQ(sched_getaffinity(0, sizeof own, own.data()), 0);
  EXPECT_EQ(processor_count(), static_cast<unsigned>(CPU_COUNT_S(sizeof own, own.data())));
  EXPECT_EQ(this_machine().order().size(), processor_count());
  for (const unsigned each : this_machine().order()) {
    EXPECT_TRUE(CPU_ISSET_S(each, sizeof own, own.data()));
  }
}

TEST(Processors, ASetHoldsMoreProcessorsThanACpuSet) {
  const processor_set one = only(5000);
  EXPECT_EQ(CPU_COUNT_S(sizeof one, one.data()), 1);
  EXPECT_TRUE(CPU_ISSET_S(5000, sizeof one, one.data()));
}

TEST(ProcessorsDeathTest, AreThoseAtStartUpWhoeverAsksFirst) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");  // Runs this test alone, from the start.
  EXPECT_EXIT(
      {
        processor_set all{};
        sched_getaffinity(0, sizeof all, all.data());
        unsigned first = 0;
        while (!CPU_ISSET_S(first, sizeof all, all.data())) ++first;
        const processor_set one = only(first);
        sched_setaffinity(0, sizeof one, one.data());
        const auto at_start_up = static_cast<unsigned>(CPU_COUNT_S(sizeof all, all.data()));
        std::_Exit(processor_count() == at_start_up ? 0 : 1);
      },
      testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace stealbench::operating_system
