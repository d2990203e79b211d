// A table of what happens to one line: who fetches it, by a transfer of 100 with a gap of 5, and
// who then finds it. The first thread has it at the beginning.
#include "schedulers/virtual_machine/cache_line.hpp"

#include <map>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

namespace stealbench::virtual_machine {
namespace {

constexpr picoseconds gap = 5;

struct row {
  const char* name;
  /// Steps of `<thread> <verb> <time> <expected>`: "copies", "takes" and "stores" fetch the line
  /// and have it at the time that is expected; it "reads" and "writes" without that, or not.
  const char* steps;
  picoseconds transfer = 100;
};

const row rows[]{
    {"IsItsOwnersToReadAndToWrite", "1 reads 0 1, 1 writes 0 1, 2 reads 0 0, 2 writes 0 0"},
    {"CanBeReadByAllWhoHaveACopy", "2 copies 1000 1100, 2 reads 1100 1, 1 reads 1100 1"},
    {"CanBeWrittenByItsOwnerUntilAReadersRequestArrives",
     "2 copies 1000 1100, 1 writes 1049 1, 1 writes 1050 0"},
    {"GoesToAWriterAndInvalidatesCopies",
     "2 copies 1000 1100, 1 takes 2000 2100, 1 writes 2100 1, 2 reads 2100 0"},
    {"IsItsFormerOwnersUntilItLeaves",
     "2 takes 1000 1100, 1 writes 1049 1, 1 reads 1049 1, 1 writes 1050 0, 1 reads 1050 0"},
    {"IsItsFormerOwnersToReadAloneIfOthersHadCopies",
     "2 copies 0 100, 3 takes 1000 1100, 1 reads 1049 1, 1 writes 1049 0"},
    {"CanBeReadByItsWriterOnceItIsThere", "2 takes 1000 1100, 2 reads 1099 0, 2 reads 1100 1"},
    {"CanBeReadByItsWriterOnceItIsThereThoughAReaderHasAskedForIt",
     "2 takes 1000 1100, 3 copies 1010 1200, 2 reads 1099 0, 2 reads 1100 1"},
    {"CanBeReadByItsWriterMeanwhileIfThatHadACopy",
     "2 copies 1000 1100, 2 takes 2000 2100, 2 reads 2001 1"},
    {"CanBeReadByItsOwnerWhileThatWaitsToWriteIt",
     "2 copies 1000 1100, 1 takes 2000 2100, 1 reads 2001 1"},
    {"CanBeReadByItsOwnerWhileACopyIsUnderWay", "2 copies 1000 1100, 1 reads 1099 1"},
    // It has the line for half a transfer, until the next writer's request arrives. Of the line of
    // two writers ago nothing arrives.
    {"CanBeReadByItsWriterOnceItIsThereThoughAWriterHasAskedForIt",
     "2 takes 1000 1100, 3 takes 1010 1200, 2 arrives 0 1100, 2 reads 1099 0, 2 reads 1100 1, "
     "2 reads 1149 1, 2 reads 1150 0, 1 arrives 0 0"},
    {"IsNotGivenBackByAReadersRequest",
     "2 takes 1000 1100, 3 copies 1110 1210, 1 reads 1120 0, 2 writes 1159 1, 2 writes 1160 0"},
    // What a store wrote can be read at once, and so comes from where it was written: it is behind
    // the store, in the store buffer. Another store is behind it, and takes what it stored.
    {"IsLostToAStoreAtOnce",
     "3 copies 0 100, 2 stores 1000 1100, 1 reads 1000 0, 1 writes 1000 0, 3 reads 1000 0, "
     "2 reads 1099 0, 2 reads 1100 1, 2 writes 1000 1, 1 stores 1010 1200, 2 arrives 0 0, "
     "2 writes 1010 0"},
    {"GoesToOneWriterAfterTheOther", "2 takes 1000 1100, 3 takes 1010 1200, 4 takes 1020 1300"},
    {"IsHandedToReadersInShortIntervalsOnceItIsShared",
     "2 copies 1000 1100, 3 copies 1000 1200, 4 copies 1000 1205"},
    // Each holds the line until the next one's request has arrived; of two writers ago it is
    // none's. The third waits for its arrival, which is its clock then.
    {"StaysWithEachWriterOfAQueueForHalfATransfer",
     "2 takes 1000 1100, 3 takes 1010 1200, 2 writes 1149 1, 2 writes 1150 0, 1 writes 1049 0, "
     "3 writes 1100 1"},
    // A copy is no line, and not of two versions ago.
    {"IsReadFromAFormerCopyUntilItLeaves",
     "2 copies 0 100, 3 takes 1000 1100, 2 reads 1049 1, 2 reads 1050 0, 2 writes 1049 0, "
     "4 takes 2000 2100, 2 reads 2001 0"},
    // Of an odd transfer the request takes the longer half.
    {"LeavesNoEarlierThanHalfATransfer", "2 takes 1000 1007, 1 writes 1003 1, 1 writes 1004 0", 7},
    // A reader of a line that is shared already takes nothing from who has it.
    {"IsLeftToItsReadersByFurtherOnes",
     "2 copies 1000 1100, 3 copies 2000 2100, 1 writes 2001 0, 1 reads 2001 1, 2 reads 2001 1"}};

line line_of_first_thread(std::uint32_t number) {
  line claimed{};
  claimed.number = number;
  claim(claimed, 1);
  return claimed;
}

// NOLINTNEXTLINE(readability-identifier-naming): GoogleTest shows it as the name of the suite.
class CacheLine : public testing::TestWithParam<row> {};

TEST_P(CacheLine, Row) {
  line tested = line_of_first_thread(7);
  std::map<thread_number, copies> of_thread;
  std::istringstream steps(GetParam().steps);
  for (std::string step; std::getline(steps, step, ',');) {
    std::istringstream words(step);
    thread_number thread = 0;
    std::string verb;
    picoseconds time = 0;
    picoseconds expected = 0;
    words >> thread >> verb >> time >> expected;
    const picoseconds transfer = GetParam().transfer;
    copies& own = of_thread[thread];
    const picoseconds found = verb == "copies"  ? fetch_copy(tested, own, time, transfer, gap)
                              : verb == "takes" ? fetch_line(tested, thread, own, time, transfer)
                              : verb == "stores"
                                  ? fetch_for_store(tested, thread, own, time, transfer)
                              : verb == "reads"   ? read_hits(tested, thread, own, time)
                              : verb == "writes"  ? write_hits(tested, thread, time)
                              : verb == "arrives" ? own_arrival(tested, thread)
                                                  : -1;
    EXPECT_EQ(found, expected) << step;
  }
}
INSTANTIATE_TEST_SUITE_P(, CacheLine, testing::ValuesIn(rows),
                         [](const auto& tested) { return std::string(tested.param.name); });

TEST(Copies, OfALineAreLostToAnotherLineOfTheSamePlace) {
  line tested = line_of_first_thread(7);
  line elsewhere = line_of_first_thread(8);
  copies own;
  fetch_copy(tested, own, 0, 100, gap);
  EXPECT_TRUE(read_hits(tested, 2, own, 2000));
  fetch_copy(elsewhere, own, 1000, 100, gap);
  EXPECT_FALSE(read_hits(tested, 2, own, 2000));
}

}  // namespace
}  // namespace stealbench::virtual_machine
