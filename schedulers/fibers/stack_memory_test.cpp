// A stack's memory, and what is below it: for fibers, and for the threads of workers.
#include "schedulers/fibers/stack_memory.hpp"

#include <algorithm>
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <pthread.h>
#include <unistd.h>

#include "schedulers/engine/std_machine.hpp"
#include "schedulers/fibers/memory_map_fixture.hpp"
#include "schedulers/fibers/stack_pool.hpp"
#include "schedulers/operating_system/context.hpp"
#include "schedulers/operating_system/thread.hpp"

namespace stealbench::fibers {
namespace {

std::size_t page_bytes() { return static_cast<std::size_t>(sysconf(_SC_PAGESIZE)); }

TEST(StackMemory, HasAGuardPageBelowEachStack) {
  // Two, that one may not find the other's guard, and of sizes that are no whole pages too.
  for (const std::size_t bytes : {std::size_t{1}, std::size_t{16} << 10, std::size_t{100'001}}) {
    const stack_memory one(bytes);
    const stack_memory other(bytes);
    for (const stack_memory* each : {&one, &other}) {
      EXPECT_GE(each->bytes(), std::max(bytes, stack_memory::least_bytes));
      EXPECT_EQ(each->bytes() % page_bytes(), 0U);
      EXPECT_EQ(access_to(each->bottom() - 1), "---p");
      EXPECT_EQ(access_to(each->bottom() - page_bytes()), "---p");
      EXPECT_EQ(access_to(each->bottom()), "rw-p");
      EXPECT_EQ(access_to(each->top() - 1), "rw-p");
    }
  }
}

// As a stack does that grows beyond its end by less than a page. Not so a larger step.
TEST(StackMemoryDeathTest, EndsTheProcessWhereItIsWrittenBelow) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "a sanitizer reports the signal and exits";
#endif
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const stack_memory stack(std::size_t{64} << 10);
  volatile std::byte* const bottom = stack.bottom();
  bottom[0] = std::byte{1};
  EXPECT_EXIT(bottom[-1] = std::byte{1}, testing::KilledBySignal(SIGSEGV), "");
}

TEST(StackMemory, GivesBackItsPagesWithTheGuard) {
  const std::byte* bottom = nullptr;
  {
    const stack_memory gone(std::size_t{1} << 30);
    bottom = gone.bottom();
  }
  EXPECT_NE(access_to(bottom - 1), "---p");
  // Nothing else of this test asks for a gigabyte.
  EXPECT_EQ(access_to(bottom + (std::size_t{1} << 29)), "");
}

TEST(StackMemory, CountsThePagesThatWereTouched) {
  // Of more pages than the kernel is asked for at a time, and of no multiple.
  const stack_memory stack(150 * page_bytes());
  for (const std::size_t touched : {0U, 3U, 150U}) {
    for (std::byte* page = stack.top(); page != stack.top() - touched * page_bytes();) {
      *(page -= page_bytes()) = std::byte{1};
    }
    EXPECT_EQ(stack.committed_bytes(), touched * page_bytes());
  }
}

// The threads' own stacks, on which started workers look for work.
TEST(StackMemory, OfAThreadHasAGuardPageBelow) {
  std::string below = "not looked at";
  operating_system::run_on_stack(std::size_t{256} << 10, [&] {
    pthread_attr_t attributes;
    ASSERT_EQ(pthread_getattr_np(pthread_self(), &attributes), 0);
    void* bottom = nullptr;
    std::size_t bytes = 0;
    ASSERT_EQ(pthread_attr_getstack(&attributes, &bottom, &bytes), 0);
    pthread_attr_destroy(&attributes);
    below = access_to(static_cast<std::byte*>(bottom) - 1);
  });
  EXPECT_EQ(below, "---p");
}

// That the stacks that all workers share are used under their mutex alone: two threads that meet
// there would show it once in a while. stack_test.cpp has what the pool does.

/// A machine that says where the pool does something without its mutex, or twice with it. Of one
/// thread.
struct guarding_machine : engine::std_machine {
  static inline bool is_held = false;
  static inline unsigned locks = 0;

  class mutex {
   public:
    void lock() {
      EXPECT_FALSE(std::exchange(is_held, true));
      ++locks;
    }
    void unlock() { EXPECT_TRUE(std::exchange(is_held, false)); }
  };
  template <class T>
  class plain {
   public:
    explicit plain(T value) : value_(value) {}
    [[nodiscard]] T read() const {
      EXPECT_TRUE(is_held);
      return value_;
    }
    void write(T value) {
      EXPECT_TRUE(is_held);
      value_ = value;
    }

   private:
    T value_;
  };
  struct stack_memory : fibers::stack_memory {
    using fibers::stack_memory::stack_memory;
    [[nodiscard]] std::size_t committed_bytes() const {
      EXPECT_TRUE(is_held);
      return fibers::stack_memory::committed_bytes();
    }
  };
};

/// As much of a fiber as the pool needs. Its link is looked at with the mutex alone.
struct alignas(64) guarded_fiber {
  using machine = guarding_machine;
  struct link {
    guarded_fiber* value = nullptr;
    // NOLINTNEXTLINE(google-explicit-constructor): as a pointer is used.
    operator guarded_fiber*() const {
      EXPECT_TRUE(machine::is_held);
      return value;
    }
    link& operator=(guarded_fiber* next) {
      EXPECT_TRUE(machine::is_held);
      value = next;
      return *this;
    }
  };
  [[noreturn]] static void live(void* /*self*/) { std::abort(); }

  operating_system::context state;
  link next_free;
};

TEST(StackPool, DoesEverythingWithItsMutexOnce) {
  stack_pool<guarded_fiber> shared(std::size_t{1} << 16);
  const auto expect_one_lock = [] {
    EXPECT_EQ(std::exchange(guarding_machine::locks, 0), 1U);
    EXPECT_FALSE(guarding_machine::is_held);
  };
  std::vector<guarded_fiber*> fibers;
  for (int i = 0; i < 3; ++i) {
    fibers.push_back(shared.make());
    expect_one_lock();
  }
  for (guarded_fiber* const each : fibers) {
    shared.give(*each, *each);
    expect_one_lock();
  }
  std::size_t taken = 0;
  for (const std::size_t expected : {2U, 1U, 0U}) {
    EXPECT_EQ(shared.take(2, taken) != nullptr, expected > 0);
    EXPECT_EQ(taken, expected);
    expect_one_lock();
  }
  EXPECT_EQ(shared.measure().stacks, 3U);
  expect_one_lock();
}

}  // namespace
}  // namespace stealbench::fibers
