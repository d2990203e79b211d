#include "schedulers/virtual_machine/simulation.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <stdexcept>
#include <utility>
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

TEST(Simulation, RethrowsWhatItsFirstThreadThrowsAndIsTheOnlyOne) {
  EXPECT_THROW(simulated({.costs = round_costs}, [] { throw std::runtime_error("x"); }),
               std::runtime_error);
  const simulation first({.costs = round_costs});
  EXPECT_THROW(simulation({.costs = round_costs}), std::logic_error);
}

TEST(Simulation, SaysWhenItsThreadsWaitForEachOther) {
  EXPECT_DEATH(simulated({.costs = round_costs},
                         [] {
                           const machine::atomic<std::uint32_t> word;
                           machine::wait(word, 0, nanoseconds{});
                         }),
               "threads of the simulation wait for each other");
}

// No worker runs ahead of what may reach it: what a thread that looks ahead sees of its line is
// what it sees where it gives way at each step.

// Picoseconds: the owner hits its line once in each, so that every moment is seen.
constexpr double hit_ns = 0.001;
constexpr picoseconds request_at = 50'000;
constexpr picoseconds owner_begins_at = 49'990;

struct accesses {
  picoseconds transfer = 0;               ///< The draw, as the thief waited for it.
  std::vector<picoseconds> owners_clock;  ///< Behind each of its accesses.
};

costs with(double transfer, double remote_transfer, double jitter) {
  costs chosen = no_costs;
  chosen.hit = hit_ns;
  chosen.transfer = transfer;
  chosen.remote_transfer = remote_transfer;
  chosen.processors_per_socket = transfer > remote_transfer ? 1 : 0;
  chosen.jitter = jitter;
  return chosen;
}

/// Another thread takes the line away from the one that goes on using it.
accesses taken_away(const settings& chosen, bool by_write) {
  accesses result;
  alignas(64) machine::atomic<std::uint32_t> shared;
  simulated(chosen, [&] {
    shared.store(1, order::relaxed);
    const machine::thread other(test_stack_bytes, {}, [&] {
      running.all->sleep_for(request_at - running.now);
      const picoseconds begin = running.now;
      if (by_write) {
        shared.fetch_add(1, order::relaxed);
      } else {
        static_cast<void>(shared.load(order::relaxed));
      }
      result.transfer = running.now - begin;
    });
    running.all->sleep_for(owner_begins_at - running.now);
    for (int i = 0; i < 1200; ++i) {
      if (by_write) {
        static_cast<void>(shared.load(order::relaxed));
      } else {
        shared.store(2, order::relaxed);
      }
      result.owners_clock.push_back(running.now);
    }
  });
  return result;
}

/// The first seed whose first draw is the least that there is.
std::uint64_t seed_of_least_draw() {
  for (std::uint64_t seed = 1;; ++seed) {
    picoseconds took = 0;
    settings chosen{.costs = no_costs, .prices = {}, .seed = seed};
    chosen.costs.jitter = 1;
    simulated(chosen, [&] {
      running.all->charge(1024);
      took = running.now;
    });
    if (took == 512) return seed;
  }
}

TEST(LookAhead, SeesWhatIsSeenWithoutIt) {
  const std::uint64_t least = seed_of_least_draw();
  std::vector<std::uint64_t> seeds{least};
  for (std::uint64_t seed = 1; seed <= 30; ++seed) seeds.push_back(seed);
  for (const auto& [transfer, remote] : {std::pair{1.0, 1.0}, {0.901, 1.1}, {1.1, 0.7}}) {
    for (const double jitter : {0.0, 0.2, 0.333, 1.0, 2.0}) {
      for (const std::uint64_t seed : seeds) {
        for (const bool by_write : {true, false}) {
          settings chosen{.costs = with(transfer, remote, jitter), .prices = {}, .seed = seed};
          const accesses ahead = taken_away(chosen, by_write);
          chosen.looks_ahead = false;
          const accesses exact = taken_away(chosen, by_write);
          EXPECT_EQ(ahead.transfer, exact.transfer);
          EXPECT_EQ(ahead.owners_clock, exact.owners_clock)
              << transfer << ' ' << remote << ' ' << jitter << ' ' << seed << by_write;
        }
      }
    }
  }
}

// It is worth its name: the thread gives way less often, and goes as far as it may.
TEST(LookAhead, GoesAsFarAsTheShortestRequest) {
  for (const auto& [transfer, remote] : {std::pair{100.0, 300.0}, {300.0, 100.0}}) {
    for (const double jitter : {0.0, 0.25, 1.0}) {
      const settings chosen{.costs = with(transfer, remote, jitter), .prices = {}};
      const auto shortest = static_cast<picoseconds>(100'000 * (1 - jitter / 2));
      simulated(chosen, [&] {
        const machine::thread other(test_stack_bytes, {},
                                    [] { running.all->sleep_for(1'000'000); });
        EXPECT_EQ(running.limit, running.now + (shortest - 1) / 2) << jitter;
      });
    }
  }
}

}  // namespace
}  // namespace stealbench::virtual_machine
