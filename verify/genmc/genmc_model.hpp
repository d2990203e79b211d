// The memory model of GenMC, a stateless model checker that runs LLVM's intermediate code: the same
// shape as engine::std_machine, over the compiler's atomic built-ins, which GenMC sees as they are.
// A script is compiled for each mutant, as GenMC wants its orders constant.
//
// Pitfalls:
//  - GenMC gives a compare-exchange that fails the order of success. So a failure is a load here,
//    and an execution in which the exchange behind that load fails is dropped. It ends at a spin
//    loop, not at an assumption: the liveness check would report whoever waits for this thread.
//  - Its load annotation makes one script a hundred times slower (-disable-load-annotation).
//  - It has no system calls. Both sides of the asymmetric fence are seq_cst fences, and so is a
//    compiler fence that a heavy side pairs with.
//  - A thread that sleeps for ever must be at a spin loop to be found (-check-liveness). GenMC's
//    own search takes a worker's loop for one (-disable-spin-assume), so they are marked here.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <utility>

#include "schedulers/engine/memory_model.hpp"

extern "C" {  // GenMC's own functions, by the names that its documentation gives them.
// NOLINTBEGIN(readability-identifier-naming,bugprone-reserved-identifier): theirs
struct genmc_mutex {
  int word;
};
[[noreturn]] void __VERIFIER_assert_fail(const char* claim, const char* file, int line);
void __VERIFIER_loop_begin();
void __VERIFIER_spin_start();
void __VERIFIER_spin_end(bool leaves);
void* __VERIFIER_malloc(std::size_t bytes);
void* __VERIFIER_malloc_aligned(std::size_t alignment, std::size_t bytes);
void __VERIFIER_free(void* memory);
long __VERIFIER_thread_create(const void* attributes, void* (*start)(void*), void* argument);
long __VERIFIER_thread_create_symmetric(const void* attributes, void* (*start)(void*),
                                        void* argument, long twin);
void* __VERIFIER_thread_join(long thread);
int __VERIFIER_mutex_init(genmc_mutex* mutex, const void* attributes);
int __VERIFIER_mutex_lock(genmc_mutex* mutex);
int __VERIFIER_mutex_trylock(genmc_mutex* mutex);
int __VERIFIER_mutex_unlock(genmc_mutex* mutex);
// NOLINTEND(readability-identifier-naming,bugprone-reserved-identifier)
}

namespace stealbench::verify {

using engine::order;

[[gnu::always_inline]] inline void expect(bool holds, const char* claim) {
  if (!holds) __VERIFIER_assert_fail(claim, "", 0);
}

/// Waits until `holds()`. GenMC reports a liveness violation if no thread will make it hold.
template <class Condition>
[[gnu::always_inline]] inline void spin_until(const Condition& holds) {
  __VERIFIER_loop_begin();
  __VERIFIER_spin_start();
  __VERIFIER_spin_end(holds());
}

/// `FencePair`: whether the machine has the system-wide fence, for which seq_cst fences stand.
template <bool FencePair>
struct genmc_model {
  using order = engine::order;

  template <class T>
  class atomic {
   public:
    constexpr atomic() : atomic(T{}) {}
    constexpr explicit atomic(T value) : word_(value) {}
    atomic(const atomic&) = delete;
    atomic& operator=(const atomic&) = delete;

