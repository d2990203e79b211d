// How the machine does what it charges for: the store buffer, futexes, interrupts, threads, and
// where lines are.
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include "schedulers/virtual_machine/tests/test_machine.hpp"

namespace stealbench::virtual_machine {
namespace {

using engine::order;
using std::chrono::nanoseconds;
using number = machine::atomic<std::uint32_t>;

settings exactly(unsigned job_stacks = 1) {
  settings chosen{.costs = round_costs, .prices = {}, .job_stacks = job_stacks};
  chosen.costs.jitter = 0;
  return chosen;
}

constexpr picoseconds in_ps(picoseconds nanoseconds_of) { return nanoseconds_of * 1000; }

void sleep_ns(picoseconds time) { running.all->sleep_for(in_ps(time)); }

/// What a step takes, in nanoseconds.
picoseconds took(const std::function<void()>& step) {
  const picoseconds before = running.now;
  step();
  return (running.now - before) / 1000;
}

using thread_body = std::function<void()>;
std::unique_ptr<machine::thread> started(const thread_body& body) {
  return std::make_unique<machine::thread>(test_stack_bytes, std::nullopt, body);
}

struct alignas(64) own_line {
  number value;
};

// The store buffer.

TEST(StoreBuffer, IsEmptyBeforeAFenceALockedOperationOrASystemWideFence) {
  std::array<own_line, 4> far;
  own_line near;
  simulated(exactly(), [&] {
    for (auto& each : far) each.value.store(1, order::relaxed);
    started([&] {
      near.value.store(1, order::relaxed);
      const auto store = [&](std::size_t i) { far[i].value.store(2, order::relaxed); };
      EXPECT_EQ(took([&] { store(0); }), 1);
      EXPECT_EQ(took([&] { machine::fence(order::seq_cst); }), 100 - 1 + 5);
      store(1);
      EXPECT_EQ(took([&] { near.value.exchange(2, order::relaxed); }), 100 - 1 + 5);
      store(2);
      EXPECT_EQ(took([] { machine::heavy_fence(); }), 100 - 1 + 2'000);
      store(3);
      EXPECT_EQ(took([] { machine::fence(order::release); }), 0);
      EXPECT_EQ(took([&] { static_cast<void>(near.value.load(order::relaxed)); }), 1);
      sleep_ns(200);
      EXPECT_EQ(took([] { machine::fence(order::seq_cst); }), 5) << "empty by now";
    });
  });
}

TEST(StoreBuffer, WaitsForTheLatestOfItsStores) {
  own_line contended;
  own_line free;
  simulated(exactly(), [&] {
    contended.value.store(1, order::relaxed);
    free.value.store(1, order::relaxed);
    const auto busy = started([&] { contended.value.fetch_add(1, order::relaxed); });
    started([&] {
      contended.value.store(2, order::relaxed);  // Behind the other one: 200.
      free.value.store(2, order::relaxed);       // 1 + 100
      EXPECT_EQ(took([] { machine::fence(order::seq_cst); }), 200 - 2 + 5);
    });
  });
}

TEST(StoreBuffer, HidesNoLineThatIsLoaded) {
  own_line far;
  own_line other;
  simulated(exactly(), [&] {
    far.value.store(1, order::relaxed);
    other.value.store(1, order::relaxed);
    started([&] {
      far.value.store(2, order::relaxed);
      EXPECT_EQ(took([&] { static_cast<void>(far.value.load(order::relaxed)); }), 100 - 1 + 1);
      EXPECT_EQ(took([&] { static_cast<void>(far.value.load(order::relaxed)); }), 1);
      other.value.store(2, order::relaxed);
      EXPECT_EQ(took([&] { machine::reads(other.value, "other"); }), 100 - 1);
      EXPECT_EQ(took([&] { machine::reads(other.value, "other"); }), 0);
    });
  });
}

TEST(StoreBuffer, HidesNoLineThatIsLoadedThoughAReaderHasAskedForIt) {
  own_line far;
  simulated(exactly(), [&] {
    far.value.store(1, order::relaxed);
    const auto writer = started([&] {
      far.value.store(2, order::relaxed);
      sleep_ns(20);
      EXPECT_EQ(took([&] { static_cast<void>(far.value.load(order::relaxed)); }), 100 - 21 + 1);
    });
    const auto reader = started([&] {
      sleep_ns(10);
      EXPECT_EQ(took([&] { static_cast<void>(far.value.load(order::relaxed)); }), 200 - 10 + 1);
    });
  });
}

TEST(StoreBuffer, HidesNoLineThatIsLoadedThoughAWriterHasAskedForIt) {
  own_line far;
  simulated(exactly(), [&] {
    far.value.store(1, order::relaxed);
    const auto writer = started([&] {
      far.value.store(2, order::relaxed);
      sleep_ns(20);
      EXPECT_EQ(took([&] { static_cast<void>(far.value.load(order::relaxed)); }), 100 - 21 + 1);
    });
    const auto other = started([&] {
      sleep_ns(10);
      EXPECT_EQ(took([&] { far.value.fetch_add(1, order::relaxed); }), 200 - 10 + 5);
    });
  });
}

// The writer fetches the line, and then a copy of it goes to who looks: to who had a copy before,
// and to who had the line. Who looks ahead would mostly be too late to see the store early.
TEST(StoreBuffer, ShowsNoStoreBeforeItsLineHasMoved) {
  settings chosen = exactly();
  chosen.looks_ahead = false;
  for (const bool had_the_line : {false, true}) {
    own_line shared;
    picoseconds stored = 0;
    picoseconds seen = 0;
    simulated(chosen, [&] {
      const auto look = [&] {
        while (shared.value.load(order::relaxed) != 2) machine::spin();
        seen = running.now;
      };
      shared.value.store(1, order::relaxed);
      const auto writer = started([&] {
        sleep_ns(1'000);
        stored = running.now;
        shared.value.store(2, order::relaxed);
      });
      if (had_the_line) {
        look();
      } else {
        started(look);
      }
    });
    EXPECT_EQ(seen - stored, in_ps(2 * 100 + 1)) << had_the_line;
  }
}

TEST(StoreBuffer, IsEachThreadsOwn) {
  own_line far;
  simulated(exactly(), [&] {
    far.value.store(1, order::relaxed);
    const auto first = started([&] {
      far.value.store(2, order::relaxed);
      sleep_ns(10);  // The other one runs.
      EXPECT_EQ(took([] { machine::fence(order::seq_cst); }), 100 - 11 + 5);
    });
    const auto second = started([&] {
      sleep_ns(5);
      EXPECT_EQ(took([] { machine::fence(order::seq_cst); }), 5);
    });
  });
}

TEST(StoreBuffer, LetsOthersGoFirstWhileALockedOperationWaitsForIt) {
  own_line far;
  own_line near;
  simulated(exactly(), [&] {
    far.value.store(1, order::relaxed);
    const auto first = started([&] {
      near.value.store(0, order::relaxed);
      far.value.store(2, order::relaxed);
      EXPECT_EQ(near.value.exchange(2, order::relaxed), 1U) << "100 ns later";
    });
    const auto second = started([&] {
      sleep_ns(20);
      EXPECT_EQ(near.value.exchange(1, order::relaxed), 0U);
    });
  });
}

// Futexes.

TEST(Futex, WakesTheLongestSleeperAndNoOther) {
  number asleep;
  number elsewhere;
  std::vector<unsigned> order_of_wakes;
  simulated(exactly(), [&] {
    std::vector<std::unique_ptr<machine::thread>> sleepers;
    for (unsigned i = 0; i < 3; ++i) {
      sleepers.push_back(started([&, i] {
        sleep_ns(picoseconds{2 - i} * 50);  // The last one sleeps first.
        EXPECT_TRUE(machine::wait(asleep, 0, nanoseconds{}));
        order_of_wakes.push_back(i);
      }));
    }
    sleep_ns(100'000);
    EXPECT_EQ(took([&] { machine::notify_one(elsewhere); }), 200);
    sleep_ns(50'000);
    EXPECT_TRUE(order_of_wakes.empty());
    for (unsigned woken = 1; woken <= 3; ++woken) {
      EXPECT_EQ(took([&] { machine::notify_one(asleep); }), 3'000);
      sleep_ns(50'000);
      EXPECT_EQ(order_of_wakes.size(), woken);
    }
    EXPECT_EQ(took([&] { machine::notify_one(asleep); }), 200);
  });
  EXPECT_EQ(order_of_wakes, (std::vector<unsigned>{2, 1, 0}));
}

// It runs no earlier than it has fallen asleep.
TEST(Futex, WakesAThreadThatIsStillFallingAsleep) {
  settings chosen = exactly();
  chosen.costs.wake = 100;
  number asleep;
  simulated(chosen, [&] {
    const auto sleeper = started([&] {
      EXPECT_EQ(took([&] { EXPECT_TRUE(machine::wait(asleep, 0, nanoseconds{})); }), 2'200);
    });
    sleep_ns(30'000 + 1'000);
    machine::notify_one(asleep);
  });
}

TEST(Futex, LooksAtItsWordAfterTheCallWasMade) {
  number changed;
  simulated(exactly(), [&] {
    const auto other = started([&] {
      EXPECT_EQ(took([&] { EXPECT_TRUE(machine::wait(changed, 0, nanoseconds{})); }), 200);
    });
    sleep_ns(30'000 + 100);
    changed.store(1, order::relaxed);  // While the call is under way.
  });
}

// From when it sleeps; and one that is woken in time has not timed out.
TEST(Futex, EndsAtItsDeadlineOrWhenItIsWoken) {
  number asleep;
  simulated(exactly(), [&] {
    for (const bool wakes : {false, true, false}) {
      const auto sleeper = started([&, wakes] {
        bool in_time = false;
        const picoseconds slept =
            took([&] { in_time = machine::wait(asleep, 0, nanoseconds{40'000}); });
        EXPECT_EQ(in_time, wakes);
        EXPECT_EQ(slept, wakes ? 20'000 + 10'000 : 200 + 2'000 + 40'000);
      });
      sleep_ns(30'000 + 20'000);
      if (wakes) machine::notify_one(asleep);
      sleep_ns(100'000);
      EXPECT_EQ(took([&] { machine::notify_one(asleep); }), 200) << "no sleeper is left";
    }
  });
}

TEST(Futex, ForgetsAnEarlierDeadline) {
  number asleep;
  simulated(exactly(), [&] {
    const auto sleeper = started([&] {
      EXPECT_FALSE(machine::wait(asleep, 0, nanoseconds{1'000}));
      EXPECT_TRUE(machine::wait(asleep, 0, nanoseconds{1'000'000})) << "woken in time";
    });
    sleep_ns(100'000);
    machine::notify_one(asleep);
  });
}

// The waker's clock is ahead of a thread that sleeps before.
TEST(Futex, WakesWhoSleepsByTheTimeOfTheCall) {
  number asleep;
  simulated(exactly(), [&] {
    const auto sleeper =
        started([&] { EXPECT_TRUE(machine::wait(asleep, 0, nanoseconds{1'000'000})); });
    running.all->charge(in_ps(100'000));
    EXPECT_EQ(took([&] { machine::notify_one(asleep); }), 3'000);
  });
}

TEST(Mutex, HasTheCostsOfAFutexWhereItIsTaken) {
  machine::mutex taken;
  simulated(exactly(), [&] {
    EXPECT_EQ(took([&] { taken.lock(); }), 5);
    const auto other = started([&] {
      // The line comes for the first attempt, and is there for the next one. It is woken 10'000
      // after the other's call, has lost the line to it by then, and locks.
      EXPECT_EQ(took([&] { taken.lock(); }), 20'000 + 105 + 10'000 + 105);
      EXPECT_EQ(took([&] { taken.unlock(); }), 5 + 200) << "as if another one waited";
    });
    sleep_ns(30'000 - 5 + 5 + 20'000);
    // Takes the line back, and calls.
    EXPECT_EQ(took([&] { taken.unlock(); }), 105 + 3'000);
  });
}

TEST(Mutex, IsTriedAgainWhileItsThreadSpins) {
  machine::mutex taken;
  simulated(exactly(), [&] {
    taken.lock();
    const auto other = started([&] {
      // The line comes for the first try. The others are after 1, 2, 4 and 8 pauses more: the last
      // of them is behind the other's unlock(), which has taken the line.
      EXPECT_EQ(took([&] { taken.lock(); }), 105 + (1 + 2 + 4 + 8) * 20 + 3 * 5 + 105);
      EXPECT_EQ(took([&] { taken.unlock(); }), 5) << "as if another one waited";
    });
    sleep_ns(30'000 - 5 + 5 + 300);
    EXPECT_EQ(took([&] { taken.unlock(); }), 105);
  });
}

TEST(Stillness, IsNotWhereAThreadHasBeenWoken) {
  number first;
  number second;
  simulated(exactly(), [&] {
    const auto one = started([&] { machine::wait(first, 0, nanoseconds{}); });
    const auto other = started([&] {
      machine::wait(second, 0, nanoseconds{});
      sleep_ns(1'000'000);
      machine::wait(second, 0, nanoseconds{});
    });
    running.all->await_stillness();
    machine::notify_one(second);
    EXPECT_GE(took([] { running.all->await_stillness(); }), 1'000'000) << "it was still under way";
    machine::notify_one(first);
    machine::notify_one(second);
  });
}

TEST(Stillness, IsAwaitedForFiftyMillisecondsAtMost) {
  simulated(exactly(), [] {
    const auto runner = started([] { sleep_ns(60'000'000); });
    EXPECT_EQ(took([] { running.all->await_stillness(); }), 50'000'000);
  });
}

// System-wide fences.

TEST(Interrupts, AreOfThreadsThatRunAlone) {
  number asleep;
  simulated(exactly(), [&] {
    const auto sleeper = started([&] {
      EXPECT_EQ(took([&] { EXPECT_TRUE(machine::wait(asleep, 0, nanoseconds{})); }),
                50'000 + 10'000 + 3 * 2'000);
      EXPECT_EQ(took([] { sleep_ns(100); }), 100) << "none is left over";
    });
    const auto runner = started([&] {
      EXPECT_EQ(took([] { sleep_ns(90'000); }), 90'000 + 3 * 500);
      EXPECT_EQ(took([] { sleep_ns(90'000); }), 90'000);
    });
    sleep_ns(30'000 + 50'000);
    for (int i = 0; i < 3; ++i) machine::heavy_fence();
    machine::notify_one(asleep);
  });
}

TEST(Interrupts, AreNotOfTheThreadThatCallsForThem) {
  simulated(exactly(), [&] {
    const auto runner = started([] {
      for (int i = 0; i < 1'000; ++i) sleep_ns(100);
    });
    sleep_ns(40'000);
    EXPECT_EQ(took([] {
                machine::heavy_fence();
                for (int i = 0; i < 10; ++i) sleep_ns(150);  // The other one runs in between.
              }),
              2'000 + 10 * 150);
  });
}

TEST(Interrupts, AreNotOfAThreadThatDoesNotRunYet) {
  simulated(exactly(), [] {
    const auto begun = started([] { EXPECT_EQ(running.now, in_ps(30'000)); });
    machine::heavy_fence();
  });
}

TEST(Interrupts, AreNotOfWhatAThreadDoesBefore) {
  simulated(exactly(), [] {
    const auto runner = started([] {
      sleep_ns(50'000);
      EXPECT_EQ(running.now, in_ps(30'000 + 50'000));
    });
    running.all->charge(in_ps(100'000));
    machine::heavy_fence();
  });
}

TEST(Interrupts, LetOthersGoFirstWhoAreEarlierThen) {
  own_line far;
  number asleep;
  const auto until_ns = [](picoseconds time) { return in_ps(time) - running.now; };
  simulated(exactly(), [&] {
    far.value.store(1, order::relaxed);
    const auto interrupted = started([&] {
      running.all->sleep_for(until_ns(40'000));
      running.all->charge(in_ps(50));  // It looks ahead of the caller of the fence.
      static_cast<void>(far.value.load(order::relaxed));
      EXPECT_GT(running.now, in_ps(40'050 + 500));
    });
    const auto sleeper = started([&] {
      machine::wait(asleep, 0, nanoseconds{until_ns(40'100 - 200 - 2'000) / 1000});
      EXPECT_EQ(running.now, in_ps(40'100));
      EXPECT_EQ(took([&] { static_cast<void>(far.value.load(order::relaxed)); }), 100 + 1);
    });
    running.all->sleep_for(until_ns(40'010));
    machine::heavy_fence();
  });
}

TEST(Interrupts, AreNotOfAThreadThatWaitsForAnother) {
  simulated(exactly(), [] {
    EXPECT_EQ(took([] { started([] { machine::heavy_fence(); }); }), 30'000 + 2'000);
  });
  simulated(exactly(), [] {
    const auto third = started([] {
      sleep_ns(40'000);
      machine::heavy_fence();
    });
    // It has worked ahead, and ends before the other one calls.
    EXPECT_EQ(took([] { started([] { running.all->charge(in_ps(70'000)); }); }), 100'000);
  });
}

// Threads.

TEST(Threads, AreJoinedAtTheLaterOfBothClocks) {
  simulated(exactly(), [&] {
    EXPECT_EQ(took([] { started([] { sleep_ns(70'000); }); }), 100'000);
    EXPECT_EQ(took([] {
                const auto brief = started([] { sleep_ns(10); });
                sleep_ns(80'000);
              }),
              80'000);
    EXPECT_EQ(took([] {
                const auto brief = started([] { sleep_ns(10); });
                running.all->charge(in_ps(80'000));  // Without giving way: the other one runs late.
              }),
              80'000);
    EXPECT_EQ(took([] {
                const auto ahead = started([] { running.all->charge(in_ps(70'000)); });
                sleep_ns(40'000);  // The other one has worked ahead meanwhile, and is done.
              }),
              100'000);
  });
}

// The processor of a thread that has ended is the next one's, and still has its lines.
TEST(Threads, HaveTheLowestNumberThatIsFree) {
  own_line kept;
  simulated(exactly(), [&] {
    std::vector<thread_number> numbers;
    const auto note = [&] { numbers.push_back(running.self); };
    note();
    auto second = started([&] {
      note();
      kept.value.store(1, order::relaxed);
    });
    auto third = started(note);
    second.reset();
    second = started([&] {
      note();
      EXPECT_EQ(took([&] { static_cast<void>(kept.value.load(order::relaxed)); }), 1);
    });
    second.reset();
    EXPECT_EQ(numbers, (std::vector<thread_number>{1, 2, 3, 2}));
  });
}

TEST(Threads, ReadTheirOwnClock) {
  using std::chrono::steady_clock;
  simulated(exactly(), [&] {
    const steady_clock::time_point begin = machine::now();
    const auto other = started([&] {
      EXPECT_EQ(machine::now() - begin, nanoseconds{30'000});
      sleep_ns(123);
      EXPECT_EQ(machine::now() - begin, nanoseconds{30'123});
    });
    sleep_ns(50'000);
    EXPECT_EQ(machine::now() - begin, nanoseconds{50'000});
  });
}

TEST(Threads, SearchNoLongerThanOnceBeforeAWindowBegins) {
  simulated(exactly(), [&] {
    EXPECT_EQ(machine::limits().spin_rounds, 0U);
    EXPECT_EQ(machine::limits().yield_rounds, 0U);
    EXPECT_EQ(machine::limits().rounds_unseen, 0U);
    running.all->begin_window();
    EXPECT_EQ(machine::limits().spin_rounds, engine::std_machine::limits().spin_rounds);
    EXPECT_EQ(machine::limits().yield_rounds, engine::std_machine::limits().yield_rounds);
    EXPECT_EQ(machine::limits().rounds_unseen, engine::std_machine::limits().rounds_unseen);
    static_cast<void>(running.all->end_window());
    EXPECT_EQ(machine::limits().spin_rounds, 0U);
  });
}

TEST(Threads, AreAsManyAndWaitAtAJoinAsLongAsIfEachHadAProcessor) {
  simulated(exactly(), [] {
    EXPECT_EQ(machine::limits().max_workers, max_workers);
    EXPECT_EQ(machine::join_rounds(max_workers), engine::std_machine::join_rounds(1));
  });
}

TEST(Threads, AreOnTheProcessorsOfTheirNumbersUnlessTheyAreBound) {
  settings chosen = exactly();
  chosen.costs.processors_per_socket = 2;
  std::array<own_line, 3> lines;
  simulated(chosen, [&] {
    for (auto& each : lines) each.value.store(1, order::relaxed);
    std::vector<std::unique_ptr<machine::thread>> all;
    for (std::size_t i = 0; i < lines.size(); ++i) {
      all.push_back(started([&, i] {
        const picoseconds loaded =
            took([&] { static_cast<void>(lines[i].value.load(order::relaxed)); });
        EXPECT_EQ(loaded, i == 0 ? 101 : 301) << "thread " << i + 1;
      }));
    }
  });
}

// Whoever writes waits for the copies to go, wherever these are.
TEST(Threads, TakeCopiesAwayFromTheirSockets) {
  settings chosen = exactly();
  chosen.costs.processors_per_socket = 2;
  own_line shared;
  simulated(chosen, [&] {
    const auto written = [&] {
      return took([&] { shared.value.fetch_add(1, order::relaxed); }) - 5;
    };
    const auto loaded = [&] {
      return took([&] { static_cast<void>(shared.value.load(order::relaxed)); }) - 1;
    };
    EXPECT_EQ(written(), 0);
    const auto near = started([&] {
      EXPECT_EQ(loaded(), 100);
      sleep_ns(2'900);
      EXPECT_EQ(loaded(), 100);
      sleep_ns(2'900);
      EXPECT_EQ(written(), 300) << "the owner is near, and a copy is not";
    });
    const auto far = started([&] {
      sleep_ns(1'000);
      EXPECT_EQ(loaded(), 300);
      sleep_ns(3'700);
      EXPECT_EQ(loaded(), 300);
    });
    sleep_ns(32'000);
    EXPECT_EQ(written(), 300);
    sleep_ns(1'700);
    EXPECT_EQ(written(), 100) << "no copy is far any longer";
  });
}

TEST(Threads, AreNearByTheirSocketsAndThenByTheirNumbers) {
  settings chosen = exactly();
  simulated(chosen, [&] {
    EXPECT_EQ(machine::workers_by_distance(2, 5), (std::vector<unsigned>{2, 1, 3, 0, 4}));
  });
  chosen.costs.processors_per_socket = 3;
  simulated(chosen, [&] {
    EXPECT_EQ(machine::workers_by_distance(2, 7), (std::vector<unsigned>{2, 1, 0, 3, 4, 5, 6}));
    EXPECT_EQ(machine::workers_by_distance(3, 7), (std::vector<unsigned>{3, 4, 5, 2, 1, 0, 6}));
  });
}

TEST(Threads, AreStillOnceAllOthersSleepOrHaveEnded) {
  number asleep;
  simulated(exactly(), [&] {
    const auto sleeper = started([&] {
      sleep_ns(250'000);
      machine::wait(asleep, 0, nanoseconds{});
    });
    const auto brief = started([] {});
    EXPECT_EQ(took([] { running.all->await_stillness(); }), 300'000) << "in steps";
    EXPECT_EQ(took([] { running.all->await_stillness(); }), 0);
    machine::notify_one(asleep);
  });
}

// Where lines are.

TEST(Lines, AreToldApartWhereverTheyAre) {
  constexpr std::size_t apart = 1024;  // Lines that may be looked up in one place.
  std::vector<own_line> many(4 * apart);
  simulated(exactly(), [&] {
    for (std::size_t i = 0; i < many.size(); i += apart) many[i].value.store(1, order::relaxed);
    started([&] {
      for (std::size_t i = 0; i < many.size(); i += apart) {
        EXPECT_EQ(took([&] { many[i].value.fetch_add(1, order::relaxed); }), 105);
        EXPECT_EQ(took([&] { many[i].value.fetch_add(1, order::relaxed); }), 5);
      }
    });
  });
}

TEST(Lines, AreNotGivenBackByAReadersRequest) {
  own_line shared;
  simulated(exactly(), [&] {
    shared.value.store(1, order::relaxed);
    const auto writer = started([&] { shared.value.fetch_add(1, order::relaxed); });
    const auto reader = started([&] {
      sleep_ns(110);
      EXPECT_EQ(took([&] { static_cast<void>(shared.value.load(order::relaxed)); }), 100 + 1);
    });
    sleep_ns(30'000 + 120);
    EXPECT_EQ(took([&] { static_cast<void>(shared.value.load(order::relaxed)); }),
              (210 - 120) + 100 + 1);
  });
}

TEST(Lines, HaveCopiesSideBySide) {
  constexpr std::size_t half_of_a_cache = copies::size / 2;
  std::vector<own_line> many(half_of_a_cache);
  simulated(exactly(), [&] {
    for (auto& each : many) each.value.store(1, order::relaxed);
    started([&] {
      const auto read_all = [&] {
        for (auto& each : many) static_cast<void>(each.value.load(order::relaxed));
      };
      EXPECT_EQ(took(read_all), 101 * static_cast<picoseconds>(many.size()));
      EXPECT_EQ(took(read_all), static_cast<picoseconds>(many.size())) << "copies of all";
    });
  });
}

// Thieves look at one place of each job stack in turn, and at neighbouring ones.
TEST(Lines, HaveCopiesOfOnePlaceOfManyJobStacks) {
  constexpr unsigned stacks = 600;
  using slot_word = machine::zeroed_atomic<std::uint32_t>;
  simulated(exactly(stacks), [&] {
    std::vector<std::unique_ptr<machine::job_stack>> all;
    std::vector<slot_word*> words;
    for (unsigned i = 0; i < stacks; ++i) {
      all.push_back(std::make_unique<machine::job_stack>());
      for (std::size_t at = 0; at < 2; ++at) {
        words.push_back(
            machine::job_stack::start_slots<slot_word>(all.back()->begin() + at * line_bytes, 1));
        words.back()->store(1, order::relaxed);
      }
    }
    started([&] {
      const auto read_all = [&] {
        for (const slot_word* const each : words) static_cast<void>(each->load(order::relaxed));
      };
      EXPECT_EQ(took(read_all), 101 * static_cast<picoseconds>(words.size()));
      EXPECT_EQ(took(read_all), static_cast<picoseconds>(words.size())) << "copies of all";
    });
  });
}

TEST(JobStacks, AreTakenFromTheLowestAndHaveNoOwnersOfTheirLines) {
  using slot_word = machine::zeroed_atomic<std::uint32_t>;
  simulated(exactly(3), [&] {
    for (const bool lowest_first : {false, true}) {
      auto first = std::make_unique<machine::job_stack>();
      auto second = std::make_unique<machine::job_stack>();
      EXPECT_LT(first->begin(), second->begin());
      const std::array both{first->begin(), second->begin()};
      for (std::byte* const each : both) {
        machine::job_stack::start_slots<slot_word>(each, 1)->store(1, order::relaxed);
      }
      if (lowest_first) first.reset();
      second.reset();
      first.reset();
      started([&] {
        const machine::job_stack again;
        EXPECT_EQ(again.begin(), both.front());
        const machine::job_stack next;
        EXPECT_EQ(next.begin(), both.back());
        for (std::byte* const each : both) {
          auto* const untouched = machine::job_stack::start_slots<slot_word>(each, 1);
          EXPECT_EQ(took([&] { EXPECT_EQ(untouched->load(order::relaxed), 0U); }), 1);
        }
      });
    }
  });
}

}  // namespace
}  // namespace stealbench::virtual_machine
