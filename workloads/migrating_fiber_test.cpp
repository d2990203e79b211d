// A workload that tells workers apart, where the fiber that forks migrates between them.
#include <atomic>
#include <cstdint>
#include <utility>

#include <gtest/gtest.h>

#include "schedulers/continuation_stealing/scheduler.hpp"
#include "schedulers/fibers/every_scheduler_fixture.hpp"
#include "schedulers/operating_system/thread.hpp"
#include "workloads/stress/bursts/bursts.hpp"

namespace stealbench::bursts {
namespace {

/// What the tasks of the bursts saw of their threads.
struct witnessed {
  std::uint64_t shared = 0;    ///< Bursts of which a task ran on another thread than they began on.
  std::uint64_t migrated = 0;  ///< Bursts that began on another thread than the first one.
};

template <class Worker>
struct witness {
  Worker inner;
  witnessed* seen;
  const void* first;

  const witness* operator->() const { return this; }

  struct group {
    using inner_group = decltype(std::declval<Worker>()->task_group());

    template <class F>
    void spawn(const F& f) {
      children.spawn([this, f](Worker w) {
        if (operating_system::this_thread() != begun_on) is_shared = true;
        f(witness{w, seen, begun_on});
      });
    }
    void sync() {
      children.sync();
      seen->shared += is_shared ? 1 : 0;
      fibers::migrate(inner);
    }

    Worker inner;
    witnessed* seen;
    inner_group children;
    const void* begun_on = operating_system::this_thread();
    std::atomic<bool> is_shared = false;
  };

  [[nodiscard]] group task_group() const {
    seen->migrated += operating_system::this_thread() != first ? 1 : 0;
    return {inner, seen, inner->task_group()};
  }
};

/// All in one function, in which a compiler may call once what is declared const.
template <class Worker>
[[gnu::flatten, gnu::noinline]] workload::output run_inlined(Worker worker, workload::input& in) {
  return workload::run(worker, in);
}

// However often that happens: it is the machine's business.
TEST(BurstsOfAMigratingFiber, AreSharedIfATaskRanOnAnotherThreadThanTheyBeganOn) {
  workload::input in = workload::prepare(
      {workload::describe(),
       {{"bursts", "40"}, {"tasks", "8"}, {"gap", "0"}, {"work", "5000"}, {"idle", "spin"}}});
  continuation_stealing::scheduler pool({.workers = 2});
  std::uint64_t migrated = 0;
  for (int run = 0; run < 3; ++run) {
    workload::reset(in);
    witnessed seen;
    const workload::output out = pool.run([&](auto worker) {
      return run_inlined(witness<decltype(worker)>{worker, &seen, operating_system::this_thread()},
                         in);
    });
    EXPECT_EQ(workload::verify(in, out), true);
    EXPECT_EQ(out.latencies.size(), seen.shared);
    for (const clock::duration each : out.latencies) EXPECT_GE(each.count(), 0);
    migrated += seen.migrated;
  }
  RecordProperty("bursts_after_a_migration", static_cast<int>(migrated));
}

}  // namespace
}  // namespace stealbench::bursts
