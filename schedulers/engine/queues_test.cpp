// Which job a worker finds, and where a new one goes, in the queues that the test plays: one room
// after another; and what the engines refuse.
#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "schedulers/busy_leaves/scheduler.hpp"
#include "schedulers/central_queue/scheduler.hpp"
#include "schedulers/contract/rendezvous.hpp"
#include "schedulers/contract/sleeps_until_woken_machine.hpp"
#include "schedulers/contract/test_limit.hpp"
#include "schedulers/engine/base_scheduler.hpp"
#include "schedulers/engine/queue_policy.hpp"
#include "schedulers/engine/std_machine.hpp"
#include "schedulers/engine/test_slot_fixture.hpp"
#include "schedulers/options.hpp"
#include "schedulers/pull_migration/scheduler.hpp"
#include "schedulers/push_migration/scheduler.hpp"
#include "schedulers/static_partition/scheduler.hpp"
#include "schedulers/work_sharing/scheduler.hpp"

namespace stealbench::central_queue {
namespace {

using queues = engine::test_queues<queue, policy<engine::looking_machine>::job_links>;
using slot = queues::slot;

TEST(CentralQueue, GivesTheOldestJobToWhoeverAsksOrTheNewestInLifoOrder) {
  for (const taking_order order : {taking_order::fifo, taking_order::lifo}) {
    queues all({.workers = 2, .own = central_queue::options{.order = order}});
    std::vector<slot> jobs(3);
    for (slot& each : jobs) all.push(0, each);
    const bool oldest_first = order == taking_order::fifo;
    EXPECT_EQ(all.find_work(1), &jobs[oldest_first ? 0 : 2]);
    EXPECT_TRUE(all.take_back(0, jobs[oldest_first ? 2 : 0]));
    EXPECT_EQ(all.find_work(0), &jobs[1]);
    EXPECT_EQ(all.find_work(0), nullptr);
  }
}

TEST(CentralQueue, AsksEachWorkerInTurnWhereThereIsNoJob) {
  queues all({.workers = 3});
  std::vector<unsigned> asked;
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(all.find_work(0), nullptr);
    EXPECT_EQ(all.tried.empty, 1U);
    EXPECT_EQ(all.tried.taken, 0U);
    asked.push_back(all.tried.latest);
  }
  EXPECT_EQ(asked, (std::vector<unsigned>{1, 2, 0}));
  slot job{};
  all.push(1, job);
  EXPECT_EQ(all.find_work(0), &job);
  EXPECT_EQ(all.tried.taken, 1U);
  EXPECT_EQ(all.tried.empty, 0U);
}

}  // namespace
}  // namespace stealbench::central_queue

