// The laws of schedulers/scheduler.hpp in simulated time, with more workers than any machine here
// has: schedules that cannot be seen otherwise. STEALBENCH_SIMULATION_SEED chooses others.
#include <cstdio>
#include <cstdlib>

#include <gtest/gtest.h>

#include "schedulers/contract/fixture.hpp"
#include "schedulers/virtual_machine/tests/test_machine.hpp"

namespace stealbench::schedulers::contract {
namespace {

constexpr unsigned most_workers = 1024;

INSTANTIATE_TEST_SUITE_P(SimulatedWorkers, SchedulerContract, testing::Values(64U, most_workers),
                         testing::PrintToStringParamName());

}  // namespace
}  // namespace stealbench::schedulers::contract

// All tests run in one simulation, as its first thread: schedulers need one to exist.
int main(int argc, char** argv) {
  namespace virtual_machine = stealbench::virtual_machine;
  namespace contract = stealbench::schedulers::contract;
  testing::InitGoogleTest(&argc, argv);
  const char* const text = std::getenv("STEALBENCH_SIMULATION_SEED");
  const std::uint64_t seed = text == nullptr ? 1 : std::stoull(text);
  std::fprintf(stderr, "STEALBENCH_SIMULATION_SEED=%llu\n", static_cast<unsigned long long>(seed));
  int status = 1;
  // A test may have a scheduler beside that of its fixture.
  virtual_machine::simulation machine({.costs = virtual_machine::round_costs,
                                       .seed = seed,
                                       .job_stacks = 2 * contract::most_workers});
  machine.run(contract::deep_stack_bytes, [&] { status = RUN_ALL_TESTS(); });
  return status;
}
