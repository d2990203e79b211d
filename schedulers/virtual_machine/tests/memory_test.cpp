// Where cache lines are, and how the store buffer hides that they move.
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include "schedulers/virtual_machine/tests/test_machine.hpp"

namespace stealbench::virtual_machine {
namespace {

using engine::order;

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

TEST(StoreBuffer, HidesNoLineThatIsLoadedThoughAnotherHasAskedForIt) {
  for (const bool to_write : {false, true}) {
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
        if (to_write) {
          EXPECT_EQ(took([&] { far.value.fetch_add(1, order::relaxed); }), 200 - 10 + 5);
        } else {
          EXPECT_EQ(took([&] { static_cast<void>(far.value.load(order::relaxed)); }), 200 - 10 + 1);
        }
      });
    });
  }
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

// The first one looks ahead of who loads the line before.
TEST(Lines, AreChangedInTheOrderOfTheClocks) {
  own_line shared;
  simulated(exactly(), [&] {
    shared.value.store(1, order::relaxed);
    const auto ahead = started([&] {
      running.all->charge(in_ps(40));
      EXPECT_EQ(took([&] { shared.value.fetch_add(1, order::relaxed); }), 60 + 100 + 5);
    });
    const auto reader = started([&] {
      EXPECT_EQ(took([&] { static_cast<void>(shared.value.load(order::relaxed)); }), 100 + 1);
    });
  });
}

TEST(Lines, AreTakenByAStoreOfTheirOwnerFromWhoeverHasACopy) {
  for (const bool plainly : {false, true}) {
    own_line shared;
    simulated(exactly(), [&] {
      const auto store = [&] {
        plainly ? machine::writes(shared.value) : shared.value.store(1, order::relaxed);
      };
      const auto load = [&] { static_cast<void>(shared.value.load(order::relaxed)); };
      store();
      const auto reader = started([&] {
        EXPECT_EQ(took(load), 100 + 1);
        EXPECT_EQ(took(load), 1) << "a copy";
        sleep_ns(10'000);
        EXPECT_EQ(took(load), 100 + 1) << plainly;
      });
      sleep_ns(30'000 + 1'000);
      EXPECT_EQ(took(store), plainly ? 0 : 1);
      EXPECT_EQ(took([] { machine::fence(order::seq_cst); }), (plainly ? 100 : 100 - 1) + 5);
    });
  }
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
