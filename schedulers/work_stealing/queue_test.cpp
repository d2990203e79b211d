// Where a thief finds a job, and when, in the queues of a few workers that the test plays.
#include <array>
#include <chrono>
#include <cstddef>
#include <deque>
#include <functional>
#include <latch>
#include <thread>
#include <utility>

#include <gtest/gtest.h>

#include "schedulers/engine/jobs/job_entry.hpp"
#include "schedulers/engine/memory_model.hpp"
#include "schedulers/engine/queue_policy.hpp"
#include "schedulers/engine/sleep/parking_lot.hpp"
#include "schedulers/engine/std_machine.hpp"
#include "schedulers/engine/steal_attempts.hpp"
#include "schedulers/options.hpp"
#include "schedulers/work_stealing/deques.hpp"
#include "schedulers/work_stealing/options.hpp"
#include "schedulers/work_stealing/private_queue.hpp"
#include "schedulers/work_stealing/protocols/deque_limits.hpp"
#include "schedulers/work_stealing/split_queue.hpp"

namespace stealbench::work_stealing {
namespace {

struct played_kind {};
template <class M>
struct alignas(64) slot_on {
  using machine = M;
  using kind_type = const played_kind;
  using lot = engine::parking_lot<machine>;
  engine::job_entry<const played_kind, machine> entry;
};
using played_slot = slot_on<engine::std_machine>;

/// On which a test says what else happens during a thief's fence.
struct machine_of_slow_fences : engine::std_machine {
  static inline thread_local std::function<void()> meanwhile;
  static void heavy_fence() noexcept {
    if (meanwhile) std::exchange(meanwhile, nullptr)();
    std_machine::heavy_fence();
  }
};
using slow_slot = slot_on<machine_of_slow_fences>;

/// Five workers, of which the last one is the thief: a round looks at all others.
template <class Queue, class Slot = played_slot>
class few_queues : public testing::Test {
 protected:
  static constexpr unsigned thief = 4;

  void begin(victim_choice choice, exposure expose = exposure::asked) {
    all.emplace_back(
        schedulers::options{.workers = 5, .own = options{.victim = choice, .expose = expose}});
    for (unsigned i = 0; i < 5; ++i) {
      auto& stack = stacks.emplace_back();
      stack.back().entry.open(what, engine::order::relaxed);  // never free
      queues.emplace_back(all.front(), i, stack.data(), stack.data() + stack.size() - 1);
    }
  }
  void push(unsigned worker, unsigned jobs) {
    for (unsigned i = 0; i < jobs; ++i) queues[worker].push(stacks[worker][i], what);
  }
  void expose_half(unsigned worker, unsigned jobs) {
    queues[worker].expose(stacks[worker][jobs - 1], engine::offered::branch);
  }
  void join(unsigned worker, unsigned jobs) {
    while (jobs > 0) {
      Slot& youngest = stacks[worker][--jobs];
      if (!queues[worker].take_back(youngest)) queues[worker].retire(youngest);
    }
  }

