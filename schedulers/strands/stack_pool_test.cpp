// That the stacks that all workers share are used under their mutex alone: two threads that meet
// there would show it once in a while. stack_test.cpp has what the pool does.
#include "schedulers/strands/stack_pool.hpp"

#include <cstddef>
#include <cstdlib>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "schedulers/engine/std_machine.hpp"
#include "schedulers/operating_system/context.hpp"
#include "schedulers/strands/stack_memory.hpp"

namespace stealbench::strands {
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
  struct stack_memory : strands::stack_memory {
    using strands::stack_memory::stack_memory;
    [[nodiscard]] std::size_t committed_bytes() const {
      EXPECT_TRUE(is_held);
      return strands::stack_memory::committed_bytes();
    }
  };
};

/// As much of a strand as the pool needs. Its link is looked at with the mutex alone.
struct alignas(64) guarded_strand {
  using machine = guarding_machine;
  struct link {
    guarded_strand* value = nullptr;
    // NOLINTNEXTLINE(google-explicit-constructor): as a pointer is used.
    operator guarded_strand*() const {
      EXPECT_TRUE(machine::is_held);
      return value;
    }
    link& operator=(guarded_strand* next) {
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
  stack_pool<guarded_strand> shared(std::size_t{1} << 16);
  const auto expect_one_lock = [] {
    EXPECT_EQ(std::exchange(guarding_machine::locks, 0), 1U);
    EXPECT_FALSE(guarding_machine::is_held);
  };
  guarding_machine::locks = 0;
  std::vector<guarded_strand*> strands;
  for (int i = 0; i < 3; ++i) {
    strands.push_back(shared.make());
    expect_one_lock();
  }
  for (guarded_strand* const each : strands) {
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
}  // namespace stealbench::strands
