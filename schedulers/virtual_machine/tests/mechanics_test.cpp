// How the machine does what it charges for: futexes, interrupts and threads.
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
    sleep_ns(40'000);  // The other one has begun by then.
    running.all->charge(in_ps(60'000));
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
      EXPECT_EQ(loaded(), 100);
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

TEST(Threads, AreNearOnceTheyHaveEnded) {
  settings chosen = exactly();
  chosen.costs.processors_per_socket = 1;
  own_line left;
  simulated(chosen, [&] {
    started([&] { left.value.store(1, order::relaxed); });
    EXPECT_EQ(took([&] { static_cast<void>(left.value.load(order::relaxed)); }), 101);
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

}  // namespace
}  // namespace stealbench::virtual_machine
