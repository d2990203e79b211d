// Loops whose parts have affinities, over every deque that keeps pointers: each index runs once in
// each sweep, what throws is rethrown, and no part is left to a worker that does not come for it.
// Where parts run is a matter of virtual_machine/locality_test.cpp.
#include <atomic>
#include <cstddef>
#include <functional>
#include <vector>

#include <gtest/gtest.h>

#include "schedulers/contract/rendezvous.hpp"
#include "schedulers/contract/sleeps_until_woken_machine.hpp"
#include "schedulers/work_stealing/deques/chase_lev.hpp"
#include "schedulers/work_stealing/deques/locked.hpp"
#include "schedulers/work_stealing/rings.hpp"

namespace stealbench::work_stealing {
namespace {

using schedulers::loop_split;
using schedulers::contract::rendezvous;
using schedulers::contract::sleeps_until_woken_machine;

schedulers::options mailing(unsigned workers, loop_split split, steal_amount amount) {
  return {.workers = workers,
          .stealing = {.victim = victim_choice::mailbox, .amount = amount},
          .split = split};
}

using body = std::function<void(std::size_t sweep, std::size_t i)>;

/// A run of loops over the same indices. Each in one more, over 20 of them, where the outer loop
/// `nests`. Compiled once for each scheduler.
template <class Scheduler>
void run_loops(Scheduler& scheduler, std::size_t sweeps, std::size_t count, bool nests,
               const body& each) {
  constexpr std::size_t inner = 20;
  scheduler.run([&](auto worker) {
    for (std::size_t sweep = 0; sweep < sweeps; ++sweep) {
      const auto run = [&](auto, std::size_t i) { each(sweep, i); };
      if (!nests) {
        worker->parallel_for(0, count, 1, run);
      } else {
        worker->parallel_for(0, count / inner, 1, [&](auto w, std::size_t outer) {
          w->parallel_for(outer * inner, (outer + 1) * inner, 1, run);
        });
      }
    }
  });
}

template <class Deque>
// NOLINTNEXTLINE(readability-identifier-naming): GoogleTest shows it as the name of the suite.
class Affinity : public testing::Test {
 public:
  // No sleeper looks by itself.
  using scheduler_type = typename Deque::template scheduler_on<sleeps_until_woken_machine>;
};
TYPED_TEST_SUITE(Affinity, rings::types, ring_names);

template <class Scheduler>
void check_sweeps(const schedulers::options& chosen) {
  constexpr std::size_t sweeps = 20;
  Scheduler scheduler(chosen);
  std::vector<std::atomic<int>> runs(600);
  const auto count = [&](std::size_t, std::size_t i) {
    runs[i].fetch_add(1, std::memory_order_relaxed);
  };
  for (int run = 1; run <= 10; ++run) {
    run_loops(scheduler, sweeps, runs.size(), run % 2 == 0, count);
    for (std::size_t i = 0; i < runs.size(); ++i) ASSERT_EQ(runs[i], run * int{sweeps}) << i;
  }
  if (const auto counted = scheduler.counters()) {
    EXPECT_EQ(counted->jobs_spawned, counted->jobs_run);
  }
}

constexpr steal_amount amounts[] = {steal_amount::one, steal_amount::half};

TYPED_TEST(Affinity, HasEachIndexRunOnceInEachSweep) {
  for (const unsigned workers : {1U, 2U, 3U, 8U}) {
    for (const auto split : {loop_split::lazy, loop_split::eager, loop_split::automatic}) {
      for (const steal_amount amount : amounts) {
        check_sweeps<typename TestFixture::scheduler_type>(mailing(workers, split, amount));
      }
    }
  }
}

TEST(Affinities, AreCountedAsAnyJobIs) {
  check_sweeps<deques::chase_lev::scheduler::counting_variant>(
      mailing(4, loop_split::eager, steal_amount::one));
}

TEST(Affinities, LoseNoPartWhereDequesAreFull) {
  for (const steal_amount amount : amounts) {
    check_sweeps<scheduler_over<narrow<deques::locked>>>(mailing(3, loop_split::eager, amount));
  }
}

TEST(Affinities, AreAsGoodWhereThievesTakeTheNewestJob) {
  for (const steal_amount amount : amounts) {
    schedulers::options chosen = mailing(4, loop_split::eager, amount);
    chosen.stealing.end = steal_end::newest;
    check_sweeps<deques::locked::scheduler_on<sleeps_until_woken_machine>>(chosen);
  }
}

TYPED_TEST(Affinity, LeavesTheErrorThatComesFirst) {
  typename TestFixture::scheduler_type scheduler(mailing(4, loop_split::eager, steal_amount::one));
  for (std::size_t first = 0; first < 60; ++first) {
    try {
      run_loops(scheduler, 1, 64, false, [&](std::size_t, std::size_t i) {
        if (i >= first) throw i;
      });
      ADD_FAILURE();
    } catch (std::size_t thrown) {
      EXPECT_EQ(thrown, first);
    }
  }
}

// As many parts as workers, which must all run at once, in each sweep.
TYPED_TEST(Affinity, LeavesNoPartToAWorkerThatDoesNotComeForIt) {
  for (const unsigned workers : {2U, 3U, 5U}) {
    for (const steal_amount amount : amounts) {
      typename TestFixture::scheduler_type scheduler(mailing(workers, loop_split::eager, amount));
      for (int round = 0; round < 200; ++round) {
        rendezvous places[] = {rendezvous(workers), rendezvous(workers), rendezvous(workers)};
        run_loops(scheduler, 3, workers, false,
                  [&](std::size_t sweep, std::size_t) { places[sweep].arrive(); });
      }
    }
  }
}

}  // namespace
}  // namespace stealbench::work_stealing
