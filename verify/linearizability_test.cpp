#include "verify/linearizability.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <random>
#include <span>
#include <string_view>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "schedulers/contract/test_limit.hpp"
#include "schedulers/engine/std_machine.hpp"
#include "schedulers/work_stealing/protocols/abp_deque.hpp"
#include "schedulers/work_stealing/protocols/chase_lev_deque.hpp"
#include "schedulers/work_stealing/protocols/locked_deque.hpp"
#include "verify/work_stealing/recorded_deques.hpp"

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

TEST(Linearizable, IsNoJobThatIsTakenTwiceTooEarlyOrFromTheWrongEnd) {
  EXPECT_FALSE(linearizable(history{{push, 0, 1, 2}, {pop, 0, 3, 6}, {steal, 0, 4, 5}}));
  EXPECT_FALSE(linearizable(history{{steal, 0, 1, 2}, {push, 0, 3, 4}}));
  EXPECT_TRUE(linearizable(history{{steal, 0, 1, 4}, {push, 0, 3, 5}}));
  for (const event& wrong : {event{steal, 1, 5, 6}, event{pop, 0, 5, 6}}) {
    EXPECT_FALSE(linearizable(history{{push, 0, 1, 2}, {push, 1, 3, 4}, wrong}));
  }
}

TEST(Linearizable, IsNoPopThatMissesAJobButAStealThatFindsNothingAtAnyTime) {
  EXPECT_FALSE(linearizable(history{{push, 0, 1, 2}, {pop, none, 3, 4}, {steal, 0, 5, 6}}));
  EXPECT_TRUE(linearizable(history{{push, 0, 1, 2}, {pop, none, 3, 6}, {steal, 0, 4, 7}}));
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

// Threads that sleep before a round wake one after another, and hardly ever meet. Here they yield.
class yielding_barrier {
 public:
  explicit yielding_barrier(std::size_t threads) : threads_(threads) {}

  void arrive_and_wait() {
    // seq_cst both, which is more than enough: whoever goes on sees what all did before they came.
    const std::size_t all = (arrived_.fetch_add(1) / threads_ + 1) * threads_;
    while (arrived_.load() < all) std::this_thread::yield();
  }

 private:
  const std::size_t threads_;
  std::atomic<std::size_t> arrived_{0};  // in all rounds
};

// Histories of real threads. The clock is a read-modify-write and so a fence on x86: what that
// hides is the model checker's to find.
template <class Recorded>
class RealThreads : public testing::Test {};  // NOLINT: GoogleTest shows it as the suite's name.

using recorded = testing::Types<recorded_ring_deque<work_stealing::chase_lev_deque<int*>>,
                                recorded_ring_deque<work_stealing::locked_deque<int*>>,
                                recorded_ring_deque<work_stealing::abp_deque<int*>>,
                                recorded_split_deque<engine::std_machine, 16>>;
TYPED_TEST_SUITE(RealThreads, recorded);

TYPED_TEST(RealThreads, SeeALinearizableDeque) {
  constexpr std::size_t thieves = 2;
  constexpr int rounds = 5'000;
  constexpr int acts = 12;  // of the owner, in a round
  constexpr std::size_t attempts = 8;
  constexpr std::string_view owner_acts = TypeParam::owner_acts;
  constexpr std::string_view thief_acts = TypeParam::thief_acts;
  std::optional<TypeParam> deque;
  std::atomic<std::uint64_t> clock{0};
  std::vector<recording<std::atomic<std::uint64_t>>> recordings(1 + thieves, recording(clock));
  yielding_barrier in_step(1 + thieves);
  std::vector<std::thread> threads;
  for (std::size_t thief = 1; thief <= thieves; ++thief) {
    threads.emplace_back([&, thief] {
      for (int round = 0; round < rounds; ++round) {
        in_step.arrive_and_wait();
        for (std::size_t i = 0; i < attempts; ++i) {
          if (i % 4 == 3) std::this_thread::yield();  // as the owner does
          const char act = thief_acts[i % thief_acts.size()];
          EXPECT_TRUE(deque->play(act, static_cast<std::uint16_t>(thief), recordings[thief]));
        }
        in_step.arrive_and_wait();
      }
    });
  }
  std::mt19937 random(20261121);
  std::vector<std::uint64_t> taken_by(thief_acts.size());
  bool right = true;
  for (int round = 0; round < rounds; ++round) {
    deque.emplace(std::size_t{1}, std::size_t{16});
    for (auto& each : recordings) each.clear();
    in_step.arrive_and_wait();
    for (int act = 0; act < acts; ++act) {
      // Else it is through before the first thief has come.
      if (random() % 4 == 0) std::this_thread::yield();
      EXPECT_TRUE(deque->play(owner_acts[random() % owner_acts.size()], 0, recordings[0]));
    }
    in_step.arrive_and_wait();
    history all;
    for (const auto& each : recordings) {
      const std::span<const event> events = each.events();
      all.insert(all.end(), events.begin(), events.end());
    }
    right = right && linearizable(all);
    for (std::size_t thief = 1; thief <= thieves; ++thief) {
      const std::span<const event> events = recordings[thief].events();
      for (std::size_t i = 0; i < events.size(); ++i) {
        taken_by[i % thief_acts.size()] += events[i].job ? 1 : 0;
      }
    }
  }
  for (std::thread& each : threads) each.join();
  EXPECT_TRUE(right);
  for (std::size_t i = 0; i < thief_acts.size(); ++i) {
    if (thief_acts[i] == 'f' && !engine::std_machine::asymmetric()) continue;
    EXPECT_GT(taken_by[i], 0U) << thief_acts[i] << ": nothing has been tried";
  }
}

}  // namespace
}  // namespace stealbench::verify
