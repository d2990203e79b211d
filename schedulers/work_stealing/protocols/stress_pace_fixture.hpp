// How much a stress test does, and how its owner and its thieves meet. Left to themselves they
// hardly do: an owner pushes and pops a million jobs while a thief waits for a processor, and a pop
// follows its push before any thief has looked.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <thread>
#include <vector>

#include "schedulers/engine/memory_model.hpp"
#include "schedulers/engine/std_machine.hpp"

namespace stealbench::work_stealing {

/// Jobs of a stress test: fewer where the environment says so, as a sanitizer takes 20 times as
/// long for each.
inline const std::size_t stress_jobs =
    std::getenv("STEALBENCH_FEW_JOBS") != nullptr ? 250'000 : 1'000'000;

class stress_pace {
 public:
  /// Thief: it has taken a job. Relaxed: it must order nothing that the deque does not.
  void taken() { stolen_.fetch_add(1, engine::order::relaxed); }

  /// Thief: it has looked in vain, for the `misses`-th time in a row.
  static void missed(unsigned misses) {
    if (misses % 64 != 0) {
      engine::std_machine::spin();
    } else {
      std::this_thread::yield();
    }
  }

  /// Owner: between its pushes and its pops, with `jobs` pushed so far. Pauses for a time that
  /// varies; and as long as less than one job in a thousand is stolen, hands its processor on, or
  /// now and then sleeps, which is longer than the slowest steal takes.
  void let_thieves_come(std::uint64_t jobs) {
    random_ = random_ * 6364136223846793005U + 1442695040888963407U;  // Knuth's MMIX
    for (std::uint64_t pauses = random_ >> 62; pauses > 0; --pauses) engine::std_machine::spin();
    if (stolen() * 1000 >= jobs) return;
    if ((random_ >> 32) % 1024 == 0) {
      std::this_thread::sleep_for(std::chrono::microseconds{50});
    } else {
      std::this_thread::yield();
    }
  }

  /// Any thread. Relaxed: a count that publishes nothing; exact once the thieves are joined.
  [[nodiscard]] std::uint64_t stolen() const { return stolen_.load(engine::order::relaxed); }

 private:
  alignas(128) engine::std_machine::atomic<std::uint64_t> stolen_{0};  // Written by thieves.
  alignas(128) std::uint64_t random_ = 1;                              // The owner's.
};

/// Plays `thief(i)` on so many threads while `owner` plays, which begins when all of them run.
void beside_thieves(std::size_t thieves, const auto& thief, const auto& owner) {
  engine::std_machine::atomic<std::size_t> missing{thieves};
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < thieves; ++i) {
    threads.emplace_back([&, i] {
      missing.fetch_sub(1, engine::order::relaxed);
      thief(i);
    });
  }
  while (missing.load(engine::order::relaxed) != 0) std::this_thread::yield();
  owner();
  for (std::thread& each : threads) each.join();
}

}  // namespace stealbench::work_stealing
