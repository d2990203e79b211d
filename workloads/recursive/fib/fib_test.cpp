#include "workloads/recursive/fib/fib.hpp"

#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "schedulers/serial/scheduler.hpp"
#include "workloads/kit/counting_worker.hpp"

namespace stealbench::fib {
namespace {

TEST(Fib, HasThePublishedValues) {
  const std::vector<std::pair<unsigned, std::uint64_t>> published{
      {0, 0}, {1, 1}, {2, 1}, {20, 6765}, {27, 196418}, {30, 832040}};
  for (const auto& [n, value] : published) EXPECT_EQ(fib(serial::worker{}, n), value) << n;
}

TEST(Fib, ByAdditionHasThePublishedValues) {
  const std::vector<std::pair<unsigned, std::uint64_t>> published{
      {0, 0},         {1, 1},          {30, 832040},    {35, 9227465},
      {39, 63245986}, {40, 102334155}, {42, 267914296}, {90, 2880067194370816120}};
  for (const auto& [n, value] : published) EXPECT_EQ(fib_by_addition(n), value) << n;
}

TEST(Fib, CanBeSetFromNoughtTo90) {
  const kit::description described = workload::describe();
  EXPECT_EQ(workload::prepare({described, {{"n", "0"}}}).n, 0u);
  EXPECT_EQ(workload::prepare({described, {{"n", "90"}}}).n, 90u);
  EXPECT_THROW(kit::parameters(described, {{"n", "91"}}), kit::bad_input);
}

}  // namespace
}  // namespace stealbench::fib
