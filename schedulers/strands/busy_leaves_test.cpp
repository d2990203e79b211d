// The busy-leaves property in simulated time: each leaf of the live spawn tree has a worker. So at
// no step are there more leaves than workers (Blumofe & Leiserson 1999, section 3), which a
// strategy that leaves children to others cannot say.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

#include <gtest/gtest.h>

#include "schedulers/busy_leaves/scheduler.hpp"
#include "schedulers/continuation_stealing/scheduler.hpp"
#include "schedulers/virtual_machine/test_machine.hpp"
#include "schedulers/work_stealing/scheduler.hpp"

namespace stealbench::strands {
namespace {

using virtual_machine::machine;

/// The live spawn tree of a program: a node for each closure from its spawn until it has returned.
/// Plain data: simulated threads switch only where they call the machine.
class live_tree {
 public:
  class node {
   public:
    node(live_tree& tree, node* parent) : tree_(tree), parent_(parent) {
      if (parent_ != nullptr && parent_->children_++ == 0) --tree_.leaves_;
      ++tree_.leaves_;
      tree_.most_leaves_ = std::max(tree_.most_leaves_, tree_.leaves_);
    }
    node(const node&) = delete;
    node& operator=(const node&) = delete;
    ~node() {
      --tree_.leaves_;
      if (parent_ != nullptr && --parent_->children_ == 0) ++tree_.leaves_;
      tree_.most_leaves_ = std::max(tree_.most_leaves_, tree_.leaves_);
    }

   private:
    live_tree& tree_;
    node* const parent_;
    std::size_t children_ = 0;
  };

  [[nodiscard]] std::size_t most_leaves() const { return most_leaves_; }

 private:
  std::size_t leaves_ = 0;
  std::size_t most_leaves_ = 0;
};

std::uint64_t next(std::uint64_t& random) {  // xorshift64 (Marsaglia 2003)
  random ^= random << 13;
  random ^= random >> 7;
  random ^= random << 17;
  return random;
}

/// A random tree of spawns. A child is live from its spawn on, wherever it waits.
template <class Worker>
void grow(Worker worker, live_tree& tree, live_tree::node& self, unsigned depth,
          std::uint64_t random) {
  machine::work(next(random) % 64);
  if (depth == 0) return;
  auto group = worker->task_group();
  const std::uint64_t children = next(random) % 4;
  for (std::uint64_t i = 0; i < children; ++i) {
    auto* const child = new live_tree::node(tree, &self);
    group.spawn([&tree, child, depth, seed = next(random) | 1](auto w) {
      grow(w, tree, *child, depth - 1, seed);
      delete child;
    });
    machine::work(next(random) % 16);
  }
  group.sync();
}

template <class Scheduler>
std::size_t most_leaves(unsigned workers, std::uint64_t seed) {
  live_tree tree;
  virtual_machine::simulated(
      {.costs = virtual_machine::round_costs, .unit_ns = 20, .seed = seed, .job_stacks = workers},
      [&] {
        Scheduler scheduler(schedulers::options{.workers = workers});
        for (unsigned round = 0; round < 20; ++round) {
          scheduler.run([&](auto worker) {
            live_tree::node root(tree, nullptr);
            grow(worker, tree, root, 7, seed * 1000 + round + 1);
          });
        }
      });
  return tree.most_leaves();
}

template <class Scheduler>
void expect_busy_leaves() {
  for (const unsigned workers : {1U, 2U, 3U, 8U, 64U}) {
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      EXPECT_LE(most_leaves<Scheduler>(workers, seed), workers) << "seed " << seed;
    }
  }
}

TEST(BusyLeaves, HaveAWorkerEachUnderBusyLeaves) {
  expect_busy_leaves<busy_leaves::scheduler_on<machine>>();
}

TEST(BusyLeaves, HaveAWorkerEachUnderContinuationStealing) {
  expect_busy_leaves<continuation_stealing::scheduler_on<machine>>();
}

TEST(BusyLeaves, HaveNoWorkerWhereChildrenWaitForOne) {
  EXPECT_GT(most_leaves<work_stealing::scheduler_on<machine>>(2, 1), 2U);
}

}  // namespace
}  // namespace stealbench::strands
