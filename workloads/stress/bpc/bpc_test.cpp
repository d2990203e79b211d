#include "workloads/stress/bpc/bpc.hpp"

#include <cstdint>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "schedulers/serial/scheduler.hpp"
#include "workloads/kit/counting_worker.hpp"

namespace stealbench::bpc {
namespace {

workload::input prepared(std::uint64_t depth, std::uint64_t consumers, const char* next) {
  return workload::prepare({workload::describe(),
                            {{"depth", std::to_string(depth)},
                             {"consumers", std::to_string(consumers)},
                             {"work", "3"},
                             {"next", next}}});
}

TEST(Bpc, SpawnsAllConsumersAndAllProducersButTheFirst) {
  for (const char* next : {"first", "last"}) {
    for (const std::uint64_t depth : {1U, 2U, 30U}) {
      for (const std::uint64_t consumers : {1U, 2U, 9U}) {
        workload::input in = prepared(depth, consumers, next);
        std::uint64_t spawned = 0;
        const workload::output out = workload::run(kit::counting_worker{&spawned}, in);
        EXPECT_EQ(spawned, depth * (consumers + 1) - 1);
        EXPECT_EQ(workload::fork_count(in, out), spawned);
        EXPECT_EQ(workload::verify(in, out), true);
      }
    }
  }
}

TEST(Bpc, NoticesAProducerThatRanTwice) {
  workload::input in = prepared(10, 3, "first");
  const workload::output out = workload::run(serial::worker{}, in);
  produce(serial::worker{}, in.done, in.how, 9);
  EXPECT_EQ(workload::answer(in, out).dump(), R"({"ran_once":27})");
  EXPECT_EQ(workload::verify(in, out), false);
}

}  // namespace
}  // namespace stealbench::bpc
