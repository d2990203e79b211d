#include "workloads/loops/heat/heat.hpp"

#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "schedulers/serial/scheduler.hpp"
#include "workloads/prepared_fixture.hpp"

namespace stealbench::heat {
namespace {

constexpr auto& prepared = workloads::prepared<workload>;

TEST(Heat, MakesEachCellTheMeanOfItsNeighbours) {
  grid before(2);
  grid after(2);
  before.row(1)[1] = 1;
  before.row(1)[2] = 2;
  before.row(2)[1] = 4;
  before.row(2)[2] = 8;
  relax_row(before, after, 1);
  relax_row(before, after, 2);
  EXPECT_EQ(after.row(1)[1], 1.5);
  EXPECT_EQ(after.row(1)[2], 2.25);
  EXPECT_EQ(after.row(2)[1], 2.25);
  EXPECT_EQ(after.row(2)[2], 1.5);
}

TEST(Heat, ShowsALostRowAndACellThatIsNoNumberInTheError) {
  workload::input in = prepared({{"n", "100"}, {"steps", "20"}});
  workload::output out = workload::run(serial::worker{}, in);
  workload::corrupt(in, out);
  EXPECT_GT(error_of(in), 1000);
  in.even.row(3)[4] = std::nan("");
  EXPECT_TRUE(std::isnan(error_of(in)));
}

TEST(Heat, NoticesASingleBit) {
  workload::input in = prepared({{"n", "30"}, {"steps", "3"}});
  const workload::output out = workload::run(serial::worker{}, in);
  EXPECT_EQ(workload::verify(in, out), true);
  double& cell = in.odd.row(30)[7];
  cell = std::nextafter(cell, 2.0);
  EXPECT_EQ(workload::verify(in, out), false);
}

TEST(Heat, RefusesStepsAfterWhichALostRowWouldPass) {
  struct limit {
    const char* n;
    const char* valid;
    const char* refused;
  };
  for (const limit& each : {limit{"1", "1", "2"}, limit{"2", "1021", "1030"},
                            limit{"10", "17100", "17200"}, limit{"83", "1000000", nullptr}}) {
    if (each.refused != nullptr) {
      EXPECT_THROW(prepared({{"n", each.n}, {"steps", each.refused}}), kit::bad_input) << each.n;
    }
    workload::input in = prepared({{"n", each.n}, {"steps", each.valid}});
    if (in.steps > 100'000) continue;
    workload::output out = workload::run(serial::worker{}, in);
    EXPECT_EQ(workload::verify(in, out), true) << each.n;
    workload::corrupt(in, out);
    EXPECT_EQ(workload::verify(in, out), false) << each.n;
  }
}

TEST(Heat, NoticesThatTheSequentialVersionIsWrongToo) {
  workload::input in = prepared({{"n", "30"}, {"steps", "4"}});
  const workload::output out = workload::run(serial::worker{}, in);
  in.even.row(15)[15] += 1e-9;
  in.fingerprint_of_reference = in.even.fingerprint();
  EXPECT_EQ(workload::verify(in, out), false);
}

TEST(Heat, AnswersWithTheMiddleOfThePlateAfterItsLastStep) {
  workload::input in = prepared({{"n", "5"}, {"steps", "3"}});
  const workload::output out = workload::run(serial::worker{}, in);
  EXPECT_NEAR(workload::answer(in, out)["middle"], std::pow(decay(5), 3), 1e-12);
}

}  // namespace
}  // namespace stealbench::heat
