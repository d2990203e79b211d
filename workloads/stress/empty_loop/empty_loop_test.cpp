#include "workloads/stress/empty_loop/empty_loop.hpp"

#include <cstdint>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "schedulers/serial/scheduler.hpp"
#include "workloads/kit/counting_worker.hpp"

namespace stealbench::empty_loop {
namespace {

workload::input prepared(std::uint64_t indices, std::uint64_t grain) {
  return workload::prepare(
      {workload::describe(),
       {{"indices", std::to_string(indices)}, {"grain", std::to_string(grain)}, {"loops", "3"}}});
}

TEST(EmptyLoop, VisitsEveryIndexInEachLoop) {
  for (const std::uint64_t indices : {1U, 2U, 63U, 64U, 65U}) {
    workload::input in = prepared(indices, 7);
    const workload::output out = workload::run(serial::worker{}, in);
    EXPECT_EQ(workload::answer(in, out).dump(), R"({"fewest_visits":3,"most_visits":3})");
    EXPECT_EQ(workload::verify(in, out), true);
  }
}

TEST(EmptyLoop, OffersThePiecesOfEachLoop) {
  for (const std::uint64_t grain : {1U, 3U, 64U, 65U, 1000U}) {
    workload::input in = prepared(64, grain);
    std::uint64_t pieces = 0;
    const workload::output out = workload::run(kit::counting_worker{&pieces}, in);
    EXPECT_EQ(workload::fork_count(in, out), pieces) << grain;
  }
}

TEST(EmptyLoop, NoticesAnIndexThatWasVisitedTwice) {
  workload::input in = prepared(10, 1);
  const workload::output out = workload::run(serial::worker{}, in);
  ++in.slots[3];
  EXPECT_EQ(workload::verify(in, out), false);
  EXPECT_EQ(workload::answer(in, out)["most_visits"], 4);
}

}  // namespace
}  // namespace stealbench::empty_loop
