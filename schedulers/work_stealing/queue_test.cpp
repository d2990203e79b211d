// Where a thief finds a job, and when, in the queues of a few workers that the test plays.
#include <array>
#include <cstddef>
#include <deque>

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
struct alignas(64) played_slot {
  using machine = engine::std_machine;
  using kind_type = const played_kind;
  using lot = engine::parking_lot<machine>;
  engine::job_entry<const played_kind, machine> entry;
};

/// Five workers, of which the last one is the thief: a round looks at all others.
template <class Queue>
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
      played_slot& youngest = stacks[worker][--jobs];
      if (!queues[worker].take_back(youngest)) queues[worker].retire(youngest);
    }
  }

  played_kind what;
  std::deque<typename Queue::shared> all;
  std::deque<std::array<played_slot, 16>> stacks;
  std::deque<Queue> queues;
};
// NOLINTBEGIN(readability-identifier-naming): GoogleTest shows them as the names of the suites.
using FewSplitQueues = few_queues<split_queue<played_slot>>;
using FewPrivateQueues = few_queues<private_queue<played_slot>>;
using FewBlockQueues = few_queues<deques::bwos::queue<played_slot>>;
// NOLINTEND(readability-identifier-naming)

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
