// A program that uses more stack than there is ends by a signal at the guard page of the very stack
// that it runs on: a fiber's, or a worker thread's.
#include <algorithm>
#include <array>
#include <csignal>
#include <cstddef>
#include <cstdint>

#include <gtest/gtest.h>
#include <unistd.h>

#include "schedulers/fibers/every_scheduler_fixture.hpp"
#include "schedulers/fibers/memory_map_fixture.hpp"
#include "schedulers/operating_system/context.hpp"
#include "schedulers/operating_system/thread.hpp"
#include "schedulers/work_stealing/scheduler.hpp"

namespace stealbench::fibers {
namespace {

constexpr std::size_t stack_bytes = std::size_t{64} << 10;

// Of the handler, so not in an object. Written by the thread that the signal comes to.
struct guard_page {
  std::uintptr_t first = 0;
  std::uintptr_t end = 0;  // Where the stack begins.
};
guard_page guard;

// At the guard page the second time, without this handler: the process is killed by the signal.
extern "C" void die_at_the_guard(int signal, siginfo_t* info, void* /*state*/) {
  const auto address = reinterpret_cast<std::uintptr_t>(info->si_addr);
  if (guard.first <= address && address < guard.end) {
    ::signal(signal, SIG_DFL);
    return;
  }
  constexpr char message[] = "the signal came from an address that is not in the guard page\n";
  static_cast<void>(!write(STDERR_FILENO, message, sizeof message - 1));
  _exit(2);
}

/// `count` frames of more than `Bytes` bytes. What a frame reads once the next one has returned
/// keeps compilers from making a loop of it. Only a frame's first bytes, which are its lowest, are
/// touched.
template <std::size_t Bytes>
[[gnu::noinline]] unsigned nest_frames(unsigned count) {
  std::array<volatile unsigned char, Bytes> block;
  block[count % 8] = 1;
  if (count <= 1) return block[0];
  return nest_frames<Bytes>(count - 1) + block[count % 8];
}

/// Uses twice the stack that the calling closure has, in frames of more than `Bytes` bytes. Exits
/// with 3 where that stack is not of the size that was asked for.
template <std::size_t Bytes>
void overflow() {
  const char local = 0;
  const mapping stack = mapping_of(&local);
  const std::uintptr_t left = reinterpret_cast<std::uintptr_t>(&local) - stack.first;
  const bool is_as_asked = stack_bytes * 3 / 4 < left && left < stack_bytes;
  const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  guard = {.first = stack.first - page, .end = stack.first};
  static std::array<std::byte, std::size_t{64} << 10> of_the_handler;
  stack_t other_stack{};
  other_stack.ss_sp = of_the_handler.data();
  other_stack.ss_size = of_the_handler.size();
  struct sigaction action {};
  action.sa_sigaction = die_at_the_guard;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  if (!is_as_asked || sigaltstack(&other_stack, nullptr) != 0 ||
      sigaction(SIGSEGV, &action, nullptr) != 0) {
    _exit(3);
  }
  nest_frames<Bytes>(std::max(1U, static_cast<unsigned>(2 * stack_bytes / Bytes)));
}

template <std::size_t Bytes>
void overflow_in_a_stolen_branch(auto& scheduler) {
  scheduler.run([](auto worker) { fork_stolen(worker, [](auto) { overflow<Bytes>(); }); });
}

/// On the caller's thread, with two more stacks below the fiber's own, which are mapped next to
/// it: a program that steps over the guard may reach them.
template <std::size_t Bytes>
void overflow_in_a_child(auto& scheduler) {
  scheduler.run([](auto worker) {
    auto group = worker->task_group();
    group.spawn([](auto child) {
      auto below = child->task_group();
      below.spawn([](auto grandchild) {
        auto last = grandchild->task_group();
        last.spawn([](auto) {});
      });
      below.sync();
      overflow<Bytes>();
    });
    group.sync();
  });
}

// Bytes of a frame. The large one is larger than the stack and its guard page: the test is compiled
// as this project's workloads are, so that each of its pages is touched.
constexpr std::size_t small = 1000;
constexpr std::size_t large = std::size_t{80} << 10;

/// In frames of both sizes.
template <class Run>
void expect_end_at_the_guard(const Run& run) {
  EXPECT_EXIT(run.template operator()<small>(), testing::KilledBySignal(SIGSEGV), "");
  EXPECT_EXIT(run.template operator()<large>(), testing::KilledBySignal(SIGSEGV), "");
}

class ThreadOverflowDeathTest : public testing::Test {  // NOLINT: GoogleTest shows it as the suite.
 protected:
  void SetUp() override {
    if (has_sanitizer) GTEST_SKIP() << "a sanitizer reports the signal and exits";
    GTEST_FLAG_SET(death_test_style, "threadsafe");
  }

 private:
#if defined(STEALBENCH_ADDRESS_SANITIZER) || defined(STEALBENCH_THREAD_SANITIZER)
  static constexpr bool has_sanitizer = true;
#else
  static constexpr bool has_sanitizer = false;
#endif
};

template <class Scheduler>
class StackOverflowDeathTest : public ThreadOverflowDeathTest {};  // NOLINT: as above.
TYPED_TEST_SUITE(StackOverflowDeathTest, every_scheduler, scheduler_names);

TYPED_TEST(StackOverflowDeathTest, EndsAChildAndAStolenBranchByASignalAtTheGuard) {
  expect_end_at_the_guard([]<std::size_t Bytes> {
    TypeParam scheduler(schedulers::options{.workers = 1, .stack_bytes = stack_bytes});
    overflow_in_a_child<Bytes>(scheduler);
  });
  expect_end_at_the_guard([]<std::size_t Bytes> {
    TypeParam scheduler(schedulers::options{.workers = 2, .stack_bytes = stack_bytes});
    overflow_in_a_stolen_branch<Bytes>(scheduler);
  });
}

// The threads of the other schedulers run their jobs on their own stacks.
TEST_F(ThreadOverflowDeathTest, EndsAStolenJobAndTheCallerOfARunByASignalAtTheGuard) {
  expect_end_at_the_guard([]<std::size_t Bytes> {
    work_stealing::scheduler scheduler(
        schedulers::options{.workers = 2, .stack_bytes = stack_bytes});
    overflow_in_a_stolen_branch<Bytes>(scheduler);
  });
  expect_end_at_the_guard([]<std::size_t Bytes> {
    operating_system::run_on_stack(stack_bytes, [] { overflow<Bytes>(); });
  });
}

}  // namespace
}  // namespace stealbench::fibers
