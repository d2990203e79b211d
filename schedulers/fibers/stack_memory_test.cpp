// A stack's memory, and what is below it: for fibers, and for the threads of workers.
#include "schedulers/fibers/stack_memory.hpp"

#include <algorithm>
#include <csignal>
#include <cstddef>
#include <string>

#include <gtest/gtest.h>
#include <pthread.h>
#include <unistd.h>

#include "schedulers/fibers/memory_map_fixture.hpp"
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
    ASSERT_EQ(access_to(bottom - 1), "---p");
  }
  // Nothing else of this test asks for a gigabyte.
  EXPECT_EQ(access_to(bottom + (std::size_t{1} << 29)), "");
}

TEST(StackMemory, CountsThePagesThatWereTouched) {
  const stack_memory stack(std::size_t{64} << 20);
  EXPECT_EQ(stack.committed_bytes(), 0U);
  for (std::size_t page = 1; page <= 3; ++page) *(stack.top() - page * page_bytes()) = std::byte{1};
  EXPECT_EQ(stack.committed_bytes(), 3 * page_bytes());
  // More than it asks the kernel for at a time.
  for (std::size_t page = 1; page <= 150; ++page) {
    *(stack.top() - page * page_bytes()) = std::byte{1};
  }
  EXPECT_EQ(stack.committed_bytes(), 150 * page_bytes());
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

}  // namespace
}  // namespace stealbench::fibers
