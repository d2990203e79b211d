// Every deque between real threads. Correctness only: nothing here looks at a clock. Meant to be
// run under ThreadSanitizer too, without a suppression.
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include <gtest/gtest.h>

#include "schedulers/contract/test_limit.hpp"
#include "schedulers/work_stealing/deques.hpp"
#include "schedulers/work_stealing/protocols/deque.hpp"
#include "schedulers/work_stealing/protocols/stress_pace_fixture.hpp"
#include "schedulers/work_stealing/rings_fixture.hpp"

namespace stealbench::work_stealing {
namespace {

struct job {
  // Plain data on purpose: the deque alone orders the owner's write before the taker's read.
  std::uint64_t payload = 0;
  // Written by whoever takes the job. Plain as well: a second taker would be a data race, and a
  // count of two.
  int runs = 0;
};

struct scenario {
  std::size_t initial_capacity;
  std::size_t max_capacity;
  int burst;  // pushes between two rounds of pops
  int pops;   // pops of a round
  std::size_t thieves;
};

std::uint64_t payload_of(std::size_t i) { return i * 0x9e3779b97f4a7c15U + 1; }

// Every job runs once, with its payload.
template <class Kind>
void push_pop_and_steal(const scenario& s) {
  std::vector<job> jobs(stress_jobs);
  typename Kind::template deque<job*> deque(s.initial_capacity, s.max_capacity);
  std::atomic<bool> all_pushed{false};
  std::atomic<std::uint64_t> wrong_payloads{0};
  std::atomic<bool> any_lost{false};
  stress_pace pace;

  const auto take = [&](job* j) {
    const auto i = static_cast<std::size_t>(j - jobs.data());
    if (j->payload != payload_of(i)) wrong_payloads.fetch_add(1, std::memory_order_relaxed);
    ++j->runs;
  };
  const auto thief = [&](std::size_t /*index*/) {
    for (unsigned misses = 0;;) {
      const bool last_look = all_pushed.load(std::memory_order_acquire);
      const auto [outcome, j] = deque.steal();
      if (outcome == steal_outcome::taken) {
        take(j);
        pace.taken();
        misses = 0;
      }
      if (outcome == steal_outcome::lost) any_lost.store(true, std::memory_order_relaxed);
      if (outcome == steal_outcome::empty) {
        if (last_look) return;
        stress_pace::missed(++misses);
      }
    }
  };

  std::size_t refused = 0;
  const auto owner = [&] {
    for (std::size_t i = 0; i < stress_jobs;) {
      for (int k = 0; k < s.burst && i < stress_jobs; ++k, ++i) {
        jobs[i].payload = payload_of(i);
        if (deque.push(&jobs[i])) continue;
        ++refused;
        take(&jobs[i]);
      }
      pace.let_thieves_come(i);
      for (int k = 0; k < s.pops; ++k) {
        if (job* j = deque.pop()) take(j);
      }
    }
    all_pushed.store(true, std::memory_order_release);
    while (job* j = deque.pop()) take(j);
  };
  beside_thieves(s.thieves, thief, owner);

  EXPECT_EQ(wrong_payloads.load(), 0U);
  std::size_t not_once = 0;
  for (const job& j : jobs) not_once += j.runs == 1 ? 0 : 1;
  EXPECT_EQ(not_once, 0U);
  EXPECT_GT(pace.stolen(), 0U);
  const bool must_refuse = static_cast<std::size_t>(s.burst) > s.max_capacity;
  EXPECT_TRUE(refused > 0 || !must_refuse);
  // One that does not grow may refuse a push while the slots of stolen jobs are not free again.
  EXPECT_TRUE(refused == 0 || must_refuse || !decltype(deque)::grows);
  EXPECT_TRUE(deque.looks_empty());
  if (std::is_same_v<Kind, deques::locked>) {
    EXPECT_FALSE(any_lost.load());
  }
}

template <class Kind>
// NOLINTNEXTLINE(readability-identifier-naming): GoogleTest shows it as the name of the suite.
class DequeStress : public testing::Test {};

TYPED_TEST_SUITE(DequeStress, rings::types, ring_names);

TYPED_TEST(DequeStress, LastJobOverAndOver) { push_pop_and_steal<TypeParam>({64, 64, 1, 1, 1}); }

TYPED_TEST(DequeStress, LastJobWithThreeThieves) {
  push_pop_and_steal<TypeParam>({64, 64, 1, 1, 3});
}

TYPED_TEST(DequeStress, GrowthFromOneSlot) { push_pop_and_steal<TypeParam>({1, 1 << 20, 7, 5, 2}); }

TYPED_TEST(DequeStress, WrapAroundAndRefusedPushes) {
  push_pop_and_steal<TypeParam>({2, 4, 5, 2, 2});
}

TYPED_TEST(DequeStress, ThievesDoAllTheWork) {
  push_pop_and_steal<TypeParam>({1024, 1 << 20, 100, 0, 3});
}

TYPED_TEST(DequeStress, SizeHintNeverShrinksWhileTheOwnerOnlyPushes) {
  std::vector<int> jobs(stress_jobs);
  typename TypeParam::template deque<int*> deque(1, 1 << 20);
  std::atomic<bool> stop{false};
  bool shrank = false;
  const auto watch = [&](std::size_t /*index*/) {
    std::size_t before = 0;
    while (!stop.load(std::memory_order_acquire)) {
      const std::size_t now = deque.size_hint();
      shrank = shrank || now < before || now > stress_jobs;
      before = now;
    }
  };
  std::size_t pushed = 0;
  beside_thieves(1, watch, [&] {
    while (pushed < stress_jobs && deque.push(&jobs[pushed])) ++pushed;
    stop.store(true, std::memory_order_release);
  });
  EXPECT_FALSE(shrank);
  EXPECT_EQ(deque.size_hint(), pushed);
  EXPECT_TRUE(pushed == stress_jobs || pushed == deque.capacity());
}

}  // namespace
}  // namespace stealbench::work_stealing
