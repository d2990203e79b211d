#include "results/analysis/processors.hpp"

#include <gtest/gtest.h>

#include "results/dataset/fixture.hpp"

namespace stealbench::analysis {
namespace {

using dataset::edit_cell;
using dataset::json;
using dataset::metric;

dataset::sample sample_with(double workers, double switches, std::optional<double> waiting) {
  dataset::sample made;
  made.set(metric::seconds, 0.5);
  made.set(metric::worker_count, workers);
  made.set(metric::forced_switches, switches);
  if (waiting) made.set(metric::waiting_threads, *waiting);
  return made;
}

TEST(LostProcessor, IsAProcessWhoseThreadsWaitedForATenthOfTheWorkersTime) {
  EXPECT_FALSE(lost_processor(sample_with(1, 0, 0.099)));
  EXPECT_TRUE(lost_processor(sample_with(1, 0, 0.101)));
  EXPECT_FALSE(lost_processor(sample_with(2, 0, 0.199)));
  EXPECT_TRUE(lost_processor(sample_with(2, 0, 0.201)));
  EXPECT_FALSE(lost_processor(sample_with(2, 10'000, 0))) << "they gave way to each other";
}

TEST(LostProcessor, IsNotGuessedWhereTheKernelDoesNotSayHowLongThreadsWaited) {
  EXPECT_FALSE(lost_processor(sample_with(2, 10'000, {})));
  EXPECT_FALSE(lost_processor(dataset::sample())) << "simulated";
  dataset::raw_lines lines = dataset::made_comparison();
  EXPECT_FALSE(is_waiting_known(dataset::read_lines(lines)));
  edit_cell(lines, "fib/serial/n:20/workers:1",
            [](json& benchmark) { benchmark["waiting_threads"] = 0; });
  EXPECT_TRUE(is_waiting_known(dataset::read_lines(lines)));
}

/// Three rounds of one benchmark, of which the given number waited.
dataset::measurements rounds_that_waited(unsigned count) {
  dataset::raw_lines lines = dataset::made_comparison();
  edit_cell(lines, "fib/serial/n:20/workers:1", [&](json& benchmark) {
    benchmark["waiting_threads"] = count > 0 ? 0.5 : 0.0;
    if (count > 0) --count;
  });
  return dataset::read_lines(lines);
}

TEST(LostProcessor, IsABenchmarkOfWhichAThirdOfTheRoundsDid) {
  using names = std::vector<std::string>;
  EXPECT_EQ(cells_without_processor(rounds_that_waited(0)), names{});
  for (const unsigned count : {1U, 2U, 3U}) {
    EXPECT_EQ(cells_without_processor(rounds_that_waited(count)),
              names{"fib/serial/n:20/workers:1"});
  }
  dataset::measured_cell seven{.which = {}, .samples = {}, .failure = {}};
  EXPECT_FALSE(lost_processor(seven)) << "nothing was measured";
  for (unsigned i = 0; i < 7; ++i) seven.samples.push_back(sample_with(1, 0, i < 2 ? 1.0 : 0.0));
  EXPECT_FALSE(lost_processor(seven)) << "two of seven";
  seven.samples.back() = sample_with(1, 0, 1.0);
  EXPECT_TRUE(lost_processor(seven)) << "three of seven";
}

}  // namespace
}  // namespace stealbench::analysis
