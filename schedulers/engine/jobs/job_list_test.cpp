#include "schedulers/engine/jobs/job_list.hpp"

#include <optional>
#include <vector>

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

TEST(JobList, GivesTheNewestFirstIfAskedTo) {
  tested_list list;
  item a{};
  item b{};
  item c{};
  list.push(a);
  list.push(b);
  EXPECT_EQ(list.take_newest(), &b);
  list.push(c);
  EXPECT_EQ(list.take(), &a);
  EXPECT_EQ(list.take_newest(), &c);
  EXPECT_EQ(list.take_newest(), nullptr);
}

TEST(JobList, MovesItsOldestJobsToTheEndOfAnother) {
  tested_list source;
  tested_list target;
  item a{};
  item b{};
  item c{};
  item d{};
  for (item* each : {&a, &b, &c}) source.push(*each);
  target.push(d);
  std::vector<item*> moved;
  const auto move = [&](tested_list& one, tested_list& other, int how_many) {
    return tested_list::move_oldest(
        one, other, [=](int /*here*/, int /*there*/) { return how_many; },
        [&](item& each) { moved.push_back(&each); });
  };
  EXPECT_EQ(move(source, target, 2), 2);
  EXPECT_EQ(moved, (std::vector{&a, &b}));
  EXPECT_EQ(source.size(), 1);
  EXPECT_EQ(target.size(), 3);
  for (item* each : {&d, &a, &b}) EXPECT_EQ(target.take(), each);
  EXPECT_EQ(move(target, source, 0), 0);
  EXPECT_EQ(source.take(), &c);
}

TEST(JobList, TakesNoJobOutThatIsElsewhere) {
  tested_list list;
  item a{};
  list.push(a);
  EXPECT_EQ(list.take_out_if(a, [] { return false; }), std::nullopt);
  EXPECT_EQ(list.take_out_if(a, [] { return true; }), true);
  EXPECT_EQ(list.take_out_if(a, [] { return true; }), false);
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
