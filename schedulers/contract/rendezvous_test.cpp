// As many closures as workers, all of which must run at once: a job that is offered to an idle
// worker gets one, whether the others search, sleep or are about to. No other test notices a worker
// that is left asleep, since those that are awake do its work. For schedulers on a machine whose
// sleepers do not look for work by themselves.
#include "schedulers/contract/rendezvous.hpp"

#include <chrono>
#include <optional>
#include <random>
#include <thread>

#include "schedulers/contract/fixture.hpp"
#include "schedulers/push_migration/options.hpp"

namespace stealbench::schedulers::contract {
namespace {

using policy = subject::policy;
static_assert(subject::machine::limits().sleeps.first.count() == 0);

/// Forks `closures` times from one worker.
template <class Worker>
void meet_in_a_chain(Worker worker, rendezvous& place, unsigned closures) {
  if (closures == 1) return arrive_at<subject>(place, worker);
  worker->fork_join([&, closures](auto w) { meet_in_a_chain(w, place, closures - 1); },
                    [&](auto w) { arrive_at<subject>(place, w); });
}

/// Forks on every worker.
template <class Worker>
void meet_in_a_tree(Worker worker, rendezvous& place, unsigned closures) {
  if (closures == 1) return arrive_at<subject>(place, worker);
  const unsigned second = closures / 2;
  worker->fork_join([&](auto w) { meet_in_a_tree(w, place, closures - second); },
                    [&place, second](auto w) { meet_in_a_tree(w, place, second); });
}

/// The caller's own closure is a child as well where children begin at the sync.
template <class Worker>
void meet_in_a_group(Worker worker, rendezvous& place, unsigned closures) {
  auto group = worker->task_group();
  const unsigned children = policy::team::is_fixed ? closures : closures - 1;
  for (unsigned i = 0; i < children; ++i)
    group.spawn([&place](auto w) { arrive_at<subject>(place, w); });
  if (children < closures) arrive_at<subject>(place, worker);
  group.sync();
}

/// Lets the other workers get some way towards sleep, each time another one.
void nap(std::mt19937& random) {
  const auto busy_for = [](std::chrono::nanoseconds time) {
    const auto end = std::chrono::steady_clock::now() + time;
    while (std::chrono::steady_clock::now() < end) {
    }
  };
  const std::chrono::nanoseconds time{random() % 100'000};
  switch (random() % 16) {
    case 0:
      return;
    case 1:
    case 2:
      return busy_for(time);
    case 3:
      return std::this_thread::sleep_for(time);
    default:
      return busy_for(time / 20);  // About as long as it takes to fall asleep.
  }
}

template <class Meet>
void meet_often(const Meet& meet) {
  constexpr unsigned rounds = 4000;
  std::mt19937 random(1);
  // The most are more than a thief looks at in a round.
  for (const unsigned workers : {2U, 3U, 4U, 7U}) {
    // Push migration moves jobs only every so often: here after each push.
    subject scheduler(options{.workers = workers, .own = push_migration::options{.period = 1}});
    for (unsigned round = 0; round < rounds; ++round) {
      rendezvous place(workers);
      scheduler.run([&](auto worker) {
        nap(random);
        meet(worker, place, workers);
        // One more job, since work sharing places a worker's jobs in turn: the first one of the
        // next round goes to the right-hand neighbour again. No worker waits for this one.
        worker->fork_join([](auto) {}, [](auto) {});
      });
    }
  }
}

// Else these tests would need a worker less than they say.
TEST(Rendezvous, LetsNoClosureGoOnBeforeTheLastHasCome) {
  rendezvous place(2);
  unsigned looks = 0;
  const auto gives_up = [&] {
    if (++looks == 10) throw failure{looks};
  };
  EXPECT_EQ(thrown_by([&] { place.arrive(gives_up); }), 10U) << "it went on alone";
  EXPECT_EQ(thrown_by([&] { place.arrive(gives_up); }), std::nullopt) << "both have come";
}

TEST(Rendezvous, OfAChainOfForks) {
  if (policy::team::is_fixed) GTEST_SKIP() << "a fork divides the team, whatever its branches do";
  meet_often([](auto worker, rendezvous& place, unsigned closures) {
    meet_in_a_chain(worker, place, closures);
  });
}

TEST(Rendezvous, OfATreeOfForks) {
  if (policy::directed && !policy::team::is_fixed) {
    GTEST_SKIP() << "two workers may place their jobs on one";
  }
  meet_often([](auto worker, rendezvous& place, unsigned closures) {
    meet_in_a_tree(worker, place, closures);
  });
}

TEST(Rendezvous, OfTheChildrenOfAGroup) {
  meet_often([](auto worker, rendezvous& place, unsigned closures) {
    meet_in_a_group(worker, place, closures);
  });
}

TEST(Rendezvous, OfTheChildrenOfAGroupAboveAnothers) {
  if (policy::directed && !policy::team::is_fixed) {
    GTEST_SKIP() << "a worker's jobs are placed in turn, also on itself";
  }
  meet_often([](auto worker, rendezvous& place, unsigned closures) {
    auto below = worker->task_group();
    below.spawn([](auto) {});
    meet_in_a_group(worker, place, closures);
  });
}

TEST(Rendezvous, OfForksInAChildThatRunsAtItsSpawn) {
  if (!policy::team::is_fixed) GTEST_SKIP() << "it forks as any other child does";
  meet_often([](auto worker, rendezvous& place, unsigned closures) {
    auto mine = worker->task_group();
    auto yours = worker->task_group();
    mine.spawn([](auto) {});
    yours.spawn([](auto) {});
    mine.spawn([&place, closures](auto w) { meet_in_a_tree(w, place, closures); });
  });
}

}  // namespace
}  // namespace stealbench::schedulers::contract