    [[gnu::always_inline]] T load(order o) const {
      if (o == order::acquire) return __atomic_load_n(&word_, __ATOMIC_ACQUIRE);
      if (o == order::seq_cst) return __atomic_load_n(&word_, __ATOMIC_SEQ_CST);
      return __atomic_load_n(&word_, __ATOMIC_RELAXED);
    }
    [[gnu::always_inline]] void store(T value, order o) {
      if (o == order::release) return __atomic_store_n(&word_, value, __ATOMIC_RELEASE);
      if (o == order::seq_cst) return __atomic_store_n(&word_, value, __ATOMIC_SEQ_CST);
      return __atomic_store_n(&word_, value, __ATOMIC_RELAXED);
    }
    [[gnu::always_inline]] T exchange(T value, order o) {
      return update(o, [&](auto at) { return __atomic_exchange_n(&word_, value, at()); });
    }
    [[gnu::always_inline]] T fetch_add(T value, order o) {
      return update(o, [&](auto at) { return __atomic_fetch_add(&word_, value, at()); });
    }
    [[gnu::always_inline]] T fetch_sub(T value, order o) {
      return update(o, [&](auto at) { return __atomic_fetch_sub(&word_, value, at()); });
    }
    [[gnu::always_inline]] bool compare_exchange_strong(T& expected, T desired, order success,
                                                        order failure) {
      const auto attempt = [&](T found) {
        return update(success, [&](auto at) {
          return __atomic_compare_exchange_n(&word_, &found, desired, false, at(),
                                             __ATOMIC_RELAXED);
        });
      };
      T found = expected;
      spin_until([&] {
        found = load(order::relaxed);
        return found != expected || attempt(found);
      });
      if (found != expected) {
        if (failure != order::relaxed) fence(failure);
        expected = found;
        return false;
      }
      return true;
    }

   private:
    friend genmc_model;

    // A built-in whose order is no constant where it is parsed is compiled as seq_cst.
    template <int Order>
    using constant = std::integral_constant<int, Order>;
    template <class Operation>
    [[gnu::always_inline]] static auto update(order o, const Operation& operation) {
      switch (o) {
        case order::acquire:
          return operation(constant<__ATOMIC_ACQUIRE>{});
        case order::release:
          return operation(constant<__ATOMIC_RELEASE>{});
        case order::acq_rel:
          return operation(constant<__ATOMIC_ACQ_REL>{});
        case order::seq_cst:
          return operation(constant<__ATOMIC_SEQ_CST>{});
        default:
          return operation(constant<__ATOMIC_RELAXED>{});
      }
    }

    T word_;
    mutable std::uint32_t wakes_ = 0;  // how often notify_one was called: the futex
  };

  template <class T>
  using zeroed_atomic = atomic<T>;

  /// Data that the protocol claims not to race: GenMC reports it under RC11, and not under IMM.
  template <class T>
  class plain {
   public:
    constexpr plain() = default;
    constexpr explicit plain(T value) : value_(value) {}
    [[nodiscard, gnu::always_inline]] T read() const { return value_; }
    [[gnu::always_inline]] void write(T value) { value_ = value; }

   private:
    T value_{};
  };

  class mutex {
   public:
    mutex() { __VERIFIER_mutex_init(&mutex_, nullptr); }
    [[gnu::always_inline]] void lock() { __VERIFIER_mutex_lock(&mutex_); }
    [[gnu::always_inline]] bool try_lock() { return __VERIFIER_mutex_trylock(&mutex_) == 0; }
    [[gnu::always_inline]] void unlock() { __VERIFIER_mutex_unlock(&mutex_); }

   private:
    genmc_mutex mutex_{};
  };

  [[gnu::always_inline]] static void fence(order o) {
    if (o == order::acquire) __atomic_thread_fence(__ATOMIC_ACQUIRE);
    if (o == order::release) __atomic_thread_fence(__ATOMIC_RELEASE);
    if (o == order::acq_rel) __atomic_thread_fence(__ATOMIC_ACQ_REL);
    if (o == order::seq_cst) __atomic_thread_fence(__ATOMIC_SEQ_CST);
  }
  static constexpr bool asymmetric() { return FencePair; }
  [[gnu::always_inline]] static void compiler_fence() {
#ifndef NO_COMPILER_FENCE
    if (FencePair) fence(order::seq_cst);
#endif
  }
  [[gnu::always_inline]] static void light_fence() { fence(order::seq_cst); }
  [[gnu::always_inline]] static void heavy_fence() { fence(order::seq_cst); }
  static void spin() {}

