#include "schedulers/engine/job_list.hpp"

#include <gtest/gtest.h>

#include "schedulers/engine/std_machine.hpp"

namespace stealbench::engine {
namespace {

struct item : job_list_links<std_machine> {};
using tested_list = job_list<item, std_machine>;

TEST(JobList, GivesTheOldestFirst) {
  tested_list list;
  item a{};
  item b{};
  list.push(a);
  list.push(b);
  EXPECT_EQ(list.take(), &a);
  EXPECT_EQ(list.take(), &b);
  EXPECT_EQ(list.take(), nullptr);
}

TEST(JobList, GivesUpAJobFromAnyPlace) {
  tested_list list;
  item a{};
  item b{};
  item c{};
  for (item* each : {&a, &b, &c}) list.push(*each);
  EXPECT_TRUE(list.take_out(b));
  EXPECT_FALSE(list.take_out(b));
  EXPECT_TRUE(list.take_out(c));
  EXPECT_TRUE(list.take_out(a));
  EXPECT_TRUE(list.looks_empty());
}

TEST(JobList, DoesNotGiveUpAJobThatWasTaken) {
  tested_list list;
  item a{};
  list.push(a);
  EXPECT_EQ(list.take(), &a);
  EXPECT_FALSE(list.take_out(a));
}

TEST(JobList, TakesAJobAgainAfterItWasTakenOut) {
  tested_list list;
  item a{};
  item b{};
  list.push(a);
  list.push(b);
  EXPECT_TRUE(list.take_out(a));
  list.push(a);
  EXPECT_EQ(list.take(), &b);
  EXPECT_EQ(list.take(), &a);
}

}  // namespace
}  // namespace stealbench::engine
