// At which victims a thief looks in a round, and in which order, for each victim_choice.
#include "schedulers/work_stealing/victims.hpp"

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <numeric>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "schedulers/engine/std_machine.hpp"
#include "schedulers/engine/test_slot_fixture.hpp"

namespace stealbench::work_stealing {
namespace {

constexpr unsigned none = ~0U;
// The busiest one is looked at alone.
constexpr auto every_choice = {victim_choice::random,      victim_choice::last,
                               victim_choice::round_robin, victim_choice::nearest,
                               victim_choice::first,       victim_choice::own_first};

template <class M>
struct record_of_thefts {
  thefts<M> stolen;
};
/// A thief who is the only one to look at what is stolen.
template <class M>
struct lone_thief : private record_of_thefts<M>, victims<M> {
  lone_thief(unsigned thief, unsigned workers, victim_choice choice)
      : record_of_thefts<M>{thefts<M>(workers, choice)},
        victims<M>(thief, workers, choice, record_of_thefts<M>::stolen) {}
};

/// Those at whom a thief looks in one round in which `has_job` alone has a job, and each of the
/// others seems to have as many as `sizes` says.
template <class M>
std::vector<unsigned> looked_at(victims<M>& of_thief, unsigned has_job = none,
                                const std::vector<std::size_t>& sizes = {}) {
  std::vector<unsigned> order;
  const auto size_of = [&](unsigned victim) { return sizes.empty() ? 0 : sizes.at(victim); };
  const bool found = of_thief.some(size_of, [&](unsigned victim) {
    order.push_back(victim);
    return victim == has_job;
  });
  EXPECT_EQ(found, std::find(order.begin(), order.end(), has_job) != order.end());
  if (!order.empty()) {
    EXPECT_EQ(of_thief.latest(), order.back());
  }
  return order;
}

TEST(Victims, EachLookHasAPrice) {
  for (const auto choice : {victim_choice::random, victim_choice::busiest, victim_choice::first,
                            victim_choice::own_first}) {
    lone_thief<engine::looking_machine> thief(0, 9, choice);
    engine::looking_machine::looks = 0;
    const std::size_t looks = looked_at(thief).size();
    EXPECT_EQ(looks, engine::looking_machine::looks) << static_cast<int>(choice);
  }
}

std::vector<unsigned> all_but(unsigned thief, unsigned workers) {
  std::vector<unsigned> others(workers);
  std::iota(others.begin(), others.end(), 0U);
  others.erase(others.begin() + thief);
  return others;
}

/// The even workers are near each other, and so are the odd ones.
struct two_packages : engine::std_machine {
  static std::vector<unsigned> workers_by_distance(unsigned worker, unsigned workers) {
    std::vector<unsigned> order;
    for (unsigned i = 0; i < workers; i += 2) order.push_back((worker + i) % workers);
    for (unsigned i = workers - 1; i < workers; i -= 2) order.push_back((worker + i) % workers);
    return order;
  }
};
using tested = lone_thief<engine::std_machine>;
constexpr std::size_t most_looks = tested::most_looks;

TEST(Victims, AreAllOtherWorkersOnceInEachRoundWhereTheyAreFew) {
  for (const auto choice : every_choice) {
    for (const unsigned workers : {1U, 2U, 3U, 5U}) {
      ASSERT_LE(workers - 1, most_looks);
      for (unsigned thief = 0; thief < workers; ++thief) {
        tested of_thief(thief, workers, choice);
        const std::vector<unsigned> others = all_but(thief, workers);
        for (unsigned round = 0; round < 20; ++round) {
          std::vector<unsigned> seen = looked_at(of_thief);
          std::sort(seen.begin(), seen.end());
          EXPECT_EQ(seen, others);
          if (workers > 1) {
            const unsigned has_job = others[round % others.size()];
            EXPECT_EQ(looked_at(of_thief, has_job).back(), has_job);
          }
        }
      }
    }
  }
}

TEST(Victims, AreAFewInEachRoundAndAllOtherWorkersInSomeWhereTheyAreMany) {
  for (const auto choice : every_choice) {
    for (const unsigned workers : {6U, 64U, 65U}) {
      for (const unsigned thief : {0U, 3U, workers - 1}) {
        tested of_thief(thief, workers, choice);
        std::set<unsigned> seen;
        for (unsigned round = 0; round < 20 * workers; ++round) {
          const std::vector<unsigned> now = looked_at(of_thief);
          EXPECT_EQ(now.size(), most_looks);
          seen.insert(now.begin(), now.end());
          // A victim that has a job ends the round, and the next one begins anew.
          if (round % 8 == 7) looked_at(of_thief, now.front());
        }
        const std::vector<unsigned> others = all_but(thief, workers);
        EXPECT_EQ(std::vector<unsigned>(seen.begin(), seen.end()), others);
      }
    }
  }
}

TEST(Victims, BeginWithTheOneThatWasAskedForWorkInTheRoundBefore) {
  for (const auto choice : every_choice) {
    for (const unsigned workers : {2U, 4U, 64U}) {
      tested of_thief(1, workers, choice);
      unsigned victim = looked_at(of_thief).back();
      for (int round = 0; round < 50; ++round) {
        const std::vector<unsigned> now = looked_at(of_thief);
        // Or right after the hot spot.
        EXPECT_EQ(now[choice == victim_choice::first && now.size() > 1 ? 1 : 0], victim);
        victim = now.back();
      }
    }
  }
}

TEST(Victims, BeginWhereTheThiefIsToldTo) {
  for (const auto choice : every_choice) {
    const std::size_t at = choice == victim_choice::first ? 1 : 0;  // Behind the hot spot.
    for (const unsigned workers : {4U, 64U}) {
      tested of_thief(1, workers, choice);
      for (const unsigned victim : {2U, 3U, 2U}) {
        looked_at(of_thief, looked_at(of_thief).front());
        of_thief.begin_at(victim);
        EXPECT_EQ(looked_at(of_thief).at(at), victim);
      }
      const unsigned asked = looked_at(of_thief).back();
      of_thief.begin_at(1);
      of_thief.begin_at(none);
      EXPECT_EQ(looked_at(of_thief).at(at), asked) << "these are no victims";
    }
  }
}

/// That each worker but `thief` was the first of more than 700 of 4000 rounds.
template <class FirstOfARound>
void expect_any_other_first(unsigned thief, unsigned workers, const FirstOfARound& first_of_round) {
  std::vector<unsigned> first(workers);
  for (int round = 0; round < 4000; ++round) ++first[first_of_round()];
  for (unsigned victim = 0; victim < workers; ++victim) {
    EXPECT_EQ(first[victim] > 700, victim != thief) << first[victim] << " of 4000";
  }
}

TEST(Victims, BeginAtAnyOtherWorkerAtRandomAfterARoundWithAJob) {
  for (unsigned thief = 0; thief < 5; ++thief) {
    tested of_thief(thief, 5, victim_choice::random);
    expect_any_other_first(thief, 5, [&] {
      looked_at(of_thief, of_thief.latest());
      const std::vector<unsigned> now = looked_at(of_thief);
      looked_at(of_thief, now.back());
      return now.front();
    });
  }
}

TEST(Victims, AreOthersAtRandomFromTheSecondOneOnWhereTheyAreMany) {
  constexpr unsigned workers = 9;
  for (const auto choice : {victim_choice::random, victim_choice::last}) {
    tested of_thief(0, workers, choice);
    std::vector<unsigned> second(workers);
    for (int round = 0; round < 4000; ++round) ++second[looked_at(of_thief)[1]];
    EXPECT_EQ(second[0], 0U);
    for (unsigned victim = 1; victim < workers; ++victim) EXPECT_GT(second[victim], 300U);
  }
}

TEST(Victims, DifferFromThiefToThiefAtRandom) {
  for (const unsigned workers : {5U, 9U}) {
    // Where two thieves drew the same numbers, they would go after one victim for ever.
    tested one(0, workers, victim_choice::random);
    tested two(1, workers, victim_choice::random);
    int same = 0;
    for (int round = 0; round < 1000; ++round) {
      const unsigned mine = looked_at(one).back();
      const unsigned others = looked_at(two).back();
      same += mine == others ? 1 : 0;
      looked_at(one, mine);
      looked_at(two, others);
    }
    EXPECT_LT(same, 400);
  }
}

TEST(Victims, BeginAtTheLastOneThatHadAJobIfItHadMoreAndElseAtAnyOther) {
  for (const unsigned workers : {5U, 64U}) {
    tested of_thief(2, workers, victim_choice::last);
    for (const unsigned victim : {4U, 0U, 1U}) {
      std::vector<std::size_t> left(workers);
      left[victim] = 1;
      while (looked_at(of_thief, victim, left).back() != victim) {
      }
      for (int round = 0; round < 3; ++round) {
        EXPECT_EQ(looked_at(of_thief, victim, left).size(), 1U);
      }
    }
  }
  tested of_thief(2, 5, victim_choice::last);
  expect_any_other_first(2, 5, [&] {
    while (looked_at(of_thief, 4, {1, 1, 1, 1, 0}).back() != 4) {
    }
    return looked_at(of_thief).front();
  });
}

TEST(Victims, BeginAtARandomOneWhereNoneHasHadAJobYet) {
  constexpr unsigned workers = 64;
  std::set<unsigned> first;
  for (unsigned thief = 0; thief < workers; ++thief) {
    tested of_thief(thief, workers, victim_choice::last);
    first.insert((looked_at(of_thief).front() + workers - thief) % workers);
  }
  EXPECT_GT(first.size(), 16U) << "else all begin at the same distance";
}

/// Rounds of a thief, one after the other: at whom it looks, and ! where the last one has a job.
struct rounds_of {
  victim_choice choice;
  unsigned thief;
  unsigned workers;
  const char* rounds;
};

template <class Thief>
void expect_rounds(std::initializer_list<rounds_of> all) {
  for (const rounds_of& each : all) {
    Thief of_thief(each.thief, each.workers, each.choice);
    std::istringstream rounds(each.rounds);
    for (std::string round; rounds >> round;) {
      const bool has_job = round.back() == '!';
      if (has_job) round.pop_back();
      std::vector<unsigned> looks;
      for (const char victim : round) looks.push_back(static_cast<unsigned>(victim - '0'));
      EXPECT_EQ(looked_at(of_thief, has_job ? looks.back() : none), looks) << each.rounds;
    }
  }
}

TEST(Victims, AreThoseOfTheirChoiceInEachRound) {
  using enum victim_choice;
  ASSERT_EQ(most_looks, 4U);
  expect_rounds<tested>({{round_robin, 1, 4, "230 023 302"},
                         {round_robin, 6, 8, "7012 2345 5701"},
                         {round_robin, 1, 4, "23! 023! 0! 230"},  // Goes on after that one.
                         {first, 1, 4, "023 032 02! 023!"},       // And then the others in turn.
                         {first, 0, 8, "1234 1456 1672 1!"},      // It does not rob itself.
                         {busiest, 1, 4, "2 3 0 2 3 0 2 3 0"}});  // None seems to have a job.
  // The nearest after a round with a job, and then those further away.
  expect_rounds<lone_thief<two_packages>>(
      {{nearest, 1, 4, "30! 302! 30! 302! 30! 302! 302 230"},
       {nearest, 0, 8, "2467 7531 1! 2467 7531 1! 2467 7531 1!"}});
}

TEST(Victims, AreTheOneThatSeemsToHaveTheMostJobs) {
  tested of_thief(2, 6, victim_choice::busiest);
  const std::vector<std::size_t> sizes{3, 7, 100, 0, 8, 1};
  for (int round = 0; round < 10; ++round) {
    EXPECT_EQ(looked_at(of_thief, round % 2 == 0 ? 4 : none, sizes), (std::vector<unsigned>{4}))
        << "whether it has one by the time that the thief comes or not";
  }
}

TEST(Victims, AreItsLatestThievesFirst) {
  using table = thefts<engine::std_machine>;
  constexpr unsigned workers = 64;
  table stolen(workers, victim_choice::own_first);
  victims<engine::std_machine> owner(7, workers, victim_choice::own_first, stolen);
  victims<engine::std_machine> first(20, workers, victim_choice::own_first, stolen);
  victims<engine::std_machine> second(30, workers, victim_choice::own_first, stolen);
  const auto steal = [](victims<engine::std_machine>& thief) {
    while (looked_at(thief, 7).back() != 7) {
    }
  };
  EXPECT_EQ(looked_at(owner).size(), most_looks) << "no worker has stolen from it";
  steal(first);
  steal(second);
  EXPECT_EQ(looked_at(owner, 20), (std::vector<unsigned>{30, 20}));
  steal(second);
  EXPECT_EQ(looked_at(owner, 30), (std::vector<unsigned>{30}));

  const std::vector<unsigned> round = looked_at(owner);
  EXPECT_EQ(round.size(), 2 + most_looks) << "30 and 20, and then at random";
  EXPECT_EQ(looked_at(owner).size(), most_looks) << "they have nothing left of it";
  // What the owner has stolen back, the thief may steal back in its turn.
  EXPECT_EQ(looked_at(first, 7).front(), 7U);
}

TEST(Victims, AreNoMoreOfItsThievesThanAreRemembered) {
  thefts<engine::std_machine> stolen(16, victim_choice::own_first);
  for (unsigned thief = 1; thief < 16; ++thief) stolen.note(0, thief);
  stolen.note(0, 15);
  std::vector<unsigned> seen;
  stolen.some(0, [&](unsigned thief) {
    seen.push_back(thief);
    return false;
  });
  EXPECT_EQ(seen, (std::vector<unsigned>{15, 14, 13, 12}));
}

}  // namespace
}  // namespace stealbench::work_stealing