namespace stealbench::pull_migration {
namespace {

using queues = engine::test_queues<queue, policy<engine::looking_machine>::job_links>;
using slot = queues::slot;

TEST(PullMigration, KeepsAJobInTheQueueOfWhoPushedIt) {
  queues all({.workers = 3});
  std::vector<slot> jobs(2);
  EXPECT_EQ(all.push(1, jobs[0]), engine::placement::shared);
  EXPECT_EQ(all.push(1, jobs[1]), engine::placement::shared);
  EXPECT_TRUE(all.take_back(1, jobs[1]));
  EXPECT_FALSE(jobs[1].entry.is_open);
  EXPECT_EQ(all.find_work(1), &jobs[0]);
  EXPECT_FALSE(all.take_back(1, jobs[0]));
  EXPECT_FALSE(all.of(1).has_work());
}

TEST(PullMigration, LooksIntoItsOwnQueueFirst) {
  queues all({.workers = 2});
  std::vector<slot> jobs(3);
  all.push(1, jobs[0]);
  all.push(1, jobs[1]);
  all.push(0, jobs[2]);
  EXPECT_EQ(all.find_work(0), &jobs[2]);
  EXPECT_EQ(all.tried.empty, 0U);
  EXPECT_EQ(all.tried.taken, 0U) << "its own is no attempt";
  EXPECT_FALSE(all.of(0).sees_more());
}

TEST(PullMigration, TakesTheOldestJobOfTheLongestQueue) {
  queues all({.workers = 5});
  std::vector<slot> jobs(6);
  all.push(1, jobs[0]);
  for (unsigned i = 1; i < 4; ++i) all.push(2, jobs[i]);
  for (unsigned i = 4; i < 6; ++i) all.push(3, jobs[i]);
  EXPECT_EQ(all.find_work(0), &jobs[1]);
  EXPECT_EQ(all.tried.empty, 1U) << "one of the others has no job";
  EXPECT_EQ(all.tried.taken, 1U);
  EXPECT_TRUE(all.of(0).sees_more());
  // Now two have two jobs each: each thief takes from the next one on its right.
  EXPECT_EQ(all.find_work(0), &jobs[2]);
  EXPECT_EQ(all.find_work(4), &jobs[4]);
}

TEST(PullMigration, AsksEachWorkerInTurnWhereThereIsNoJob) {
  queues all({.workers = 3});
  std::vector<unsigned> victims;
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(all.find_work(0), nullptr);
    EXPECT_EQ(all.tried.empty, 2U);
    EXPECT_EQ(all.tried.lost + all.tried.taken, 0U);
    victims.push_back(all.tried.latest);
  }
  EXPECT_EQ(victims, (std::vector<unsigned>{1, 2, 0}));
  EXPECT_EQ(engine::looking_machine::looks, 3U * 2U) << "each at two others";
}

using interrupted_slot = engine::interrupted_slot<policy<engine::interrupted_locks>::job_links>;

TEST(PullMigration, LosesTheJobThatAnotherTakesBetweenTheLookAndTheLock) {
  queue<interrupted_slot>::shared lists({.workers = 3});
  queue<interrupted_slot> owner(lists, 0, nullptr, nullptr);
  queue<interrupted_slot> rival(lists, 1, nullptr, nullptr);
  queue<interrupted_slot> loser(lists, 2, nullptr, nullptr);
  interrupted_slot job{};
  owner.push(job, 0);
  engine::steal_attempts of_rival;
  engine::interrupted_locks::meanwhile = [&] { EXPECT_EQ(rival.find_work(of_rival), &job); };
  engine::steal_attempts tried;
  EXPECT_EQ(loser.find_work(tried), nullptr);
  EXPECT_EQ(of_rival.taken, 1U);
  EXPECT_EQ(tried.lost, 1U);
  EXPECT_EQ(tried.empty, 1U) << "the rival's own queue";
  EXPECT_EQ(tried.taken, 0U);
}

}  // namespace
}  // namespace stealbench::pull_migration

