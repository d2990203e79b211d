// The split deque between real threads, as deque_stress_test.cpp has the others. A worker is played
// down to what the protocol asks of it: a stack of slots, a latch in each.
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "schedulers/engine/jobs/job_entry.hpp"
#include "schedulers/engine/sleep/latch.hpp"
#include "schedulers/engine/std_machine.hpp"
#include "schedulers/work_stealing/protocols/deque.hpp"
#include "schedulers/work_stealing/protocols/split_deque.hpp"
#include "schedulers/work_stealing/protocols/stress_pace_fixture.hpp"

namespace stealbench::work_stealing {
namespace {

using engine::order;
using engine::std_machine;

struct kind {};
kind a_job;
struct no_waiter {};  // Who waits for a latch here spins.

struct alignas(64) slot {
  using kind_type = kind;
  engine::job_entry<kind, std_machine> entry;
  engine::latch<no_waiter, std_machine> finished;
  // Plain data on purpose: the deque and the latch alone order the accesses to it.
  std::uint64_t number = 0;
  int runs = 0;
};

struct split_scenario {
  int burst;  // pushes between two rounds of joins
  int joins;  // joins of a round
  bool shares;
  unsigned patience;  // steals in vain before a thief forces the border
  std::size_t thieves;
};

/// What one thread ran: how many jobs, and the sum of their numbers.
struct tally {
  std::uint64_t jobs = 0;
  std::uint64_t numbers = 0;

  void run(slot& job) {
    ++job.runs;
    ++jobs;
    numbers += job.number;
  }
};

constexpr unsigned never = ~0U;

class played_owner {
 public:
  split_deque<slot>& deque() { return deque_; }

  /// Returns what it ran itself.
  tally play(const split_scenario& s, stress_pace& pace) {
    while (pushed_ < stress_jobs) {
      for (int i = 0; i < s.burst; ++i) push();
      if (s.shares) deque_.expose(slots_[depth_ - 1]);
      pace.let_thieves_come(pushed_);
      for (int i = 0; i < s.joins && depth_ > 0; ++i) join();
    }
    while (depth_ > 0) join();
    return ran_;
  }

  [[nodiscard]] std::uint64_t pushed() const { return pushed_; }
  [[nodiscard]] std::uint64_t not_once() const { return not_once_; }

 private:
  static constexpr std::size_t most_slots = 256;

  void push() {
    while (depth_ == most_slots) join();
    slot& topmost = slots_[depth_++];
    topmost.number = pushed_++;
    topmost.runs = 0;
    deque_.push(topmost, a_job);
  }

  void join() {
    slot& topmost = slots_[depth_ - 1];
    if (deque_.take_back(topmost)) {
      ran_.run(topmost);
    } else {
      wait_for(topmost);
    }
    --depth_;
    not_once_ += topmost.runs == 1 ? 0 : 1;
  }

  // Works meanwhile, in the slots above the stolen one.
  void wait_for(slot& stolen) {
    while (!stolen.finished.done()) {
      if (depth_ < most_slots) {
        push();
        join();
      }
      std::this_thread::yield();
    }
    const bool declined = stolen.finished.declined();
    stolen.finished.reset();
    deque_.retire(stolen);
    if (declined) ran_.run(stolen);
  }

  // A block of this alignment does not cross a multiple of 4 GiB.
  alignas(1 << 15) std::array<slot, most_slots + 1> slots_{};
  split_deque<slot> deque_{&slots_.front(), &slots_.back()};
  std::size_t depth_ = 0;
  std::uint64_t pushed_ = 0;
  std::uint64_t not_once_ = 0;
  tally ran_;
};

/// Steals until `over`. Returns what it ran.
tally play_thief(split_deque<slot>& deque, std::uint16_t id, unsigned patience,
                 const std::atomic<bool>& over, stress_pace& pace) {
  tally ran;
  unsigned misses = 0;
  while (!over.load(std::memory_order_relaxed)) {
    auto got = deque.steal();
    if (got.job == nullptr && misses >= patience) got = deque.force(id);
    if (got.job == nullptr) {
      stress_pace::missed(++misses);
    } else if (got.job->entry.kind(order::relaxed) == nullptr) {
      static_cast<void>(got.job->finished.decline());
    } else {
      ran.run(*got.job);
      static_cast<void>(got.job->finished.set());
      pace.taken();
      misses = 0;
    }
  }
  return ran;
}

// Every job runs once.
void push_join_and_steal(const split_scenario& s) {
  if (!s.shares && !std_machine::asymmetric()) GTEST_SKIP() << "without membarrier none is forced";
  const auto owner = std::make_unique<played_owner>();
  std::atomic<bool> over{false};
  stress_pace pace;
  std::vector<tally> stolen(s.thieves);
  tally ran;
  beside_thieves(
      s.thieves,
      [&](std::size_t i) {
        stolen[i] =
            play_thief(owner->deque(), static_cast<std::uint16_t>(i + 1), s.patience, over, pace);
      },
      [&] {
        ran = owner->play(s, pace);
        over.store(true, std::memory_order_relaxed);
      });

  for (const tally& each : stolen) {
    ran.jobs += each.jobs;
    ran.numbers += each.numbers;
  }
  EXPECT_EQ(owner->not_once(), 0U);
  EXPECT_GT(pace.stolen(), 0U);
  EXPECT_EQ(ran.jobs, owner->pushed());
  EXPECT_EQ(ran.numbers, owner->pushed() * (owner->pushed() - 1) / 2);
  EXPECT_TRUE(owner->deque().looks_empty());
}

TEST(SplitDequeStress, LastJobShared) { push_join_and_steal({1, 1, true, never, 1}); }

TEST(SplitDequeStress, LastJobForced) { push_join_and_steal({1, 1, false, 1, 2}); }

TEST(SplitDequeStress, OwnerAndThreeThievesMeet) { push_join_and_steal({7, 7, true, never, 3}); }

TEST(SplitDequeStress, ThievesForceAndShareAtOnce) { push_join_and_steal({7, 5, true, 4, 2}); }

TEST(SplitDequeStress, ThievesForceAlone) { push_join_and_steal({40, 39, false, 16, 3}); }

}  // namespace
}  // namespace stealbench::work_stealing
