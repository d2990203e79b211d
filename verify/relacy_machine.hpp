// The machine of the Relacy Race Detector: the same shape as engine::std_machine, so that the
// shipped headers are checked unchanged, the whole engine included. The only file that includes
// Relacy.
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
//  - Its threads are contexts of one thread, and so have one state of C++ exceptions: one that is
//    left inside a catch clause would leave its exception to another one. `own_exceptions` keeps
//    them apart, at every operation that may switch.
#pragma once

#include <algorithm>
#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <new>
#include <numeric>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include <cxxabi.h>
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

#include "schedulers/engine/machine.hpp"
#include "schedulers/engine/run_gate.hpp"
#include "schedulers/work_stealing/protocols/deque_limits.hpp"

namespace stealbench::verify {

/// Where an operation is in the checked source, for Relacy's history of a failing execution.
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

/// While it lives, another of Relacy's threads may run; its owner's exceptions are then back at its
/// end.
class own_exceptions {
 public:
  own_exceptions() { std::memcpy(saved_, abi::__cxa_get_globals(), sizeof saved_); }
  own_exceptions(const own_exceptions&) = delete;
  own_exceptions& operator=(const own_exceptions&) = delete;
  ~own_exceptions() { std::memcpy(abi::__cxa_get_globals(), saved_, sizeof saved_); }

  /// For a thread of Relacy's that begins.
  static void clear() { std::memset(abi::__cxa_get_globals(), 0, sizeof saved_); }

 private:
  // The stack of caught exceptions and the number of uncaught ones (Itanium C++ ABI, 2.2.2).
  unsigned char saved_[sizeof(void*) + sizeof(unsigned)];
};

/// The place of a call of Relacy's that may switch to another thread, with own_exceptions for as
/// long as the call takes.
class switching {
 public:
  explicit switching(source s) : place_(s.info()) {}
  operator const rl::debug_info&() const { return place_; }  // NOLINT: it is what Relacy takes

 private:
  own_exceptions kept_;
  rl::debug_info place_;
};

/// While it lives, what is allocated is not Relacy's: no leak and no use after free is found, and a
/// tree search does not branch at every free.
class unseen_allocations : rl::context {
 public:
  unseen_allocations() = delete;
  static void begin() { ++(rl::ctx().*(&unseen_allocations::disable_alloc_)); }
  static void end() { --(rl::ctx().*(&unseen_allocations::disable_alloc_)); }
};

struct relacy_machine {
  using order = engine::order;

  template <class T>
  class atomic {
   public:
    atomic(source s = source::here()) : atomic(T{}, s) {}  // NOLINT: as std::atomic's default
    explicit atomic(T value, source s = source::here()) {
      // Nobody else can see the word yet: not a point where threads interleave.
      const rl::preemption_disabler alone(rl::ctx());
      word_.store(to_stored(value), rl::mo_relaxed, s.info());
    }
    atomic(const atomic&) = delete;
    atomic& operator=(const atomic&) = delete;
    ~atomic() = default;

    T load(order o, source s = source::here()) const {
      return word_.load(load_order(o), switching(s));
    }
    void store(T value, order o, source s = source::here()) {
      word_.store(to_stored(value), store_order(o), switching(s));
    }
    T exchange(T value, order o, source s = source::here()) {
      return word_.exchange(value, to_rl(o), switching(s));
    }
    T fetch_add(T value, order o, source s = source::here()) {
      return word_.fetch_add(value, to_rl(o), switching(s));
    }
    T fetch_sub(T value, order o, source s = source::here()) {
      return word_.fetch_sub(value, to_rl(o), switching(s));
    }
    bool compare_exchange_strong(T& expected, T desired, order success, order failure,
                                 source s = source::here()) {
      const bool fence_on_failure =
          failure == order::acquire && (success == order::relaxed || success == order::release);
      const order weak_failure = fence_on_failure ? order::relaxed : failure;
      const bool done = word_.compare_exchange_strong(
          expected, desired, to_rl(success), switching(s), load_order(weak_failure), s.info());
      if (!done && fence_on_failure) fence(order::acquire, s);
      return done;
    }
    /// Not part of the memory model: shipped code retries on its own terms. For verify/known_bugs.
    /// Random search lets one in four fail for no reason, the tree searches at most one per word.
    bool compare_exchange_weak(T& expected, T desired, order success, order failure,
                               source s = source::here()) {
      return word_.compare_exchange_weak(expected, desired, to_rl(success), switching(s),
                                         load_order(failure), s.info());
    }

