#include "schedulers/virtual_machine/simulation.hpp"

#include <chrono>
#include <functional>
#include <memory>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

#include "schedulers/virtual_machine/tests/test_machine.hpp"

namespace stealbench::virtual_machine {
namespace {

using engine::order;
using std::chrono::nanoseconds;

constexpr picoseconds ns = 1000;

/// Starts `count` threads, runs `body(i)` on the i-th one, and joins them.
void run_threads(unsigned count, const std::function<void(unsigned)>& body) {
  std::vector<std::unique_ptr<machine::thread>> threads;
  for (unsigned i = 0; i < count; ++i) threads.push_back(started([&body, i] { body(i); }));
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
  settings chosen = exactly();
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
