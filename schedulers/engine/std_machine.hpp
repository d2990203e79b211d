// The real machine: <atomic>, futex, membarrier, threads and pinning, at no cost over using them.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <utility>
#include <vector>

#include "schedulers/engine/machine.hpp"
#include "schedulers/engine/memory_model.hpp"
#include "schedulers/engine/spinning_mutex.hpp"
#include "schedulers/operating_system/job_stack.hpp"
#include "schedulers/operating_system/process_mark.hpp"
#include "schedulers/operating_system/processors.hpp"
#include "schedulers/operating_system/thread.hpp"
#include "schedulers/options.hpp"

namespace stealbench::engine {

namespace detail {

/// Whether this process may issue membarrier(PRIVATE_EXPEDITED); registered once, at start-up.
/// Where the kernel refuses, both fences of the asymmetric pair are seq_cst fences. A flag of the
/// namespace, so that the light fence costs one test; in a class, which init_priority asks for, so
/// that it is set before any pool at namespace scope is made.
struct membarrier_registration {
  bool is_made;
};
extern const membarrier_registration membarrier;

// Not std::memory_order's own values, so that the strategy rooms need not include <atomic>.
[[gnu::always_inline]] constexpr std::memory_order to_std(order o) {
  constexpr std::array by_order{std::memory_order_relaxed, std::memory_order_relaxed,
                                std::memory_order_acquire, std::memory_order_release,
                                std::memory_order_acq_rel, std::memory_order_seq_cst};
  return by_order[static_cast<std::size_t>(o)];
}

}  // namespace detail

struct std_machine {
  /// An atomic word without a constructor, so that it can begin its life in memory that is zero.
  template <class T>
  class zeroed_atomic {
   public:
    zeroed_atomic() = default;
    zeroed_atomic(const zeroed_atomic&) = delete;
    zeroed_atomic& operator=(const zeroed_atomic&) = delete;
    ~zeroed_atomic() = default;

    [[gnu::always_inline]] T load(order o) const noexcept { return ref().load(detail::to_std(o)); }
    [[gnu::always_inline]] void store(T value, order o) noexcept {
      ref().store(value, detail::to_std(o));
    }
    [[gnu::always_inline]] T exchange(T value, order o) noexcept {
      return ref().exchange(value, detail::to_std(o));
    }
    [[gnu::always_inline]] T fetch_add(T value, order o) noexcept {
      return ref().fetch_add(value, detail::to_std(o));
    }
    [[gnu::always_inline]] T fetch_sub(T value, order o) noexcept {
      return ref().fetch_sub(value, detail::to_std(o));
    }
    [[gnu::always_inline]] bool compare_exchange_strong(T& expected, T desired, order success,
                                                        order failure) noexcept {
      return ref().compare_exchange_strong(expected, desired, detail::to_std(success),
                                           detail::to_std(failure));
    }

   protected:
    struct initialised {};
    constexpr zeroed_atomic(initialised /*unused*/, T value) noexcept : word_(value) {}

   private:
    friend std_machine;
    [[gnu::always_inline]] std::atomic_ref<T> ref() const noexcept {
      return std::atomic_ref<T>(word_);
    }
    // Mutable, since a load through an atomic_ref needs what could also be stored to.
    alignas(std::atomic_ref<T>::required_alignment) mutable T word_;
  };

  template <class T>
  using atomic = initialised_atomic<zeroed_atomic<T>, T>;

  /// Plain data without a constructor, for the same memory.
  template <class T>
  class zeroed_plain {
   public:
    [[nodiscard]] const T& read() const noexcept { return value_; }
    void write(T value) { value_ = std::move(value); }

    zeroed_plain() = default;

   protected:
    constexpr explicit zeroed_plain(T value) : value_(std::move(value)) {}

   private:
    T value_;
  };

  template <class T>
  class plain : public zeroed_plain<T> {
   public:
    constexpr plain() : zeroed_plain<T>(T{}) {}
    constexpr explicit plain(T value) : zeroed_plain<T>(std::move(value)) {}
  };

