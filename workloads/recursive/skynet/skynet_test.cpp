#include "workloads/recursive/skynet/skynet.hpp"

#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "schedulers/serial/scheduler.hpp"
#include "workloads/kit/counting_worker.hpp"

namespace stealbench::skynet {
namespace {

workload::input prepared(const std::string& depth) {
  return workload::prepare({workload::describe(), {{"depth", depth}}});
}

TEST(Skynet, HasThePublishedSumOfAMillionLeaves) {
  const workload::input in = prepared("6");
  EXPECT_EQ(workload::run(serial::worker{}, in), 499999500000u);
  EXPECT_EQ(workload::sequential(in), 499999500000u);
}

TEST(Skynet, AcceptsThePublishedSumsAlone) {
  const std::vector<std::pair<std::string, std::uint64_t>> published{{"6", 499999500000},
                                                                     {"8", 4999999950000000}};
  for (const auto& [depth, sum] : published) {
    EXPECT_EQ(workload::verify(prepared(depth), sum), true) << depth;
    EXPECT_EQ(workload::verify(prepared(depth), sum - 1), false) << depth;
  }
}

}  // namespace
}  // namespace stealbench::skynet
