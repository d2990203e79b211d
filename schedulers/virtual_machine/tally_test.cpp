// What a worker's tally adds up, where it is measured and in simulated time: each event in a
// counter of its own, and the time in which the worker was busy.
#include "schedulers/engine/tally.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <type_traits>
#include <vector>

#include <gtest/gtest.h>

#include "schedulers/counters.hpp"
#include "schedulers/engine/std_machine.hpp"
#include "schedulers/engine/test_slot_fixture.hpp"
#include "schedulers/options.hpp"
#include "schedulers/timeline.hpp"
#include "schedulers/virtual_machine/tests/test_machine.hpp"

namespace stealbench::virtual_machine {
namespace {

using namespace std::chrono_literals;
using schedulers::counters;
using schedulers::interval;

/// The real machine, whose clock the test sets.
struct clocked_machine : engine::std_machine {
  static inline std::chrono::steady_clock::time_point time;
  static std::chrono::steady_clock::time_point now() { return time; }
};

template <class M>
void pass(std::chrono::nanoseconds time) {
  if constexpr (std::is_same_v<M, machine>) {
    running.now += 1000 * time.count();
  } else {
    M::time += time;
  }
}

template <class M>
class Tally : public testing::Test {};  // NOLINT: GoogleTest shows it as the name of the suite.
using machines = testing::Types<clocked_machine, machine>;
TYPED_TEST_SUITE(Tally, machines);

constexpr unsigned own_index = 4;
constexpr unsigned another = 2;

/// What the tally of one worker adds up after `events`.
template <class M, class Events>
counters counted(const Events& events, schedulers::timeline* recording = nullptr) {
  counters sum;
  simulated({.costs = no_costs}, [&] {
    engine::pool_tally<M, true> all({.recording = recording});
    engine::tally<M, true> own(all, own_index);
    events(own);
    all.add_to(sum);
    own.add_to(sum);
  });
  return sum;
}

TYPED_TEST(Tally, AddsUpEachEventInACounterOfItsOwn) {
  const counters seen = counted<TypeParam>([](auto& own) {
    const auto repeat = [](int times, const auto& event) {
      for (int i = 0; i < times; ++i) event();
    };
    const auto spawn = [&] {
      own.offered();
      own.spawned();
    };
    repeat(3, spawn);
    repeat(5, [&] {
      own.offered();
      own.refused();
    });
    repeat(2, [&] { own.finished(); });
    repeat(1, spawn);
    repeat(7, [&] { own.inlined(); });
    repeat(11, [&] { own.ran(); });
    repeat(13, [&] { own.stole(own_index); });
    repeat(17, [&] { own.stole(another); });
    repeat(2, [&] { own.tried({.taken = 19, .empty = 23, .lost = 29}); });
    repeat(31, [&] { own.parked(); });
    repeat(37, [&] { own.unparked(); });
    repeat(2, [&] { own.woke(41); });
    repeat(2, [&] { own.exposed(43); });
    own.occupied(900);
    own.occupied(800);
  });
  const counters expected{.jobs_spawned = 4,
                          .jobs_run = 11,
                          .jobs_inlined = 5 + 7,
                          .steals = 13 + 17,
                          .jobs_moved = 17,
                          .attempts_taken = 19 + 19,
                          .attempts_empty = 23 + 23,
                          .attempts_lost = 29 + 29,
                          .parks = 31,
                          .wakes = 41 + 41,
                          .jobs_exposed = 43 + 43,
                          .most_live_jobs = 3,
                          .queue_bytes = 900};
  for (const auto& [name, value, is_sum] : schedulers::every_counter) {
    EXPECT_EQ(seen.*value, expected.*value) << name;
  }
  ASSERT_EQ(seen.per_worker.size(), 1U);
  EXPECT_EQ(seen.per_worker[0].jobs_run, 11U);
}

TEST(PoolTally, KeepsTheMostLiveJobsWhereTwoWorkersRaiseThemAtOnce) {
  engine::pool_tally<engine::interrupted_machine, true> all({});
  engine::interrupted_machine::meanwhile = [&] { all.raise_most_live(3); };
  all.raise_most_live(5);
  counters seen;
  all.add_to(seen);
  EXPECT_EQ(seen.most_live_jobs, 5U);
}

template <class M, class Own>
void run_search_sleep_and_run(Own& own) {
  const auto in_run = own.in_run();
  pass<M>(5ns);
  own.searches();
  pass<M>(70ns);
  own.tried({.taken = 1, .empty = 20, .lost = 3});
  own.parked();
  pass<M>(300ns);
  own.unparked();
  pass<M>(1000ns);
  own.stole(another);
  pass<M>(11ns);
  own.goes_on();
  pass<M>(13ns);
}

TYPED_TEST(Tally, IsBusyWhileTheWorkerRunsAndNotWhileItSearchesSleepsOrIsAway) {
  const counters seen = counted<TypeParam>([](auto& own) {
    run_search_sleep_and_run<TypeParam>(own);
    pass<TypeParam>(5000ns);
    run_search_sleep_and_run<TypeParam>(own);
  });
  EXPECT_EQ(seen.per_worker.at(0).busy_ns, 2U * (5 + 11 + 13));
}

TEST(RecordingTally, KeepsEachIntervalWithWhatHappenedInIt) {
  schedulers::timeline recorded(own_index + 1, 100);
  counted<clocked_machine>([](auto& own) { run_search_sleep_and_run<clocked_machine>(own); },
                           &recorded);
  struct expected_interval {
    activity what;
    std::chrono::nanoseconds lasted;
    std::uint64_t failed_steals;
    unsigned victim;
  };
  const expected_interval expected[]{{activity::running, 5ns, 0, interval::no_victim},
                                     {activity::searching, 70ns, 23, interval::no_victim},
                                     {activity::parked, 300ns, 0, interval::no_victim},
                                     {activity::searching, 1000ns, 0, interval::no_victim},
                                     {activity::running, 24ns, 0, another}};
  const std::vector<interval>& found = recorded.of(own_index).intervals();
  ASSERT_EQ(found.size(), std::size(expected));
  for (std::size_t i = 0; i < found.size(); ++i) {
    EXPECT_EQ(found[i].what, expected[i].what) << i;
    EXPECT_EQ(found[i].end - found[i].begin, expected[i].lasted) << i;
    EXPECT_EQ(found[i].failed_steals, expected[i].failed_steals) << i;
    EXPECT_EQ(found[i].victim, expected[i].victim) << i;
  }
}

}  // namespace
}  // namespace stealbench::virtual_machine