  using mutex = spinning_mutex<std_machine, std::mutex>;

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
    // GCC warns of each that ThreadSanitizer does not model fences, and would where a user's code
    // inlines this. Ours order stores before loads and publish nothing: it sees all edges of data.
#pragma GCC diagnostic push
#ifndef __clang__
#pragma GCC diagnostic ignored "-Wtsan"
#endif
    __atomic_thread_fence(static_cast<int>(detail::to_std(o)));
#pragma GCC diagnostic pop
  }

  [[nodiscard]] static bool asymmetric() noexcept { return detail::membarrier.is_made; }

  [[gnu::always_inline]] static void compiler_fence() noexcept {
    std::atomic_signal_fence(std::memory_order_seq_cst);
  }

  [[gnu::always_inline]] static void light_fence() noexcept {
    if (detail::membarrier.is_made) [[likely]] {
      compiler_fence();
    } else {
      fence(order::seq_cst);
    }
  }

  /// Ends the process with a message if the kernel, once it has registered the process, refuses the
  /// barrier: owners already count on it.
  static void heavy_fence() noexcept;

  [[gnu::always_inline]] static void spin() noexcept {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    asm volatile("yield");
#endif
  }

  static bool wait(const zeroed_atomic<std::uint32_t>& word, std::uint32_t old,
                   std::chrono::nanoseconds at_most) noexcept;
  static void notify_one(const zeroed_atomic<std::uint32_t>& word) noexcept;

  static void yield_thread() noexcept { operating_system::yield_thread(); }
  [[nodiscard]] static std::chrono::steady_clock::time_point now() noexcept {
    return std::chrono::steady_clock::now();
  }

  using thread = operating_system::thread;
  [[nodiscard]] static const void* this_thread() noexcept {
    return operating_system::this_thread();
  }
  using process_mark = operating_system::process_mark;
  using pin_scope = operating_system::pin_scope;
  [[nodiscard]] static std::vector<unsigned> workers_by_distance(unsigned worker,
                                                                 unsigned workers) {
    return operating_system::this_machine().workers_by_distance(worker, workers);
  }
  using job_stack = operating_system::job_stack;

  template <class T>
  static void prefetch(const zeroed_atomic<T>& word) noexcept {
    __builtin_prefetch(&word);
  }
  [[gnu::always_inline]] static void charge(cost /*unused*/) noexcept {}
  template <class T>
  [[gnu::always_inline]] static void name(const T& /*unused*/, const char* /*unused*/) noexcept {}
  template <class T>
  [[gnu::always_inline]] static void reads(const T& /*unused*/, const char* /*unused*/) noexcept {}
  template <class T>
  [[gnu::always_inline]] static void writes(const T& /*unused*/) noexcept {}

  static constexpr engine::limits limits() {
    return {
        .max_workers = schedulers::max_workers,
        // Spinning pays up to about the price of a sleep and a wake-up (some 15 microseconds);
        // yields then let another thread have the processor.
        .spin_rounds = 100,
        .yield_rounds = 20,
        .longest_pause = 4,
        // A few microseconds: who finds work so soon, as thieves of a busy pool do, writes no line
        // that all of them write.
        .rounds_unseen = 32,
        // A searcher that has lost its processor keeps the others asleep for no longer than that,
        // times the number of sleepers. A look takes some 50 microseconds of processor time, timer
        // and all.
        .sleeps = {.first = std::chrono::milliseconds{1},
                   .longest = std::chrono::milliseconds{256}},
    };
  }
  // A worker at a join is on the program's way: who opens its latch has to wait until it is awake,
  // and where joins are nested so has each that waits for it. So it spins for some hundred
  // microseconds, but not where it would take the processor from the worker that it waits for.
  static unsigned join_rounds(unsigned workers) {
    const unsigned spin_rounds = limits().spin_rounds;
    return workers <= operating_system::processor_count() ? 30 * spin_rounds : spin_rounds;
  }
  static constexpr unsigned most_searchers(unsigned workers) { return workers / 2 + 1; }
};

static_assert(machine<std_machine>);

}  // namespace stealbench::engine
