// Where time went: programs whose shares are known in advance.
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "schedulers/central_queue/scheduler.hpp"
#include "schedulers/virtual_machine/tests/test_machine.hpp"
#include "schedulers/work_stealing/scheduler.hpp"

namespace stealbench::virtual_machine {
namespace {

using engine::order;
using std::chrono::nanoseconds;

settings without_jitter() {
  settings chosen = exactly(2);
  chosen.prices.fork = 7;
  chosen.unit_ns = 1;
  return chosen;
}

/// A word whose line another thread has written, which has ended.
struct alignas(64) far_word {
  machine::atomic<std::uint32_t> value;
  far_word() {
    const machine::thread writer(test_stack_bytes, {}, [this] { value.store(1, order::relaxed); });
  }
};

void expect_spent(const time_spent& spent, const time_spent& expected) {
  EXPECT_EQ(spent.work, expected.work);
  EXPECT_EQ(spent.search, expected.search);
  EXPECT_EQ(spent.lines, expected.lines);
  EXPECT_EQ(spent.asleep, expected.asleep);
}

TEST(Shares, OfOneThreadAreThoseOfItsParts) {
  window seen;
  simulated(without_jitter(), [&] {
    far_word copied;
    far_word changed;
    far_word stored;
    machine::atomic<std::uint32_t> own;
    running.all->begin_window();
    machine::work(300);
    machine::charge(engine::cost::fork_join);                 // 7, overhead
    static_cast<void>(copied.value.load(order::relaxed));     // 100, and a hit
    changed.value.fetch_add(1, order::relaxed);               // 100, and 5
    stored.value.store(2, order::relaxed);                    // a hit: it waits for nothing
    EXPECT_FALSE(machine::wait(own, 0, nanoseconds{1'000}));  // 1, 200, 2000, 1000
    seen = running.all->end_window();
  });
  EXPECT_EQ(seen.threads, 1U);
  EXPECT_EQ(seen.units, 300U);
  expect_spent(seen.spent,
               {.work = in_ps(300), .search = 0, .lines = in_ps(200), .asleep = in_ps(3'200)});
  EXPECT_EQ(seen.length, in_ps(300 + 7 + 101 + 105 + 1 + 3'200));
}

// Of a search the waits for lines and the sleep are not the search's own.
TEST(Shares, OfASearchAreWithoutItsWaitsAndItsSleep) {
  window seen;
  simulated(without_jitter(), [&] {
    far_word copied;
    far_word before;
    machine::atomic<std::uint32_t> own;
    running.all->begin_window();
    static_cast<void>(before.value.load(order::relaxed));  // 101 that are no search
    EXPECT_FALSE(machine::wait(own, 0, nanoseconds{500}));
    running.all->does(activity::searching);
    machine::spin();                                          // 20
    machine::yield_thread();                                  // 300
    machine::charge(engine::cost::look);                      // 2
    static_cast<void>(copied.value.load(order::relaxed));     // 100, and a hit
    EXPECT_FALSE(machine::wait(own, 0, nanoseconds{1'000}));  // 200, 2000, 1000
    running.all->does(activity::running);
    machine::work(50);
    running.all->does(activity::searching);
    machine::spin();
    running.all->does(activity::away);
    machine::spin();
    running.all->does(activity::searching);
    machine::spin();
    seen = running.all->end_window();  // In a search.
  });
  expect_spent(seen.spent, {.work = in_ps(50),
                            .search = in_ps(20 + 300 + 2 + 1 + 20 + 20),
                            .lines = in_ps(200),
                            .asleep = in_ps(2'700 + 3'200)});
}

TEST(Shares, AreOfTheWindowAlone) {
  window first;
  window second;
  simulated(without_jitter(), [&] {
    far_word before;
    far_word between;
    far_word inside;
    const auto spend = [](far_word& far, std::uint64_t units) {
      static_cast<void>(far.value.load(order::relaxed));
      machine::work(units);
      machine::charge(engine::cost::fork_join);
      machine::charge(engine::cost::fork_join);
    };
    EXPECT_FALSE(running.all->is_in_window());
    running.all->does(activity::searching);
    spend(before, 10);
    running.all->begin_window();
    EXPECT_TRUE(running.all->is_in_window());
    machine::spin();
    running.all->does(activity::running);
    first = running.all->end_window();
    EXPECT_FALSE(running.all->is_in_window());
    running.all->does(activity::searching);
    spend(between, 20);
    running.all->begin_window();
    machine::spin();
    running.all->does(activity::running);
    spend(inside, 40);
    second = running.all->end_window();
  });
  expect_spent(first.spent, {.work = 0, .search = in_ps(20), .lines = 0, .asleep = 0});
  EXPECT_EQ(first.length, in_ps(20));
  EXPECT_EQ(first.units, 0U);
  EXPECT_EQ(first.charged[0], 0U);
  EXPECT_TRUE(first.lines.empty());
  expect_spent(second.spent,
               {.work = in_ps(40), .search = in_ps(20), .lines = in_ps(100), .asleep = 0});
  EXPECT_EQ(second.length, in_ps(20 + 40 + 101 + 14));
  EXPECT_EQ(second.units, 40U);
  EXPECT_EQ(second.charged[0], 2U);
}

// A thread that sleeps when a window begins has slept since then, and one that sleeps when it ends
// until then: in a search, or not.
TEST(Shares, OfASleepThatAWindowCutsAreInsideOfIt) {
  for (const activity what : {activity::searching, activity::away}) {
    window seen;
    simulated(without_jitter(), [&] {
      machine::atomic<std::uint32_t> slept_at;
      machine::atomic<std::uint32_t> never;
      const machine::thread sleeper(test_stack_bytes, {}, [&] {
        running.all->does(what);
        EXPECT_TRUE(machine::wait(slept_at, 0, nanoseconds{}));
        machine::spin();
        machine::wait(never, 0, nanoseconds{10'000'000});
      });
      sleep_ns(100'000);
      running.all->begin_window();
      sleep_ns(5'000);
      machine::notify_one(slept_at);  // It runs 10000 later, for a hint.
      sleep_ns(50'000 - 3'000);
      seen = running.all->end_window();
    });
    EXPECT_EQ(seen.threads, 2U);
    EXPECT_EQ(seen.length, in_ps(55'000));
    const picoseconds awake = in_ps(20);
    EXPECT_EQ(seen.spent.asleep, in_ps(55'000) - awake);
    EXPECT_EQ(seen.spent.search, what == activity::searching ? awake : 0);
  }
}

// Until a thread that is woken runs: also while its waker has called already.
TEST(Shares, OfASleepReachUntilTheSleeperRuns) {
  window seen;
  picoseconds slept = 0;
  simulated(without_jitter(), [&] {
    machine::atomic<std::uint32_t> slept_at;
    const machine::thread sleeper(test_stack_bytes, {}, [&] {
      running.all->begin_window();
      const picoseconds called = running.now;
      EXPECT_TRUE(machine::wait(slept_at, 0, nanoseconds{}));
      slept = running.now - called;
      machine::work(10);
      seen = running.all->end_window();
    });
    sleep_ns(130'000);
    machine::notify_one(slept_at);
  });
  EXPECT_EQ(slept, in_ps(130'000 - 30'000 + 10'000));
  EXPECT_EQ(seen.spent.asleep, slept);
  EXPECT_EQ(seen.threads, 2U) << "the first thread waits for the other";
}

TEST(Shares, AreOfTheThreadsThatHaveNotEnded) {
  window seen;
  simulated(without_jitter(), [&] {
    running.all->begin_window();
    const machine::thread ended(test_stack_bytes, {}, [] { machine::work(1'000); });
    const machine::thread works(test_stack_bytes, {}, [] {
      machine::work(2'000);
      running.all->does(activity::searching);
      machine::spin();  // 20
      running.all->does(activity::away);
      sleep_ns(1'000'000);
    });
    sleep_ns(100'000);
    machine::work(5);
    running.all->does(activity::searching);
    machine::spin();
    seen = running.all->end_window();
  });
  EXPECT_EQ(seen.threads, 2U);
  EXPECT_EQ(seen.spent.work, in_ps(2'005));
  EXPECT_EQ(seen.spent.search, in_ps(40));
  EXPECT_EQ(seen.units, 3'005U) << "units are the program's";
}

// It has worked ahead, as threads do that nothing keeps from it.
TEST(Shares, OfASearchThatBeginsBehindTheWindowAreNone) {
  window seen;
  simulated(without_jitter(), [&] {
    running.all->begin_window();
    const machine::thread ahead(test_stack_bytes, {}, [] {
      running.all->does(activity::searching);
      machine::spin();  // 20
      running.all->does(activity::running);
      machine::work(1'000'000);
      running.all->does(activity::searching);
      running.all->give_way();
      running.all->does(activity::away);
    });
    sleep_ns(100'000);
    seen = running.all->end_window();
  });
  EXPECT_EQ(seen.spent.search, in_ps(20));
}

TEST(Shares, OfLinesAreByNameAndTheLongestFirst) {
  window seen;
  simulated(without_jitter(), [&] {
    far_word little;
    far_word much;
    far_word also_much;
    far_word nameless;
    far_word untouched;
    machine::name(little, "little");
    machine::name(much, "much");
    machine::name(also_much, "much");
    machine::name(untouched, "untouched");
    const machine::job_stack slots;
    auto* const slot =
        machine::job_stack::start_slots<machine::zeroed_atomic<std::uint32_t>>(slots.begin(), 1);
    const machine::thread writer(test_stack_bytes, {}, [&] { slot->store(1, order::relaxed); });
    sleep_ns(100'000);
    running.all->begin_window();
    slot->fetch_add(1, order::relaxed);
    static_cast<void>(much.value.load(order::relaxed));
    much.value.fetch_add(1, order::relaxed);
    also_much.value.fetch_add(1, order::relaxed);
    little.value.fetch_add(1, order::relaxed);
    nameless.value.fetch_add(1, order::relaxed);
    seen = running.all->end_window();
  });
  ASSERT_EQ(seen.lines.size(), 4U);
  const std::vector<std::string> names{"much", "unnamed", "task slots", "little"};
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(seen.lines[i].name, names[i]);
    EXPECT_EQ(seen.lines[i].waits, i == 0 ? 3U : 1U);
    EXPECT_EQ(seen.lines[i].time, in_ps(i == 0 ? 300 : 100));
  }
}

// An object of several lines has the name on each of them, wherever it begins.
TEST(Shares, OfLinesNameAllLinesOfAnObject) {
  struct alignas(64) four_lines {
    std::array<machine::atomic<std::uint32_t>, 64> words;
  };
  static_assert(sizeof(four_lines) == 4 * line_bytes);
  for (const std::size_t first : {0U, 8U, 15U}) {
    for (const std::size_t count : {1U, 2U, 16U, 17U, 33U}) {
      four_lines all;
      window seen;
      simulated(without_jitter(), [&] {
        {
          const machine::thread writer(test_stack_bytes, {}, [&] {
            for (auto& each : all.words) each.store(1, order::relaxed);
          });
        }
        running.all->name(&all.words[first], count * sizeof(std::uint32_t), "object");
        running.all->begin_window();
        for (auto& each : all.words) each.fetch_add(1, order::relaxed);
        seen = running.all->end_window();
      });
      const std::size_t lines = (first + count - 1) / 16 + 1;
      std::uint64_t waits = 0;
      for (const line_wait& each : seen.lines) waits += each.name == "object" ? each.waits : 0;
      EXPECT_EQ(waits, lines) << first << ' ' << count;
    }
  }
}

// Behind a store that misses: of the line that comes last, whatever waits for it.
TEST(Shares, OfLinesHaveWaitsForTheStoreBuffer) {
  window seen;
  simulated(without_jitter(), [&] {
    std::array<far_word, 3> stored;
    machine::name(stored, "stored");
    far_word earlier;
    machine::name(earlier, "earlier");
    machine::atomic<std::uint32_t> own;
    own.store(1, order::relaxed);
    running.all->begin_window();
    running.all->does(activity::searching);
    const auto store = [&](std::size_t i) { stored[i].value.store(2, order::relaxed); };  // 1
    earlier.value.store(2, order::relaxed);                                               // 1
    store(0);
    own.fetch_add(1, order::relaxed);  // 99, and 5
    store(1);
    machine::fence(order::seq_cst);  // 99, and 5
    store(2);
    machine::heavy_fence();  // 99, and 2'000
    machine::fence(order::seq_cst);
    seen = running.all->end_window();
  });
  EXPECT_EQ(seen.spent.lines, 3 * in_ps(99));
  EXPECT_EQ(seen.spent.search, in_ps(4 + 3 * 5 + 2'000));
  ASSERT_EQ(seen.lines.size(), 1U);
  EXPECT_EQ(seen.lines[0].name, "stored");
  EXPECT_EQ(seen.lines[0].waits, 3U);
  EXPECT_EQ(seen.lines[0].time, 3 * in_ps(99));
}

TEST(Shares, OfAWaitForALineThatAWindowCutsAreInsideOfIt) {
  for (const activity what : {activity::searching, activity::running}) {
    window seen;
    simulated(without_jitter(), [&] {
      machine::atomic<std::uint32_t> far;
      far.store(1, order::relaxed);
      machine::name(far, "far");
      running.all->begin_window();
      const machine::thread waits(test_stack_bytes, {}, [&] {
        running.all->does(what);
        machine::spin();                   // 20
        far.fetch_add(1, order::relaxed);  // 100
      });
      sleep_ns(30'000 + 60);
      seen = running.all->end_window();
    });
    EXPECT_EQ(seen.spent.lines, in_ps(40));
    EXPECT_EQ(seen.spent.search, what == activity::searching ? in_ps(20) : 0);
    ASSERT_EQ(seen.lines.size(), 1U);
    EXPECT_EQ(seen.lines[0].time, in_ps(40));
  }
}

TEST(Shares, OfAWaitForALineThatBeganBeforeTheWindowAreNone) {
  window seen;
  simulated(without_jitter(), [&] {
    machine::atomic<std::uint32_t> far;
    far.store(1, order::relaxed);
    running.all->begin_window();
    const machine::thread waits(test_stack_bytes, {}, [&] { far.fetch_add(1, order::relaxed); });
    sleep_ns(30'000 + 20);
    running.all->begin_window();
    sleep_ns(30);
    seen = running.all->end_window();
  });
  EXPECT_EQ(seen.spent.lines, 0);
}

TEST(Shares, OfLinesHaveEachThreadsOwnStores) {
  window seen;
  simulated(without_jitter(), [&] {
    far_word first;
    far_word second;
    machine::name(first, "first");
    machine::name(second, "second");
    first.value.store(1, order::relaxed);
    second.value.store(1, order::relaxed);
    sleep_ns(1'000);
    running.all->begin_window();
    const machine::thread other(test_stack_bytes, {}, [&] {
      first.value.store(2, order::relaxed);
      sleep_ns(20);  // The third one stores meanwhile.
      machine::fence(order::seq_cst);
    });
    const machine::thread third(test_stack_bytes, {}, [&] {
      sleep_ns(10);
      second.value.store(2, order::relaxed);
    });
    sleep_ns(40'000);
    seen = running.all->end_window();
  });
  ASSERT_EQ(seen.lines.size(), 1U);
  EXPECT_EQ(seen.lines[0].name, "first");
  EXPECT_EQ(seen.lines[0].time, in_ps(100 - 21));
}

// The first ones; a heart, say, is none.
TEST(Shares, AreOfTheWorkersAlone) {
  window seen;
  simulated(without_jitter(), [&] {
    alignas(line_bytes) machine::atomic<std::uint32_t> far;
    alignas(line_bytes) machine::atomic<std::uint32_t> never;
    far.store(1, order::relaxed);
    const machine::thread helper(test_stack_bytes, {}, [&] {
      far.fetch_add(1, order::relaxed);
      machine::wait(never, 0, nanoseconds{1'000'000});
    });
    running.all->begin_window(1);
    sleep_ns(100'000);
    seen = running.all->end_window();
  });
  EXPECT_EQ(seen.threads, 1U);
  expect_spent(seen.spent, {});
  EXPECT_TRUE(seen.lines.empty());
}

TEST(Shares, OfLinesHaveTheWaitsOfTheLastWorker) {
  window seen;
  simulated(without_jitter(), [&] {
    own_line workers;
    own_line helpers;
    workers.value.store(1, order::relaxed);
    helpers.value.store(1, order::relaxed);
    const auto change = [](own_line& far) {
      far.value.fetch_add(1, order::relaxed);
      sleep_ns(1'000'000);
    };
    const machine::thread worker(test_stack_bytes, {}, [&] { change(workers); });
    const machine::thread helper(test_stack_bytes, {}, [&] { change(helpers); });
    running.all->begin_window(2);
    sleep_ns(100'000);
    seen = running.all->end_window();
  });
  EXPECT_EQ(seen.threads, 2U);
  EXPECT_EQ(seen.spent.lines, in_ps(100));
  ASSERT_EQ(seen.lines.size(), 1U);
  EXPECT_EQ(seen.lines[0].waits, 1U);
}

TEST(Shares, OfWorkLoseNothingToRounding) {
  settings chosen = without_jitter();
  chosen.unit_ns = 0.0268;
  window seen;
  simulated(chosen, [&] {
    running.all->begin_window();
    for (int i = 0; i < 1'000; ++i) machine::work(1);
    seen = running.all->end_window();
  });
  EXPECT_NEAR(static_cast<double>(seen.length), 26'800, 1);
  EXPECT_EQ(seen.spent.work, seen.length);
}

// With schedulers, where nothing but work takes time: 4 workers run 6 tasks of a millisecond in
// two, and two of them idle for one of these.
template <class Scheduler>
class SharesOf : public testing::Test {};  // NOLINT: GoogleTest shows it as the suite's name.
using schedulers_that_are_greedy =
    testing::Types<work_stealing::scheduler_on<machine>, central_queue::scheduler_on<machine>>;
TYPED_TEST_SUITE(SharesOf, schedulers_that_are_greedy);

TYPED_TEST(SharesOf, WorkAreTheTasksOverWorkersAndTime) {
  constexpr double unit_ns = 1e6;
  constexpr picoseconds unit = 1'000'000'000;
  window seen;
  schedulers::counters counted;
  simulated({.costs = no_costs, .prices = {}, .unit_ns = unit_ns, .job_stacks = 4}, [&] {
    typename TypeParam::counting_variant scheduler({.workers = 4, .stack_bytes = test_stack_bytes});
    running.all->await_stillness();
    running.all->begin_window();
    scheduler.run([](auto worker) {
      auto group = worker->task_group();
      for (int i = 0; i < 6; ++i) group.spawn([](auto) { machine::work(1); });
      group.sync();
    });
    seen = running.all->end_window();
    counted = scheduler.counters().value();
  });
  constexpr double little = 1e-3 * unit;
  EXPECT_NEAR(static_cast<double>(seen.length), 2 * unit, little);
  EXPECT_EQ(seen.threads, 4U);
  EXPECT_EQ(seen.spent.work, 6 * unit);
  EXPECT_EQ(seen.spent.lines, 0);
  EXPECT_NEAR(static_cast<double>(seen.spent.search + seen.spent.asleep), 2 * unit, little);
  EXPECT_EQ(seen.units, 6U);
  EXPECT_EQ(seen.charged[2], 6U);
  ASSERT_EQ(counted.per_worker.size(), 4U);
  std::uint64_t busy = 0;
  std::uint64_t jobs = 0;
  for (const schedulers::worker_counters& each : counted.per_worker) {
    const auto units = static_cast<double>(each.busy_ns) / unit_ns;
    EXPECT_NEAR(units, std::round(units), 2e-3);
    EXPECT_GE(units, 0.99);
    EXPECT_LE(units, 2.01);
    busy += each.busy_ns;
    jobs += each.jobs_run;
  }
  // The first worker waits at the group's end where another has the last task.
  EXPECT_GE(static_cast<double>(busy), 6 * unit_ns - 1);
  EXPECT_LE(static_cast<double>(busy), 7.01 * unit_ns);
  EXPECT_EQ(jobs, 6U);
}

// Then forks, which is when a worker of a private deque gives who has asked a job.
template <class Worker>
void work_and_answer(Worker worker, std::uint64_t units) {
  machine::work(units);
  worker->fork_join([](auto) {}, [](auto) {});
}

/// Two workers with `join`: the second one runs the second branch, which forks two tasks, while the
/// first one runs a task of half their length and then waits.
template <class Deque = work_stealing::deques::split>
schedulers::counters counted_where_a_join_waits(schedulers::join_policy join) {
  schedulers::counters counted;
  simulated({.costs = no_costs, .prices = {}, .unit_ns = 1e6, .job_stacks = 4}, [&] {
    typename work_stealing::scheduler_over<Deque, machine>::counting_variant scheduler(
        {.workers = 2, .stack_bytes = test_stack_bytes, .join = join});
    running.all->await_stillness();
    scheduler.run([](auto worker) {
      worker->fork_join([](auto w) { work_and_answer(w, 1); },
                        [](auto thief) {
                          thief->fork_join([](auto w) { work_and_answer(w, 2); },
                                           [](auto) { machine::work(2); });
                        });
    });
    counted = scheduler.counters().value();
  });
  return counted;
}

void expect_busy(const schedulers::counters& seen, double first_ms, double second_ms) {
  EXPECT_NEAR(static_cast<double>(seen.per_worker.at(0).busy_ns), first_ms * 1e6, 10);
  EXPECT_NEAR(static_cast<double>(seen.per_worker.at(1).busy_ns), second_ms * 1e6, 10);
}

TEST(CountersOfAJoin, OfAWorkerThatOnlyWaitsAreNoTask) {
  const schedulers::counters seen = counted_where_a_join_waits(schedulers::join_policy::wait);
  expect_busy(seen, 1, 4);
  EXPECT_EQ(seen.jobs_moved, 1U);
  EXPECT_EQ(seen.attempts_taken, 1U);
  EXPECT_EQ(seen.parks, 3U) << "each before its first job, and the first one at the join";
}

TEST(CountersOfAJoin, OfAWorkerThatLeapfrogsAreItsRunnersTasks) {
  const schedulers::counters seen = counted_where_a_join_waits(schedulers::join_policy::leapfrog);
  expect_busy(seen, 3, 2);
  EXPECT_EQ(seen.jobs_moved, 2U);
  EXPECT_EQ(seen.attempts_taken, 2U);
}

TEST(CountersOfAJoin, OfAWorkerThatLeapfrogsSayThatItIsGivenAJobWhereItMustAsk) {
  const schedulers::counters seen = counted_where_a_join_waits<work_stealing::deques::private_>(
      schedulers::join_policy::leapfrog);
  expect_busy(seen, 3, 2);
  EXPECT_EQ(seen.jobs_moved, 2U);
}

}  // namespace
}  // namespace stealbench::virtual_machine
