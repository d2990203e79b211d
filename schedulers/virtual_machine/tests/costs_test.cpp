// Each cost of a profile, on the machine alone: what a program takes moves by exactly the number of
// the cost's events in it, when the cost moves. engine_costs_test.cpp has the same of schedulers.
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "schedulers/virtual_machine/tests/test_machine.hpp"
#include "verify/count_members.hpp"

namespace stealbench::virtual_machine {
namespace {

using engine::cost;
using engine::order;
using std::chrono::nanoseconds;

constexpr picoseconds ns = 1000;
constexpr picoseconds long_time = 100'000 * ns;

using word = machine::atomic<std::uint32_t>;

/// When a program ended: where it does not say so itself, at the end of all.
struct clock_of_interest {
  picoseconds at = 0;
  void stop() { at = running.now; }
};

void run_beside(const std::function<void()>& body) {
  const machine::thread other(test_stack_bytes, std::nullopt, body);
}

// Programs that meet a known number of events of one cost.

void five_stores_and_seven_loads(clock_of_interest& /*end*/) {
  word own;
  for (std::uint32_t i = 0; i < 5; ++i) own.store(i, order::seq_cst);
  for (int i = 0; i < 7; ++i) EXPECT_EQ(own.load(order::seq_cst), 4U);
}

void one_locked_operation_of_each_kind_and_a_mutex(clock_of_interest& /*end*/) {
  word own;
  own.fetch_add(3, order::relaxed);
  own.fetch_sub(1, order::relaxed);
  EXPECT_EQ(own.exchange(5, order::relaxed), 2U);
  std::uint32_t seen = 6;
  EXPECT_FALSE(own.compare_exchange_strong(seen, 7, order::relaxed, order::relaxed));
  EXPECT_TRUE(own.compare_exchange_strong(seen, 7, order::relaxed, order::relaxed));
  machine::mutex free;
  free.lock();
  free.unlock();
}

void three_full_fences_among_lighter_ones(clock_of_interest& /*end*/) {
  for (int i = 0; i < 3; ++i) machine::fence(order::seq_cst);
  machine::fence(order::acquire);
  machine::fence(order::release);
  machine::light_fence();
  machine::compiler_fence();
}

// A copy, the line itself, and a copy of that. All who have had it are there still.
void three_transfers_in_turn(clock_of_interest& /*end*/) {
  alignas(64) word shared;
  shared.store(1, order::relaxed);
  run_beside([&] {
    EXPECT_EQ(shared.load(order::relaxed), 1U);
    shared.fetch_add(1, order::relaxed);
    run_beside([&] { EXPECT_EQ(shared.load(order::relaxed), 2U); });
  });
}

// All ask at one time. The first takes the copy of an exclusive line, which leaves once; the others
// get theirs in intervals.
void four_readers_at_once(clock_of_interest& /*end*/) {
  alignas(64) word shared;
  shared.store(1, order::relaxed);
  std::vector<std::unique_ptr<machine::thread>> readers;
  readers.reserve(4);
  for (int i = 0; i < 4; ++i) {
    readers.push_back(std::make_unique<machine::thread>(
        test_stack_bytes, std::nullopt, [&] { EXPECT_EQ(shared.load(order::relaxed), 1U); }));
  }
}

void six_looks(clock_of_interest& /*end*/) {
  for (int i = 0; i < 6; ++i) machine::charge(cost::look);
}

void three_spin_hints(clock_of_interest& /*end*/) {
  for (int i = 0; i < 3; ++i) machine::spin();
}

void three_yields(clock_of_interest& /*end*/) {
  for (int i = 0; i < 3; ++i) machine::yield_thread();
}

// One that finds another value, one that sleeps, and one that has no thread to wake.
void three_futex_calls(clock_of_interest& /*end*/) {
  word changed{1};
  EXPECT_TRUE(machine::wait(changed, 0, nanoseconds{}));
  EXPECT_FALSE(machine::wait(changed, 1, nanoseconds{50}));
  machine::notify_one(changed);
}

void two_sleeps_until_a_deadline(clock_of_interest& /*end*/) {
  word same;
  EXPECT_FALSE(machine::wait(same, 0, nanoseconds{50}));
  EXPECT_FALSE(machine::wait(same, 0, nanoseconds{70}));
}

void two_sleepers_that_are_woken(clock_of_interest& end) {
  word same;
  const auto sleep = [&] { EXPECT_TRUE(machine::wait(same, 0, nanoseconds{})); };
  const machine::thread first(test_stack_bytes, std::nullopt, sleep);
  const machine::thread second(test_stack_bytes, std::nullopt, sleep);
  running.all->sleep_for(long_time);
  machine::notify_one(same);
  machine::notify_one(same);
  end.stop();  // They run later.
}

// One wakes the other, and is woken by it.
void two_wake_ups_in_turn(clock_of_interest& end) {
  word there;
  word back;
  const machine::thread other(test_stack_bytes, std::nullopt, [&] {
    EXPECT_TRUE(machine::wait(there, 0, nanoseconds{}));
    machine::notify_one(back);
  });
  running.all->sleep_for(long_time);
  machine::notify_one(there);
  EXPECT_TRUE(machine::wait(back, 0, nanoseconds{}));
  end.stop();
}

void three_system_wide_fences(clock_of_interest& /*end*/) {
  for (int i = 0; i < 3; ++i) machine::heavy_fence();
}

// Those of the thread itself do not interrupt it, nor do those before its beginning.
void two_interrupts(clock_of_interest& end) {
  machine::heavy_fence();
  const machine::thread other(test_stack_bytes, std::nullopt, [&] {
    running.all->sleep_for(long_time);
    machine::heavy_fence();
    end.stop();
  });
  running.all->sleep_for(long_time / 2);
  machine::heavy_fence();
  machine::heavy_fence();
}

void two_threads_in_turn(clock_of_interest& /*end*/) {
  run_beside([] {});
  run_beside([] {});
}

struct row {
  const char* name;
  double costs::*cost;
  void (*program)(clock_of_interest&);
  picoseconds events;
  unsigned processors_per_socket;
};

// Every cost but the jitter and the size of a socket, which have tests of their own.
constexpr std::array rows{
    row{"hit", &costs::hit, five_stores_and_seven_loads, 12, 0},
    row{"rmw", &costs::rmw, one_locked_operation_of_each_kind_and_a_mutex, 7, 0},
    row{"fence", &costs::fence, three_full_fences_among_lighter_ones, 3, 0},
    row{"transfer", &costs::transfer, three_transfers_in_turn, 3, 0},
    row{"remote_transfer", &costs::remote_transfer, three_transfers_in_turn, 3, 1},
    row{"shared_gap", &costs::shared_gap, four_readers_at_once, 2, 0},
    row{"look", &costs::look, six_looks, 6, 0},
    row{"pause", &costs::pause, three_spin_hints, 3, 0},
    row{"yield", &costs::yield, three_yields, 3, 0},
    row{"system_call", &costs::system_call, three_futex_calls, 3, 0},
    row{"sleep", &costs::sleep, two_sleeps_until_a_deadline, 2, 0},
    row{"wake_call", &costs::wake_call, two_sleepers_that_are_woken, 2, 0},
    row{"wake", &costs::wake, two_wake_ups_in_turn, 2, 0},
    row{"membarrier", &costs::membarrier, three_system_wide_fences, 3, 0},
    row{"interrupt", &costs::interrupt, two_interrupts, 2, 0},
    row{"thread_start", &costs::thread_start, two_threads_in_turn, 2, 0}};

picoseconds time_of(const row& tested, double more_ns) {
  settings chosen = exactly();
  chosen.costs.processors_per_socket = tested.processors_per_socket;
  chosen.costs.*tested.cost += more_ns;
  clock_of_interest end;
  const picoseconds at_end = simulated(chosen, [&] { tested.program(end); });
  return end.at > 0 ? end.at : at_end;
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
    clock_of_interest end;
    return simulated(chosen, [&] { tested.program(end); }) >= 1 * ns;
  };
  for (const row& each : rows) {
    if (each.program == six_looks || each.program == three_spin_hints ||
        each.program == three_yields || each.program == three_full_fences_among_lighter_ones) {
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
        alignas(64) word shared;
        machine::thread owner(test_stack_bytes, 2U, [&] { shared.store(1, order::relaxed); });
        running.all->sleep_for(long_time);
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

TEST(Jitter, ReachesItsBoundsAndKeepsTheMean) {
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
}

TEST(Jitter, IsRoundedToTheNearest1024th) {
  EXPECT_EQ(std::ranges::min(charges_of(0.2, 1, 100'000)), 1'000'000 - 1'000'000 * 205 / 1024 / 2);
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
  const auto differs = [](double costs::*cost, void (*program)(clock_of_interest&),
                          unsigned processors_per_socket) {
    costs only = no_costs;
    only.*cost = 1000;
    only.jitter = 1;
    only.processors_per_socket = processors_per_socket;
    std::vector<picoseconds> took;
    for (std::uint64_t seed = 1; seed <= 8; ++seed) {
      clock_of_interest end;
      const picoseconds at_end =
          simulated({.costs = only, .prices = {}, .seed = seed}, [&] { program(end); });
      took.push_back(end.at > 0 ? end.at : at_end);
    }
    return std::ranges::count(took, took.front()) < 8;
  };
  const std::array jittered{&costs::transfer,  &costs::remote_transfer, &costs::system_call,
                            &costs::sleep,     &costs::wake_call,       &costs::wake,
                            &costs::membarrier};
  for (const row& each : rows) {
    const bool expected = std::ranges::count(jittered, each.cost) > 0;
    EXPECT_EQ(differs(each.cost, each.program, each.processors_per_socket), expected) << each.name;
  }
  const auto took = [](std::uint64_t seed) {
    settings chosen{.costs = round_costs, .prices = {.fork = 100}, .unit_ns = 1, .seed = seed};
    return simulated(chosen, [] { machine::charge(cost::fork_join); });
  };
  EXPECT_NE(took(1), took(2));
}

}  // namespace
}  // namespace stealbench::virtual_machine
