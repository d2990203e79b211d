// That the stacks that all workers share are used under their mutex alone: two threads that meet
// there would show it once in a while. stack_test.cpp has what the pool does.
#include "schedulers/fibers/stack_pool.hpp"

#include <cstddef>
#include <cstdlib>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "schedulers/engine/std_machine.hpp"
#include "schedulers/fibers/stack_memory.hpp"
#include "schedulers/operating_system/context.hpp"

namespace stealbench::fibers {
namespace {

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
  guarding_machine::locks = 0;
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
