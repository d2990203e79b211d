// That the settings reach what they set. The values themselves are tested with work stealing.
#include <cstdint>
#include <deque>
#include <initializer_list>
#include <vector>

#include <gtest/gtest.h>

#include "schedulers/continuation_stealing/scheduler.hpp"
#include "schedulers/virtual_machine/tests/test_machine.hpp"

namespace stealbench::continuation_stealing {
namespace {

using schedulers::idle_policy;
using schedulers::options;
using virtual_machine::machine;
using work_stealing::victim_choice;
using fiber = fibers::fiber<scheduler::policy, false>;
using fiber_queue = scheduler::policy::queue<fiber>;

/// From which workers the last of four takes what the first three have, one after the other.
std::vector<unsigned> robbed(victim_choice choice, std::initializer_list<unsigned> sizes) {
  fiber_queue::shared all(options{.workers = 4, .own = work_stealing::options{.victim = choice}});
  std::deque<fiber_queue> queues;
  for (unsigned i = 0; i < 4; ++i) queues.emplace_back(all, i);
  std::deque<fibers::continuation<fiber>> rests;
  fiber spare;
  unsigned owner = 0;
  for (unsigned size : sizes) {
    for (; size > 0; --size) EXPECT_TRUE(queues[owner].push(rests.emplace_back(), spare));
    ++owner;
  }
  std::vector<unsigned> victims;
  while (victims.size() < rests.size()) {
    engine::steal_attempts tried;
    if (queues[3].find_work(tried, spare) == nullptr) continue;
    victims.push_back(queues[3].latest_victim());
  }
  return victims;
}

TEST(ContinuationStealing, TakesTheVictimsOfItsSetting) {
  EXPECT_EQ(robbed(victim_choice::first, {2, 2, 0}), (std::vector<unsigned>{0, 0, 1, 1}));
  std::vector<unsigned> busiest = robbed(victim_choice::busiest, {1, 2, 4});
  busiest.resize(2);  // Then two have as much.
  EXPECT_EQ(busiest, (std::vector<unsigned>{2, 2}));
}

/// How often workers fall asleep while another one works for a long time. One of them finds a job,
/// and then looks for the next beside more than may search.
std::uint64_t sleeps(idle_policy idle) {
  std::uint64_t parks = 0;
  virtual_machine::simulated({.costs = virtual_machine::round_costs, .unit_ns = 100}, [&] {
    scheduler_on<machine>::counting_variant scheduler(options{.workers = 8, .idle = idle});
    scheduler.run([](auto worker) {
      worker->fork_join(
          [](auto) {
            for (unsigned i = 0; i < 1000; ++i) {
              machine::work(1);
              virtual_machine::keep_order();
            }
          },
          [](auto) {});
    });
    parks = scheduler.counters().value().parks;
  });
  return parks;
}

TEST(ContinuationStealing, SleepsUnlessItIsToldToSpinOrYield) {
  EXPECT_GT(sleeps(idle_policy::park), 0U);
  EXPECT_EQ(sleeps(idle_policy::spin), 0U);
  EXPECT_EQ(sleeps(idle_policy::yield_thread), 0U);
}

}  // namespace
}  // namespace stealbench::continuation_stealing
