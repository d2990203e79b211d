#include "verify/failure.hpp"

#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "schedulers/contract/test_limit.hpp"

namespace stealbench::verify {
namespace {

// What the steps of these tests do is in this file, from here on. No format: a line is a line.
// clang-format off
constexpr unsigned here = __LINE__;
#if 0
/* 2 */ top_.load(order) + bottom_.load(order);
/* 3 */ this->top_.store(1, order);
/* 4 */ slots_[index(bottom, mask_)].store(job, order);
/* 5 */ current->slots()[index(top, current->mask.read())].load(order);
/* 6 */ std::uninitialized_value_construct_n(slots(), capacity);
/* 7 */ worker.deque->bottom_.compare_exchange_strong(bottom, 2,
                                                      order);
/* 9 */ newest_
           ->load(order);
/* 11 */ M::wait(sleeper.word_, 0, {});
/* 12 */ (*chosen_).exchange(1, order);
/* 13 */ jobs_[id].payload.write(id);
#endif
// clang-format on

step at(unsigned line, const char* operation, const char* address, const char* values = "") {
  return {.operation = operation,
          .address = address,
          .values = values,
          .file = __FILE__,
          .line = here + line};
}

std::string place_of(unsigned line) { return "failure_test.cpp:" + std::to_string(here + line); }

TEST(VariableNames, AreWhatTheSourceLineOfAnOperationCallsItsVariable) {
  const variable_names names({at(3, "store", "0x10"), at(7, "compare_exchange", "0x20"),
                              at(9, "load", "0x30"), at(10, "load", "0x40"),
                              at(11, "fetch_add", "0x50"), at(12, "exchange", "0x60"),
                              at(13, "write", "0x70")});
  EXPECT_EQ(names.of("0x10"), "top");
  EXPECT_EQ(names.of("0x20"), "bottom");
  EXPECT_EQ(names.of("0x30"), "newest");    // The line of the variable, as Clang gives it.
  EXPECT_EQ(names.of("0x40"), "newest#2");  // The line of the call, as GCC gives it.
  EXPECT_EQ(names.of("0x50"), "word");
  EXPECT_EQ(names.of("0x60"), "chosen");
  EXPECT_EQ(names.of("0x70"), "payload");
  EXPECT_EQ(names.of("0x80"), "");
}

TEST(VariableNames, OfALineWithTwoVariablesComeFromTheirOtherLines) {
  const variable_names names(
      {at(2, "load", "0x10"), at(2, "load", "0x20"), at(3, "store", "0x20")});
  EXPECT_EQ(names.of("0x20"), "top");
}

TEST(VariableNames, CountTheElementsOfAnArrayAndTheArraysOfOneName) {
  // Two arrays of 8 bytes' distance, and a variable that was constructed before them.
  const variable_names names(
      {at(6, "store", "0x2000"), at(6, "store", "0x10"), at(6, "store", "0x18"),
       at(6, "store", "0x20"), at(3, "store", "0x2000"), at(6, "store", "0x1000"),
       at(6, "store", "0x1008"), at(4, "store", "0x18"), at(5, "load", "0x1000")});
  EXPECT_EQ(names.of("0x2000"), "top");
  EXPECT_EQ(names.of("0x10"), "slots[0]");
  EXPECT_EQ(names.of("0x18"), "slots[1]");
  EXPECT_EQ(names.of("0x20"), "slots[2]");
  EXPECT_EQ(names.of("0x1008"), "slots#2[1]");
}

TEST(VariableNames, StandForAddressesInValuesAndAreLeftOutWhereThereIsNoSource) {
  variable_names names({at(3, "store", "0x10")});
  EXPECT_EQ(names.in("= 0x10 (was 0x20)"), "= &top (was p1)");
  EXPECT_EQ(names.in("= 0x30, expected 0x20: fails"), "= p2, expected p1: fails");
  step elsewhere = at(1, "load", "0x10");
  elsewhere.file = "/nowhere.hpp";
  EXPECT_EQ(variable_names({elsewhere}).of("0x10"), "variable");
}

TEST(Failure, SaysWhichAccessesRace) {
  failure failed;
  failed.steps = {at(13, "write", "0x10", "= 1"), at(13, "write", "0x20", "= 1"),
                  at(13, "write", "0x10", "= 2")};
  failed.steps[2].thread = 1;
  failed.at = failed.steps[2];
  const std::string text = summary("DATA RACE", failed, 2);
  EXPECT_TRUE(
      text.starts_with("failure: data race on payload: nothing orders the write by thread 1 "
                       "after another thread's access, the latest of which is the write "
                       "by thread 0 in verify/" +
                       place_of(13) +
                       "\n"
                       "in thread 1, verify/" +
                       place_of(13)))
      << text;
}

TEST(Failure, SaysWhatShouldHaveHeld) {
  failure failed;
  failed.claim = "no job runs twice";
  EXPECT_EQ(summary("USER ASSERT FAILED", failed, 2), "failure: assertion \"no job runs twice\"\n");
}

TEST(Failure, ShowsTheLastStepsWithVariableValueOrderAndSource) {
  failure failed;
  failed.steps = {at(13, "write", "0x10", "= 1"),
                  at(3, "store", "0x20", "= 1 (was 0)"),
                  {.thread = 2, .operation = "ends"}};
  failed.steps[1].order = "release";
  failed.steps[1].function = "push";
  const std::string text = summary("DEADLOCK", failed, 2);
  EXPECT_TRUE(
      text.ends_with("the last 2 of 3 steps:\n"
                     "  thread 0  store  top = 1 (was 0)  release  " +
                     place_of(3) +
                     " push\n"
                     "  thread 2  ends\n"))
      << text;
  EXPECT_NE(summary("DEADLOCK", failed, 3).find("all 3 steps"), std::string::npos);
}

}  // namespace
}  // namespace stealbench::verify
