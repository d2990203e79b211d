#include "workloads/stress/nested_loops/nested_loops.hpp"

#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "schedulers/serial/scheduler.hpp"
#include "workloads/kit/counting_worker.hpp"

namespace stealbench::nested_loops {
namespace {

std::vector<std::uint64_t> lengths(skew how, std::uint64_t rows, std::uint64_t columns) {
  std::vector<std::uint64_t> all;
  for (std::uint64_t row = 0; row < rows; ++row) {
    all.push_back(row_length(how, row, rows, columns));
  }
  return all;
}

TEST(NestedLoops, HaveRowsAsTheirSkewSays) {
  using rows = std::vector<std::uint64_t>;
  EXPECT_EQ(lengths(skew::equal, 3, 8), (rows{8, 8, 8}));
  EXPECT_EQ(lengths(skew::linear, 4, 8), (rows{2, 4, 6, 8}));
  EXPECT_EQ(lengths(skew::linear, 4, 1), (rows{1, 1, 1, 1}));
  EXPECT_EQ(lengths(skew::halving, 5, 8), (rows{8, 4, 2, 1, 1}));
  EXPECT_EQ(row_length(skew::halving, 64, 100, 8), 1u);
}

TEST(NestedLoops, VisitEveryColumnAndOfferEveryPiece) {
  for (const char* how : {"equal", "linear", "halving"}) {
    for (const char* grain : {"1", "7", "1000"}) {
      workload::input in = workload::prepare(
          {workload::describe(),
           {{"rows", "9"}, {"columns", "50"}, {"skew", how}, {"grain", grain}, {"work", "1"}}});
      std::uint64_t pieces = 0;
      const workload::output out = workload::run(kit::counting_worker{&pieces}, in);
      EXPECT_EQ(workload::verify(in, out), true) << how << ", grain " << grain;
      EXPECT_EQ(workload::fork_count(in, out), pieces) << how << ", grain " << grain;
    }
  }
}

TEST(NestedLoops, NoticeAColumnThatWasVisitedTwice) {
  workload::input in = workload::prepare({workload::describe(), {{"columns", "50"}}});
  const workload::output out = workload::run(serial::worker{}, in);
  in.done.perform(0);
  EXPECT_EQ(workload::verify(in, out), false);
}

}  // namespace
}  // namespace stealbench::nested_loops
