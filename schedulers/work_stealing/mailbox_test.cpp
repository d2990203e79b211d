// Mailboxes and claims by themselves, and between real threads. Meant to be run under
// ThreadSanitizer too, without a suppression.
#include "schedulers/work_stealing/mailbox.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "schedulers/work_stealing/loop_record.hpp"

namespace stealbench::work_stealing {
namespace {

using engine::std_machine;
using word = std_machine::zeroed_atomic<std::uint32_t>;
using claim = job_claim<word>;

TEST(Mailbox, GivesItsLettersInTheOrderInWhichTheyWerePosted) {
  mailbox<int> box(4);
  std::array<int, 3> letters{};
  for (int round = 0; round < 5; ++round) {
    EXPECT_EQ(box.take(), nullptr);
    for (int& each : letters) EXPECT_TRUE(box.post(&each));
    for (int& each : letters) EXPECT_EQ(box.take(), &each);
  }
}

TEST(Mailbox, RefusesALetterOnlyWhereItIsFull) {
  for (const std::size_t capacity : {2U, 3U, 8U}) {
    mailbox<int> box(capacity);
    std::vector<int> letters(capacity + 1);
    for (int round = 0; round < 3; ++round) {
      for (std::size_t i = 0; i < capacity; ++i) EXPECT_TRUE(box.post(&letters[i]));
      EXPECT_FALSE(box.post(&letters[capacity]));
      EXPECT_EQ(box.take(), letters.data());
      EXPECT_TRUE(box.post(&letters[capacity]));
      for (std::size_t i = 1; i <= capacity; ++i) EXPECT_EQ(box.take(), &letters[i]);
    }
  }
}

TEST(Claim, IsOneCallersAndOnlyOfAJobThatIsOpen) {
  word job{};
  EXPECT_FALSE(claim::claim(job)) << "of a job that was never mailed";
  for (int life = 0; life < 2; ++life) {
    claim::open_to_all(job);
    EXPECT_TRUE(claim::is_open(job));
    EXPECT_TRUE(claim::claim(job));
    EXPECT_FALSE(claim::is_open(job));
    EXPECT_FALSE(claim::claim(job)) << "of a job that another has";
  }
}

TEST(LoopRecord, KnowsWhoRanAPartLast) {
  loop_record<std_machine> record(64);
  const std::size_t loop = record.key_of(0, 100);
  EXPECT_EQ(loop, record.key_of(0, 100));
  EXPECT_NE(loop, record.key_of(0, 101));
  EXPECT_EQ(record.runner_of(loop + 3), std::nullopt);
  record.note(loop + 3, 0);
  EXPECT_EQ(record.runner_of(loop + 3), 0U);
  record.note(loop + 3, 255);
  EXPECT_EQ(record.runner_of(loop + 3), 255U);
  EXPECT_EQ(record.runner_of(loop + 2), std::nullopt);
}

TEST(MailboxStress, EveryLetterComesOnceAndInItsSendersOrder) {
  constexpr std::size_t senders = 3;
  constexpr std::size_t letters_each = 100'000;
  struct letter {
    std::size_t sender = 0;  // Plain: the mailbox orders it.
    std::size_t number = 0;
  };
  mailbox<letter> box(8);
  std::vector<std::vector<letter>> letters(senders, std::vector<letter>(letters_each));
  std::vector<std::thread> threads;
  threads.reserve(senders);
  for (std::size_t sender = 0; sender < senders; ++sender) {
    threads.emplace_back([&, sender] {
      for (std::size_t number = 0; number < letters_each; ++number) {
        letter& mine = letters[sender][number];
        mine = {sender, number};
        while (!box.post(&mine)) std::this_thread::yield();
      }
    });
  }
  std::array<std::size_t, senders> next{};
  for (std::size_t i = 0; i < senders * letters_each;) {
    const letter* const taken = box.take();
    if (taken == nullptr) {
      std::this_thread::yield();
      continue;
    }
    ASSERT_EQ(taken->number, next.at(taken->sender)++);
    ++i;
  }
  for (std::thread& each : threads) each.join();
  EXPECT_EQ(box.take(), nullptr);
}

// Jobs one after the other in few slots, each with a letter. Their owner wants them back, the
// addressee looks into its mailbox, and a third worker has pointers to all slots.
TEST(ClaimStress, EveryJobOfASlotRunsOnce) {
  constexpr std::size_t jobs = 300'000;
  struct slot {
    word claimed{};
    std::size_t job = 0;  // Plain, as the next: the claim orders them.
    std::size_t runs = 0;
    std::atomic<bool> finished{false};
  };
  std::array<slot, 3> slots{};
  mailbox<slot> box(4);
  std::atomic<bool> over{false};
  std::atomic<std::size_t> elsewhere{0};
  std::vector<unsigned char> ran(jobs);
  const auto run = [&](slot& found) {
    ++ran[found.job];
    ++found.runs;
    elsewhere.fetch_add(1, std::memory_order_relaxed);
    found.finished.store(true, std::memory_order_release);
  };
  std::thread addressee([&] {
    while (!over) {
      slot* const letter = box.take();
      if (letter == nullptr) {
        std::this_thread::yield();
      } else if (claim::claim(letter->claimed)) {
        run(*letter);
      }
    }
  });
  std::thread thief([&] {
    for (std::size_t i = 0; !over; ++i) {
      slot& any = slots.at(i % slots.size());
      if (claim::is_open(any.claimed) && claim::claim(any.claimed)) run(any);
      if (i % 64 == 0) std::this_thread::yield();
    }
  });
  for (std::size_t job = 0; job < jobs; ++job) {
    slot& mine = slots.at(job % slots.size());
    mine.job = job;
    claim::open_to_all(mine.claimed);
    static_cast<void>(box.post(&mine));
    if (job % 16 == 0) std::this_thread::yield();
    if (claim::claim(mine.claimed)) {
      ++ran[job];
      ++mine.runs;
    } else {
      while (!mine.finished.load(std::memory_order_acquire)) std::this_thread::yield();
      mine.finished.store(false, std::memory_order_relaxed);
    }
  }
  over = true;
  addressee.join();
  thief.join();
  for (std::size_t job = 0; job < jobs; ++job) ASSERT_EQ(ran[job], 1) << job;
  EXPECT_GT(elsewhere, 0U);
}

}  // namespace
}  // namespace stealbench::work_stealing
