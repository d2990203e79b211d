// The standard example of Blumofe & Leiserson 1999 under busy leaves, on a machine where nothing
// but instructions takes time: which one runs when, and on which worker. README.md has the
// computation and where its edges come from.
#include <cmath>
#include <cstddef>
#include <initializer_list>
#include <type_traits>
#include <vector>

#include <gtest/gtest.h>

#include "schedulers/busy_leaves/scheduler.hpp"
#include "schedulers/depth_first/scheduler.hpp"
#include "schedulers/virtual_machine/tests/test_machine.hpp"

namespace stealbench::busy_leaves {
namespace {

using virtual_machine::machine;
using virtual_machine::running;

constexpr double unit_ns = 1e6;
constexpr unsigned span = 10;

/// Of a step: the number of the instruction that each worker executes, or 0.
using step = std::vector<unsigned>;
using schedule = std::vector<step>;

/// An edge between threads that no group can express, since it begins in the middle of a thread:
/// made of what a fork waits with. Who lets the waiting fiber go on leaves it in the pool.
template <class Scheduler>
class edge {
  using fiber = std::remove_pointer_t<typename Scheduler::worker>;

 public:
  void await(fiber& self) {
    if (end_.finished.done()) return;
    self.runner->leave(self, {.why = fibers::departs::waits_at_fork, .at_fork = &end_});
  }
  void pass(fiber& self) {
    fiber* const waiting = end_.finished.set();
    if (waiting != nullptr) self.runner->offer(waiting->rest, self);
  }

 private:
  fibers::branch<fiber> end_;
};

/// The computation: 23 instructions in six threads. `to_22`, if not 0, is an instruction of the
/// second thread with an edge to v22.
template <class Scheduler>
class computation {
  using handle = typename Scheduler::worker;

 public:
  computation(unsigned workers, unsigned to_22) : workers_(workers), to_22_(to_22) {}

  void first(handle w) {
    run(w, {1, 2});
    auto second_thread = w->task_group();
    second_thread.spawn([this](handle self) { second(self); });
    run(w, {16, 17});
    auto sixth_thread = w->task_group();
    sixth_thread.spawn([this](handle self) { run(self, {18, 19, 20}); });
    run(w, {21});
    sixth_thread.sync();
    if (to_22_ != 0) edge_.await(*w);
    run(w, {22});
    second_thread.sync();
    run(w, {23});
  }

  /// Not published: as v15 ends, v17 could go on behind it, and v10, which comes first, is ready.
  void waits_behind_what_comes_first(handle w) {
    run(w, {1});
    auto second_thread = w->task_group();
    second_thread.spawn([this](handle self) {
      run(self, {2, 3, 4});
      auto third_thread = self->task_group();
      third_thread.spawn([this](handle third) {
        auto fourth_thread = third->task_group();
        fourth_thread.spawn([this](handle fourth) { run(fourth, {5, 6, 7}); });
        run(third, {8, 9});
      });
      run(self, {10, 11});
    });
    run(w, {12});
    auto fifth_thread = w->task_group();
    fifth_thread.spawn([this](handle self) { run(self, {13, 14, 15}); });
    run(w, {16});
    fifth_thread.sync();
    run(w, {17});
  }

  [[nodiscard]] schedule executed() const { return executed_; }

 private:
  void second(handle w) {
    run(w, {3});
    auto before_14 = w->task_group();
    before_14.spawn([this](handle self) { run(self, {4, 5}); });
    run(w, {6});
    before_14.spawn([this](handle self) { run(self, {7, 8}); });
    run(w, {9});
    auto before_15 = w->task_group();
    before_15.spawn([this](handle self) { run(self, {10, 11, 12}); });
    run(w, {13});
    before_14.sync();
    run(w, {14});
    before_15.sync();
    run(w, {15});
  }

  void run(handle w, std::initializer_list<unsigned> instructions) {
    for (const unsigned each : instructions) {
      const auto now = static_cast<double>(running.now - begin_);
      const auto at = static_cast<std::size_t>(std::llround(now / (1000 * unit_ns)));
      if (executed_.size() <= at) executed_.resize(at + 1, step(workers_));
      executed_[at][w->runner->index] = each;
      machine::work(1);
      if (each == to_22_) edge_.pass(*w);
    }
  }

