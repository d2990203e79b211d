// The k-th thread cannot be had, for every k, or the address space for the stacks: the constructor
// throws and says what failed, and the threads that it had started are gone. Or a worker cannot be
// pinned: a started thread ends in std::system_error from the constructor, the caller from `run`.
#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <string>
#include <system_error>

#include <pthread.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "schedulers/contract/faults/refused_call.hpp"
#include "schedulers/contract/fixture.hpp"

namespace {

std::atomic<int> threads_until_failure{0};  // The thread that fails; none if it is not positive.

}  // namespace

// The linker sends the engine's calls of pthread_create here (--wrap), and __real_ to the
// library's or the sanitizer's own.
// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming): the linker's names
extern "C" {
int __real_pthread_create(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
int __wrap_pthread_create(pthread_t* handle, const pthread_attr_t* attributes, void* (*body)(void*),
                          void* argument);
}
int __wrap_pthread_create(pthread_t* handle, const pthread_attr_t* attributes, void* (*body)(void*),
                          void* argument) {
  if (threads_until_failure.fetch_sub(1) == 1) return EAGAIN;
  return __real_pthread_create(handle, attributes, body, argument);
}
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)

namespace stealbench::schedulers::contract {
namespace {

bool gives_the_right_answer(subject& scheduler) {
  return scheduler.run([](auto worker) { return fork_leaves(worker, 10); }) == 1024;
}

TEST(ThreadFault, NoThreadEndsInAnErrorThatSaysSo) {
  constexpr unsigned workers = 8;
  const unsigned started = subject(options{.workers = workers}).worker_count() - 1;
  const std::size_t before = operating_system::threads().size();
  for (unsigned k = 1; k <= started; ++k) {
    threads_until_failure = static_cast<int>(k);
    std::string message = "nothing thrown";
    try {
      const subject scheduler(options{.workers = workers});
    } catch (const std::system_error& error) {
      EXPECT_EQ(error.code(), std::errc::resource_unavailable_try_again);
      message = error.what();
    }
    EXPECT_NE(message.find("cannot start a thread"), std::string::npos) << message;
    // A thread that has been joined may show for a moment longer.
    EXPECT_TRUE(eventually([&] { return operating_system::threads().size() <= before; })) << k;
  }
  threads_until_failure = static_cast<int>(started) + 1;
  subject scheduler(options{.workers = workers});
  threads_until_failure = 0;
  EXPECT_TRUE(gives_the_right_answer(scheduler));
}

std::size_t address_space_in_use() {
  std::size_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  return pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

void allow_address_space(std::size_t bytes) {
  rlimit limit{};
  getrlimit(RLIMIT_AS, &limit);
  limit.rlim_cur = bytes;
  setrlimit(RLIMIT_AS, &limit);
}

/// What the constructor of a scheduler throws that may have `bytes` more than the process has; if
/// nothing, the scheduler has worked.
std::optional<std::string> error_with(std::size_t bytes) {
  allow_address_space(address_space_in_use() + bytes);
  try {
    subject scheduler(options{.workers = 8});
    return gives_the_right_answer(scheduler) ? std::nullopt : std::optional("a wrong answer");
  } catch (const std::system_error& error) {
    return error.what();
  }
}

/// Raises the limit until the scheduler works, and prints each new error.
[[noreturn]] void climb_out_of_need() {
  constexpr std::size_t step = std::size_t{24} << 20;
  std::string latest;
  for (std::size_t bytes = step; bytes < std::size_t{8} << 30; bytes += step) {
    const std::optional<std::string> error = error_with(bytes);
    if (!error) {
      std::fputs("works\n", stderr);
      std::_Exit(0);
    }
    if (*error != latest) std::fprintf(stderr, "%s\n", error->c_str());
    latest = *error;
  }
  std::_Exit(1);
}

TEST(ThreadFaultDeathTest, NoAddressSpaceEndsInAnErrorThatSaysSo) {
  if (address_space_in_use() > std::size_t{1} << 40) {
    GTEST_SKIP() << "a sanitizer has taken terabytes of it";
  }
  GTEST_FLAG_SET(death_test_style, "threadsafe");  // A process of its own, since the limit stays.
  const std::string both =
      "^cannot reserve a job stack of [0-9]+ bytes: Cannot allocate memory\n"
      "cannot start a thread with a stack of [0-9]+ bytes: Resource temporarily unavailable\n"
      "works\n$";
  // Where fibers migrate, the threads' own stacks are small.
  const std::string fibers =
      "^cannot reserve a fiber's stack of [0-9]+ bytes: Cannot allocate memory\n"
      "(cannot start a thread with a stack of [0-9]+ bytes: Resource temporarily unavailable\n)?"
      "works\n$";
  const bool has_workers = subject::name != "serial";
  const std::string& engines = fibers_migrate<subject>() ? fibers : both;
  EXPECT_EXIT(climb_out_of_need(), testing::ExitedWithCode(0), has_workers ? engines : "^works\n$");
}

// Where the processors that the process may use have changed.

void refuse_to_pin() {
  // As the kernel does where the cpuset no longer holds the processor.
  if (!refuse_system_call(SYS_sched_setaffinity, EINVAL)) std::abort();
}

/// Prints the system error that `f` throws, and ends the process.
template <class F>
[[noreturn]] void print_error_of(const F& f) {
  try {
    f();
    std::fputs("no error\n", stderr);
  } catch (const std::system_error& error) {
    std::fprintf(stderr, "%s\n", error.what());
  }
  std::_Exit(0);
}

// NOLINTNEXTLINE(readability-identifier-naming): GoogleTest shows it as the name of the suite.
class PinFaultDeathTest : public testing::Test {
 protected:
  void SetUp() override {
    if (subject(options{.workers = 2}).worker_count() == 1) GTEST_SKIP() << "pins nothing";
    if (!can_refuse_system_calls()) {
      GTEST_SKIP() << "this process may not install a seccomp filter";
    }
  }
};

TEST_F(PinFaultDeathTest, AThreadThatCannotBePinnedEndsInAnErrorThatSaysSo) {
  EXPECT_EXIT(print_error_of([] {
                refuse_to_pin();
                const subject scheduler(options{.workers = 3, .pin = true});
              }),
              testing::ExitedWithCode(0),
              "^cannot start a thread with a stack of [0-9]+ bytes on processor [0-9]+: Invalid "
              "argument\n$");
}

TEST_F(PinFaultDeathTest, ACallerThatCannotBePinnedGetsAnErrorFromItsRun) {
  EXPECT_EXIT(print_error_of([] {
                subject scheduler(options{.workers = 3, .pin = true});
                scheduler.run([](auto) {});
                refuse_to_pin();
                scheduler.run([](auto) { std::fputs("has run\n", stderr); });
              }),
              testing::ExitedWithCode(0), "^sched_setaffinity: Invalid argument\n$");
}

}  // namespace
}  // namespace stealbench::schedulers::contract