  /// A futex without a time limit. A waiter that counts a wake-up as past sees the word it came
  /// with: acquire and release stand for the kernel, which compares with the newest value.
  [[gnu::always_inline]] static bool wait(const atomic<std::uint32_t>& word, std::uint32_t old,
                                          std::chrono::nanoseconds /*at_most*/) {
    const std::uint32_t before = __atomic_load_n(&word.wakes_, __ATOMIC_ACQUIRE);
    if (word.load(order::relaxed) != old) return true;
    spin_until([&] { return __atomic_load_n(&word.wakes_, __ATOMIC_ACQUIRE) != before; });
    return true;
  }
  [[gnu::always_inline]] static void notify_one(const atomic<std::uint32_t>& word) {
    __atomic_fetch_add(&word.wakes_, 1, __ATOMIC_RELEASE);
  }
  template <class T>
  [[gnu::always_inline]] static void name(const T& /*unused*/, const char* /*unused*/) {}
};

static_assert(engine::memory_model<genmc_model<true>>);

/// The orderings of the mutant that is compiled (-DSITE=member -DWEAKENED_TO=value), or `shipped`.
template <class Orderings>
constexpr Orderings mutant_of(Orderings shipped) {
#ifdef SITE
  shipped.SITE = WEAKENED_TO;
#endif
  return shipped;
}

/// Storage for a namespace-scope object that main() makes and destroys.
template <class T>
union late {
  char none;
  T object;
  constexpr late() : none() {}
  ~late() {}
  template <class... Arguments>
  [[gnu::always_inline]] void make(Arguments&&... arguments) {
    if constexpr (sizeof...(Arguments) == 0) {
      ::new (static_cast<void*>(&object)) T;  // T() is a memset first, which GenMC does not take
    } else {
      ::new (static_cast<void*>(&object)) T(std::forward<Arguments>(arguments)...);
    }
  }
  [[gnu::always_inline]] T* operator->() { return &object; }
  [[gnu::always_inline]] T& operator*() { return object; }
};

/// A thread that runs `Body`.
template <void (*Body)()>
void* thread_of(void* /*argument*/) {
  Body();
  return nullptr;
}
template <void (*Body)()>
[[gnu::always_inline]] inline long start() {
  return __VERIFIER_thread_create(nullptr, thread_of<Body>, nullptr);
}
/// The same where `twin` runs it too: GenMC need not try both ways of who is who.
template <void (*Body)()>
[[gnu::always_inline]] inline long start_beside(long twin) {
  return __VERIFIER_thread_create_symmetric(nullptr, thread_of<Body>, nullptr, twin);
}
[[gnu::always_inline]] inline void join(long thread) { __VERIFIER_thread_join(thread); }

}  // namespace stealbench::verify

// In place of the library's: GenMC finds uses after free, and leaks, in memory that it has given
// out.
void* operator new(std::size_t bytes) { return __VERIFIER_malloc(bytes); }
void* operator new(std::size_t bytes, const std::nothrow_t& /*tag*/) noexcept {
  return __VERIFIER_malloc(bytes);
}
void* operator new[](std::size_t bytes, const std::nothrow_t& /*tag*/) noexcept {
  return __VERIFIER_malloc(bytes);
}
void* operator new[](std::size_t bytes, std::align_val_t alignment,
                     const std::nothrow_t& /*tag*/) noexcept {
  return __VERIFIER_malloc_aligned(static_cast<std::size_t>(alignment), bytes);
}
void operator delete(void* memory) noexcept { __VERIFIER_free(memory); }
void operator delete(void* memory, std::size_t /*bytes*/) noexcept { __VERIFIER_free(memory); }
void operator delete[](void* memory) noexcept { __VERIFIER_free(memory); }
void operator delete[](void* memory, std::size_t /*bytes*/) noexcept { __VERIFIER_free(memory); }
void operator delete[](void* memory, std::align_val_t /*alignment*/) noexcept {
  __VERIFIER_free(memory);
}