namespace stealbench::push_migration {
namespace {

using queues = engine::test_queues<queue, policy<engine::looking_machine>::job_links>;
using slot = queues::slot;

/// The jobs that a worker has queued, which it then has no longer.
std::size_t drain(queues& all, unsigned worker) {
  std::size_t count = 0;
  while (all.find_work(worker) != nullptr) ++count;
  return count;
}

TEST(PushMigration, MovesJobsUntilTheLoadsAreEqual) {
  EXPECT_EQ(jobs_to_move(0, 0), 0);
  EXPECT_EQ(jobs_to_move(1, 0), 1) << "who has it has another one under way";
  EXPECT_EQ(jobs_to_move(4, 0), 2);
  EXPECT_EQ(jobs_to_move(2, 1), 0) << "and back again";
  EXPECT_EQ(jobs_to_move(5, 1), 2);
  EXPECT_EQ(jobs_to_move(1, 5), 0) << "changed since it was seen";
  EXPECT_EQ(jobs_to_move(1000, 0), 32);
}

TEST(PushMigration, BalancesOnceInAPeriod) {
  queues all({.workers = 2, .own = push_migration::options{.period = 4}});
  std::vector<slot> jobs(8);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(all.push(0, jobs[i]), 0);
  EXPECT_EQ(all.find_work(1), nullptr);
  EXPECT_EQ(all.push(0, jobs[3]), 1) << "who has received jobs is to be woken";
  EXPECT_EQ(all.find_work(1), &jobs[0]) << "the oldest";
  EXPECT_EQ(all.find_work(1), &jobs[1]);
  EXPECT_EQ(all.find_work(1), nullptr);
  for (std::size_t i = 4; i < 7; ++i) EXPECT_EQ(all.push(0, jobs[i]), 0);
  EXPECT_EQ(all.push(0, jobs[7]), 1);
  EXPECT_EQ(drain(all, 1), 3U);
  EXPECT_EQ(drain(all, 0), 3U);
}

TEST(PushMigration, MovesFromTheLongestQueueToTheShortestWhoeverPushes) {
  queues all({.workers = 4, .own = push_migration::options{.period = 6}});
  std::vector<slot> jobs(13);
  for (std::size_t i = 0; i < 5; ++i) all.push(3, jobs[i]);
  for (std::size_t i = 5; i < 7; ++i) all.push(1, jobs[i]);
  for (std::size_t i = 7; i < 12; ++i) all.push(0, jobs[i]);
  EXPECT_EQ(all.find_work(0), &jobs[7]);
  EXPECT_EQ(all.find_work(0), &jobs[8]);
  EXPECT_EQ(all.push(0, jobs[12]), 2);
  EXPECT_EQ(engine::looking_machine::looks, 4U) << "at each queue";
  EXPECT_EQ(all.find_work(2), &jobs[0]);
  EXPECT_EQ(drain(all, 2), 2U);
  EXPECT_EQ(drain(all, 3), 2U);
  EXPECT_EQ(drain(all, 1), 2U);
  EXPECT_EQ(drain(all, 0), 4U);
}

TEST(PushMigration, JobsInARowGoToDifferentIdleWorkers) {
  queues all({.workers = 4, .own = push_migration::options{.period = 1}});
  std::vector<slot> jobs(4);
  std::vector<int> receivers;
  for (slot& each : jobs) {
    receivers.push_back(all.push(0, each));
    if (receivers.back() != 0) {
      EXPECT_EQ(all.find_work(static_cast<unsigned>(receivers.back())), &each);
    }
  }
  EXPECT_EQ(receivers, (std::vector<int>{1, 2, 3, 1}));
}

TEST(PushMigration, GivesAJobBackWhereverItIs) {
  queues all({.workers = 2, .own = push_migration::options{.period = 2}});
  std::vector<slot> jobs(4);
  all.push(0, jobs[0]);
  EXPECT_EQ(all.push(0, jobs[1]), 1);
  EXPECT_TRUE(all.take_back(0, jobs[1]));
  EXPECT_TRUE(all.take_back(0, jobs[0])) << "has moved";
  EXPECT_FALSE(jobs[0].entry.is_open);
  EXPECT_EQ(drain(all, 1), 0U);
  all.push(0, jobs[2]);
  EXPECT_EQ(all.push(0, jobs[3]), 1);
  EXPECT_EQ(all.find_work(1), &jobs[2]);
  EXPECT_FALSE(all.take_back(0, jobs[2])) << "has moved and been taken";
}

TEST(PushMigration, GivesAJobBackThatMovesBeforeItsListIsLocked) {
  using moving_slot = engine::interrupted_slot<policy<engine::interrupted_locks>::job_links>;
  queue<moving_slot>::shared lists({.workers = 2, .own = push_migration::options{.period = 2}});
  queue<moving_slot> owner(lists, 0, nullptr, nullptr);
  queue<moving_slot> receiver(lists, 1, nullptr, nullptr);
  std::vector<moving_slot> jobs(2);
  owner.push(jobs[0], 0);
  engine::interrupted_locks::meanwhile = [&] { EXPECT_EQ(owner.push(jobs[1], 0).worker, 1); };
  EXPECT_TRUE(owner.take_back(jobs[0]));
  engine::steal_attempts tried;
  EXPECT_EQ(receiver.find_work(tried), nullptr);
  EXPECT_EQ(owner.find_work(tried), &jobs[1]);
}

TEST(PushMigration, MovesNothingWhereThereIsOneWorker) {
  queues all({.workers = 1, .own = push_migration::options{.period = 1}});
  std::vector<slot> jobs(3);
  for (slot& each : jobs) EXPECT_EQ(all.push(0, each), 0);
  EXPECT_EQ(drain(all, 0), 3U);
}

// What the strategy promises of idle workers: each step of a worker that has jobs gives some to one
// that has none, and wakes it. Sleepers here never look by themselves.
TEST(PushMigration, WakesWhoeverReceivesJobs) {
  using subject = scheduler_on<schedulers::contract::sleeps_until_woken_machine>;
  for (const unsigned workers : {2U, 3U, 7U}) {
    const schedulers::options chosen{.workers = workers};
    subject scheduler(chosen);
    for (int round = 0; round < 300; ++round) {
      schedulers::contract::rendezvous place(workers);
      scheduler.run([&](auto worker) {
        auto group = worker->task_group();
        for (unsigned i = 0; i < (workers - 1) * schedulers::own_options<options>(chosen).period;
             ++i) {
          group.spawn([&place](auto) { place.arrive(); });
        }
        place.arrive();
        group.sync();
      });
    }
  }
}

}  // namespace
}  // namespace stealbench::push_migration

