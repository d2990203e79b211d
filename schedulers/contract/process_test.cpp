// Laws 8 and 9, of the in-house schedulers: what becomes of a process that exits during a run,
// and of a child that fork() makes. Each case is a process of its own.
#include <atomic>
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <thread>

#include <pthread.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "schedulers/contract/fixture.hpp"
#include "schedulers/contract/time_limit.hpp"

namespace stealbench::schedulers::contract {
namespace {

constexpr int status = 3;
constexpr unsigned limit_s = 100;

template <class Worker>
unsigned fib(
    Worker worker, unsigned n, const std::function<void()>& at_fork = [] {}) {
  if (n < 2) return n;
  at_fork();
  auto [left, right] =
      worker->fork_join([n, &at_fork](Worker w) { return fib(w, n - 1, at_fork); },
                        [n, &at_fork](Worker w) { return fib(w, n - 2, at_fork); });
  return left + right;
}
constexpr unsigned fib_of_15 = 610;

#ifdef STEALBENCH_THREAD_SANITIZER
// By ThreadSanitizer, which has a say in how a process ends, and locks of its own, which a fork()
// beside threads that run leaves held in the child.
constexpr bool is_watched = true;
#else
constexpr bool is_watched = false;
#endif

/// Where a pool may be, of which an exit destroys all but the leaked one.
enum class storage { global, function_local, owned, leaked };

std::optional<subject> global_pool;

subject& pool_in(storage where) {
  const options three{.workers = 3};
  switch (where) {
    case storage::global:
      return global_pool ? *global_pool : global_pool.emplace(three);
    case storage::function_local: {
      static subject local(three);
      return local;
    }
    case storage::owned: {
      static const auto owned = std::make_unique<subject>(three);
      return *owned;
    }
    case storage::leaked:
      break;
  }
  static subject& leaked = *new subject(three);
  return leaked;
}

/// Before a fork(), or an exit() in a handler. Sanitizers have locks, which stay held in the child,
/// or below the handler, where a thread allocates meanwhile, as each does when it starts.
void await_started_threads() {
#if defined(STEALBENCH_ADDRESS_SANITIZER) || defined(STEALBENCH_THREAD_SANITIZER)
  while (states_of_threads().running > 1) linger();
#endif
}

/// In a process of its own: one run, which lasts until `at_fork` exits.
void run_until_exit(storage where, const std::function<void()>& at_fork) {
  alarm(limit_s);
  subject& pool = pool_in(where);
  pool.run([&](auto worker) { return fib(worker, 45, at_fork); });
}

// NOLINTNEXTLINE(readability-identifier-naming): GoogleTest shows it as the name of the suite.
class ProcessDeathTest : public testing::TestWithParam<storage> {
 protected:
  ProcessDeathTest() {
    testing::FLAGS_gtest_death_test_style = "threadsafe";
#ifdef STEALBENCH_THREAD_SANITIZER
    setenv("TSAN_OPTIONS", "atexit_sleep_ms=0", 1);  // Else each process waits for a second.
#endif
  }
};

const auto with_the_status = testing::ExitedWithCode(status);

TEST_P(ProcessDeathTest, AnExitInABranchEndsItWithItsStatus) {
  for (const long forks : {1L, 10L, 1000L, 50'000L}) {
    EXPECT_EXIT(
        {
          std::atomic<long> left = forks;
          run_until_exit(GetParam(), [&] {
            if (--left == 0) std::exit(status);
          });
        },
        with_the_status, "")
        << forks;
  }
}

TEST_P(ProcessDeathTest, AnExitOnAThiefEndsItWithItsStatus) {
  const auto exit_on_a_thief = [&] {
    const auto caller = std::this_thread::get_id();
    std::atomic<int> left = 100;
    run_until_exit(GetParam(), [&] {
      if (std::this_thread::get_id() != caller && --left == 0) std::exit(status);
    });
  };
  if (subject(options{.workers = 2}).worker_count() < 2) GTEST_SKIP() << "has no thieves";
  EXPECT_EXIT(exit_on_a_thief(), with_the_status, "");
}

TEST_P(ProcessDeathTest, AnExitInAChildOfAGroupOrInALoopEndsItWithItsStatus) {
  const auto exit_in_a_group = [&] {
    alarm(limit_s);
    pool_in(GetParam()).run([](auto worker) {
      auto group = worker->task_group();
      for (int i = 0; i < 100; ++i) {
        group.spawn([i](auto w) {
          if (fib(w, 10) != 0 && i == 60) std::exit(status);
        });
      }
      group.sync();
    });
  };
  EXPECT_EXIT(exit_in_a_group(), with_the_status, "");
  const auto exit_in_a_loop = [&] {
    alarm(limit_s);
    pool_in(GetParam()).run([](auto worker) {
      worker->parallel_for(0, 1000, 1, [](auto w, std::size_t i) {
        if (fib(w, 10) != 0 && i == 600) std::exit(status);
      });
    });
  };
  EXPECT_EXIT(exit_in_a_loop(), with_the_status, "");
}

TEST_P(ProcessDeathTest, AnExitBesideARunEndsItWithItsStatus) {
  if (is_watched) GTEST_SKIP() << "exit() destroys what the other thread uses";
  const auto exit_beside_a_run = [&] {
    std::atomic<bool> has_begun = false;
    std::thread([&] {
      while (!has_begun) linger();
      std::exit(status);  // Which destroys the parameters of this test, too.
    }).detach();
    run_until_exit(GetParam(), [&] { has_begun = true; });
  };
  const auto exit_beside_a_detached_user = [&] {
    subject& pool = pool_in(GetParam());
    alarm(limit_s);
    std::atomic<bool> has_begun = false;
    std::thread([&] {
      for (;;) {
        pool.run([](auto worker) { return fib(worker, 5); });
        has_begun = true;
      }
    }).detach();
    while (!has_begun) linger();
    std::exit(status);  // What a return from main does.
  };
  for (int repeat = 0; repeat < 5; ++repeat) {
    EXPECT_EXIT(exit_beside_a_run(), with_the_status, "");
    // It goes on to use the pool when that has been destroyed: only its memory must still be there.
    if (GetParam() == storage::owned) continue;
    EXPECT_EXIT(exit_beside_a_detached_user(), with_the_status, "");
  }
}

// An object that is older than the pool is destroyed after it.
TEST_P(ProcessDeathTest, ARunWhileItExitsHasItsCallerAlone) {
  const auto run_at_exit = [&] {
    static subject* pool = nullptr;
    const auto run = [] {
      if (pool->run([](auto worker) { return fib(worker, 15); }) != fib_of_15) std::_Exit(1);
    };
    if (GetParam() != storage::owned) std::atexit(run);
    pool = &pool_in(GetParam());
    std::atexit(run);
    std::atomic<long> left = 1000;
    run_until_exit(GetParam(), [&] {
      if (--left == 0) std::exit(status);
    });
  };
  EXPECT_EXIT(run_at_exit(), with_the_status, "");
}

TEST_P(ProcessDeathTest, AWorkerThatHandlesASignalMayExit) {
  const auto exit_in_a_handler = [&] {
    alarm(limit_s);
    std::signal(SIGUSR1, [](int) { std::exit(status); });
    sigset_t one;
    sigemptyset(&one);
    sigaddset(&one, SIGUSR1);
    static_cast<void>(pool_in(GetParam()));
    await_started_threads();
    pthread_sigmask(SIG_BLOCK, &one, nullptr);  // Of this thread: a worker gets it.
    kill(getpid(), SIGUSR1);
    pause();
  };
  if (subject(options{.workers = 2}).worker_count() < 2) GTEST_SKIP() << "has no threads";
  if (is_watched) GTEST_SKIP() << "exit() is not for handlers, and often called there";
  EXPECT_EXIT(exit_in_a_handler(), with_the_status, "");
}

int threads_now() { return static_cast<int>(operating_system::threads().size()); }

TEST_P(ProcessDeathTest, APoolThatEndsInABranchEndsItsThreadsWithTheRun) {
  const auto end_in_a_branch = [&] {
    alarm(limit_s);
    const int before = threads_now();
    auto* const pool = new subject(options{.workers = 3});
    const unsigned result = pool->run([&](auto worker) {
      return fib(worker, 15, [&, left = std::make_shared<std::atomic<int>>(100)] {
        if (--*left == 0) delete pool;
      });
    });
    const bool has_ended = is_watched || threads_now() == before;  // It may start one of its own.
    std::_Exit(result == fib_of_15 && has_ended ? status : 1);
  };
  EXPECT_EXIT(end_in_a_branch(), with_the_status, "");
}

TEST_P(ProcessDeathTest, OtherEndsAreThoseOfAnyProcess) {
  EXPECT_EXIT(run_until_exit(GetParam(), [] { std::quick_exit(status); }), with_the_status, "");
  EXPECT_EXIT(run_until_exit(GetParam(), [] { std::abort(); }), testing::KilledBySignal(SIGABRT),
              "");
  const auto throw_from_a_run = [&]() noexcept {
    run_until_exit(GetParam(), [] { throw std::runtime_error("uncaught"); });
  };
  EXPECT_EXIT(throw_from_a_run(), testing::KilledBySignal(SIGABRT), "uncaught");
}

/// The status that a child ends with; 1 where it does not exit.
int status_of(pid_t child) {
  int end = 0;
  waitpid(child, &end, 0);
  return WIFEXITED(end) ? WEXITSTATUS(end) : 1;
}

/// Calls `body` in a child that fork() makes, and ends this process with its status.
template <class Body>
void exit_as_child(const Body& body) {
  const pid_t child = fork();
  if (child == 0) {
    alarm(limit_s);
    body();
    std::exit(status);
  }
  std::exit(status_of(child));
}

/// Uses all that a worker offers, so that work is dealt to each.
void use(subject& pool) {
  for (int repeat = 0; repeat < 20; ++repeat) {
    std::atomic<std::size_t> sum = 0;
    const unsigned result = pool.run([&](auto worker) {
      worker->parallel_for(0, 1000, 1, [&](auto, std::size_t i) { sum += i; });
      auto group = worker->task_group();
      for (std::size_t i = 0; i < 100; ++i) group.spawn([&, i](auto) { sum += i; });
      group.sync();
      return fib(worker, 15);
    });
    if (result != fib_of_15 || sum != 499'500 + 4'950) std::_Exit(1);
  }
}

TEST_P(ProcessDeathTest, APoolRunsInAChildAndSoDoesANewOne) {
  const auto run_in_a_child = [&] {
    subject& pool = pool_in(GetParam());
    use(pool);
    await_started_threads();
    exit_as_child([&] {
      use(pool);
      if (!is_watched) {  // ThreadSanitizer bears no new threads in a child.
        subject other(options{.workers = 3});
        use(other);
      }
      exit_as_child([&] { use(pool); });  // Its child's is another one again.
    });
  };
  EXPECT_EXIT(run_in_a_child(), with_the_status, "");
}

TEST_P(ProcessDeathTest, AChildMayEndAPoolAndItsParentGoesOn) {
  const auto end_in_a_child = [&] {
    auto pool = std::make_unique<subject>(options{.workers = 3});
    use(*pool);
    await_started_threads();
    const pid_t child = fork();
    if (child == 0) {
      alarm(limit_s);
      pool.reset();
      std::exit(status);
    }
    use(*pool);
    std::exit(status_of(child));
  };
  EXPECT_EXIT(end_in_a_child(), with_the_status, "");
}

// The kernel's own call, which calls no handler of fork().
TEST_P(ProcessDeathTest, AChildMadeInAnyWayIsKnown) {
  const auto run_in_a_child = [&] {
    subject& pool = pool_in(GetParam());
    use(pool);
    await_started_threads();
    const auto child = static_cast<pid_t>(syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0));
    if (child == 0) {
      alarm(limit_s);
      use(pool);
      std::_Exit(status);
    }
    std::_Exit(status_of(child));
  };
  if (is_watched) GTEST_SKIP() << "it must be told of each child";
  EXPECT_EXIT(run_in_a_child(), with_the_status, "");
}

TEST_P(ProcessDeathTest, AChildMadeBesideARunMayRunToo) {
  if (is_watched) GTEST_SKIP() << "the child may wait for a lock of ThreadSanitizer";
  const auto fork_beside_a_run = [&] {
    subject& pool = pool_in(GetParam());
    await_started_threads();
    std::atomic<bool> has_begun = false;
    std::thread([&] { run_until_exit(GetParam(), [&] { has_begun = true; }); }).detach();
    while (!has_begun) linger();
    exit_as_child([&] { use(pool); });
  };
  EXPECT_EXIT(fork_beside_a_run(), with_the_status, "");
}

TEST_P(ProcessDeathTest, AChildMadeInABranchEndsThereAsItLikes) {
  if (is_watched) GTEST_SKIP() << "the child may wait for a lock of ThreadSanitizer";
  const auto fork_in_a_branch = [&] {
    std::atomic<long> left = 1000;
    static_cast<void>(pool_in(GetParam()));
    await_started_threads();
    run_until_exit(GetParam(), [&] {
      if (--left == 0) exit_as_child([] {});
    });
  };
  EXPECT_EXIT(fork_in_a_branch(), with_the_status, "");
}

// It has what was stolen before the fork to wait for, or nothing; and then it ends.
TEST_P(ProcessDeathTest, AChildMadeInABranchIsNotLeftHangingAtAJoin) {
  if (is_watched) GTEST_SKIP() << "the child may wait for a lock of ThreadSanitizer";
  const auto go_on_in_a_child = [&] {
    std::atomic<long> left = 1000;
    std::atomic<pid_t> child = -1;
    subject& pool = pool_in(GetParam());
    await_started_threads();
    alarm(limit_s);
    pool.run([&](auto worker) {
      return fib(worker, 20, [&] {
        if (--left == 0) {
          child = fork();
          if (child == 0) alarm(limit_s);
        }
      });
    });
    if (child == 0) std::_Exit(status);
    int end = 0;
    waitpid(child, &end, 0);
    const bool is_told = WIFSIGNALED(end) && WTERMSIG(end) == SIGABRT;
    std::_Exit(is_told || (WIFEXITED(end) && WEXITSTATUS(end) == status) ? status : 1);
  };
  for (int repeat = 0; repeat < 5; ++repeat) EXPECT_EXIT(go_on_in_a_child(), with_the_status, "");
}

TEST_P(SchedulerContract, RunsFromInsideARunAndBesideOneHaveTheirCallerAlone) {
  const auto run_fibs = [&] {
    for (int i = 0; i < 100; ++i) {
      const unsigned result = scheduler_.run([](auto worker) { return fib(worker, 15); });
      EXPECT_EQ(result, fib_of_15);
    }
  };
  scheduler_.run([&](auto worker) {
    worker->fork_join([&](auto) { run_fibs(); }, [&](auto) { run_fibs(); });
  });
  std::thread other(run_fibs);
  run_fibs();
  other.join();
  run_fibs();
}

INSTANTIATE_TEST_SUITE_P(Storage, ProcessDeathTest,
                         testing::Values(storage::global, storage::function_local, storage::owned,
                                         storage::leaked));

}  // namespace
}  // namespace stealbench::schedulers::contract
