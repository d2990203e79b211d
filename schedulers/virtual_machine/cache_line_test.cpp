#include "schedulers/virtual_machine/cache_line.hpp"

#include <gtest/gtest.h>

namespace stealbench::virtual_machine {
namespace {

constexpr picoseconds transfer = 100;
constexpr picoseconds gap = 5;
constexpr thread_number owner = 1;
constexpr thread_number stranger = 2;

// NOLINTNEXTLINE(readability-identifier-naming): GoogleTest shows it as the name of the suite.
class CacheLine : public testing::Test {
 protected:
  CacheLine() {
    tested.number = 7;
    claim(tested, owner);
  }

  line tested{};
  copies owners_copies;
  copies strangers_copies;
  const copies no_copies;
};

TEST_F(CacheLine, IsItsOwnersToReadAndToWrite) {
  EXPECT_TRUE(read_hits(tested, owner, owners_copies, 0));
  EXPECT_TRUE(write_hits(tested, owner, 0));
  EXPECT_FALSE(read_hits(tested, stranger, strangers_copies, 0));
  EXPECT_FALSE(write_hits(tested, stranger, 0));
}

TEST_F(CacheLine, CanBeReadByAllWhoHaveACopy) {
  EXPECT_EQ(fetch_copy(tested, strangers_copies, 1000, transfer, gap), 1100);
  EXPECT_TRUE(read_hits(tested, stranger, strangers_copies, 1100));
  EXPECT_TRUE(read_hits(tested, owner, owners_copies, 1100));
}

TEST_F(CacheLine, CanBeWrittenByItsOwnerUntilAReadersRequestArrives) {
  fetch_copy(tested, strangers_copies, 1000, transfer, gap);
  EXPECT_TRUE(write_hits(tested, owner, 1049));
  EXPECT_FALSE(write_hits(tested, owner, 1050));
}

TEST_F(CacheLine, GoesToAWriterAndInvalidatesCopies) {
  fetch_copy(tested, strangers_copies, 1000, transfer, gap);
  EXPECT_EQ(fetch_line(tested, owner, owners_copies, 2000, transfer), 2100);
  EXPECT_TRUE(write_hits(tested, owner, 2100));
  EXPECT_FALSE(read_hits(tested, stranger, strangers_copies, 2100));
}

TEST_F(CacheLine, IsItsFormerOwnersUntilItLeaves) {
  fetch_line(tested, stranger, strangers_copies, 1000, transfer);
  EXPECT_TRUE(write_hits(tested, owner, 1049));
  EXPECT_TRUE(read_hits(tested, owner, owners_copies, 1049));
  EXPECT_FALSE(write_hits(tested, owner, 1050));
  EXPECT_FALSE(read_hits(tested, owner, owners_copies, 1050));
}

TEST_F(CacheLine, IsItsFormerOwnersToReadAloneIfOthersHadCopies) {
  fetch_copy(tested, strangers_copies, 0, transfer, gap);
  fetch_line(tested, 3, no_copies, 1000, transfer);
  EXPECT_TRUE(read_hits(tested, owner, owners_copies, 1049));
  EXPECT_FALSE(write_hits(tested, owner, 1049));
}

TEST_F(CacheLine, CanBeReadByItsWriterOnceItIsThere) {
  fetch_line(tested, stranger, strangers_copies, 1000, transfer);
  EXPECT_FALSE(read_hits(tested, stranger, strangers_copies, 1099));
  EXPECT_TRUE(read_hits(tested, stranger, strangers_copies, 1100));
}

TEST_F(CacheLine, CanBeReadByItsWriterOnceItIsThereThoughAReaderHasAskedForIt) {
  copies third;
  fetch_line(tested, stranger, strangers_copies, 1000, transfer);
  EXPECT_EQ(fetch_copy(tested, third, 1010, transfer, gap), 1200);
  EXPECT_FALSE(read_hits(tested, stranger, strangers_copies, 1099));
  EXPECT_TRUE(read_hits(tested, stranger, strangers_copies, 1100));
}

TEST_F(CacheLine, CanBeReadByItsWriterMeanwhileIfThatHadACopy) {
  fetch_copy(tested, strangers_copies, 1000, transfer, gap);
  fetch_line(tested, stranger, strangers_copies, 2000, transfer);
  EXPECT_TRUE(read_hits(tested, stranger, strangers_copies, 2001));
}

TEST_F(CacheLine, CanBeReadByItsOwnerWhileThatWaitsToWriteIt) {
  fetch_copy(tested, strangers_copies, 1000, transfer, gap);
  EXPECT_EQ(fetch_line(tested, owner, owners_copies, 2000, transfer), 2100);
  EXPECT_TRUE(read_hits(tested, owner, owners_copies, 2001));
}

TEST_F(CacheLine, CanBeReadByItsOwnerWhileACopyIsUnderWay) {
  fetch_copy(tested, strangers_copies, 1000, transfer, gap);
  EXPECT_TRUE(read_hits(tested, owner, owners_copies, 1099));
}

// It has the line for half a transfer, until the next writer's request arrives.
TEST_F(CacheLine, CanBeReadByItsWriterOnceItIsThereThoughAWriterHasAskedForIt) {
  fetch_line(tested, stranger, strangers_copies, 1000, transfer);
  EXPECT_EQ(fetch_line(tested, 3, no_copies, 1010, transfer), 1200);
  EXPECT_EQ(own_arrival(tested, stranger), 1100);
  EXPECT_FALSE(read_hits(tested, stranger, strangers_copies, 1099));
  EXPECT_TRUE(read_hits(tested, stranger, strangers_copies, 1100));
  EXPECT_TRUE(read_hits(tested, stranger, strangers_copies, 1149));
  EXPECT_FALSE(read_hits(tested, stranger, strangers_copies, 1150));
  EXPECT_EQ(own_arrival(tested, owner), 0) << "two writers ago";
}

TEST_F(CacheLine, IsNotGivenBackByAReadersRequest) {
  fetch_line(tested, stranger, strangers_copies, 1000, transfer);
  copies third;
  EXPECT_EQ(fetch_copy(tested, third, 1110, transfer, gap), 1210);
  EXPECT_FALSE(read_hits(tested, owner, owners_copies, 1120));
  EXPECT_TRUE(write_hits(tested, stranger, 1159));
  EXPECT_FALSE(write_hits(tested, stranger, 1160));
}

// What a store wrote can be read at once, and so comes from where it was written.
TEST_F(CacheLine, IsLostToAStoreAtOnce) {
  copies third;
  fetch_copy(tested, third, 0, transfer, gap);
  EXPECT_EQ(fetch_for_store(tested, stranger, strangers_copies, 1000, transfer), 1100);
  EXPECT_FALSE(read_hits(tested, owner, owners_copies, 1000));
  EXPECT_FALSE(write_hits(tested, owner, 1000));
  EXPECT_FALSE(read_hits(tested, 3, third, 1000));
  EXPECT_FALSE(read_hits(tested, stranger, strangers_copies, 1099));
  EXPECT_TRUE(read_hits(tested, stranger, strangers_copies, 1100));
  EXPECT_TRUE(write_hits(tested, stranger, 1000)) << "behind the store, in the store buffer";
  // Another one is behind it, and takes what it stored.
  EXPECT_EQ(fetch_for_store(tested, owner, owners_copies, 1010, transfer), 1200);
  EXPECT_EQ(own_arrival(tested, stranger), 0);
  EXPECT_FALSE(write_hits(tested, stranger, 1010));
}

TEST_F(CacheLine, GoesToOneWriterAfterTheOther) {
  EXPECT_EQ(fetch_line(tested, stranger, strangers_copies, 1000, transfer), 1100);
  EXPECT_EQ(fetch_line(tested, 3, no_copies, 1010, transfer), 1200);
  EXPECT_EQ(fetch_line(tested, 4, no_copies, 1020, transfer), 1300);
}

TEST_F(CacheLine, IsHandedToReadersInShortIntervalsOnceItIsShared) {
  copies third;
  EXPECT_EQ(fetch_copy(tested, strangers_copies, 1000, transfer, gap), 1100);
  EXPECT_EQ(fetch_copy(tested, third, 1000, transfer, gap), 1200);
  copies fourth;
  EXPECT_EQ(fetch_copy(tested, fourth, 1000, transfer, gap), 1205);
}

// Behind one another: each holds the line until the next one's request has arrived.
TEST_F(CacheLine, StaysWithEachWriterOfAQueueForHalfATransfer) {
  EXPECT_EQ(fetch_line(tested, stranger, strangers_copies, 1000, transfer), 1100);
  EXPECT_EQ(fetch_line(tested, 3, no_copies, 1010, transfer), 1200);
  EXPECT_TRUE(write_hits(tested, stranger, 1149));
  EXPECT_FALSE(write_hits(tested, stranger, 1150));
  EXPECT_FALSE(write_hits(tested, owner, 1049)) << "two writers ago";
  EXPECT_TRUE(write_hits(tested, 3, 1100)) << "it waits for its arrival, which is its clock then";
}

TEST_F(CacheLine, IsReadFromAFormerCopyUntilItLeaves) {
  fetch_copy(tested, strangers_copies, 0, transfer, gap);
  EXPECT_EQ(fetch_line(tested, 3, no_copies, 1000, transfer), 1100);
  EXPECT_TRUE(read_hits(tested, stranger, strangers_copies, 1049));
  EXPECT_FALSE(read_hits(tested, stranger, strangers_copies, 1050));
  EXPECT_FALSE(write_hits(tested, stranger, 1049)) << "a copy is no line";
  fetch_line(tested, 4, no_copies, 2000, transfer);
  EXPECT_FALSE(read_hits(tested, stranger, strangers_copies, 2001)) << "two versions ago";
}

// Of an odd transfer the request takes the longer half.
TEST_F(CacheLine, LeavesNoEarlierThanHalfATransfer) {
  fetch_line(tested, stranger, strangers_copies, 1000, 7);
  EXPECT_TRUE(write_hits(tested, owner, 1003));
  EXPECT_FALSE(write_hits(tested, owner, 1004));
}

// A reader of a line that is shared already takes nothing from who has it.
TEST_F(CacheLine, IsLeftToItsReadersByFurtherOnes) {
  copies third;
  fetch_copy(tested, strangers_copies, 1000, transfer, gap);
  EXPECT_EQ(fetch_copy(tested, third, 2000, transfer, gap), 2100);
  EXPECT_FALSE(write_hits(tested, owner, 2001));
  EXPECT_TRUE(read_hits(tested, owner, owners_copies, 2001));
  EXPECT_TRUE(read_hits(tested, stranger, strangers_copies, 2001));
}

TEST_F(CacheLine, LosesACopyToAnotherLineOfTheSamePlace) {
  fetch_copy(tested, strangers_copies, 0, transfer, gap);
  line elsewhere{};
  elsewhere.number = tested.number + 1;
  elsewhere.place = tested.place;
  claim(elsewhere, owner);
  fetch_copy(elsewhere, strangers_copies, 1000, transfer, gap);
  EXPECT_FALSE(read_hits(tested, stranger, strangers_copies, 2000));
}

}  // namespace
}  // namespace stealbench::virtual_machine
