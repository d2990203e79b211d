#include "workloads/stress/chain/chain.hpp"

#include <cstdint>

#include <gtest/gtest.h>

#include "schedulers/serial/scheduler.hpp"
#include "workloads/kit/counting_worker.hpp"

namespace stealbench::chain {
namespace {

TEST(Chain, EndsWhereItsStepsEndInEitherForm) {
  for (const link_form form : {link_form::group, link_form::fork}) {
    for (std::uint64_t links = 1; links < 20; ++links) {
      const workload::input in{.links = links, .steps = 3, .form = form};
      EXPECT_EQ(workload::run(serial::worker{}, in), kit::stepped(0, 3 * links)) << links;
    }
  }
}

TEST(Chain, OffersEachLinkInEitherForm) {
  for (const link_form form : {link_form::group, link_form::fork}) {
    std::uint64_t offered = 0;
    const workload::input in{.links = 17, .steps = 1, .form = form};
    workload::run(kit::counting_worker{&offered}, in);
    EXPECT_EQ(offered, 17u);
  }
}

TEST(Chain, NoticesALinkTooFew) {
  const workload::input in{.links = 17, .steps = 2, .form = link_form::group};
  EXPECT_EQ(workload::verify(in, kit::stepped(0, 34)), true);
  EXPECT_EQ(workload::verify(in, kit::stepped(0, 32)), false);
}

TEST(Chain, RefusesLinksWithoutWork) {
  EXPECT_THROW(kit::parameters(workload::describe(), {{"work", "0"}}), kit::bad_input);
}

}  // namespace
}  // namespace stealbench::chain
