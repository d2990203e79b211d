#include "bench/cell/warm_cell.hpp"

#include <chrono>
#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace stealbench::cell {
namespace {

using namespace std::chrono_literals;

/// Takes given times, one after the other, and then the last one again and again.
class timed_cell final : public cell {
 public:
  explicit timed_cell(std::vector<std::chrono::milliseconds> times, std::size_t wrong_run = 0)
      : times_(std::move(times)), wrong_run_(wrong_run) {}

  void reset() override {}
  void execute() override {
    std::this_thread::sleep_for(times_[std::min(runs_, times_.size() - 1)]);
    ++runs_;
  }
  [[nodiscard]] std::optional<bool> verified() const override { return runs_ != wrong_run_; }
  [[nodiscard]] nlohmann::ordered_json answer() const override { return runs_; }
  [[nodiscard]] std::uint64_t fork_count() const override { return 0; }
  [[nodiscard]] unsigned worker_count() const override { return 1; }
  [[nodiscard]] std::chrono::nanoseconds start_up() const override { return {}; }
  [[nodiscard]] std::optional<schedulers::counters> counters() const override { return {}; }

 private:
  std::vector<std::chrono::milliseconds> times_;
  std::size_t wrong_run_;
  std::size_t runs_ = 0;
};

TEST(WarmCell, KeepsTheFirstRunApart) {
  warm_cell subject(std::make_unique<timed_cell>(std::vector{300ms, 1ms}));
  EXPECT_GE(subject.first_run().wall, 300ms);
  const steady_state steady = subject.run_for(0ns);
  EXPECT_EQ(steady.runs, 1U);
  EXPECT_LT(steady.seconds, std::chrono::duration<double>(subject.first_run().wall).count());
}

TEST(WarmCell, GoesOnUntilTheTimeIsUpAndGivesTheMedian) {
  warm_cell subject(std::make_unique<timed_cell>(std::vector{1ms, 400ms, 10ms}));
  const steady_state steady = subject.run_for(700ms);  // Room for a busy machine to be late.
  EXPECT_GE(steady.runs, 3U) << "400 and 10 ms are less";
  EXPECT_LT(steady.seconds, 0.4) << "the outlier is not the median";
  EXPECT_GE(steady.seconds, 0.01);
}

TEST(WarmCell, StopsAtAWrongAnswer) {
  warm_cell subject(std::make_unique<timed_cell>(std::vector{1ms}, 3));
  const steady_state steady = subject.run_for(1h);
  EXPECT_TRUE(steady.is_wrong);
  EXPECT_EQ(steady.runs, 2U);
}

TEST(WarmCell, CountsWhoSleeps) {
  warm_cell subject(std::make_unique<timed_cell>(std::vector{5ms}));
  EXPECT_GE(subject.run_for(0ns).used.voluntary_switches, 1);
}

TEST(WarmCell, IsMadeSlowerByWhatWasPlanted) {
  warm_cell subject(std::make_unique<timed_cell>(std::vector{50ms}), 1.0);
  EXPECT_GE(subject.run_for(0ns).seconds, 0.1);
}

TEST(PlantedDelay, IsOfTheSchedulerThatIsNamedAlone) {
  setenv("STEALBENCH_PLANT_DELAY", "work-stealing=5", 1);
  EXPECT_DOUBLE_EQ(planted_delay("work-stealing"), 0.05);
  EXPECT_EQ(planted_delay("serial"), 0);
  for (const char* const bad : {"work-stealing", "=", "x=", "x=five", "x=5%", "x=-1"}) {
    setenv("STEALBENCH_PLANT_DELAY", bad, 1);
    EXPECT_THROW(static_cast<void>(planted_delay("x")), std::invalid_argument) << bad;
  }
  unsetenv("STEALBENCH_PLANT_DELAY");
  EXPECT_EQ(planted_delay("work-stealing"), 0);
}

}  // namespace
}  // namespace stealbench::cell
