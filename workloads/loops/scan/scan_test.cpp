#include "workloads/loops/scan/scan.hpp"

#include <cstdint>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "schedulers/serial/scheduler.hpp"
#include "workloads/prepared_fixture.hpp"

namespace stealbench::scan {
namespace {

constexpr auto& prepared = workloads::prepared<workload>;

TEST(Scan, EqualsTheLibrarysAtEveryLengthAndGrain) {
  for (std::size_t length = 1; length < 70; ++length) {
    for (const char* grain : {"1", "2", "7", "64", "100"}) {
      workload::input in =
          prepared({{"numbers", std::to_string(length)}, {"grain", grain}, {"passes", "1"}});
      std::vector<std::uint64_t> expected(length);
      std::inclusive_scan(in.numbers.begin(), in.numbers.end(), expected.begin());
      const workload::output out = workload::run(serial::worker{}, in);
      EXPECT_EQ(in.numbers, expected) << length << " numbers, grain " << grain;
      EXPECT_EQ(workload::verify(in, out), true);
    }
  }
}

TEST(Scan, ScansItsOwnResultInTheNextPass) {
  workload::input in = prepared({{"numbers", "5"}, {"grain", "2"}, {"passes", "3"}});
  in.numbers = {1, 0, 0, 0, 0};
  workload::run(serial::worker{}, in);
  EXPECT_EQ(in.numbers, (std::vector<std::uint64_t>{1, 3, 6, 10, 15}));
  EXPECT_EQ(workload::answer(in, {})["last"], 15);
}

TEST(Scan, NoticesOneWrongNumber) {
  workload::input in = prepared({{"numbers", "1000"}, {"grain", "10"}});
  const workload::output out = workload::run(serial::worker{}, in);
  ++in.numbers.back();
  EXPECT_EQ(workload::verify(in, out), false);
  --in.numbers.back();
  --in.numbers.front();
  EXPECT_EQ(workload::verify(in, out), false);
}

TEST(Scan, NoticesThatTheSumOfTheLastBlockIsMissing) {
  for (const char* grain : {"10", "1000"}) {
    workload::input in = prepared({{"numbers", "100"}, {"grain", grain}});
    const workload::output out = workload::run(serial::worker{}, in);
    const std::uint64_t last = std::exchange(in.sums.back(), 0);
    EXPECT_EQ(workload::verify(in, out), false) << grain;
    in.sums.back() = last;
    EXPECT_EQ(workload::verify(in, out), true) << grain;
    workload::reset(in);
    EXPECT_EQ(in.sums, std::vector<std::uint64_t>(in.sums.size())) << grain;
  }
}

TEST(Scan, NoticesAPassTooFewOrTooMany) {
  workload::input in = prepared({{"numbers", "1000"}, {"passes", "2"}});
  const workload::output out = workload::run(serial::worker{}, in);
  plain_scan(in.numbers, 0);
  EXPECT_EQ(workload::verify(in, out), false);
  workload::reset(in);
  plain_scan(in.numbers, 0);
  EXPECT_EQ(workload::verify(in, out), false);
}

}  // namespace
}  // namespace stealbench::scan
