#include "schedulers/operating_system/thread.hpp"

#include <array>
#include <cstddef>
#include <latch>
#include <optional>
#include <stdexcept>
#include <system_error>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <pthread.h>
#include <sched.h>
#include <sys/prctl.h>

#include "schedulers/operating_system/process_mark.hpp"

namespace stealbench::operating_system {
namespace {

const process_mark
    made_before_main;  // And before the library's own variables, which are linked later.

TEST(ProcessMark, MadeBeforeMainIsOfThisProcess) { EXPECT_TRUE(made_before_main.is_here()); }

// Touches `kibibytes` of stack. The volatile write after the call keeps it from being a loop.
unsigned use_stack(unsigned kibibytes) {
  volatile char frame[1024];
  frame[0] = 1;
  const unsigned below = kibibytes == 0 ? 0 : use_stack(kibibytes - 1);
  frame[1] = 1;
  return below + static_cast<unsigned>(frame[0]);
}

std::size_t default_stack_bytes() {
  pthread_attr_t standard;
  EXPECT_EQ(pthread_getattr_default_np(&standard), 0);
  std::size_t bytes = 0;
  pthread_attr_getstacksize(&standard, &bytes);
  pthread_attr_destroy(&standard);
  return bytes;
}

TEST(Thread, IsWokenByTimersWithoutSlack) {
  int slack_ns = 0;
  run_on_stack(0, [&] { slack_ns = prctl(PR_GET_TIMERSLACK); });
  EXPECT_EQ(slack_ns, 1);
}

TEST(Thread, HasTheStackThatWasAskedForOrTheLeastOfTheSystemWhereThatIsMore) {
  unsigned frames = 0;
  run_on_stack(std::size_t{256} << 20, [&] { frames = use_stack(64 * 1024); });
  EXPECT_EQ(frames, 64U * 1024 + 1);
  bool has_run = false;
  run_on_stack(1, [&] { has_run = true; });
  EXPECT_TRUE(has_run);
}

TEST(Thread, HasTheStackOfAScopeIfItsStarterAsksForNone) {
  const std::size_t before = default_stack_bytes();
  unsigned frames = 0;
  {
    const default_stack_scope stacks(std::size_t{256} << 20);
    std::thread([&] { frames = use_stack(64 * 1024); }).join();
  }
  EXPECT_EQ(frames, 64U * 1024 + 1);
  EXPECT_EQ(default_stack_bytes(), before) << "of the scope alone";
  EXPECT_THROW(default_stack_scope(1), std::system_error);
}

TEST(Thread, RethrowsWhatItsBodyThrewAndSaysSoWhenItCannotBeHad) {
  EXPECT_THROW(run_on_stack(1 << 20, [] { throw std::runtime_error("body"); }), std::runtime_error);
  EXPECT_THROW(thread(std::size_t{1} << 60, std::nullopt, [] {}), std::system_error);
}

void expect_on(unsigned index, const cpu_set_t& seen) {
  EXPECT_EQ(CPU_COUNT(&seen), 1) << index;
  EXPECT_TRUE(CPU_ISSET(processor_of(index), &seen)) << index;
}

cpu_set_t affinity() {
  cpu_set_t now;
  CPU_ZERO(&now);
  EXPECT_EQ(sched_getaffinity(0, sizeof now, &now), 0);
  return now;
}

TEST(Thread, StartsOnTheProcessorThatWasAskedForOrIsPinnedToItAndGivenBackItsAffinity) {
  const cpu_set_t before = affinity();
  {
    const affinity_scope scope;
    for (unsigned i = 0; i < 2 * processor_count(); ++i) {
      cpu_set_t seen;
      {
        const thread pinned(1 << 20, i, [&] { seen = affinity(); });
      }
      expect_on(i, seen);
      pin_this_thread(i);
      expect_on(i, affinity());
    }
  }
  const cpu_set_t after = affinity();
  EXPECT_TRUE(CPU_EQUAL(&before, &after));
}

TEST(Thread, OfALibraryIsPinnedFromOutside) {
  const std::vector<int> before = threads();
  std::latch pinned(1);
  std::array<cpu_set_t, 2> seen;
  {
    std::vector<std::jthread> others;
    others.reserve(seen.size());
    for (cpu_set_t& each : seen) {
      others.emplace_back([&] {
        pinned.wait();
        each = affinity();
      });
    }
    pin_threads_since(before);
    pinned.count_down();
  }
  for (unsigned i = 0; i < 2; ++i) expect_on(i + 1, seen[i]);
}

}  // namespace
}  // namespace stealbench::operating_system
