// The memory model of the Relacy Race Detector: the same shape as engine::std_model, so that a
// protocol's header is checked unchanged. The only file that includes Relacy.
//
// Traps, all found by falling into them:
//  - relacy/relacy.hpp turns new, delete, assert, free, errno and the memory orders into macros.
//  Its
//    parts do not: they are included one by one, and no macro is left but RL_* and `$`.
//  - Relacy replaces the unsized operator delete only: compile with -fno-sized-deallocation.
//  - Allocation inside a simulation belongs to Relacy (leaks and uses after free are found). So a
//    stream that allocates must not print there.
//  - They are inline functions, so a compiler that inlines every call emits none, and the library's
//    own calls (in the nothrow forms) miss them: `replaced_new` below keeps them.
//  - Freed memory is known by what the destructors of Relacy's own types write there: compile with
//    -fno-lifetime-dse, or GCC drops those stores and no such access is ever found. And a plain
//    access is no point where threads interleave: one that follows an atomic operation at once
//    always comes before another thread's free.
//  - An access without a checking default (an order that makes no sense, say a load with release)
//    would silently do nothing: to_rl() stops instead.
//  - Of a compare-exchange Relacy drops a failure order that is stronger than the order of success.
//    Here it is a relaxed one and an acquire fence, which orders no less.
//  - Relacy's atomics start uninitialised; C++20's start with a value, and so do these.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include <relacy/atomic.hpp>
#include <relacy/atomic_fence.hpp>
#include <relacy/backoff.hpp>
#include <relacy/base.hpp>
#include <relacy/context.hpp>
#include <relacy/context_base_impl.hpp>
#include <relacy/dyn_thread.hpp>
#include <relacy/stdlib/condition_variable.hpp>
#include <relacy/stdlib/event.hpp>
#include <relacy/stdlib/mutex.hpp>
#include <relacy/stdlib/semaphore.hpp>
#include <relacy/test_suite.hpp>
#include <relacy/thread_local.hpp>
#include <relacy/var.hpp>

#include "schedulers/engine/memory_model.hpp"

namespace stealbench::verify {

/// Where an operation stands in the checked source, for Relacy's history of a failing execution.
/// (std::source_location, which Clang 14 does not have.)
struct source {
  const char* function;
  const char* file;
  unsigned line;

  static constexpr source here(const char* function = __builtin_FUNCTION(),
                               const char* file = __builtin_FILE(),
                               unsigned line = __builtin_LINE()) {
    return {function, file, line};
  }
  [[nodiscard]] rl::debug_info info() const { return rl::debug_info(function, file, line); }
};

[[gnu::used]] inline void* (*const replaced_new)(std::size_t) = &::operator new;
[[gnu::used]] inline void (*const replaced_delete)(void*) = &::operator delete;

struct relacy_model {
  using order = engine::order;

  template <class T>
  class atomic {
   public:
    atomic(source s = source::here()) : atomic(T{}, s) {}  // NOLINT: as std::atomic's default
    explicit atomic(T value, source s = source::here()) {
      // Nobody else can see the word yet: not a point where threads interleave.
      const rl::preemption_disabler alone(rl::ctx());
      word_.store(value, rl::mo_relaxed, s.info());
    }
    atomic(const atomic&) = delete;
    atomic& operator=(const atomic&) = delete;
    ~atomic() = default;

    T load(order o, source s = source::here()) const { return word_.load(load_order(o), s.info()); }
    void store(T value, order o, source s = source::here()) {
      word_.store(value, store_order(o), s.info());
    }
    T exchange(T value, order o, source s = source::here()) {
      return word_.exchange(value, to_rl(o), s.info());
    }
    T fetch_add(T value, order o, source s = source::here()) {
      return word_.fetch_add(value, to_rl(o), s.info());
    }
    T fetch_sub(T value, order o, source s = source::here()) {
      return word_.fetch_sub(value, to_rl(o), s.info());
    }
    bool compare_exchange_strong(T& expected, T desired, order success, order failure,
                                 source s = source::here()) {
      const bool fence_on_failure =
          failure == order::acquire && (success == order::relaxed || success == order::release);
      const order weak_failure = fence_on_failure ? order::relaxed : failure;
      const bool done = word_.compare_exchange_strong(expected, desired, to_rl(success), s.info(),
                                                      load_order(weak_failure), s.info());
      if (!done && fence_on_failure) fence(order::acquire, s);
      return done;
    }
    /// Not part of the memory model: shipped code retries on its own terms. For verify/known_bugs.
    /// Random search lets one in four fail for no reason, the tree searches at most one per word.
    bool compare_exchange_weak(T& expected, T desired, order success, order failure,
                               source s = source::here()) {
      return word_.compare_exchange_weak(expected, desired, to_rl(success), s.info(),
                                         load_order(failure), s.info());
    }