  played_kind what;
  std::deque<typename Queue::shared> all;
  std::deque<std::array<Slot, 16>> stacks;
  std::deque<Queue> queues;
};
// NOLINTBEGIN(readability-identifier-naming): GoogleTest shows them as the names of the suites.
using FewSplitQueues = few_queues<split_queue<played_slot>>;
using FewSplitQueuesOfSlowThieves = few_queues<split_queue<slow_slot>, slow_slot>;
using FewPrivateQueues = few_queues<private_queue<played_slot>>;
using FewBlockQueues = few_queues<deques::bwos::queue<played_slot>>;
// NOLINTEND(readability-identifier-naming)

template <class Queue>
class FewQueues : public few_queues<Queue> {};  // NOLINT: as above
using queues = testing::Types<split_queue<played_slot>, private_queue<played_slot>,
                              deques::bwos::queue<played_slot>>;
TYPED_TEST_SUITE(FewQueues, queues);

TYPED_TEST(FewQueues, AreLookedAtFromWhereTheThiefIsToldToBegin) {
  this->begin(victim_choice::round_robin);
  this->push(2, 1);
  this->expose_half(2, 1);
  this->queues[this->thief].begin_at(2);
  engine::steal_attempts tried;
  static_cast<void>(this->queues[this->thief].find_work(tried));
  EXPECT_EQ(tried.latest, 2U);
  EXPECT_EQ(tried.empty, 0U);
}

TEST_F(FewSplitQueues, GiveAThiefWhoComesBackNoneButPublicJobs) {
  begin(victim_choice::last);
  int began_there = 0;
  for (int i = 0; i < 200; ++i) {
    push(0, 4);
    expose_half(0, 4);
    engine::steal_attempts first;
    ASSERT_NE(queues[thief].find_work(first), nullptr);
    engine::steal_attempts second;
    ASSERT_NE(queues[thief].find_work(second), nullptr);
    EXPECT_EQ(second.empty, 0U) << "one public job was left where it begins";
    engine::steal_attempts third;
    ASSERT_EQ(queues[thief].find_work(third), nullptr) << "two private ones are";
    began_there += third.latest == 3 ? 1 : 0;  // Then it ends before worker 0.
    join(0, 4);
  }
  EXPECT_LT(began_there, 100);
}

TEST_F(FewSplitQueues, AreComparedByTheirPrivateJobsToo) {
  begin(victim_choice::busiest);
  push(0, 2);
  expose_half(0, 2);
  push(1, 8);
  engine::steal_attempts tried;
  EXPECT_EQ(queues[thief].find_work(tried), nullptr);
  EXPECT_EQ(tried.latest, 1U);
}

TEST_F(FewSplitQueues, AreComparedByTheirPublicJobsAloneWhereBeatsAloneExpose) {
  begin(victim_choice::busiest, exposure::heartbeat);
  push(0, 8);
  push(1, 1);
  expose_half(1, 1);
  engine::steal_attempts tried;
  EXPECT_EQ(queues[thief].find_work(tried), &stacks[1][0]) << "the others no thief may take";
}

TEST_F(FewSplitQueues, HaveTheBeatThatIsChosen) {
  const options often{.expose = exposure::heartbeat, .beat = std::chrono::microseconds{30}};
  EXPECT_EQ(split_queue<played_slot>::beat_of({.own = often}), often.beat);
}

TEST_F(FewSplitQueues, HaveNoWorkButWhatABeatHasExposedWhereBeatsAloneDo) {
  begin(victim_choice::round_robin, exposure::heartbeat);
  push(0, 4);
  EXPECT_FALSE(queues[thief].has_work()) << "no thief may take what is private";
  expose_half(0, 4);
  EXPECT_TRUE(queues[thief].has_work());
  engine::steal_attempts tried;
  EXPECT_EQ(queues[thief].find_work(tried), &stacks[0][0]) << "the oldest";
  EXPECT_FALSE(queues[thief].sees_more()) << "three are private";
  EXPECT_FALSE(queues[thief].has_work());
}

TEST_F(FewSplitQueues, HaveWorkWhereJobsArePrivateButMayBeForced) {
  begin(victim_choice::round_robin);
  push(0, 4);
  EXPECT_TRUE(queues[thief].has_work());
  expose_half(0, 2);
  engine::steal_attempts tried;
  EXPECT_EQ(queues[thief].find_work(tried), &stacks[0][0]);
  EXPECT_TRUE(queues[thief].sees_more());
}

// Else the grant of a request that was retracted would pass for that of the next one.
TEST_F(FewSplitQueuesOfSlowThieves, AreForcedByEachInItsOwnName) {
  if (!machine_of_slow_fences::asymmetric()) GTEST_SKIP() << "no thief forces";
  begin(victim_choice::first);
  push(0, 1);
  engine::steal_attempts tried;
  for (const unsigned each : {3U, 4U}) {
    for (unsigned i = 0; i < deque_limits_on<machine_of_slow_fences>.force_after; ++i) {
      ASSERT_EQ(queues[each].find_work_of(0, tried), nullptr);
    }
  }
  const slow_slot* found_by_next = nullptr;
  std::latch next_asks(1);
  std::latch first_is_told(1);
  std::thread next;
  machine_of_slow_fences::meanwhile = [&] {
    join(0, 1);
    push(0, 1);
    next = std::thread([&] {
      machine_of_slow_fences::meanwhile = [&] {
        next_asks.count_down();
        first_is_told.wait();
      };
      engine::steal_attempts later;
      found_by_next = queues[4].find_work_of(0, later);
    });
    next_asks.wait();
  };
  EXPECT_EQ(queues[3].find_work_of(0, tried), nullptr);
  EXPECT_EQ(tried.lost, 1U);
  first_is_told.count_down();
  ASSERT_TRUE(next.joinable()) << "the first one asks";
  next.join();
  EXPECT_EQ(found_by_next, stacks[0].data());
}

TEST_F(FewPrivateQueues, AreComparedByTheirJobs) {
  begin(victim_choice::busiest);
  push(0, 2);
  push(1, 8);
  engine::steal_attempts tried;
  EXPECT_EQ(queues[thief].find_work(tried), nullptr) << "it asks";
  EXPECT_EQ(tried.latest, 1U);
}

TEST_F(FewPrivateQueues, MayGiveAJobToAThiefThatThenWithdraws) {
  begin(victim_choice::round_robin);
  push(0, 1);
  engine::steal_attempts tried;
  ASSERT_EQ(queues[thief].find_work(tried), nullptr);
  ASSERT_EQ(queues[0].expose(stacks[0][0], engine::offered::branch), 1U);
  EXPECT_EQ(queues[thief].withdraw(tried), stacks[0].data());
  EXPECT_EQ(tried.taken, 1U);
}

TEST_F(FewPrivateQueues, SayToWhomTheLatestJobWent) {
  begin(victim_choice::round_robin);
  push(0, 4);
  std::size_t oldest = 0;
  for (const unsigned asking : {3U, 1U}) {
    engine::steal_attempts tried;
    ASSERT_EQ(queues[asking].find_work_of(0, tried), nullptr) << "it asks";
    ASSERT_EQ(queues[0].expose(stacks[0][3], engine::offered::branch), 1U);
    EXPECT_EQ(queues[0].served(), asking);
    EXPECT_EQ(queues[asking].find_work_of(0, tried), &stacks[0][oldest++]);
  }
}

TEST_F(FewPrivateQueues, HaveMoreForAThiefAsLongAsTheLatestOneItAskedHasJobs) {
  begin(victim_choice::first);
  push(0, 2);
  engine::steal_attempts tried;
  ASSERT_EQ(queues[thief].find_work(tried), nullptr) << "it asks";
  EXPECT_TRUE(queues[thief].sees_more());
  join(0, 2);
  EXPECT_FALSE(queues[thief].sees_more());
  EXPECT_EQ(queues[thief].find_work(tried), nullptr);
  EXPECT_EQ(tried.empty, 1U) << "it withdraws at once";
}

TEST_F(FewPrivateQueues, AreAskedInTurnWhereTheFirstOneDoesNotAnswer) {
  begin(victim_choice::first);
  push(0, 4);
  push(1, 4);
  engine::steal_attempts tried;
  while (tried.empty == 0) {  // Until it withdraws. Would hang.
    ASSERT_EQ(queues[thief].find_work(tried), nullptr);
    ASSERT_EQ(tried.latest, 0U);
  }
  ASSERT_EQ(queues[thief].find_work(tried), nullptr);
  EXPECT_EQ(tried.latest, 1U);
  EXPECT_EQ(queues[0].expose(stacks[0][3], engine::offered::branch), 0U);
  EXPECT_EQ(queues[1].expose(stacks[1][3], engine::offered::branch), 1U);
  EXPECT_EQ(queues[thief].find_work(tried), &stacks[1][0]);
  EXPECT_EQ(queues[thief].find_work(tried), nullptr);
  EXPECT_EQ(tried.latest, 0U) << "it was passed over in one round alone";
}

TEST_F(FewPrivateQueues, AreAskedAgainByWhoWaitsForAJobOfTheirs) {
  begin(victim_choice::first);
  push(0, 4);
  engine::steal_attempts tried;
  while (tried.empty == 0) ASSERT_EQ(queues[thief].find_work_of(0, tried), nullptr);
  ASSERT_EQ(queues[thief].find_work_of(0, tried), nullptr);
  EXPECT_EQ(queues[0].expose(stacks[0][3], engine::offered::branch), 1U);
}

TEST_F(FewBlockQueues, AreForcedAfterManyRoundsWithoutAJobSinceTheLatestOne) {
  constexpr unsigned patient = deque_limits_on<engine::std_machine>.force_after;
  begin(victim_choice::first);
  push(1, 4);
  const auto found_in_rounds = [&](unsigned rounds) {
    const played_slot* found = nullptr;
    engine::steal_attempts tried;
    while (found == nullptr && rounds-- > 0) found = queues[thief].find_work(tried);
    return found;
  };
  ASSERT_EQ(found_in_rounds(patient - 1), nullptr) << "all jobs are private";
  push(0, 1);
  expose_half(0, 1);
  ASSERT_EQ(found_in_rounds(1), stacks[0].data());
  EXPECT_EQ(found_in_rounds(patient), nullptr);
  EXPECT_EQ(found_in_rounds(1), stacks[1].data());
}

}  // namespace
}  // namespace stealbench::work_stealing