namespace stealbench::work_sharing {
namespace {

using queues = engine::test_queues<queue, policy<engine::looking_machine>::job_links>;
using slot = queues::slot;

std::vector<int> push_all(queues& all, unsigned worker, std::vector<slot>& jobs) {
  std::vector<int> placed;
  placed.reserve(jobs.size());
  for (slot& each : jobs) placed.push_back(all.push(worker, each));
  return placed;
}

TEST(WorkSharing, PlacesJobsOnEachWorkerInTurn) {
  queues all({.workers = 3});
  std::vector<slot> jobs(5);
  EXPECT_EQ(push_all(all, 1, jobs), (std::vector<int>{2, 0, 1, 2, 0}));
  EXPECT_EQ(all.find_work(0), &jobs[1]);
  EXPECT_TRUE(all.take_back(1, jobs[0]));
}

TEST(WorkSharing, PlacesJobsOnEveryWorkerAlikeAtRandom) {
  queues all({.workers = 4, .own = work_sharing::options{.place = placement_rule::random}});
  std::vector<slot> jobs(4000);
  const std::vector<int> placed = push_all(all, 0, jobs);
  for (int worker = 0; worker < 4; ++worker) {
    const auto count = std::count(placed.begin(), placed.end(), worker);
    EXPECT_GT(count, 850) << worker;  // Five standard deviations; the seed is fixed.
    EXPECT_LT(count, 1150) << worker;
  }
  const std::vector<int> in_turn{1, 2, 3, 0, 1, 2, 3, 0};
  EXPECT_FALSE(std::equal(in_turn.begin(), in_turn.end(), placed.begin()));
}

TEST(WorkSharing, PlacesTheJobsOfEachWorkerOnOthersAtRandom) {
  queues all({.workers = 4, .own = work_sharing::options{.place = placement_rule::random}});
  std::vector<slot> jobs(100);
  std::vector<slot> more(100);
  const std::vector<int> one = push_all(all, 0, jobs);
  EXPECT_NE(push_all(all, 1, more), one) << "else all would come to one inbox at once";
}

TEST(WorkSharing, PlacesJobsInTheInboxWithTheFewest) {
  queues all({.workers = 3, .own = work_sharing::options{.place = placement_rule::least}});
  std::vector<slot> jobs(7);
  EXPECT_EQ(push_all(all, 0, jobs), (std::vector<int>{1, 2, 0, 1, 2, 0, 1}));
  EXPECT_EQ(engine::looking_machine::looks, 4U * 2U) << "once each inbox has a job";
  for (int i = 0; i < 2; ++i) EXPECT_NE(all.find_work(2), nullptr);
  std::vector<slot> more(4);
  EXPECT_EQ(push_all(all, 0, more), (std::vector<int>{2, 2, 0, 2}));
  EXPECT_EQ(all.find_work(0), &jobs[2]);
}

}  // namespace
}  // namespace stealbench::work_sharing