   private:
    friend relacy_model;
    rl::atomic<T> word_;
  };

  /// Data that the protocol claims not to race: Relacy fails the execution in which it does.
  template <class T>
  class plain {
   public:
    plain() : value_(T{}) {}
    explicit plain(T value) : value_(value) {}
    T read(source s = source::here()) const { return value_(s.info()).load(); }
    void write(T value, source s = source::here()) { value_(s.info()).store(value); }

   private:
    rl::var<T> value_;
  };

  class mutex {
   public:
    void lock(source s = source::here()) { mutex_.lock(s.info()); }
    void unlock(source s = source::here()) { mutex_.unlock(s.info()); }

   private:
    rl::mutex mutex_;
  };

  static void fence(order o, source s = source::here()) {
    if (o == order::none) return;
    rl::atomic_thread_fence(to_rl(o), s.info());
  }

  /// Free, as on a machine where the heavy one is a system-wide barrier.
  static bool asymmetric() { return true; }
  static void free_fence() {}
  static void light_fence() {}
  static void heavy_fence(source s = source::here()) {
    rl::ctx().sched();
    rl::systemwide_fence(s.info());
  }

  /// A thread that spins lets another one run: else a search would follow the loop without end.
  static void spin(source s = source::here()) { rl::yield(1, s.info()); }

  /// A futex: compares and goes to sleep in one step. The kernel compares with the newest value,
  /// hence the read-modify-write. As the kernel does, Relacy orders the waker before a sleeper that
  /// notify_one woke; no other return from wait orders anything. Random search also wakes for no
  /// reason (the tree searches would do nothing else).
  static void wait(atomic<std::uint32_t>& word, std::uint32_t old, source s = source::here()) {
    rl::context& c = rl::ctx();
    c.sched();
    std::uint32_t now = 0;
    {
      const rl::preemption_disabler one_step(c);
      now = word.word_.fetch_add(0, rl::mo_relaxed, s.info());
    }
    if (now == old) word.word_.wait(c, false, c.is_random_sched(), s.info());
  }
  static void notify_one(atomic<std::uint32_t>& word, source s = source::here()) {
    rl::context& c = rl::ctx();
    c.sched();
    word.word_.wake(c, 1, s.info());
  }

 private:
  static rl::memory_order to_rl(order o) {
    switch (o) {
      case order::relaxed:
        return rl::mo_relaxed;
      case order::acquire:
        return rl::mo_acquire;
      case order::release:
        return rl::mo_release;
      case order::acq_rel:
        return rl::mo_acq_rel;
      case order::seq_cst:
        return rl::mo_seq_cst;
      case order::none:
        break;
    }
    std::abort();
  }
  static rl::memory_order load_order(order o) {
    if (o == order::release || o == order::acq_rel) std::abort();
    return to_rl(o);
  }
  static rl::memory_order store_order(order o) {
    if (o == order::acquire || o == order::acq_rel) std::abort();
    return to_rl(o);
  }
};

/// The same for a machine without a system-wide barrier: both fences of the pair are seq_cst.
struct relacy_symmetric_model : relacy_model {
  static bool asymmetric() { return false; }
  static void light_fence(source s = source::here()) { fence(order::seq_cst, s); }
  static void heavy_fence(source s = source::here()) { fence(order::seq_cst, s); }
};

static_assert(engine::memory_model<relacy_model>);
static_assert(engine::memory_model<relacy_symmetric_model>);

}  // namespace stealbench::verify
