// A thread that answers another one through memory alone: what a cache line's way and a wake-up
// cost without a scheduler.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <thread>

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "bench/costs/handover.hpp"
#include "bench/costs/times.hpp"
#include "schedulers/operating_system/thread.hpp"

namespace stealbench::costs {

enum class wait_by : bool { spinning, futex };

/// A thread that waits for a number, answers, and waits for the next one. The word and the answer
/// are on two lines, each written by one side: one line that both write costs several transfers.
class partner {
 public:
  /// Runs on the `processor`-th processor that the process may use, if one is given.
  partner(wait_by how, std::optional<unsigned> processor)
      : how_(how), thread_([this, processor] {
          if (processor) operating_system::pin_this_thread(*processor);
          answer_all();
        }) {}
  partner(const partner&) = delete;
  partner& operator=(const partner&) = delete;
  ~partner() {
    send(stop);
    thread_.join();
  }

  /// Returns whether the thread slept and was woken. Numbers differ from their predecessors and
  /// begin with 1.
  bool send(std::uint32_t number) {
    word_.store(number, std::memory_order_release);  // W
    return how_ == wait_by::futex &&
           syscall(SYS_futex, &word_, FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0) == 1;
  }
  /// The whole answer is given to a number by a thread that waits by futex; else only the number.
  [[nodiscard]] const answer& said() const { return said_; }

 private:
  static constexpr std::uint32_t stop = ~std::uint32_t{0};

  void answer_all() {
    for (std::uint32_t number = await_after(0); number != stop; number = await_after(number)) {
      if (how_ == wait_by::futex) {
        said_.give(clock::now(), number);
      } else {
        said_.acknowledge(number);
      }
    }
  }
  std::uint32_t await_after(std::uint32_t latest) {
    std::uint32_t number = word_.load(std::memory_order_acquire);  // pairs with W
    while (number == latest) {
      if (how_ == wait_by::futex) {
        // The kernel compares the word before it lets the thread sleep: no wake-up is lost.
        syscall(SYS_futex, &word_, FUTEX_WAIT_PRIVATE, latest, nullptr, nullptr, 0);
      }
      number = word_.load(std::memory_order_acquire);  // pairs with W
    }
    return number;
  }

  const wait_by how_;
  alignas(128) std::atomic<std::uint32_t> word_{0};  // Written by the owner.
  answer said_;                                      // Written by the thread.
  std::thread thread_;
};

/// From the store by one pinned thread until another one, which spins on another processor, has
/// seen it. Half a round trip, so that it does not matter whether the clocks of two processors
/// agree. Throws std::runtime_error if there is one processor.
template <class Partner>
[[nodiscard]] figure_times time_line_transfers() {
  if (operating_system::processor_count() < 2) {
    throw std::runtime_error("a cache line goes between two processors, and there is one");
  }
  constexpr std::uint64_t trips_per_batch = 100;
  const operating_system::affinity_scope restore;
  operating_system::pin_this_thread(0);
  Partner other(wait_by::spinning, 1);
  return time_batches(2 * trips_per_batch, [&other, number = std::uint32_t{0}]() mutable {
    for (std::uint64_t i = 0; i < trips_per_batch; ++i) {
      other.send(++number);
      other.said().await(number);
    }
  });
}

}  // namespace stealbench::costs
