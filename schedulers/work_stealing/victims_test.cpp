// In which order a thief asks its victims, for each victim_choice.
#include "schedulers/work_stealing/victims.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include "schedulers/engine/std_machine.hpp"

namespace stealbench::work_stealing {
namespace {

constexpr unsigned none = ~0U;

/// Those whom a thief asks in one round in which `has_job` alone has a job.
template <class M>
std::vector<unsigned> asked(victims<M>& of_thief, unsigned has_job = none) {
  std::vector<unsigned> order;
  const bool found = of_thief.any([&](unsigned victim) {
    order.push_back(victim);
    return victim == has_job;
  });
  EXPECT_EQ(found, has_job != none);
  return order;
}

/// Among 4 workers the even ones are near each other, and so are the odd ones.
struct two_packages : engine::std_machine {
  static std::vector<unsigned> workers_by_distance(unsigned worker, unsigned workers) {
    EXPECT_EQ(workers, 4U);
    return {worker, (worker + 2) % 4, (worker + 3) % 4, (worker + 1) % 4};
  }
};

TEST(Victims, AreAllOtherWorkersOnceInEachRound) {
  for (const auto choice : {victim_choice::random, victim_choice::last, victim_choice::round_robin,
                            victim_choice::nearest}) {
    for (const unsigned workers : {1U, 2U, 3U, 8U}) {
      for (unsigned thief = 0; thief < workers; ++thief) {
        victims<engine::std_machine> tested(thief, workers, choice);
        std::vector<unsigned> others(workers);
        std::iota(others.begin(), others.end(), 0U);
        others.erase(others.begin() + thief);
        for (unsigned round = 0; round < 20; ++round) {
          std::vector<unsigned> seen = asked(tested);
          std::sort(seen.begin(), seen.end());
          EXPECT_EQ(seen, others);
          if (workers > 1) asked(tested, others[round % others.size()]);
        }
      }
    }
  }
}

TEST(Victims, BeginAtAnyOtherWorkerAtRandom) {
  constexpr unsigned workers = 5;
  for (unsigned thief = 0; thief < workers; ++thief) {
    victims<engine::std_machine> tested(thief, workers, victim_choice::random);
    std::vector<unsigned> first(workers);
    for (int round = 0; round < 4000; ++round) ++first[asked(tested).front()];
    for (unsigned victim = 0; victim < workers; ++victim) {
      EXPECT_EQ(first[victim] > 700, victim != thief) << first[victim] << " of 4000";
    }
  }
}

TEST(Victims, DifferFromThiefToThiefAtRandom) {
  constexpr unsigned workers = 8;
  // Where two thieves drew the same numbers, they would go after one victim for ever.
  victims<engine::std_machine> one(0, workers, victim_choice::random);
  victims<engine::std_machine> two(1, workers, victim_choice::random);
  int same = 0;
  for (int round = 0; round < 1000; ++round) {
    same += asked(one).front() == asked(two).front() ? 1 : 0;
  }
  EXPECT_LT(same, 300);
}

TEST(Victims, BeginAtTheLastOneThatHadAJob) {
  victims<engine::std_machine> tested(2, 6, victim_choice::last);
  for (const unsigned victim : {5U, 0U, 1U}) {
    asked(tested, victim);
    for (int round = 0; round < 3; ++round) EXPECT_EQ(asked(tested, victim).size(), 1U);
  }
}

TEST(Victims, BeginAtARandomOneAfterARoundWithoutAJobWhereTheyBeganAtTheLast) {
  victims<engine::std_machine> tested(2, 6, victim_choice::last);
  std::vector<unsigned> first(6);
  for (int round = 0; round < 500; ++round) {
    asked(tested, 5);
    EXPECT_EQ(asked(tested).front(), 5U);
    ++first[asked(tested).front()];
  }
  for (const unsigned victim : {0U, 1U, 3U, 4U, 5U}) EXPECT_GT(first[victim], 50U) << victim;
}

TEST(Victims, GoRoundFromOneRoundToTheNext) {
  victims<engine::std_machine> tested(1, 4, victim_choice::round_robin);
  EXPECT_EQ(asked(tested), (std::vector<unsigned>{2, 3, 0}));
  EXPECT_EQ(asked(tested), (std::vector<unsigned>{3, 0, 2}));
  EXPECT_EQ(asked(tested), (std::vector<unsigned>{0, 2, 3}));
  EXPECT_EQ(asked(tested), (std::vector<unsigned>{2, 3, 0}));
  EXPECT_EQ(asked(tested), (std::vector<unsigned>{3, 0, 2}));
}

TEST(Victims, GoOnAfterTheOneThatHadAJobWhereTheyGoRound) {
  victims<engine::std_machine> tested(1, 4, victim_choice::round_robin);
  EXPECT_EQ(asked(tested, 3), (std::vector<unsigned>{2, 3}));
  EXPECT_EQ(asked(tested, 3), (std::vector<unsigned>{0, 2, 3}));
  EXPECT_EQ(asked(tested, 0), (std::vector<unsigned>{0}));
  EXPECT_EQ(asked(tested), (std::vector<unsigned>{2, 3, 0}));
}

TEST(Victims, AreAskedTheNearestFirstInEachRound) {
  victims<two_packages> tested(1, 4, victim_choice::nearest);
  for (int round = 0; round < 3; ++round) {
    EXPECT_EQ(asked(tested), (std::vector<unsigned>{3, 0, 2}));
    EXPECT_EQ(asked(tested, 0), (std::vector<unsigned>{3, 0}));
  }
}

}  // namespace
}  // namespace stealbench::work_stealing