  const unsigned workers_;
  const unsigned to_22_;
  const virtual_machine::picoseconds begin_ = running.now;
  schedule executed_;
  edge<Scheduler> edge_;
};

/// A worker that is woken lags by a nanosecond of a millisecond: in the paper's algorithm too, a
/// worker whose child has ended looks for the parent before any idle one looks into the pool.
template <class Scheduler = scheduler_on<machine>>
schedule scheduled(unsigned workers, unsigned to_22,
                   void (computation<Scheduler>::*thread)(typename Scheduler::worker) =
                       &computation<Scheduler>::first) {
  virtual_machine::costs of_wakes_alone = virtual_machine::no_costs;
  of_wakes_alone.wake = 1;
  schedule executed;
  virtual_machine::simulated({.costs = of_wakes_alone, .unit_ns = unit_ns, .job_stacks = workers},
                             [&] {
                               Scheduler scheduler({.workers = workers});
                               running.all->await_stillness();
                               computation<Scheduler> program(workers, to_22);
                               scheduler.run([&](auto w) { (program.*thread)(w); });
                               executed = program.executed();
                             });
  return executed;
}

const schedule published{{1, 0},  {2, 0}, {3, 16},  {4, 17},  {5, 18},  {6, 19}, {7, 20},
                         {8, 21}, {9, 0}, {10, 13}, {11, 14}, {12, 22}, {15, 0}, {23, 0}};

TEST(PublishedSchedule, IsThatOfBusyLeavesOnTwoWorkers) {
  EXPECT_EQ(scheduled(2, 14), published);
  EXPECT_EQ(scheduled(2, 13), published);
}

// The other edges alone leave v22 ready when the worker that is idle in the ninth step looks.
TEST(PublishedSchedule, HasOneMoreEdgeThanThoseThatAreKnown) {
  schedule earlier = published;
  earlier[8][1] = 22;
  earlier[11][1] = 0;
  EXPECT_EQ(scheduled(2, 0), earlier);
}

TEST(PublishedSchedule, IsTheSerialOrderOnOneWorker) {
  schedule serial(23, step(1));
  for (unsigned i = 0; i < serial.size(); ++i) serial[i][0] = i + 1;
  EXPECT_EQ(scheduled(1, 14), serial);
}

TEST(PublishedSchedule, IsNoLongerThanAGreedyOne) {
  for (unsigned workers = 1; workers <= 8; ++workers) {
    const schedule executed = scheduled(workers, 14);
    EXPECT_GE(executed.size(), span);
    EXPECT_LE(executed.size(), 23 / workers + span) << workers << " workers";
  }
}

// Without the edge to v22, which is made of a pool's means. In the eighth step v9 and v21 are
// ready: v9 comes first in the serial order.
TEST(PublishedSchedule, OfDepthFirstHasWhatComesFirstInTheSerialOrder) {
  const schedule expected{{1, 0}, {2, 0},   {3, 16},  {4, 17},  {5, 18}, {6, 19}, {7, 20},
                          {8, 9}, {21, 10}, {22, 11}, {13, 12}, {14, 0}, {15, 0}, {23, 0}};
  EXPECT_EQ(scheduled<depth_first::scheduler_on<machine>>(2, 0), expected);
}

// Who ends what a fiber waited for goes on with the fiber only if nothing that is ready comes
// before it.
TEST(PublishedSchedule, OfDepthFirstLeavesAFiberToOthersBehindWhatComesFirst) {
  using scheduler = depth_first::scheduler_on<machine>;
  const schedule expected{{1, 0, 0},  {2, 0, 12}, {3, 16, 13}, {4, 0, 14},
                          {5, 8, 15}, {6, 9, 10}, {7, 17, 11}};
  EXPECT_EQ(scheduled<scheduler>(3, 0, &computation<scheduler>::waits_behind_what_comes_first),
            expected);
}

}  // namespace
}  // namespace stealbench::busy_leaves
