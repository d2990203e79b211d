// The busy-leaves property in simulated time, at every step: each leaf of the live spawn tree has a
// worker (Blumofe & Leiserson 1999, section 3). So there are never more leaves than workers, and
// S_P is at most P · S_1. What has a worker, and what is a step: live_tree_fixture.hpp and
// virtual_machine::settings::probe.
#include <cstdint>
#include <functional>

#include <gtest/gtest.h>

#include "schedulers/busy_leaves/scheduler.hpp"
#include "schedulers/continuation_stealing/scheduler.hpp"
#include "schedulers/depth_first/scheduler.hpp"
#include "schedulers/fibers/live_tree_fixture.hpp"
#include "schedulers/random.hpp"
#include "schedulers/virtual_machine/tests/test_machine.hpp"
#include "schedulers/work_stealing/scheduler.hpp"

namespace stealbench::fibers {
namespace {

using schedulers::next_random;
using virtual_machine::machine;

template <class Worker>
void grow(Worker worker, live_tree& tree, live_tree::node& self, unsigned depth,
          std::uint64_t random);

template <class Worker>
void spawn_some(Worker worker, live_tree& tree, live_tree::node& self, unsigned depth,
                std::uint64_t random) {
  auto group = worker->task_group();
  for (std::uint64_t children = next_random(random) % 4; children > 0; --children) {
    live_tree::node& child = tree.begin(&self);
    group.spawn([&tree, &child, depth, seed = next_random(random) | 1](auto w) {
      grow(w, tree, child, depth, seed);
      tree.end(child);
    });
    tree.has(&self);
    machine::work(next_random(random) % 16);
  }
  group.sync();
  tree.has(&self);
}

template <class Worker>
void fork(Worker worker, live_tree& tree, live_tree::node& self, unsigned depth,
          std::uint64_t random) {
  const std::uint64_t left = next_random(random) | 1;
  const std::uint64_t right = next_random(random) | 1;
  live_tree::node& first = tree.begin(&self);
  worker->fork_join(
      [&](auto w) {
        grow(w, tree, first, depth, left);
        tree.end(first);
      },
      [&](auto w) {
        live_tree::node& second = tree.begin(&self);
        grow(w, tree, second, depth, right);
        tree.end(second);
      });
  tree.has(&self);
}

/// A random tree of spawns and forks.
template <class Worker>
void grow(Worker worker, live_tree& tree, live_tree::node& self, unsigned depth,
          std::uint64_t random) {
  machine::work(next_random(random) % 64);
  for (std::uint64_t joins = depth == 0 ? 0 : next_random(random) % 3; joins > 0; --joins) {
    if (next_random(random) % 2 == 0) {
      spawn_some(worker, tree, self, depth - 1, next_random(random) | 1);
    } else {
      fork(worker, tree, self, depth - 1, next_random(random) | 1);
    }
    machine::work(next_random(random) % 16);
  }
}

/// Random trees, looked at before each switch of workers.
template <class Scheduler>
live_tree grown(unsigned workers, std::uint64_t seed) {
  live_tree tree;
  observed = &tree;
  const std::function<void()> look = [&] { tree.look(); };
  virtual_machine::simulated(
      {.costs = virtual_machine::round_costs,
       .unit_ns = 20,
       .seed = seed,
       .job_stacks = workers,
       .looks_ahead = false,
       .probe = &look},
      [&] {
        // A search for random victims ends with its claim, so that no
        // step comes between that and what the tree is told.
        Scheduler scheduler(schedulers::options{
            .workers = workers,
            .own = work_stealing::options{.victim = work_stealing::victim_choice::random}});
        for (unsigned round = 0; round < 60; ++round) {
          scheduler.run([&](auto worker) {
            live_tree::node& root = tree.begin(nullptr);
            grow(worker, tree, root, 7, seed * 1000 + round + 1);
            tree.end(root);
          });
        }
      });
  observed = nullptr;
  return tree;
}

template <template <class> class Policy>
using observed_scheduler = fibers::scheduler<observed_policy<Policy<spinning_machine>>>;

template <class Scheduler>
void expect_busy_leaves() {
  for (const unsigned workers : {2U, 3U, 8U, 64U}) {
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      const live_tree tree = grown<Scheduler>(workers, seed);
      EXPECT_GT(tree.steps(), 5000U) << workers << " workers";
      EXPECT_EQ(tree.steps_unattended(), 0U) << workers << " workers, seed " << seed;
    }
  }
}

TEST(BusyLeaves, HaveAWorkerEachAtEveryStepOfBusyLeavesAndOfContinuationStealing) {
  expect_busy_leaves<observed_scheduler<busy_leaves::policy>>();
  expect_busy_leaves<observed_scheduler<continuation_stealing::policy>>();
}

// A worker leaves a parent to others if something comes before it in the serial order.
TEST(BusyLeaves, HaveNoWorkerAtSomeStepsOfDepthFirst) {
  const live_tree tree = grown<observed_scheduler<depth_first::policy>>(8, 1);
  EXPECT_GT(tree.steps_unattended(), 0U) << "of " << tree.steps();
}

TEST(BusyLeaves, HaveNoWorkerWhereChildrenWaitForOne) {
  const live_tree tree = grown<work_stealing::scheduler_on<machine>>(2, 1);
  EXPECT_GT(tree.steps_unattended(), 0U) << "of " << tree.steps();
}

}  // namespace
}  // namespace stealbench::fibers
