#include "schedulers/engine/jobs/job_list.hpp"

#include <initializer_list>
#include <optional>
#include <vector>

#include <gtest/gtest.h>

#include "schedulers/engine/std_machine.hpp"

namespace stealbench::engine {
namespace {

struct item : job_list_links<std_machine> {};
using tested_list = job_list<item, std_machine>;

class JobList : public testing::Test {  // NOLINT: GoogleTest shows it as the name of the suite.
 protected:
  void push(std::initializer_list<item*> jobs) {
    for (item* each : jobs) list.push(*each);
  }
  tested_list list;
  item a{};
  item b{};
  item c{};
};

TEST_F(JobList, GivesTheOldestFirstOrTheNewestIfAskedTo) {
  push({&a, &b, &c});
  EXPECT_EQ(list.take(), &a);
  EXPECT_EQ(list.take_newest(), &c);
  push({&a});
  EXPECT_EQ(list.take(), &b);
  EXPECT_EQ(list.take_newest(), &a);
  EXPECT_EQ(list.take_newest(), nullptr);
  EXPECT_EQ(list.take(), nullptr);
}

TEST_F(JobList, MovesItsOldestJobsToTheEndOfAnother) {
  tested_list target;
  item d{};
  push({&a, &b, &c});
  target.push(d);
  std::vector<item*> moved;
  const auto move = [&](tested_list& one, tested_list& other, int how_many) {
    return tested_list::move_oldest(
        one, other, [=](int /*here*/, int /*there*/) { return how_many; },
        [&](item& each) { moved.push_back(&each); });
  };
  EXPECT_EQ(move(list, target, 2), 2);
  EXPECT_EQ(moved, (std::vector{&a, &b}));
  EXPECT_EQ(list.size(), 1);
  EXPECT_EQ(target.size(), 3);
  for (item* each : {&d, &a, &b}) EXPECT_EQ(target.take(), each);
  EXPECT_EQ(move(target, list, 0), 0);
  EXPECT_EQ(list.take(), &c);
}

TEST_F(JobList, TakesNoJobOutThatIsElsewhere) {
  push({&a});
  EXPECT_EQ(list.take_out_if(a, [] { return false; }), std::nullopt);
  EXPECT_EQ(list.take_out_if(a, [] { return true; }), true);
  EXPECT_EQ(list.take_out_if(a, [] { return true; }), false);
  push({&a});
  EXPECT_EQ(list.take(), &a);
  EXPECT_FALSE(list.take_out(a)) << "it was taken";
}

TEST_F(JobList, GivesUpAJobFromAnyPlaceAndTakesItAgain) {
  push({&a, &b, &c});
  EXPECT_TRUE(list.take_out(b));
  EXPECT_FALSE(list.take_out(b));
  EXPECT_TRUE(list.take_out(c));
  push({&b});
  EXPECT_TRUE(list.take_out(a));
  push({&a});
  EXPECT_EQ(list.take(), &b);
  EXPECT_EQ(list.take(), &a);
  EXPECT_TRUE(list.looks_empty());
}

}  // namespace
}  // namespace stealbench::engine
