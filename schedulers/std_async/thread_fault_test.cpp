// Where the system refuses threads, std::async throws: a fork then calls both branches.
#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <system_error>
#include <thread>

#include <gtest/gtest.h>
#include <sys/syscall.h>

#include "schedulers/contract/faults/refused_call.hpp"
#include "schedulers/std_async/scheduler.hpp"

namespace stealbench::std_async {
namespace {

[[noreturn]] void print_what_runs_without_threads() {
  if (!schedulers::contract::refuse_system_call(SYS_clone3, EAGAIN) ||
      !schedulers::contract::refuse_system_call(SYS_clone, EAGAIN)) {
    std::abort();
  }
  scheduler pool(schedulers::options{.workers = 4});
  pool.run([](worker w) {
    int runs = 0;
    auto group = w->task_group();
    for (int i = 0; i < 50; ++i) group.spawn([&runs](worker) { ++runs; });
    group.sync();
    std::fprintf(stderr, "%d children\n", runs);
    try {
      w->fork_join([&runs](worker) { throw std::system_error(++runs, std::generic_category()); },
                   [&runs](worker) { ++runs; });
    } catch (const std::system_error& error) {
      std::fprintf(stderr, "error %d of the branch, %d in all\n", error.code().value(), runs);
    }
  });
  std::_Exit(0);
}

TEST(StdAsync, StartsNoThreadForItsOnlyWorkerAndTakesAGrainOfNoneForOne) {
  scheduler pool(schedulers::options{.workers = 1});
  std::atomic<int> runs = 0;
  const auto count = [&runs, caller = std::this_thread::get_id()](worker, std::size_t) {
    if (std::this_thread::get_id() == caller) ++runs;
  };
  pool.run([&](worker w) { w->parallel_for(0, 3, 0, count); });
  EXPECT_EQ(runs, 3);
}

TEST(StdAsyncDeathTest, CallsBothBranchesOnceWhereNoThreadCanBeStarted) {
  if (!schedulers::contract::can_refuse_system_calls()) {
    GTEST_SKIP() << "this process may not install a seccomp filter";
  }
  EXPECT_EXIT(print_what_runs_without_threads(), testing::ExitedWithCode(0),
              "^50 children\nerror 51 of the branch, 52 in all\n$");
}

}  // namespace
}  // namespace stealbench::std_async