   private:
    friend relacy_machine;
    // Relacy's history takes no pointer to const.
    using stored =
        std::conditional_t<std::is_pointer_v<T>, std::remove_const_t<std::remove_pointer_t<T>>*, T>;
    static stored to_stored(T value) {
      if constexpr (std::is_same_v<stored, T>) {
        return value;
      } else {
        return const_cast<stored>(value);
      }
    }
    rl::atomic<stored> word_;
  };

  /// Data that the protocol claims not to race: Relacy fails the execution in which it does.
  template <class T>
  class plain {
   public:
    plain() : plain(T{}) {}
    explicit plain(T value) : value_(static_cast<stored>(value)) {}
    T read(source s = source::here()) const { return static_cast<T>(value_(s.info()).load()); }
    void write(T value, source s = source::here()) {
      value_(s.info()).store(static_cast<stored>(value));
    }

   private:
    // Relacy's history prints no enumerators.
    using stored = std::conditional_t<std::is_enum_v<T>, int, T>;
    rl::var<stored> value_;
  };

  /// Where the engine has memory that is zero, Relacy wants constructed objects: start_slots.
  template <class T>
  using zeroed_atomic = atomic<T>;
  template <class T>
  using zeroed_plain = plain<T>;

  class mutex {
   public:
    void lock(source s = source::here()) { mutex_.lock(switching(s)); }
    bool try_lock(source s = source::here()) { return mutex_.try_lock(switching(s)); }
    void unlock(source s = source::here()) { mutex_.unlock(switching(s)); }

   private:
    rl::mutex mutex_;
  };

  static void fence(order o, source s = source::here()) {
    if (o == order::none) return;
    rl::atomic_thread_fence(to_rl(o), switching(s));
  }

  /// Free, as on a machine where the heavy one is a system-wide barrier.
  static bool asymmetric() { return true; }
  static void compiler_fence() {}
  static void light_fence() {}
  static void heavy_fence(source s = source::here()) {
    const own_exceptions kept;
    rl::ctx().sched();
    rl::systemwide_fence(s.info());
  }

  /// A thread that spins lets another one run: else a search would follow the loop without end.
  static void spin(source s = source::here()) { rl::yield(1, switching(s)); }
  static void yield_thread(source s = source::here()) { spin(s); }

  /// A futex: compares and goes to sleep in one step. The kernel compares with the newest value,
  /// hence the read-modify-write. As the kernel does, Relacy orders the waker before a sleeper that
  /// notify_one woke; no other return from wait orders anything. Random search also wakes for no
  /// reason (the tree searches would do nothing else). No time passes, so that who is never woken
  /// is found to sleep for ever; but who sleeps for a time may find at any step that it has passed.
  static bool wait(atomic<std::uint32_t>& word, std::uint32_t old, std::chrono::nanoseconds at_most,
                   source s = source::here()) {
    const own_exceptions kept;
    rl::context& c = rl::ctx();
    if (at_most.count() > 0) {
      rl::yield(1, s.info());
      return false;
    }
    c.sched();
    std::uint32_t now = 0;
    {
      const rl::preemption_disabler one_step(c);
      now = word.word_.fetch_add(0, rl::mo_relaxed, s.info());
    }
    if (now == old) word.word_.wait(c, false, c.is_random_sched(), s.info());
    return true;
  }
  static void notify_one(atomic<std::uint32_t>& word, source s = source::here()) {
    const own_exceptions kept;
    rl::context& c = rl::ctx();
    c.sched();
    word.word_.wake(c, 1, s.info());
  }

  static std::chrono::steady_clock::time_point now() { return {}; }

  /// One of the threads that a suite's dynamic_thread_count allows for.
  class thread {
   public:
    thread(std::size_t /*stack_bytes*/, std::optional<unsigned> /*processor*/,
           std::function<void()> body)
        : body_(std::move(body)) {
      started_.start(&begin, this);
    }
    thread(const thread&) = delete;
    thread& operator=(const thread&) = delete;
    ~thread() {
      const own_exceptions kept;
      started_.join();
    }
    static constexpr bool is_calling() { return false; }  // No process exits in a simulation.

