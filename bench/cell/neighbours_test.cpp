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
  // Since an hour ago, with so many hours' counts: what is counted meanwhile is next to nothing.
  const auto share_of = [&](double hours) {
    neighbours::reading before = beside.read();
    before.when -= std::chrono::hours(1);
    before.counted -= static_cast<std::uint64_t>(hours * 3600 * beside.rate_alone());
    return beside.share_since(before);
  };
  EXPECT_NEAR(share_of(1), 1, 0.01);
  EXPECT_NEAR(share_of(0.25), 0.25, 0.01);
}

TEST(Neighbours, CountAloneAsFastAsTheyDoLater) {
  const neighbours beside(1, milliseconds(20));
  const neighbours::reading before = beside.read();
  std::this_thread::sleep_for(milliseconds(20));
  // Whatever else runs: a load that comes and goes is no factor of a thousand.
  EXPECT_GT(beside.share_since(before), 0.001);
  EXPECT_LT(beside.share_since(before), 1000);
}

}  // namespace
}  // namespace stealbench::cell
