// The memory model of the machine: <atomic>, futex and membarrier, at no cost over using them.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <utility>

#include "schedulers/engine/memory_model.hpp"

namespace stealbench::engine {

/// Whether this process may issue membarrier(PRIVATE_EXPEDITED); registered once, at start-up.
/// Where the kernel refuses, both fences of the asymmetric pair are seq_cst fences.
[[nodiscard]] bool asymmetric_fence_available() noexcept;

namespace detail {

/// Written once, before main; a namespace-scope flag so that the light fence costs one test.
extern const bool membarrier_registered;

/// Runs a full barrier on every processor that runs a thread of this process.
void system_wide_fence() noexcept;

void futex_wait(const std::atomic<std::uint32_t>& word, std::uint32_t old) noexcept;
void futex_wake_one(const std::atomic<std::uint32_t>& word) noexcept;

// Not std::memory_order's own values, so that the strategy rooms need not include <atomic>.
[[gnu::always_inline]] constexpr std::memory_order to_std(order o) {
  switch (o) {
    case order::acquire:
      return std::memory_order_acquire;
    case order::release:
      return std::memory_order_release;
    case order::acq_rel:
      return std::memory_order_acq_rel;
    case order::seq_cst:
      return std::memory_order_seq_cst;
    case order::none:
    case order::relaxed:
      break;
  }
  return std::memory_order_relaxed;
}

}  // namespace detail

struct std_model {
  template <class T>
  class atomic {
   public:
    constexpr atomic() noexcept = default;
    constexpr explicit atomic(T value) noexcept : word_(value) {}

    [[gnu::always_inline]] T load(order o) const noexcept { return word_.load(detail::to_std(o)); }
    [[gnu::always_inline]] void store(T value, order o) noexcept {
      word_.store(value, detail::to_std(o));
    }
    [[gnu::always_inline]] T exchange(T value, order o) noexcept {
      return word_.exchange(value, detail::to_std(o));
    }
    [[gnu::always_inline]] T fetch_add(T value, order o) noexcept {
      return word_.fetch_add(value, detail::to_std(o));
    }
    [[gnu::always_inline]] T fetch_sub(T value, order o) noexcept {
      return word_.fetch_sub(value, detail::to_std(o));
    }
    [[gnu::always_inline]] bool compare_exchange_strong(T& expected, T desired, order success,
                                                        order failure) noexcept {
      return word_.compare_exchange_strong(expected, desired, detail::to_std(success),
                                           detail::to_std(failure));
    }

   private:
    friend std_model;
    std::atomic<T> word_{};
  };

  template <class T>
  class plain {
   public:
    constexpr plain() = default;
    constexpr explicit plain(T value) : value_(std::move(value)) {}
    [[nodiscard]] const T& read() const noexcept { return value_; }
    void write(T value) { value_ = std::move(value); }

   private:
    T value_{};
  };

  using mutex = std::mutex;

  /// On x86-64 a locked read-modify-write is a full fence at a tenth of the price of the mfence
  /// that Clang emits; GCC makes that choice by itself. `order::none` is no fence. Of eight bytes,
  /// since a register may have been saved there: a load of all eight would wait for a store of four
  /// (6.1 ns a fork of fib over the Chase-Lev deque, and not 4.2).
  [[gnu::always_inline]] static void fence(order o) noexcept {
    if (o == order::none) return;
#if defined(__clang__) && defined(__x86_64__)
    if (o == order::seq_cst) {
      asm volatile("lock; orq $0, (%%rsp)" ::: "memory", "cc");
      return;
    }
#endif
    std::atomic_thread_fence(detail::to_std(o));
  }

  [[nodiscard]] static bool asymmetric() noexcept { return detail::membarrier_registered; }

  [[gnu::always_inline]] static void free_fence() noexcept {
    std::atomic_signal_fence(std::memory_order_seq_cst);
  }

  [[gnu::always_inline]] static void light_fence() noexcept {
    if (detail::membarrier_registered) [[likely]] {
      free_fence();
    } else {
      fence(order::seq_cst);
    }
  }

  static void heavy_fence() noexcept {
    if (detail::membarrier_registered) {
      detail::system_wide_fence();
    } else {
      fence(order::seq_cst);
    }
  }

  [[gnu::always_inline]] static void spin() noexcept {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    asm volatile("yield");
#endif
  }

  static void wait(const atomic<std::uint32_t>& word, std::uint32_t old) noexcept {
    detail::futex_wait(word.word_, old);
  }
  static void notify_one(const atomic<std::uint32_t>& word) noexcept {
    detail::futex_wake_one(word.word_);
  }
};

static_assert(memory_model<std_model>);

}  // namespace stealbench::engine
