// The real machine with random delays around its operations: now and then a few pauses, more seldom
// a yield or a sleep. The windows between two steps of a protocol, which on the real machine
// are some nanoseconds, become as long as the steps of other workers. Unlike under Relacy, what
// runs is the compiled program on the processor's own memory model, with as many workers and jobs
// as the tests of schedulers/contract/ have; unlike there, no execution is repeated or reduced.
//
// STEALBENCH_CHAOS_SEED is a number, or `fresh` for another one in each process. It is printed
// first (CTest shows it where a test fails, and keeps it in Testing/Temporary/LastTest.log). A seed
// repeats what each thread draws, not how the operating system schedules the threads.
#pragma once

#include <atomic>
#include <charconv>
#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <random>
#include <string_view>
#include <thread>

#include "schedulers/engine/machine.hpp"
#include "schedulers/engine/memory_model.hpp"
#include "schedulers/engine/std_machine.hpp"
#include "schedulers/options.hpp"
#include "schedulers/random.hpp"
#include "schedulers/work_stealing/protocols/deque_limits.hpp"

namespace stealbench::verify {

/// The random delays of one thread.
class chaos {
 public:
  /// Delays the calling thread.
  static void delay() {
    static thread_local chaos own(seed(), next_thread_number());
    own.draw();
  }

  /// Of this process; read once.
  static std::uint64_t seed() {
    static const std::uint64_t read_once = read_seed();
    return read_once;
  }

 private:
  chaos(std::uint64_t seed, std::uint64_t thread_number)
      : random_(schedulers::mixed(seed + thread_number * schedulers::golden_gamma) | 1) {}

  static std::uint64_t next_thread_number() {
    static std::atomic<std::uint64_t> threads{0};
    // Relaxed: a count that publishes nothing.
    return threads.fetch_add(1, std::memory_order_relaxed) + 1;
  }

  static std::uint64_t read_seed() {
    constexpr const char* variable = "STEALBENCH_CHAOS_SEED";
    std::uint64_t seed = 20261121;
    if (const char* const text = std::getenv(variable)) {
      const std::string_view given(text);
      const char* const end = given.data() + given.size();
      if (given == "fresh") {
        seed = std::random_device{}();
      } else if (const auto read = std::from_chars(given.data(), end, seed);
                 read.ec != std::errc{} || read.ptr != end) {
        std::fprintf(stderr, "%s=%s: must be a number from 0 to 2^64 - 1, or fresh\n", variable,
                     text);
        std::abort();
      }
    }
    std::fprintf(stderr, "%s=%llu\n", variable, static_cast<unsigned long long>(seed));
    return seed;
  }

  void draw() {
    const std::uint64_t drawn = schedulers::next_random(random_);
    const auto which = static_cast<std::uint32_t>(drawn >> 52);                // 12 bits,
    const auto length = static_cast<std::uint32_t>(drawn >> 32) % (1U << 20);  // and 20 others
    if (which % 64 == 0) {
      for (unsigned pauses = length % 64; pauses > 0; --pauses) engine::std_machine::spin();
    } else if (which % 512 == 1) {
      engine::std_machine::yield_thread();
    } else if (which == 2) {
      std::this_thread::sleep_for(std::chrono::microseconds{length % 200});
    }
  }

  std::uint64_t random_;
};

/// What `operation` returns, delayed before and after it.
template <class Operation>
auto delayed(const Operation& operation) {
  struct around {
    around() { chaos::delay(); }
    around(const around&) = delete;
    around& operator=(const around&) = delete;
    ~around() { chaos::delay(); }
  } const delays;
  return operation();
}

/// No sleeper looks for work by itself, so a wake-up that is lost hangs the test.
struct chaos_machine : engine::std_machine {
  template <class T>
  class zeroed_atomic : public engine::std_machine::zeroed_atomic<T> {
    using base = engine::std_machine::zeroed_atomic<T>;

   public:
    zeroed_atomic() = default;

    T load(engine::order o) const noexcept {
      return delayed([&] { return base::load(o); });
    }
    void store(T value, engine::order o) noexcept {
      delayed([&] { base::store(value, o); });
    }
    T exchange(T value, engine::order o) noexcept {
      return delayed([&] { return base::exchange(value, o); });
    }
    T fetch_add(T value, engine::order o) noexcept {
      return delayed([&] { return base::fetch_add(value, o); });
    }
    T fetch_sub(T value, engine::order o) noexcept {
      return delayed([&] { return base::fetch_sub(value, o); });
    }
    bool compare_exchange_strong(T& expected, T desired, engine::order success,
                                 engine::order failure) noexcept {
      return delayed(
          [&] { return base::compare_exchange_strong(expected, desired, success, failure); });
    }

   protected:
    using initialised = typename base::initialised;
    constexpr zeroed_atomic(initialised tag, T value) noexcept : base(tag, value) {}
  };

  template <class T>
  using atomic = engine::initialised_atomic<zeroed_atomic<T>, T>;

  class mutex {
   public:
    void lock() {
      delayed([&] { mutex_.lock(); });
    }
    bool try_lock() {
      return delayed([&] { return mutex_.try_lock(); });
    }
    void unlock() {
      delayed([&] { mutex_.unlock(); });
    }

   private:
    engine::std_machine::mutex mutex_;
  };

  static void fence(engine::order o) noexcept {
    delayed([&] { engine::std_machine::fence(o); });
  }
  static void compiler_fence() noexcept {
    delayed([&] { engine::std_machine::compiler_fence(); });
  }
  static void light_fence() noexcept {
    delayed([&] { engine::std_machine::light_fence(); });
  }
  static void heavy_fence() noexcept {
    delayed([&] { engine::std_machine::heavy_fence(); });
  }

  static bool wait(const zeroed_atomic<std::uint32_t>& word, std::uint32_t old,
                   std::chrono::nanoseconds at_most) noexcept {
    return delayed([&] { return engine::std_machine::wait(word, old, at_most); });
  }
  static void notify_one(const zeroed_atomic<std::uint32_t>& word) noexcept {
    delayed([&] { engine::std_machine::notify_one(word); });
  }

  // So few that workers fall asleep all the time.
  static constexpr engine::limits limits() {
    return {.max_workers = schedulers::max_workers,
            .spin_rounds = 2,
            .yield_rounds = 1,
            .rounds_unseen = 1};
  }
  static constexpr unsigned join_rounds(unsigned /*workers*/) { return limits().spin_rounds; }
  static constexpr unsigned most_searchers(unsigned /*workers*/) { return 1; }
};

static_assert(engine::machine<chaos_machine>);

}  // namespace stealbench::verify

namespace stealbench::work_stealing {

// Deques grow all the time, and thieves force often, and within one search.
template <std::derived_from<verify::chaos_machine> M>
inline constexpr deque_limits deque_limits_on<M>{
    .capacity = 1, .force_after = 1, .short_jobs = 4, .many_children = 2};

}  // namespace stealbench::work_stealing
