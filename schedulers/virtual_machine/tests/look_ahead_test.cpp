// No worker runs ahead of what may reach it: what a thread that looks ahead sees of its line is
// what it sees where it gives way at each step.
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "schedulers/virtual_machine/tests/test_machine.hpp"

namespace stealbench::virtual_machine {
namespace {

using engine::order;

// Picoseconds: the owner hits its line once in each, so that every moment is seen.
constexpr double hit_ns = 0.001;
constexpr picoseconds request_at = 50'000;
constexpr picoseconds owner_begins_at = 49'990;

struct seen {
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
seen taken_away(const settings& chosen, bool by_write) {
  seen result;
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

/// The owner's accesses before the first one that missed, or was hidden by the store buffer.
std::size_t hits_of(const settings& chosen) {
  const seen result = taken_away(chosen, true);
  std::size_t hits = 0;
  picoseconds clock = owner_begins_at;
  for (const picoseconds after : result.owners_clock) {
    if (after != clock + 1) break;
    clock = after;
    ++hits;
  }
  return hits;
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

TEST(LookAhead, HitsNoLineThatTheShortestTransferHasTaken) {
  const std::uint64_t least = seed_of_least_draw();
  for (const double jitter : {0.0, 0.25, 0.5, 1.0, 1.5}) {
    settings chosen{.costs = with(1, 1, jitter), .prices = {}, .seed = least};
    // The request is on its way for half of the transfer.
    const auto shortest = static_cast<picoseconds>(1000 * (1 - jitter / 2));
    const auto expected =
        static_cast<std::size_t>(request_at - owner_begins_at + shortest - shortest / 2);
    for (const bool looks_ahead : {false, true}) {
      chosen.looks_ahead = looks_ahead;
      EXPECT_EQ(hits_of(chosen), expected) << jitter << looks_ahead;
    }
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
          const seen ahead = taken_away(chosen, by_write);
          chosen.looks_ahead = false;
          const seen exact = taken_away(chosen, by_write);
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
