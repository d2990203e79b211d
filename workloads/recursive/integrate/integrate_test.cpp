#include "workloads/recursive/integrate/integrate.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "schedulers/serial/scheduler.hpp"
#include "workloads/kit/counting_worker.hpp"
#include "workloads/prepared_fixture.hpp"

namespace stealbench::integrate {
namespace {

constexpr auto& prepared = workloads::prepared<workload>;

TEST(Integrate, ComesToThePublishedIntegral) {
  // Coarser than published, where 10^-9 takes 175 million segments. These are fewer than two
  // million, and each is off by a third of 10^-3 at most.
  workload::input in = prepared({{"epsilon", "1e-3"}});
  const double found = workload::run(serial::worker{}, in);
  EXPECT_NEAR(found, 2500000050000000, 600);
  EXPECT_EQ(workload::verify(in, found), true);
}

TEST(Integrate, RefusesAnEpsilonBelowTheRoundingOfASegment) {
  EXPECT_THROW(prepared({{"bound", "100000"}, {"epsilon", "1e-12"}}), kit::bad_input);
  EXPECT_THROW(prepared({{"bound", "10000"}, {"epsilon", "0.9e-10"}}), kit::bad_input);
  EXPECT_NO_THROW(prepared({{"bound", "10000"}, {"epsilon", "1e-9"}}));
  EXPECT_NO_THROW(prepared({{"bound", "100000"}, {"epsilon", "1e-5"}}));
  EXPECT_NO_THROW(prepared({{"bound", "1000"}, {"epsilon", "1e-12"}}));
}

TEST(Integrate, NoticesTheLossOfOneSmallSegment) {
  workload::input in = prepared({{"bound", "10"}, {"epsilon", "1e-6"}});
  const double found = workload::run(serial::worker{}, in);
  EXPECT_EQ(workload::verify(in, found - 1e-9), false);
}

TEST(Integrate, NoticesThatTheSequentialVersionIsWrongToo) {
  workload::input in = prepared({{"bound", "10"}, {"epsilon", "1e-6"}});
  const double found = workload::run(serial::worker{}, in);
  ASSERT_EQ(workload::verify(in, found), true);
  in.expected->area += 0.1;
  EXPECT_EQ(workload::verify(in, in.expected->area), false);
}

}  // namespace
}  // namespace stealbench::integrate
