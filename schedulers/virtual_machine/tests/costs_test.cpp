// Each cost of a profile, on the machine alone: what a program takes moves by exactly the number of
// the cost's events in it, when the cost moves. engine_costs_test.cpp has the same of schedulers.
#include <array>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "schedulers/virtual_machine/tests/timetable.hpp"
#include "verify/count_members.hpp"

namespace stealbench::virtual_machine {
namespace {

using engine::cost;
using engine::order;

constexpr picoseconds ns = 1000;

/// A program that meets a known number of events of one cost; it ends where it says so.
struct row {
  const char* name;
  double costs::*cost;
  picoseconds events;
  const char* program;
  unsigned processors_per_socket = 0;
};

// A copy, the line itself, and a copy of that. All who have had it are there still.
constexpr const char* three_transfers_in_turn = R"(
  A: store shared 1, start B, join B
  B: load shared ->1, add shared, start C, join C
  C: load shared ->2)";

// Every cost but the jitter and the size of a socket, which have tests of their own.
constexpr std::array rows{
    row{"hit", &costs::hit, 12, " A: 4x store own 1, store own 4, 7x load own ->4"},
    // The last two are a failure and a success.
    row{"rmw", &costs::rmw, 7, R"(
  A: store own 1, add own ->1, subtract own 1 ->2, exchange own 5 ->1,
     compare own 6 ->0, compare own 5 ->1, lock free, unlock free)"},
    row{"fence", &costs::fence, 3, R"(
  A: 3x fence, acquire, release, light_fence, compiler_fence)"},
    row{"transfer", &costs::transfer, 3, three_transfers_in_turn},
    row{"remote_transfer", &costs::remote_transfer, 3, three_transfers_in_turn, 1},
    // All ask at one time. The first takes the copy of an exclusive line, which leaves once; the
    // others get theirs in intervals.
    row{"shared_gap", &costs::shared_gap, 2, R"(
  A: store shared 1, start B, start C, start D, start E
  B: load shared ->1
  C: load shared ->1
  D: load shared ->1
  E: load shared ->1)"},
    row{"look", &costs::look, 6, " A: 6x look"}, row{"pause", &costs::pause, 3, " A: 3x spin"},
    row{"yield", &costs::yield, 3, " A: 3x yield"},
    // One that finds another value, one that sleeps, and one that has no thread to wake.
    row{"system_call", &costs::system_call, 3, R"(
  A: store changed 1, wait changed ->1, wait same 50 ->0, wake changed)"},
    row{"sleep", &costs::sleep, 2, " A: wait same 50 ->0, wait same 70 ->0"},
    row{"wake_call", &costs::wake_call, 2, R"(
  A: start B, start C, sleep 100000, wake same, wake same, stop  # They run later.
  B: wait same ->1
  C: wait same ->1)"},
    // One wakes the other, and is woken by it.
    row{"wake", &costs::wake, 2, R"(
  A: start B, sleep 100000, wake there, wait back ->1, stop
  B: wait there ->1, wake back)"},
    row{"membarrier", &costs::membarrier, 3, " A: 3x membarrier"},
    // Those of the thread itself do not interrupt it, nor do those before its beginning.
    row{"interrupt", &costs::interrupt, 2, R"(
  A: membarrier, start B, sleep 50000, 2x membarrier
  B: sleep 100000, membarrier, stop)"},
    row{"thread_start", &costs::thread_start, 2, R"(
  A: start B, join B, start C, join C
  B: thread
  C: thread)"}};

picoseconds time_of(const row& tested, const settings& chosen) {
  const std::vector<timetable> only = timetables_of(std::string("Row\n") + tested.program);
  return timetable_run(only.front(), chosen).end();
}

picoseconds time_of(const row& tested, double more_ns) {
  settings chosen = exactly();
  chosen.costs.processors_per_socket = tested.processors_per_socket;
  chosen.costs.*tested.cost += more_ns;
  return time_of(tested, chosen);
}

TEST(Costs, EachMovesTheTimeOfAProgramByTheNumberOfItsEvents) {
  for (const row& each : rows) {
    const picoseconds before = time_of(each, 0);
    for (const double more_ns : {0.25, 1.0, 40.0}) {
      const auto more = static_cast<picoseconds>(more_ns * 1000);
      EXPECT_EQ(time_of(each, more_ns) - before, each.events * more) << each.name;
    }
  }
}

// And no other one.
TEST(Costs, OfEventsThatAProgramLacksDoNotMoveItsTime) {
  const auto moves = [](const row& tested, double costs::*by) {
    settings chosen{.costs = no_costs, .prices = {}};
    chosen.costs.*by += 1;
    return time_of(tested, chosen) >= 1 * ns;
  };
  const std::array<std::string_view, 4> alone{"look", "pause", "yield", "fence"};
  for (const row& each : rows) {
    if (std::ranges::count(alone, each.name) > 0) {
      for (const row& other : rows) {
        EXPECT_EQ(moves(each, other.cost), each.cost == other.cost) << each.name << other.name;
      }
    }
  }
}

TEST(Costs, AreAllInThisTest) {
  costs marked;
  std::size_t different = 2;  // Jitter, below, and Costs.TellSocketsApartByTheirSize.
  for (const row& each : rows) {
    if (std::exchange(marked.*each.cost, 1) == 0) ++different;
  }
  EXPECT_EQ(marked.jitter, 0);
  EXPECT_EQ(different, verify::count_members<costs>()) << "a cost has no row";
}

// Who waits must get on.
TEST(Costs, AreRoundedAndThoseOfAWaitAreAPicosecondAtLeast) {
  simulated({.costs = {.look = 0.0016}}, [] {
    machine::charge(cost::look);
    EXPECT_EQ(running.now, 2);
    machine::spin();
    EXPECT_EQ(running.now, 3);
    machine::yield_thread();
    EXPECT_EQ(running.now, 4);
  });
}

// With s processors on a socket those of threads i and j share one where i / s = j / s.
TEST(Costs, TellSocketsApartByTheirSize) {
  for (const unsigned size : {0U, 1U, 2U, 3U, 7U}) {
    settings chosen = exactly();
    chosen.costs.processors_per_socket = size;
    simulated(chosen, [&] {
      for (unsigned on = 0; on < 8; ++on) {
        alignas(64) number shared;
        machine::thread owner(test_stack_bytes, 2U, [&] { shared.store(1, order::relaxed); });
        running.all->sleep_for(100'000 * ns);
        const machine::thread reader(test_stack_bytes, on, [&] {
          const picoseconds begin = running.now;
          static_cast<void>(shared.load(order::relaxed));
          const bool is_near = size == 0 || on / size == 2 / size;
          EXPECT_EQ(running.now - begin, (is_near ? 101 : 301) * ns) << size << ' ' << on;
        });
      }
    });
  }
}

// The prices of a strategy, and of work.

struct price_row {
  const char* name;
  double strategy_prices::*price;
  cost charged;
};
constexpr std::array price_rows{price_row{"fork", &strategy_prices::fork, cost::fork_join},
                                price_row{"call", &strategy_prices::call, cost::call},
                                price_row{"spawn", &strategy_prices::spawn, cost::spawn},
                                price_row{"piece", &strategy_prices::piece, cost::piece}};

TEST(Prices, EachMovesTheTimeByTheNumberOfItsEventsAndIsCounted) {
  static_assert(verify::count_members<strategy_prices>() == price_rows.size());
  for (std::size_t i = 0; i < price_rows.size(); ++i) {
    const price_row& tested = price_rows[i];
    settings chosen = exactly();
    chosen.prices = {.fork = 3, .call = 5, .spawn = 7, .piece = 9};
    for (const double more_ns : {0.0, 0.5, 100.0, -10.0}) {
      settings dearer = chosen;
      dearer.prices.*tested.price += more_ns;
      window seen;
      const picoseconds took = simulated(dearer, [&] {
        running.all->begin_window();
        for (int event = 0; event < 11; ++event) machine::charge(tested.charged);
        seen = running.all->end_window();
      });
      EXPECT_EQ(took, static_cast<picoseconds>(11'000 * (dearer.prices.*tested.price)))
          << tested.name;
      for (std::size_t kind = 0; kind < seen.charged.size(); ++kind) {
        EXPECT_EQ(seen.charged[kind], kind == i ? 11U : 0U) << tested.name;
      }
    }
  }
}

TEST(Prices, OfWorkMoveTheTimeByTheUnits) {
  for (const double unit_ns : {0.0, 0.5, 0.0625, 3.0}) {
    window seen;
    const picoseconds took =
        simulated({.costs = round_costs, .prices = {}, .unit_ns = unit_ns}, [&] {
          running.all->begin_window();
          machine::work(160);
          machine::work(16);
          seen = running.all->end_window();
        });
    EXPECT_EQ(took, static_cast<picoseconds>(176'000 * unit_ns)) << "without jitter";
    EXPECT_EQ(seen.units, 176U);
  }
}

// Jitter.

/// What `draws` charges of a cost of one microsecond took, each.
std::vector<picoseconds> charges_of(double jitter, std::uint64_t seed, std::size_t draws) {
  settings chosen{.costs = round_costs, .prices = {}, .seed = seed};
  chosen.costs.jitter = jitter;
  std::vector<picoseconds> took;
  simulated(chosen, [&] {
    for (std::size_t i = 0; i < draws; ++i) {
      const picoseconds before = running.now;
      running.all->charge(1000 * ns);
      took.push_back(running.now - before);
    }
  });
  return took;
}

TEST(Jitter, ReachesItsBoundsRoundedToThe1024thAndKeepsTheMean) {
  constexpr std::size_t draws = 100'000;
  for (const double jitter : {0.0, 0.25, 0.5, 2.0}) {
    const std::vector<picoseconds> took = charges_of(jitter, 1, draws);
    const auto half = static_cast<picoseconds>(1'000'000 * jitter / 2);
    const auto [least, most] = std::ranges::minmax(took);
    EXPECT_EQ(least, 1000 * ns - half) << jitter;
    EXPECT_EQ(most, 1000 * ns + half * 511 / 512) << jitter;
    double sum = 0;
    for (const picoseconds each : took) sum += static_cast<double>(each);
    // The standard error of the mean is the width over sqrt(12 draws): within six of them.
    EXPECT_NEAR(sum / draws, 1'000'000, 2.0 * static_cast<double>(half) * 6 / 1095 + 1) << jitter;
  }
  EXPECT_EQ(std::ranges::min(charges_of(0.2, 1, draws)), 1'000'000 - 1'000'000 * 205 / 1024 / 2);
}

TEST(Jitter, IsThatOfItsSeed) {
  EXPECT_EQ(charges_of(0.2, 7, 100), charges_of(0.2, 7, 100));
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    EXPECT_NE(charges_of(0.2, seed, 10), charges_of(0.2, seed + 1, 10)) << seed;
  }
}

// Which charges have it: those that differ from seed to seed. Units of work, hits, locked
// operations, fences, looks and pauses have none.
TEST(Jitter, IsOfTransfersPricesAndSystemCallsAlone) {
  const auto differs = [](const row& tested) {
    settings only{.costs = no_costs, .prices = {}};
    only.costs.*tested.cost = 1000;
    only.costs.jitter = 1;
    only.costs.processors_per_socket = tested.processors_per_socket;
    std::set<picoseconds> took;
    for (only.seed = 1; only.seed <= 8; ++only.seed) took.insert(time_of(tested, only));
    return took.size() > 1;
  };
  const std::array jittered{&costs::transfer,  &costs::remote_transfer, &costs::system_call,
                            &costs::sleep,     &costs::wake_call,       &costs::wake,
                            &costs::membarrier};
  for (const row& each : rows) {
    const bool expected = std::ranges::count(jittered, each.cost) > 0;
    EXPECT_EQ(differs(each), expected) << each.name;
  }
  const auto took = [](std::uint64_t seed) {
    settings chosen{.costs = round_costs, .prices = {.fork = 100}, .unit_ns = 1, .seed = seed};
    return simulated(chosen, [] { machine::charge(cost::fork_join); });
  };
  EXPECT_NE(took(1), took(2));
}

}  // namespace
}  // namespace stealbench::virtual_machine
