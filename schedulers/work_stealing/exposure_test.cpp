// When jobs of the split deque become public, on real threads: the results are right whenever that
// is, and the counters say what was exposed.
#include <array>
#include <atomic>
#include <bit>
#include <chrono>
#include <cstddef>
#include <cstdint>

#include <gtest/gtest.h>

#include "schedulers/engine/jobs/job_entry.hpp"
#include "schedulers/work_stealing/protocols/split_deque.hpp"
#include "schedulers/work_stealing/scheduler.hpp"

namespace stealbench::work_stealing {
namespace {

using counting = scheduler::counting_variant;

schedulers::options options_for(unsigned workers, exposure how) {
  schedulers::options options{.workers = workers};
  options.own = work_stealing::options{.expose = how, .beat = std::chrono::microseconds{30}};
  return options;
}

template <class Worker>
// NOLINTNEXTLINE(misc-no-recursion): a tree
std::uint64_t fork_fib(Worker worker, unsigned n) {
  if (n < 2) return n;
  const auto [left, right] = worker->fork_join([=](Worker w) { return fork_fib(w, n - 1); },
                                               [=](Worker w) { return fork_fib(w, n - 2); });
  return left + right;
}

/// Forks, loops and spawns.
template <class Worker>
void use_everything(Worker worker) {
  EXPECT_EQ(fork_fib(worker, 18), 2584U);
  std::atomic<std::uint64_t> sum{0};
  worker->parallel_for(0, 10'000, 4, [&](auto, std::size_t i) { sum += i; });
  auto group = worker->task_group();
  for (unsigned i = 0; i < 200; ++i) {
    group.spawn([&sum](auto w) { sum += fork_fib(w, 8); });
  }
  group.sync();
  EXPECT_EQ(sum, 10'000ULL * 9'999 / 2 + 200ULL * 21);
}

struct slot {
  struct kind {};
  using kind_type = kind;
  engine::job_entry<kind, engine::std_machine> entry;
};

class SplitDeque : public testing::Test {  // NOLINT: GoogleTest shows it as the suite's name.
 protected:
  static constexpr std::size_t most = 100;

  void steal_all() {
    while (deque.steal().job != nullptr) {
    }
  }

  alignas(8192) std::array<slot, most + 1> slots{};
  slot::kind any;
  split_deque<slot> deque{&slots.front(), &slots.back()};
  unsigned pushed = 0;
};

TEST_F(SplitDeque, TellsAboutHowManyJobsThereAre) {
  if (!engine::std_machine::asymmetric()) GTEST_SKIP() << "private jobs are out of reach";
  EXPECT_EQ(deque.size_hint(), 0U);
  for (std::size_t jobs = 1; jobs <= most; ++jobs) {
    deque.push(slots[jobs - 1], any);
    EXPECT_EQ(deque.size_hint(), std::bit_floor(jobs));
    EXPECT_EQ(deque.public_hint(), 0U);
  }
  EXPECT_EQ(deque.expose(slots[most - 1], portion::oldest), 1U);
  EXPECT_EQ(deque.expose(slots[most - 1], portion::oldest), 1U);
  EXPECT_EQ(deque.public_hint(), 2U);
  EXPECT_EQ(deque.size_hint(), 2 + std::bit_floor(most - 2));
  EXPECT_EQ(deque.steal().job, slots.data());
  EXPECT_EQ(deque.expose(slots[most - 1], portion::all), most - 2);
  EXPECT_EQ(deque.expose(slots[most - 1], portion::all), 0U);
  EXPECT_EQ(deque.size_hint(), most - 1);
}

TEST_F(SplitDeque, KeepsAFewPublicOrTheOlderHalf) {
  if (!engine::std_machine::asymmetric()) GTEST_SKIP() << "all are public";
  const auto exposed_of = [&](unsigned jobs) {
    while (pushed < jobs) deque.push(slots[pushed++], any);
    return deque.expose(slots[pushed - 1], portion::half_or_few);
  };
  EXPECT_EQ(exposed_of(3), 3U);
  EXPECT_EQ(exposed_of(4), 1U);
  EXPECT_EQ(exposed_of(20), 4U);
  EXPECT_EQ(exposed_of(21), 0U) << "eight are public";
  static_cast<void>(deque.steal());
  EXPECT_EQ(exposed_of(22), 1U);
  steal_all();
  EXPECT_EQ(exposed_of(40), 16U) << "half of 31";
}

TEST_F(SplitDeque, ExposesHalfOfTheRestWhereThievesHaveBeen) {
  if (!engine::std_machine::asymmetric()) GTEST_SKIP() << "all are public";
  for (unsigned i = 0; i < 40; ++i) deque.push(slots[i], any);
  EXPECT_EQ(deque.expose_rest(slots[39], slots[0]), 0U) << "none has";
  EXPECT_EQ(deque.expose(slots[39], portion::oldest), 1U);
  EXPECT_EQ(deque.expose_rest(slots[39], slots[1]), 0U) << "only below these";
  EXPECT_EQ(deque.expose_rest(slots[39], slots[0]), 19U);
  EXPECT_EQ(deque.public_hint(), 20U);
  EXPECT_EQ(deque.expose_rest(slots[39], slots[0]), 0U);
  steal_all();
  EXPECT_EQ(deque.expose_rest(slots[39], slots[0]), 10U) << "of 20 that are not stolen";
}

// Of stolen jobs that the engine has joined meanwhile, it names the lowest slot alone.
TEST_F(SplitDeque, RetiresAllFromTheLowestSlotOn) {
  for (unsigned i = 0; i < 4; ++i) deque.push(slots[i], any);
  EXPECT_EQ(deque.expose(slots[3], portion::all), 4U);
  steal_all();
  EXPECT_FALSE(deque.take_back(slots[3]));
  for (slot& each : slots) each.entry.close(engine::order::relaxed);
  deque.retire(slots[1]);
  EXPECT_TRUE(deque.looks_empty());
  deque.push(slots[1], any);
  EXPECT_TRUE(deque.take_back(slots[1])) << "private again";
  EXPECT_FALSE(deque.take_back(slots[0])) << "stolen";
}

TEST(Exposure, ChangesNoResult) {
  for (const exposure how : {exposure::asked, exposure::always, exposure::heartbeat}) {
    for (const unsigned workers : {1U, 2U, 3U, 8U}) {
      counting tested(options_for(workers, how));
      for (int round = 0; round < 20; ++round) {
        tested.run([](auto worker) { use_everything(worker); });
      }
      const schedulers::counters seen = tested.counters().value();
      EXPECT_EQ(seen.jobs_spawned, seen.jobs_run);
    }
  }
}

TEST(Exposure, OfEachJobExposesAllThatIsSpawned) {
  counting tested(options_for(1, exposure::always));
  tested.run([](auto worker) { fork_fib(worker, 15); });
  const schedulers::counters seen = tested.counters().value();
  EXPECT_EQ(seen.jobs_exposed, seen.jobs_spawned);
  EXPECT_EQ(seen.beats, 0U);
}

TEST(Heartbeat, ExposesOneJobABeatAtMostWithOneWorker) {
  counting tested(options_for(1, exposure::heartbeat));
  while (tested.counters()->jobs_exposed < 100) {  // Would hang.
    tested.run([](auto worker) { fork_fib(worker, 22); });
  }
  const schedulers::counters seen = tested.counters().value();
  EXPECT_LE(seen.jobs_exposed, seen.beats);
}

// Without forcing, and with all others asleep at first: a beat wakes one for what it exposes.
TEST(Heartbeat, HasAnotherWorkerRunWhatABeatHasExposed) {
  scheduler tested(options_for(2, exposure::heartbeat));
  for (int round = 0; round < 100; ++round) {
    std::atomic<bool> has_come{false};
    tested.run([&](auto worker) {
      using handle = decltype(worker);
      worker->fork_join(
          [&](handle w) {
            while (!has_come) fork_fib(w, 5);  // Would hang.
          },
          [&](handle) { has_come = true; });
    });
  }
}

}  // namespace
}  // namespace stealbench::work_stealing
