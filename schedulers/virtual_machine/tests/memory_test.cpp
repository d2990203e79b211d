// Where cache lines are, and how the store buffer hides that they move. A transfer takes 100 ns, a
// hit 1 ns and a locked operation or a fence 5 ns.
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <vector>

#include <gtest/gtest.h>

#include "schedulers/virtual_machine/tests/timetable.hpp"

namespace stealbench::virtual_machine {
namespace {

using engine::order;

TIMETABLES(StoreBuffer, R"(
IsEmptyBeforeAFenceALockedOperationOrASystemWideFence
  A: store a, store b, store c, store d, start B
  B: store near =1, store a =1, fence =100-1+5, store b, exchange near =100-1+5,
     store c, membarrier =100-1+2000, store d, release =0, load near =1,
     sleep 200, fence =5                                                   # Empty by now.
WaitsForTheLatestOfItsStores
  A: store contended, store free, start B, start C
  B: add contended
  C: store contended, store free, fence =200-2+5      # Behind the other one: 200; and 1 + 100.
HidesNoLineThatIsLoaded
  A: store far, store other, start B
  B: store far, load far =100-1+1, load far =1, store other, reads other =100-1, reads other =0
HidesNoLineThatIsLoadedThoughAnotherHasAskedToWriteIt
  A: store far, start B, start C
  B: store far, sleep 20, load far =100-21+1
  C: sleep 10, add far =200-10+5
HidesNoLineThatIsLoadedThoughAnotherHasAskedToReadIt
  A: store far, start B, start C
  B: store far, sleep 20, load far =100-21+1
  C: sleep 10, load far =200-10+1
# The writer fetches the line, and then a copy of it goes to who looks. Who looks ahead would mostly
# be too late to see the store early.
ShowsNoStoreToWhoHadTheLineBeforeThatHasMoved looks_ahead 0
  A: store shared 1, start B, await shared 2 @31001+2*100+1
  B: sleep 1000 @31001, store shared 2
ShowsNoStoreToWhoHadACopyBeforeTheLineHasMoved looks_ahead 0
  A: store shared 1, start B, start C
  B: sleep 1000 @31001, store shared 2
  C: await shared 2 @31001+2*100+1
IsEachThreadsOwn
  A: store far, start B, start C
  B: store far, sleep 10, fence =100-11+5             # The other one runs meanwhile.
  C: sleep 5, fence =5
LetsOthersGoFirstWhileALockedOperationWaitsForIt
  A: store far, start B, start C
  B: store near 0, store far, exchange near 2 ->1     # 100 ns later.
  C: sleep 20, exchange near 1 ->0
)");

TIMETABLES(Lines, R"(
AreNotGivenBackByAReadersRequest
  A: store shared, start B, start C, sleep 30120, load shared =210-120+100+1
  B: add shared
  C: sleep 110, load shared =100+1
# It makes several changes while the other one's request is under way.
AreChangedByTheirOwnerUntilARequestArrives
  A: store shared, start B, until 30020, add shared =5, until 30050, add shared =5,
     until 30060, add shared =101-60+100+5
  B: add shared =100+5
# The first one looks ahead of who loads the line before.
AreChangedInTheOrderOfTheClocks
  A: store shared, start B, start C
  B: ahead 40, add shared =60+100+5
  C: load shared =100+1
AreTakenByAStoreOfTheirOwnerFromWhoeverHasACopy
  A: store shared, start B, sleep 31000, store shared =1, fence =100-1+5
  B: load shared =100+1, load shared =1, sleep 10000, load shared =100+1
AreTakenByAPlainStoreOfTheirOwnerFromWhoeverHasACopy
  A: writes shared, start B, sleep 31000, writes shared =0, fence =100+5
  B: load shared =100+1, load shared =1, sleep 10000, load shared =100+1
)");

// A load that waits, a store that the store buffer hides, and nothing more for who has the line.
TIMETABLES(PlainData, R"(
IsWaitedForWhereItIsReadAndHiddenWhereItIsWritten
  A: reads record =0, writes record =0, start B
  B: store own, begin, reads record =100, reads record =0, writes record =0,
     add own =100+5, writes record =0, add own =5,    # Drained first.
     end threads=2 lines=200 record=2/200
# The writer's clock is ahead of a thread that reads before.
IsNotTakenFromWhoReadsItBefore
  A: writes record, start B, start C
  B: ahead 1000, writes record
  C: reads record =100
)");

TEST(ManyLines, AreToldApartWhereverTheyAre) {
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

/// Another thread has copies of all of them, once it has read each.
void expect_copies_of(const std::vector<machine::zeroed_atomic<std::uint32_t>*>& words) {
  for (auto* const each : words) each->store(1, order::relaxed);
  started([&] {
    const auto read_all = [&] {
      for (const auto* const each : words) static_cast<void>(each->load(order::relaxed));
    };
    EXPECT_EQ(took(read_all), 101 * static_cast<picoseconds>(words.size()));
    EXPECT_EQ(took(read_all), static_cast<picoseconds>(words.size()));
  });
}

// Thieves look at one place of each job stack in turn, and at neighbouring ones.
TEST(ManyLines, HaveCopiesSideBySideAlsoOfOnePlaceOfManyJobStacks) {
  std::vector<own_line> half_of_a_cache(copies::size / 2);
  constexpr unsigned stacks = 600;
  simulated(exactly(stacks), [&] {
    std::vector<machine::zeroed_atomic<std::uint32_t>*> words;
    words.reserve(half_of_a_cache.size());
    for (own_line& each : half_of_a_cache) words.push_back(&each.value);
    expect_copies_of(words);
    words.clear();
    std::vector<std::unique_ptr<machine::job_stack>> all;
    for (unsigned i = 0; i < stacks; ++i) {
      all.push_back(std::make_unique<machine::job_stack>());
      for (std::size_t at = 0; at < 2; ++at) {
        words.push_back(machine::job_stack::start_slots<machine::zeroed_atomic<std::uint32_t>>(
            all.back()->begin() + at * line_bytes, 1));
      }
    }
    expect_copies_of(words);
  });
}

TEST(JobStacks, AreTakenFromTheLowestAndAreZeroAndHaveNoOwnersOfTheirLines) {
  using slot_word = machine::zeroed_atomic<std::uint32_t>;
  simulated(exactly(2), [&] {
    for (const bool lowest_first : {false, true}) {
      auto first = std::make_unique<machine::job_stack>();
      auto second = std::make_unique<machine::job_stack>();
      EXPECT_THROW(machine::job_stack(), std::bad_alloc);
      EXPECT_LT(first->begin(), second->begin());
      const std::array both{first->begin(), second->begin()};
      for (std::byte* const each : both) {
        EXPECT_EQ(machine::job_stack::beginning_of(each + 12345), each);
        each[100] = std::byte{1};
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
          EXPECT_EQ(each[100], std::byte{0});
          auto* const untouched = machine::job_stack::start_slots<slot_word>(each, 1);
          EXPECT_EQ(took([&] { EXPECT_EQ(untouched->load(order::relaxed), 0U); }), 1);
        }
      });
    }
  });
}

}  // namespace
}  // namespace stealbench::virtual_machine
