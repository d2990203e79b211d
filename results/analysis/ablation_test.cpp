#include "results/analysis/ablation.hpp"

#include <gtest/gtest.h>

#include "results/dataset/fixture.hpp"

namespace stealbench::analysis {
namespace {

using dataset::cell;
using dataset::data_of;
using dataset::json;
using dataset::measured;
using dataset::measurements;

const contrast spinning{"work-stealing:idle", "work-stealing:idle=spin", "work-stealing"};

cell cell_on(const std::string& workload, const std::string& scheduler, unsigned workers = 2) {
  return {{workload, {}}, scheduler, workers};
}

TEST(Contrasts, AreReadAsTheyAreWritten) {
  const measurements data =
      data_of({{dataset::fib_on("work-stealing", 1), {1}}}, {{"ablation", json_of({spinning})}});
  const std::vector<contrast> read = contrasts_of(data);
  ASSERT_EQ(read.size(), 1U);
  EXPECT_EQ(read[0].factor, spinning.factor);
  EXPECT_EQ(read[0].variant, spinning.variant);
  EXPECT_EQ(read[0].against, spinning.against);
  EXPECT_TRUE(contrasts_of(data_of({{dataset::fib_on("work-stealing", 1), {1}}})).empty());
}

TEST(Direction, NeedsAnIntervalWithoutOneAndADifference) {
  EXPECT_EQ(direction_of({1.1, {1.01, 1.2}}), direction::slower);
  EXPECT_EQ(direction_of({1.2, {1.0, 1.4}}), direction::neither) << "1 is in the interval";
  EXPECT_EQ(direction_of({1.09, {1.08, 1.1}}), direction::neither) << "too little";
  EXPECT_EQ(direction_of({0.9, {0.89, 0.96}}), direction::faster);
  EXPECT_EQ(direction_of({0.8, {0.6, 1.0}}), direction::neither);
  EXPECT_EQ(direction_of({0.92, {0.915, 0.925}}), direction::neither);
}

TEST(Effects, AreRatiosOfEachInstanceAndTheirMean) {
  const measurements data =
      data_of({{cell_on("fib", "work-stealing"), {1, 2, 1}},
               {cell_on("fib", "work-stealing:idle=spin"), {4, 8, 4}},
               {cell_on("uts", "work-stealing"), {1, 1, 1}},
               {cell_on("uts", "work-stealing:idle=spin"), {0.25, 0.25, 0.25}},
               {cell_on("bpc", "work-stealing"), {1, 1, 1}},
               {cell_on("bpc", "work-stealing:idle=spin"), {}, "timed out"}},
              {{"ablation", json_of({spinning})}});
  const std::vector<effect> all = effects_of(estimates(data), 2);
  ASSERT_EQ(all.size(), 1U);
  const effect& found = all[0];
  EXPECT_EQ(found.workers, 2U);
  ASSERT_EQ(found.ratios.size(), 3U);
  EXPECT_EQ(found.ratios[0]->median, 4);
  EXPECT_EQ(found.ratios[1]->median, 0.25);
  EXPECT_FALSE(found.ratios[2]);
  EXPECT_EQ(found.failed, (std::vector<bool>{false, false, true}));
  EXPECT_DOUBLE_EQ(found.mean->median, 1) << "of the two that finished";
  EXPECT_EQ(count_of(direction::slower, found), 1U);
  EXPECT_EQ(count_of(direction::faster, found), 1U);
  EXPECT_EQ(count_of(direction::neither, found), 0U);
}

TEST(Effects, AreOfTheWorkerCountAlone) {
  const measurements data = data_of({{cell_on("fib", "work-stealing", 1), {1}},
                                     {cell_on("fib", "work-stealing:idle=spin", 1), {1}},
                                     {cell_on("fib", "work-stealing", 2), {1}},
                                     {cell_on("fib", "work-stealing:idle=spin", 2), {3}}},
                                    {{"ablation", json_of({spinning})}});
  const estimates known(data);
  EXPECT_DOUBLE_EQ(effects_of(known, 1)[0].mean->median, 1);
  EXPECT_DOUBLE_EQ(effects_of(known, 2)[0].mean->median, 3);
  EXPECT_FALSE(effects_of(known, 4)[0].mean) << "nothing was measured with four";
}

}  // namespace
}  // namespace stealbench::analysis
