#include "schedulers/virtual_machine/cache_line.hpp"

#include <gtest/gtest.h>

namespace stealbench::virtual_machine {
namespace {

constexpr picoseconds transfer = 100;
constexpr picoseconds gap = 5;
constexpr thread_number owner = 1;
constexpr thread_number stranger = 2;

class CacheLine : public testing::Test {
 protected:
  CacheLine() {
    line_.number = 7;
    claim(line_, owner);
  }

  line line_{};
  copies of_owner_;
  copies of_other_;
};

TEST_F(CacheLine, IsItsOwnersToReadAndToWrite) {
  EXPECT_TRUE(read_hits(line_, owner, of_owner_, 0));
  EXPECT_TRUE(write_hits(line_, owner, 0));
  EXPECT_FALSE(read_hits(line_, stranger, of_other_, 0));
  EXPECT_FALSE(write_hits(line_, stranger, 0));
}

TEST_F(CacheLine, CanBeReadByAllWhoHaveACopy) {
  EXPECT_EQ(fetch_copy(line_, of_other_, 1000, transfer, gap), 1100);
  EXPECT_TRUE(read_hits(line_, stranger, of_other_, 1100));
  EXPECT_TRUE(read_hits(line_, owner, of_owner_, 1100));
}

TEST_F(CacheLine, CanBeWrittenByItsOwnerUntilAReadersRequestArrives) {
  fetch_copy(line_, of_other_, 1000, transfer, gap);
  EXPECT_TRUE(write_hits(line_, owner, 1049));
  EXPECT_FALSE(write_hits(line_, owner, 1050));
}

TEST_F(CacheLine, GoesToAWriterAndInvalidatesCopies) {
  fetch_copy(line_, of_other_, 1000, transfer, gap);
  EXPECT_EQ(fetch_line(line_, owner, 2000, transfer), 2100);
  EXPECT_TRUE(write_hits(line_, owner, 2100));
  EXPECT_FALSE(read_hits(line_, stranger, of_other_, 2100));
}

TEST_F(CacheLine, IsItsFormerOwnersUntilItLeaves) {
  fetch_line(line_, stranger, 1000, transfer);
  EXPECT_TRUE(write_hits(line_, owner, 1049));
  EXPECT_TRUE(read_hits(line_, owner, of_owner_, 1049));
  EXPECT_FALSE(write_hits(line_, owner, 1050));
  EXPECT_FALSE(read_hits(line_, owner, of_owner_, 1050));
}

TEST_F(CacheLine, GoesToOneWriterAfterTheOther) {
  EXPECT_EQ(fetch_line(line_, stranger, 1000, transfer), 1100);
  EXPECT_EQ(fetch_line(line_, 3, 1010, transfer), 1200);
  EXPECT_EQ(fetch_line(line_, 4, 1020, transfer), 1300);
}

TEST_F(CacheLine, IsHandedToReadersInShortIntervalsOnceItIsShared) {
  copies third;
  EXPECT_EQ(fetch_copy(line_, of_other_, 1000, transfer, gap), 1100);
  EXPECT_EQ(fetch_copy(line_, third, 1000, transfer, gap), 1200);
  copies fourth;
  EXPECT_EQ(fetch_copy(line_, fourth, 1000, transfer, gap), 1205);
}

TEST_F(CacheLine, LosesACopyToAnotherLineOfTheSamePlace) {
  fetch_copy(line_, of_other_, 0, transfer, gap);
  line elsewhere{};
  elsewhere.number = line_.number + 1;
  elsewhere.place = line_.place;
  claim(elsewhere, owner);
  fetch_copy(elsewhere, of_other_, 1000, transfer, gap);
  EXPECT_FALSE(read_hits(line_, stranger, of_other_, 2000));
}

}  // namespace
}  // namespace stealbench::virtual_machine
