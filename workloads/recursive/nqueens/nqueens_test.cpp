#include "workloads/recursive/nqueens/nqueens.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "schedulers/serial/scheduler.hpp"
#include "workloads/kit/counting_worker.hpp"
#include "workloads/prepared_fixture.hpp"

namespace stealbench::nqueens {
namespace {

constexpr auto& prepared = workloads::prepared<workload>;

TEST(Nqueens, HasThePublishedCounts) {
  const std::vector<std::uint64_t> published{1, 0, 0, 2, 10, 4, 40, 92, 352, 724, 2680, 14200};
  for (unsigned n = 1; n <= published.size(); ++n) {
    const workload::input in = prepared({{"n", std::to_string(n)}});
    EXPECT_EQ(workload::run(serial::worker{}, in), published[n - 1]) << n;
    EXPECT_EQ(workload::sequential(in), published[n - 1]) << n;
    EXPECT_EQ(known_count(n), published[n - 1]) << n;
  }
}

TEST(Nqueens, CountsTheSameAtEveryCutoff) {
  for (unsigned cutoff = 0; cutoff <= 9; ++cutoff) {
    workload::input in = prepared({{"n", "8"}, {"cutoff", std::to_string(cutoff)}});
    std::uint64_t spawns = 0;
    const std::uint64_t found = workload::run(kit::counting_worker{&spawns}, in);
    EXPECT_EQ(found, 92u) << cutoff;
    EXPECT_EQ(workload::fork_count(in, found), spawns) << cutoff;
  }
}

TEST(Nqueens, SpawnsOncePerPlacement) {
  // 2 queens: either of the two in the first row, and no square is left in the second.
  workload::input two = prepared({{"n", "2"}});
  EXPECT_EQ(workload::fork_count(two, 0), 2u);
  workload::input none = prepared({{"n", "8"}, {"cutoff", "0"}});
  EXPECT_EQ(workload::fork_count(none, 92), 0u);
}

}  // namespace
}  // namespace stealbench::nqueens
