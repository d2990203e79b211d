#include "bench/cell/neighbours.hpp"

#include <algorithm>
#include <chrono>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>

#include <gtest/gtest.h>
#include <unistd.h>

namespace stealbench::cell {
namespace {

using std::chrono::milliseconds;

std::string children_of_this_process() {
  const std::string self = std::to_string(getpid());
  std::ifstream file("/proc/" + self + "/task/" + self + "/children");
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(Neighbours, CountWhileTheyLiveAndEndWithTheObject) {
  ASSERT_EQ(children_of_this_process(), "");
  {
    const neighbours beside(3, milliseconds(1));
    const std::string children = children_of_this_process();
    EXPECT_EQ(std::count(children.begin(), children.end(), ' '), 3) << children;
    const neighbours::reading before = beside.read();
    while (beside.read().counted == before.counted) std::this_thread::yield();
  }
  EXPECT_EQ(children_of_this_process(), "");
}

TEST(Neighbours, AShareIsOfTheirRateAlone) {
  const neighbours beside(1, milliseconds(20));
  // Made up, so that no load of the machine decides: nothing was counted in a second that is over,
  // and as much as in all its life in an instant.
  neighbours::reading before = beside.read();
  before.when -= std::chrono::hours(1000);
  EXPECT_LT(beside.share_since(before), 0.01);
  before = {.counted = 0, .when = neighbours::clock::now()};
  EXPECT_GT(beside.share_since(before), 2);
}

}  // namespace
}  // namespace stealbench::cell