   private:
    static void* begin(void* self) {
      own_exceptions::clear();
      static_cast<thread*>(self)->body_();
      return nullptr;
    }
    std::function<void()> body_;
    rl::dyn_thread started_;
  };
  static unsigned this_thread() { return rl::thread_index(); }
  struct process_mark {
    static constexpr bool is_here() { return true; }
    static void expect_here() {}
  };
  using run_gate = engine::open_gate;  // The gate has a search of its own.
  struct pin_scope {
    explicit pin_scope(unsigned /*index*/) {}
  };
  static std::vector<unsigned> workers_by_distance(unsigned worker, unsigned workers) {
    std::vector<unsigned> order(workers);
    std::iota(order.begin(), order.end(), 0U);
    std::rotate(order.begin(), order.begin() + worker, order.end());
    return order;
  }

  /// Room for a worker and some twenty slots.
  class job_stack {
   public:
    static constexpr std::size_t bytes = std::size_t{1} << 12;

    job_stack() : begin_(static_cast<std::byte*>(std::aligned_alloc(bytes, bytes))) {
      if (begin_ == nullptr) throw std::bad_alloc();
    }
    job_stack(const job_stack&) = delete;
    job_stack& operator=(const job_stack&) = delete;
    ~job_stack() { std::free(begin_); }

    [[nodiscard]] std::byte* begin() const { return begin_; }
    [[nodiscard]] static void* beginning_of(const void* inside) {
      return reinterpret_cast<void*>(reinterpret_cast<std::uintptr_t>(inside) & ~(bytes - 1));
    }
    template <class Slot>
    static Slot* start_slots(std::byte* place, std::size_t count) {
      Slot* const first = reinterpret_cast<Slot*>(place);
      for (std::size_t i = 0; i < count; ++i) ::new (static_cast<void*>(first + i)) Slot();
      return first;
    }
    template <class Slot>
    static void end_slots(Slot* first, std::size_t count) {
      std::destroy_n(first, count);
    }

   private:
    std::byte* const begin_;
  };

  /// Of a fiber. Kept from one execution to the next: the system calls would take most of the
  /// time.
  class stack_memory {
   public:
    explicit stack_memory(std::size_t /*bytes*/) {
      if (kept().empty()) {
        bottom_ = static_cast<std::byte*>(std::aligned_alloc(64, size));
        if (bottom_ == nullptr) throw std::bad_alloc();
      } else {
        bottom_ = kept().back();
        kept().pop_back();
      }
    }
    stack_memory(const stack_memory&) = delete;
    stack_memory& operator=(const stack_memory&) = delete;
    ~stack_memory() { kept().push_back(bottom_); }

    [[nodiscard]] std::byte* bottom() const { return bottom_; }
    [[nodiscard]] std::byte* top() const { return bottom_ + size; }
    [[nodiscard]] static std::size_t committed_bytes() { return size; }

   private:
    static constexpr std::size_t size = std::size_t{128} << 10;
    // Never freed, and allocated outside of any execution's accounts.
    static std::vector<std::byte*>& kept() {
      static auto* const all = new std::vector<std::byte*>;
      return *all;
    }
    std::byte* bottom_;
  };

  template <class T>
  static void prefetch(const T& /*unused*/) {}
  static void charge(engine::cost /*unused*/) {}
  template <class T>
  static void name(const T& /*unused*/, const char* /*unused*/) {}
  template <class T>
  static void reads(const T& /*unused*/, const char* /*unused*/) {}
  template <class T>
  static void writes(const T& /*unused*/) {}

  // A worker that has found nothing goes to sleep at once: who spins lets others run, and a bound
  // on switches would never see it fall asleep before them.
  static constexpr engine::limits limits() { return {.max_workers = 4}; }
  static constexpr unsigned join_rounds(unsigned /*workers*/) { return 0; }
  static constexpr unsigned most_searchers(unsigned /*workers*/) { return 1; }

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
struct relacy_symmetric_machine : relacy_machine {
  static bool asymmetric() { return false; }
  static void light_fence(source s = source::here()) { fence(order::seq_cst, s); }
  static void heavy_fence(source s = source::here()) { fence(order::seq_cst, s); }
};

static_assert(engine::machine<relacy_machine>);
static_assert(engine::machine<relacy_symmetric_machine>);

}  // namespace stealbench::verify

namespace stealbench::work_stealing {

// A deque grows at the second job. A thief forces a border at its second look. No victim is spared:
// time stands still here, so it would be for ever.
template <std::derived_from<verify::relacy_machine> M>
inline constexpr deque_limits deque_limits_on<M>{
    .capacity = 1, .force_after = 1, .short_jobs = 0, .many_children = 2};

}  // namespace stealbench::work_stealing
