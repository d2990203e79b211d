// A worker that stops for a second, as one does whose processor is taken from it.
#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <mutex>
#include <string_view>
#include <thread>
#include <vector>

#include <pthread.h>

#include "schedulers/contract/fixture.hpp"

namespace stealbench::schedulers::contract {
namespace {

// Of the handler, so not in an object. Relaxed but for `stop_ended`: counts and flags that publish
// nothing.
std::atomic<std::uint64_t> leaves_run{0};
std::atomic<std::uint64_t> leaves_run_meanwhile{0};  // While the worker was stopped.
std::atomic<bool> stop_begun{false};
std::atomic<bool> stop_ended{false};
std::atomic<bool> waits_for_progress{false};  // Stopped for as long as the others do nothing.
thread_local unsigned closures_under_way = 0;

/// The stack on which a started worker looks for work, where fibers migrate: they have others.
/// Written before the first signal.
struct stack_range {
  std::uintptr_t bottom;
  std::uintptr_t top;
};
std::array<stack_range, 2> own_stacks{};

stack_range stack_of(pthread_t thread) {
  pthread_attr_t attributes;
  void* bottom = nullptr;
  std::size_t bytes = 0;
  if (pthread_getattr_np(thread, &attributes) != 0) std::abort();
  pthread_attr_getstack(&attributes, &bottom, &bytes);
  pthread_attr_destroy(&attributes);
  const auto address = reinterpret_cast<std::uintptr_t>(bottom);
  return {address, address + bytes};
}

// Whether the worker that the signal has interrupted looks for work.
bool looks_for_work() {
  if (!fibers_migrate<subject>()) return closures_under_way == 0;
  const char local = 0;
  const auto address = reinterpret_cast<std::uintptr_t>(&local);
  return std::any_of(own_stacks.begin(), own_stacks.end(), [address](const stack_range& each) {
    return each.bottom <= address && address < each.top;
  });
}

void sleep_in_handler(std::time_t seconds, long nanoseconds) {
  timespec left{.tv_sec = seconds, .tv_nsec = nanoseconds};
  while (nanosleep(&left, &left) != 0 && errno == EINTR) {
  }
}

// Stops only a worker that looks for work: others wait for what a closure has under way.
extern "C" void stop_here(int /*signal*/) {
  if (!looks_for_work() || stop_begun.exchange(true)) return;
  const int kept = errno;
  const std::uint64_t before = leaves_run;
  sleep_in_handler(1, 0);
  for (int tries = 0; waits_for_progress && leaves_run == before && tries < 60'000; ++tries) {
    sleep_in_handler(0, 1'000'000);  // A loaded machine: a minute more before it is an error.
  }
  leaves_run_meanwhile = leaves_run - before;
  errno = kept;
  stop_ended = true;
}

struct closure_scope {
  closure_scope() { ++closures_under_way; }
  closure_scope(const closure_scope&) = delete;
  closure_scope& operator=(const closure_scope&) = delete;
  ~closure_scope() { --closures_under_way; }
};

template <class Worker>
std::uint64_t count_leaves(Worker worker, unsigned depth) {
  const closure_scope scope;
  if (depth == 0) {
    ++leaves_run;
    return 1;
  }
  const auto branch = [=](auto w) { return count_leaves(w, depth - 1); };
  const auto [left, right] = worker->fork_join(branch, branch);
  return left + right;
}

/// Two of these on three workers leave one that looks for work now and then. He has begun at most
/// one job of one of them, so the other one goes on. Returns whether all had all their leaves.
template <class Worker>
bool fork_until_the_stop_has_ended(Worker worker) {
  const closure_scope scope;
  bool right = true;
  while (!stop_ended) right = count_leaves(worker, 8) == 256 && right;
  return right;
}

/// The threads that the scheduler has started.
std::vector<pthread_t> other_workers(subject& scheduler) {
  std::mutex mutex;
  std::vector<pthread_t> seen{pthread_self()};
  EXPECT_TRUE(eventually([&] {
    scheduler.run([&](auto root) {
      root->parallel_for(0, 64, 1, [&](auto, std::size_t) {
        linger();
        const auto is_this = [](pthread_t each) {
          return pthread_equal(each, pthread_self()) != 0;
        };
        const std::lock_guard lock(mutex);
        if (std::none_of(seen.begin(), seen.end(), is_this)) seen.push_back(pthread_self());
      });
    });
    return seen.size() == scheduler.worker_count();
  }));
  seen.erase(seen.begin());
  return seen;
}

// Where a thief takes no lock, no worker waits for one that stops.
template <class S>
constexpr bool thieves_take_no_lock() {
  if constexpr (requires { S::policy::thieves_take_no_lock; })
    return S::policy::thieves_take_no_lock;
  if constexpr (requires { S::policy::deque; })
    return S::policy::deque != std::string_view("locked");
  return false;
}

void stop_one_worker_in_two_forking_branches(idle_policy idle, bool others_make_progress) {
#ifdef STEALBENCH_THREAD_SANITIZER
  GTEST_SKIP() << "ThreadSanitizer delivers a signal when the thread next calls the library";
#endif
  subject scheduler(options{.workers = 3, .idle = idle});
  if (scheduler.worker_count() == 1) GTEST_SKIP() << "has no other worker";
  stop_begun = stop_ended = false;
  waits_for_progress = others_make_progress;
  struct sigaction before {};
  struct sigaction action {};
  action.sa_handler = stop_here;
  sigaction(SIGUSR1, &action, &before);
  const std::vector<pthread_t> others = other_workers(scheduler);
  std::transform(others.begin(), others.end(), own_stacks.begin(), stack_of);
  std::thread sender([&] {
    while (!stop_begun) {
      for (const pthread_t each : others) pthread_kill(each, SIGUSR1);
      std::this_thread::sleep_for(std::chrono::microseconds{200});
    }
  });
  const auto right = scheduler.run([](auto root) {
    return root->fork_join([](auto w) { return fork_until_the_stop_has_ended(w); },
                           [](auto w) { return fork_until_the_stop_has_ended(w); });
  });
  sender.join();
  std::signal(SIGUSR1, SIG_IGN);  // Discards those of a worker that has not run since.
  sigaction(SIGUSR1, &before, nullptr);
  EXPECT_TRUE(right.first && right.second);
  EXPECT_TRUE(leaves_run_meanwhile > 0 || !others_make_progress);
  EXPECT_EQ(scheduler.run([](auto root) { return count_leaves(root, 8); }), 256U);
}

TEST(StoppedWorker, DelaysNoRunForEver) {
  stop_one_worker_in_two_forking_branches(idle_policy::park, false);
}

// Thieves that do not sleep: the parking lot has a lock too.
TEST(StoppedWorker, StopsNobodyElseWhereThievesTakeNoLock) {
  if (!thieves_take_no_lock<subject>()) GTEST_SKIP() << "it may hold a lock";
  stop_one_worker_in_two_forking_branches(idle_policy::yield_thread, true);
}

}  // namespace
}  // namespace stealbench::schedulers::contract
