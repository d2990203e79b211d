#include "schedulers/virtual_machine/simulation.hpp"

#include <chrono>
#include <functional>
#include <memory>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

#include "schedulers/virtual_machine/machine.hpp"
#include "schedulers/virtual_machine/tests/test_machine.hpp"

namespace stealbench::virtual_machine {
namespace {

using engine::order;
using std::chrono::nanoseconds;

constexpr picoseconds ns = 1000;

settings exact(costs chosen) {
  chosen.jitter = 0;
  return {.costs = chosen};
}

/// Starts `count` threads, runs `body(i)` on the i-th one, and joins them.
void run_threads(unsigned count, const std::function<void(unsigned)>& body) {
  std::vector<std::unique_ptr<machine::thread>> threads;
  for (unsigned i = 0; i < count; ++i) {
    threads.push_back(
        std::make_unique<machine::thread>(test_stack_bytes, std::nullopt, [&body, i] { body(i); }));
  }
}

TEST(Simulation, ChargesForHitsAndTransfers) {
  alignas(64) machine::atomic<int> word;
  picoseconds of_thread = 0;
  simulated(exact(round_costs), [&] {
    word.store(1, order::relaxed);
    EXPECT_EQ(running.now, 1 * ns);
    word.fetch_add(1, order::relaxed);
    EXPECT_EQ(running.now, 6 * ns);
    const machine::thread other(test_stack_bytes, {}, [&] {
      const picoseconds begin = running.now;
      EXPECT_EQ(word.load(order::relaxed), 2);
      EXPECT_EQ(word.load(order::relaxed), 2);
      of_thread = running.now - begin;
    });
  });
  EXPECT_EQ(of_thread, (100 + 1 + 1) * ns);
}

TEST(Simulation, ChargesMoreForATransferBetweenSockets) {
  costs two_sockets = round_costs;
  two_sockets.processors_per_socket = 2;
  std::vector<picoseconds> took(3);
  alignas(64) machine::atomic<int> word;
  simulated(exact(two_sockets), [&] {
    word.store(1, order::relaxed);
    for (unsigned i = 0; i < took.size(); ++i) {
      const machine::thread other(test_stack_bytes, i + 1, [&, i] {
        const picoseconds begin = running.now;
        static_cast<void>(word.load(order::relaxed));
        took[i] = running.now - begin;
      });
    }
  });
  EXPECT_EQ(took, (std::vector<picoseconds>{101 * ns, 301 * ns, 301 * ns}));
}

TEST(Simulation, HidesAStoreThatMissesUntilALockedOperation) {
  alignas(64) machine::atomic<int> far;
  alignas(64) machine::atomic<int> near;
  simulated(exact(round_costs), [&] {
    far.store(1, order::relaxed);
    const machine::thread other(test_stack_bytes, {}, [&] {
      near.store(1, order::relaxed);
      const picoseconds begin = running.now;
      far.store(2, order::relaxed);
      EXPECT_EQ(running.now - begin, 1 * ns);
      near.fetch_add(1, order::relaxed);
      EXPECT_EQ(running.now - begin, (100 + 5) * ns);
    });
  });
}

// Each change waits for a transfer, unless the line has not yet left: the owner makes several while
// the other one's request is under way, so that an addition takes less than half a transfer.
TEST(Simulation, LetsSeveralChangesOfAContendedLineGoBetweenTwoTransfers) {
  alignas(64) machine::atomic<std::uint64_t> word;
  constexpr std::uint64_t times = 10'000;
  picoseconds end = 0;
  simulated({.costs = round_costs}, [&] {
    run_threads(2, [&](unsigned) {
      for (std::uint64_t i = 0; i < times; ++i) word.fetch_add(1, order::relaxed);
      end = std::max(end, running.now);
    });
    EXPECT_EQ(word.load(order::relaxed), 2 * times);
  });
  const picoseconds each = (end - 30'000 * ns) / static_cast<picoseconds>(2 * times);
  EXPECT_GT(each, 6 * ns);
  EXPECT_LT(each, 50 * ns);
}

TEST(Simulation, CallsTheProbeBeforeEachChangeOfThreads) {
  std::vector<thread_number> ran;
  std::vector<thread_number> left;
  const std::function<void()> probe = [&] { left.push_back(running.self); };
  settings chosen = exact(round_costs);
  chosen.looks_ahead = false;
  chosen.probe = &probe;
  simulated(chosen, [&] {
    left.clear();
    run_threads(2, [&](unsigned i) {
      for (unsigned step = 0; step < 5; ++step) {
        keep_order();
        if (ran.empty() || ran.back() != running.self) ran.push_back(running.self);
        running.now += (10 + i) * ns;
      }
    });
    ran.push_back(running.self);
  });
  left.erase(left.begin());  // The first thread, which has waited for them.
  EXPECT_GT(ran.size(), 8U);
  EXPECT_EQ(left, ran);
}

TEST(Simulation, KeepsThreadsInTheOrderOfTheirClocks) {
  std::vector<unsigned> order;
  simulated(exact(round_costs), [&] {
    run_threads(3, [&](unsigned i) {
      for (unsigned step = 0; step < 3; ++step) {
        running.all->sleep_for((10 + static_cast<picoseconds>(i)) * ns * 100);
        order.push_back(i);
      }
    });
  });
  EXPECT_EQ(order, (std::vector<unsigned>{0, 1, 2, 0, 1, 2, 0, 1, 2}));
}

TEST(Simulation, ExcludesThreadsFromAMutexThatIsTaken) {
  machine::mutex mutex;
  int inside = 0;
  int most = 0;
  int entries = 0;
  simulated({.costs = round_costs}, [&] {
    run_threads(8, [&](unsigned) {
      for (int i = 0; i < 200; ++i) {
        mutex.lock();
        most = std::max(most, ++inside);
        running.all->sleep_for(1000 * ns);
        --inside;
        ++entries;
        mutex.unlock();
      }
    });
  });
  EXPECT_EQ(most, 1);
  EXPECT_EQ(entries, 8 * 200);
}

TEST(Simulation, WakesASleeperAfterTheLatencyOfAWakeUp) {
  machine::atomic<std::uint32_t> word;
  picoseconds woken = 0;
  picoseconds called = 0;
  simulated(exact(round_costs), [&] {
    const machine::thread sleeper(test_stack_bytes, {}, [&] {
      EXPECT_TRUE(machine::wait(word, 0, nanoseconds{}));
      woken = running.now;
    });
    running.all->sleep_for(100'000 * ns);
    called = running.now;
    machine::notify_one(word);
    EXPECT_EQ(running.now - called, 3'000 * ns);
  });
  EXPECT_EQ(woken - called, 10'000 * ns);
}

TEST(Simulation, DoesNotSleepAtAWordThatHasChanged) {
  machine::atomic<std::uint32_t> word{1};
  const picoseconds end =
      simulated(exact(round_costs), [&] { EXPECT_TRUE(machine::wait(word, 0, nanoseconds{})); });
  EXPECT_EQ(end, 200 * ns);
}

TEST(Simulation, EndsAWaitAtItsDeadline) {
  machine::atomic<std::uint32_t> word;
  const picoseconds end = simulated(
      exact(round_costs), [&] { EXPECT_FALSE(machine::wait(word, 0, nanoseconds{50'000})); });
  EXPECT_EQ(end, (200 + 2'000 + 50'000) * ns);
}

TEST(Simulation, ForgetsADeadlineOfASleeperThatIsWoken) {
  machine::atomic<std::uint32_t> word;
  simulated(exact(round_costs), [&] {
    const machine::thread sleeper(test_stack_bytes, {}, [&] {
      EXPECT_TRUE(machine::wait(word, 0, nanoseconds{1'000'000}));
      EXPECT_FALSE(machine::wait(word, 0, nanoseconds{1'000}));
    });
    running.all->sleep_for(100'000 * ns);
    machine::notify_one(word);
  });
}

TEST(Simulation, ChargesASystemWideFenceToAllThatRun) {
  picoseconds other_took = 0;
  simulated(exact(round_costs), [&] {
    const machine::thread other(test_stack_bytes, {}, [&] {
      const picoseconds begin = running.now;
      running.all->sleep_for(50'000 * ns);
      other_took = running.now - begin;
    });
    running.all->sleep_for(60'000 * ns);
    const picoseconds begin = running.now;
    machine::heavy_fence();
    EXPECT_EQ(running.now - begin, 2'000 * ns);
  });
  EXPECT_EQ(other_took, (50'000 + 500) * ns);
}

TEST(Simulation, KeepsTheExceptionsOfItsThreadsApart) {
  std::vector<int> caught(2);
  simulated({.costs = round_costs}, [&] {
    run_threads(2, [&](unsigned i) {
      try {
        throw static_cast<int>(i);
      } catch (int) {
        running.all->sleep_for((2 - static_cast<picoseconds>(i)) * 10'000 * ns);
        try {
          throw;
        } catch (int again) {
          caught[i] = again;
        }
      }
    });
  });
  EXPECT_EQ(caught, (std::vector<int>{0, 1}));
}

TEST(Simulation, RethrowsWhatItsFirstThreadThrows) {
  EXPECT_THROW(simulated({.costs = round_costs}, [] { throw std::runtime_error("x"); }),
               std::runtime_error);
}

TEST(Simulation, IsTheOnlyOne) {
  const simulation first({.costs = round_costs});
  EXPECT_THROW(simulation({.costs = round_costs}), std::logic_error);
}

TEST(Simulation, GivesJobStacksThatAreZeroAgain) {
  simulated({.costs = round_costs, .job_stacks = 2}, [] {
    const machine::job_stack first;
    std::byte* begin = nullptr;
    {
      const machine::job_stack second;
      begin = second.begin();
      EXPECT_EQ(machine::job_stack::beginning_of(begin + 12345), begin);
      begin[100] = std::byte{1};
      EXPECT_THROW(machine::job_stack(), std::bad_alloc);
    }
    const machine::job_stack again;
    EXPECT_EQ(again.begin(), begin);
    EXPECT_EQ(begin[100], std::byte{0});
  });
}

TEST(Simulation, AddsUpTheTimeOfLinesByName) {
  alignas(64) machine::atomic<int> word;
  window seen;
  simulated(exact(round_costs), [&] {
    machine::name(word, "the word");
    word.store(1, order::relaxed);
    const machine::thread other(test_stack_bytes, {}, [&] {
      running.all->begin_window();
      static_cast<void>(word.load(order::relaxed));
      running.all->sleep_for(899 * ns);
      seen = running.all->end_window();
    });
  });
  ASSERT_EQ(seen.lines.size(), 1U);
  EXPECT_EQ(seen.lines.front().name, "the word");
  EXPECT_EQ(seen.lines.front().time, 100 * ns);
  EXPECT_EQ(seen.lines.front().waits, 1U);
  EXPECT_EQ(seen.spent.lines, 100 * ns);
  EXPECT_EQ(seen.length, 1000 * ns);
}

TEST(Simulation, SaysWhenItsThreadsWaitForEachOther) {
  EXPECT_DEATH(simulated({.costs = round_costs},
                         [] {
                           const machine::atomic<std::uint32_t> word;
                           machine::wait(word, 0, nanoseconds{});
                         }),
               "threads of the simulation wait for each other");
}

}  // namespace
}  // namespace stealbench::virtual_machine
