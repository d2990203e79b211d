#include "verify/linearizability.hpp"

#include <atomic>
#include <barrier>
#include <optional>
#include <random>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "schedulers/work_stealing/asymmetric_deque.hpp"
#include "schedulers/work_stealing/chase_lev_deque.hpp"
#include "schedulers/work_stealing/locked_deque.hpp"

namespace stealbench::verify {
namespace {

using history = std::vector<event>;
constexpr auto push = event::kind::push;
constexpr auto pop = event::kind::pop;
constexpr auto steal = event::kind::steal;
constexpr std::nullopt_t none = std::nullopt;

TEST(Linearizable, IsASequentialHistory) {
  EXPECT_TRUE(linearizable(history{}));
  EXPECT_TRUE(linearizable(history{
      {push, 0, 1, 2}, {push, 1, 3, 4}, {pop, 1, 5, 6}, {steal, 0, 7, 8}, {pop, none, 9, 10}}));
}

TEST(Linearizable, IsNotAJobThatIsTakenTwice) {
  EXPECT_FALSE(linearizable(history{{push, 0, 1, 2}, {pop, 0, 3, 6}, {steal, 0, 4, 5}}));
}

TEST(Linearizable, IsNotAJobThatIsTakenBeforeItIsPushed) {
  EXPECT_FALSE(linearizable(history{{steal, 0, 1, 2}, {push, 0, 3, 4}}));
  EXPECT_TRUE(linearizable(history{{steal, 0, 1, 4}, {push, 0, 3, 5}}));
}

TEST(Linearizable, IsNotTheWrongEnd) {
  const history two{{push, 0, 1, 2}, {push, 1, 3, 4}};
  history stolen = two;
  stolen.push_back({steal, 1, 5, 6});
  EXPECT_FALSE(linearizable(stolen));
  history popped = two;
  popped.push_back({pop, 0, 5, 6});
  EXPECT_FALSE(linearizable(popped));
}

TEST(Linearizable, IsNotAPopThatMissesAJob) {
  EXPECT_FALSE(linearizable(history{{push, 0, 1, 2}, {pop, none, 3, 4}, {steal, 0, 5, 6}}));
  EXPECT_TRUE(linearizable(history{{push, 0, 1, 2}, {pop, none, 3, 6}, {steal, 0, 4, 7}}));
}

TEST(Linearizable, IsAStealThatFindsNothingAtAnyTime) {
  EXPECT_TRUE(linearizable(history{{push, 0, 1, 2}, {steal, none, 3, 4}, {pop, 0, 5, 6}}));
}

TEST(Linearizable, TakesAsManyEventsAsItSays) {
  history many;
  for (std::uint64_t i = 0; i < 32; ++i) many.push_back({push, i, 2 * i, 2 * i + 1});
  for (std::uint64_t i = 0; i < 32; ++i) many.push_back({steal, i, 100, 1000});
  EXPECT_TRUE(linearizable(many));
  many.back().job = 0;
  EXPECT_FALSE(linearizable(many));
}

// Histories of real threads. The clock is a read-modify-write and so a fence on x86: what that
// hides is the model checker's to find.
template <class Deque>
// NOLINTNEXTLINE(readability-identifier-naming): GoogleTest shows it as the name of the suite.
class RealThreads : public testing::Test {
 protected:
  static constexpr int thieves = 2;
  static constexpr int rounds = 2'000;
  static constexpr int acts = 12;  // of the owner, in a round
  static constexpr int attempts = 8;

  template <class Act>
  void record(history& to, event::kind what, const Act& act) {
    const std::uint64_t begin = clock.fetch_add(1);
    const std::optional<std::size_t> job = act();
    to.push_back({what, job, begin, clock.fetch_add(1)});
  }
  std::optional<std::size_t> id(const int* job) const {
    return job == nullptr ? none : std::optional(static_cast<std::size_t>(job - jobs));
  }

  int jobs[acts] = {};
  std::atomic<std::uint64_t> clock{0};
};

using deques =
    testing::Types<work_stealing::chase_lev_deque<int*>, work_stealing::asymmetric_deque<int*>,
                   work_stealing::locked_deque<int*>>;
TYPED_TEST_SUITE(RealThreads, deques);

TYPED_TEST(RealThreads, SeeALinearizableDeque) {
  std::optional<TypeParam> deque;
  std::vector<history> of(1 + this->thieves);
  std::barrier in_step(1 + this->thieves);
  std::vector<std::thread> threads;
  for (int thief = 1; thief <= this->thieves; ++thief) {
    threads.emplace_back([&, thief] {
      for (int round = 0; round < this->rounds; ++round) {
        in_step.arrive_and_wait();
        for (int i = 0; i < this->attempts; ++i) {
          this->record(of[static_cast<std::size_t>(thief)], steal,
                       [&] { return this->id(deque->steal().job); });
        }
        in_step.arrive_and_wait();
      }
    });
  }
  std::mt19937 random(20261121);
  std::uint64_t steals = 0;
  bool right = true;
  for (int round = 0; round < this->rounds; ++round) {
    deque.emplace(std::size_t{1}, std::size_t{16});
    for (history& each : of) each.clear();
    in_step.arrive_and_wait();
    int pushed = 0;
    for (int act = 0; act < this->acts; ++act) {
      if (random() % 2 == 0) {
        int* const job = &this->jobs[pushed++];
        this->record(of[0], push, [&] {
          EXPECT_TRUE(deque->push(job));
          return this->id(job);
        });
      } else {
        this->record(of[0], pop, [&] { return this->id(deque->pop()); });
      }
    }
    in_step.arrive_and_wait();
    history all;
    for (const history& each : of) all.insert(all.end(), each.begin(), each.end());
    for (const event& e : all) steals += e.what == steal && e.job ? 1 : 0;
    right = right && linearizable(all);
  }
  for (std::thread& each : threads) each.join();
  EXPECT_TRUE(right);
  EXPECT_GT(steals, 0U) << "nothing has been tried";
}

}  // namespace
}  // namespace stealbench::verify