namespace stealbench::static_partition {
namespace {

TEST(Team, DividesIntoDisjointHalvesThatCoverIt) {
  const auto [own, other] = team(5).divide();
  EXPECT_EQ(own.leader(), 0U);
  EXPECT_EQ(other.leader(), 3U);
  EXPECT_TRUE(team(2).divide().first.alone());
  EXPECT_TRUE(team(2).divide().second.alone());
  EXPECT_FALSE(other.alone());
}

TEST(Team, CutsALoopInProportionToTheHalves) {
  EXPECT_EQ(team(2).cut(10), 5U);
  EXPECT_EQ(team(3).cut(9), 6U);
  EXPECT_EQ(team(3).cut(1'000'000'000'000'000'000), 666'666'666'666'666'666U);
  EXPECT_EQ(team(3).cut(11), 7U) << "not 6: of what no worker has, the half gets its part too";
  EXPECT_EQ(team(8).cut(7), 3U) << "fewer indices than workers";
}

TEST(Team, GivesEachChildADisjointPartWhereThereAreEnoughWorkers) {
  std::vector<unsigned> leaders;
  for (std::size_t rank = 0; rank < 3; ++rank) leaders.push_back(team(8).part(rank, 3).leader());
  EXPECT_EQ(leaders, (std::vector<unsigned>{0, 2, 5}));
  EXPECT_FALSE(team(8).part(2, 3).alone());
}

TEST(Team, GivesEachWorkerAnEqualRunOfChildrenWhereThereAreMore) {
  std::vector<unsigned> children_of(4);
  for (std::size_t rank = 0; rank < 2000; ++rank) {
    const team part = team(4).part(rank, 2000);
    EXPECT_TRUE(part.alone());
    ++children_of[part.leader()];
  }
  EXPECT_EQ(children_of, (std::vector<unsigned>{500, 500, 500, 500}));
}

}  // namespace
}  // namespace stealbench::static_partition

namespace stealbench::engine {
namespace {

// A queue does what it declares, and declares what it does. Checked by the compiler.

struct job {};

struct plain_queue {
  static constexpr capabilities can{};
};
static_assert(does_as_declared<plain_queue, job>);

struct asking_queue {
  static constexpr capabilities can{.expose = true, .ask = true, .tell_bytes = true};
  std::uint32_t expose(job& topmost, offered what);
  job* withdraw(steal_attempts& tried);
  [[nodiscard]] unsigned served() const;
  [[nodiscard]] std::size_t bytes() const;
};
static_assert(does_as_declared<asking_queue, job>);

struct misspelt : asking_queue {
  static constexpr capabilities can{
      .expose = true, .ask = true, .keep_jobs = true, .tell_bytes = true};
  [[nodiscard]] bool keeps_job_meanwhile() const;
};
static_assert(!does_as_declared<misspelt, job>);

struct half_a_capability {
  static constexpr capabilities can{.ask = true};
  job* withdraw(steal_attempts& tried);
};
static_assert(!does_as_declared<half_a_capability, job>);

struct of_another_type {
  static constexpr capabilities can{.expose = true};
  void expose(job& topmost, offered what);
};
static_assert(!does_as_declared<of_another_type, job>);

struct undeclared : asking_queue {
  static constexpr capabilities can{.expose = true, .ask = true};
};
static_assert(!does_as_declared<undeclared, job>);

/// On which no worker counts as a searcher, and each look at the process is counted.
struct hasty_machine : std_machine {
  struct process_mark {
    static bool is_here() { return true; }
    static void expect_here() { ++looks; }
  };
  static constexpr unsigned most_searchers(unsigned /*workers*/) { return 0; }
  static constexpr engine::limits limits() {
    engine::limits hasty = std_machine::limits();
    hasty.rounds_unseen = 0;
    return hasty;
  }
  static inline std::atomic<std::uint64_t> looks = 0;
};

// In a child of fork() no worker would wake it.
TEST(Search, LooksWhetherItIsStillInItsProcessBeforeEachSleep) {
  central_queue::scheduler_on<hasty_machine>::counting_variant scheduler({.workers = 3});
  const auto parks = [&] { return scheduler.counters()->parks; };
  while (parks() == 0) scheduler.run([](auto) {});
  EXPECT_LE(parks(), hasty_machine::looks);
}

// What the schedulers of both engines refuse.
TEST(BaseScheduler, IsNotMadeWithoutAWorkerOrWithMoreThanTheMachineAllows) {
  for (const unsigned workers : {0U, std_machine::limits().max_workers + 1}) {
    const schedulers::options options{.workers = workers};
    EXPECT_THROW(central_queue::scheduler{options}, std::invalid_argument) << workers;
    EXPECT_THROW(busy_leaves::scheduler{options}, std::invalid_argument) << workers;
  }
  const schedulers::options most{.workers = std_machine::limits().max_workers};
  EXPECT_EQ(&checked<std_machine>(most), &most);
}

}  // namespace
}  // namespace stealbench::engine
