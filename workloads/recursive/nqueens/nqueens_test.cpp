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
    EXPECT_EQ(workload::run(serial::worker{}, in).solutions, published[n - 1]) << n;
    EXPECT_EQ(workload::sequential(in).solutions, published[n - 1]) << n;
    EXPECT_EQ(known_count(n), published[n - 1]) << n;
  }
}

TEST(Nqueens, SpawnsOncePerPlacement) {
  // 2 queens: either of the two in the first row, and no square is left in the second.
  workload::input two = prepared({{"n", "2"}});
  EXPECT_EQ(workload::fork_count(two, {}), 2u);
  workload::input none = prepared({{"n", "8"}, {"cutoff", "0"}});
  EXPECT_EQ(workload::fork_count(none, {}), 0u);
}

/// Runs one of all spawned children not at all, or twice.
struct faulty_worker {
  std::uint64_t* spawns_until_fault;
  unsigned runs;

  const faulty_worker* operator->() const { return this; }
  [[nodiscard]] faulty_worker task_group() const { return *this; }
  template <class F>
  void spawn(F child) const {
    const unsigned times = (*spawns_until_fault)-- == 0 ? runs : 1;
    for (unsigned time = 0; time < times; ++time) child(*this);
  }
  void sync() const {}
};

TEST(Nqueens, NoticesEachLostAndEachRepeatedTask) {
  for (const char* cutoff : {"18", "3"}) {
    const workload::input in = prepared({{"n", "6"}, {"cutoff", cutoff}});
    const std::uint64_t spawns = workload::fork_count(in, {});
    for (std::uint64_t faulty = 0; faulty < spawns; ++faulty) {
      for (const unsigned runs : {0U, 2U}) {
        std::uint64_t spawns_until_fault = faulty;
        const workload::output out = workload::run(faulty_worker{&spawns_until_fault, runs}, in);
        EXPECT_EQ(workload::verify(in, out), false) << faulty << " ran " << runs << " times";
      }
    }
  }
}

}  // namespace
}  // namespace stealbench::nqueens
