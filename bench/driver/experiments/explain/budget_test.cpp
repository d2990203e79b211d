#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bench/driver/experiments/explain/explain.hpp"
#include "bench/driver/experiments/explain/recorded_fixture.hpp"
#include "results/dataset/fixture.hpp"
#include "results/report/document.hpp"
#include "results/sections/fixture.hpp"

namespace stealbench::experiments::explain {
namespace {

using dataset::json;
using dataset::measured;
using sections::headers_of;
using testing::ElementsAre;
using testing::HasSubstr;

json counted(double wall_seconds, const std::vector<double>& busy_seconds) {
  json counters{{"jobs_moved", 2000},
                {"wakes", 1000},
                {"wall_ns", wall_seconds * 1e9},
                {"per_worker", json::array()}};
  for (const double each : busy_seconds) {
    counters["per_worker"].push_back({{"jobs_run", 1}, {"busy_ns", each * 1e9}});
  }
  return counters;
}

/// Ts is 1 s, T1 1.1 s and T2 0.6 s, with 1.17 s of processor time. While events are counted, two
/// workers are without a task for 60 ms. Beside a copy of itself, work-stealing takes 2 % longer
/// and onetbb 3 %.
dataset::raw_lines lines() {
  const json prices{{"tasks_of", "fib n=10"},
                    {"task_ns", 90.0},
                    {"slowdown_beside", 1.02},
                    {"steal_ns", 10'000.0},
                    {"waker_ns", 5'000.0}};
  const auto on = [](const char* scheduler, unsigned workers) {
    return dataset::fib_on(scheduler, workers);
  };
  dataset::raw_lines all =
      dataset::lines_of("explain", {{.which = on("serial", 2), .seconds = dataset::six(1)},
                                    {.which = on("work-stealing", 1),
                                     .seconds = dataset::six(1.1),
                                     .counters = counted(1.2, {1.2})},
                                    {.which = on("work-stealing", 2),
                                     .seconds = dataset::six(0.6),
                                     .counters = counted(0.642, {0.6, 0.624})},
                                    {.which = on("onetbb", 1), .seconds = dataset::six(1)},
                                    {.which = on("onetbb", 2), .seconds = dataset::six(0.6)}});
  all[0]["about"] = about(1e7, 2e7);
  all[0]["about"]["recorded"]["tasks"] = 1'000'000;
  all[0]["about"]["prices"] = {{"work-stealing", prices}, {"onetbb", {{"slowdown_beside", 1.03}}}};
  for (const char* const scheduler : {"work-stealing", "onetbb"}) {
    dataset::edit_cell(all, name_of(on(scheduler, 2)),
                       [](json& benchmark) { benchmark["cpu_seconds"] = 1.17; });
  }
  return all;
}

dataset::measurements data_with(const std::function<void(dataset::raw_lines&)>& change) {
  dataset::raw_lines all = lines();
  change(all);
  return dataset::read_lines(all);
}

std::vector<budget> budgets_with(const std::function<void(dataset::raw_lines&)>& change) {
  const dataset::measurements data = data_with(change);
  return budgets_of(analysis::estimates(data));
}
std::vector<budget> budgets() {
  return budgets_with([](dataset::raw_lines&) {});
}

constexpr double ms = 1e6;

TEST(Budget, OfOneWorkerIsTheWorkAndItsTasksAtTheirPrice) {
  const budget one = budgets().at(0);
  EXPECT_EQ(one.workers, 1);
  EXPECT_DOUBLE_EQ(one.total_ns, 1100 * ms);
  EXPECT_DOUBLE_EQ(one.work_ns, 1000 * ms);
  EXPECT_DOUBLE_EQ(one.tasks_ns, 90 * ms);
  EXPECT_FALSE(one.idle_ns || one.steals_ns || one.inflation_ns);
  EXPECT_NEAR(one.unexplained_ns(), 10 * ms, 1);
  EXPECT_NEAR(one.to_explain_ns(), 100 * ms, 1);
  EXPECT_NEAR(one.explained.value(), 0.9, 1e-9);
}

// 60 ms without a task, of which 30 without a processor and 20 for steals; 5 ms for wake-ups and 22
// of longer tasks. 87 of 100 ms are explained, and 10 of one worker's are not.
TEST(Budget, OfMoreWorkersDividesWhatIsBeyondOne) {
  const budget two = budgets().at(1);
  EXPECT_EQ(two.workers, 2);
  EXPECT_DOUBLE_EQ(two.total_ns, 1200 * ms);
  EXPECT_NEAR(two.idle_ns.value(), 30 * ms, 1);
  EXPECT_NEAR(two.steals_ns.value(), 20 * ms, 1);
  EXPECT_NEAR(two.waiting_ns.value(), 10 * ms, 1);
  EXPECT_NEAR(two.wake_ups_ns.value(), 5 * ms, 1);
  EXPECT_NEAR(two.inflation_ns.value(), 22 * ms, 1);
  EXPECT_NEAR(two.to_explain_ns(), 100 * ms, 1);
  EXPECT_NEAR(two.explained.value(), 0.87, 1e-9);
  EXPECT_NEAR(two.unexplained_ns(), 23 * ms, 1);
}

TEST(Budget, HasThePriceOfATaskByTheFastestRounds) {
  const std::vector<double> times{900, 500, 700};
  EXPECT_DOUBLE_EQ(task_price_ns(times, std::vector<double>{450, 300, 400}, 10), 20);
  EXPECT_DOUBLE_EQ(task_price_ns(times, std::vector<double>{600, 510, 800}, 10), 0);
}

TEST(Budget, IsOfTheFastestRound) {
  const auto found = budgets_with([](dataset::raw_lines& all) {
    for (const auto& each : {dataset::fib_on("serial", 2), dataset::fib_on("work-stealing", 1),
                             dataset::fib_on("work-stealing", 2)}) {
      dataset::edit_cell(all, name_of(each), [round = 0](json& benchmark) mutable {
        if (round++ == 2) return;
        benchmark["real_time"] = benchmark["real_time"].get<double>() * 1.3;
        benchmark["cpu_seconds"] = 1.5;
      });
    }
  });
  EXPECT_NEAR(found.at(0).to_explain_ns(), 100 * ms, 1);
  EXPECT_NEAR(found.at(1).to_explain_ns(), 100 * ms, 1);
  EXPECT_NEAR(found.at(1).idle_ns.value(), 30 * ms, 1);
}

TEST(Budget, ExplainsNothingWhereNoDifferenceIsShown) {
  const auto slowed_serial = [](double factor) {
    return budgets_with([factor](dataset::raw_lines& all) {
      dataset::slow_down(all, name_of(dataset::fib_on("serial", 2)), factor);
    });
  };
  EXPECT_TRUE(slowed_serial(1.0999).at(0).explained);
  EXPECT_FALSE(slowed_serial(1.1).at(0).explained);
  EXPECT_TRUE(slowed_serial(1.1).at(1).explained) << "with two workers there is a difference";
  const auto even = budgets_with([](dataset::raw_lines& all) {
    dataset::slow_down(all, name_of(dataset::fib_on("work-stealing", 2)), 0.55 / 0.6);
  });
  EXPECT_FALSE(even.at(1).explained);
  EXPECT_EQ(even.at(1).idle_ns, 0) << "with more processor time than two workers had";
  const auto noisy = budgets_with([](dataset::raw_lines& all) {
    dataset::edit_cell(all, name_of(dataset::fib_on("serial", 2)),
                       [round = 0](json& benchmark) mutable {
                         if (round++ % 3 > 0) return;
                         benchmark["real_time"] = benchmark["real_time"].get<double>() * 1.3;
                       });
  });
  EXPECT_FALSE(noisy.at(0).explained) << "longer in most rounds, and shorter in others";
}

TEST(Budget, HasItsPartsUnderTheirNames) {
  const json two = json_of(budgets().at(1));
  EXPECT_EQ(two.at("workers"), 2);
  const auto expect_part = [&](const char* name, double expected_ns) {
    EXPECT_NEAR(two.at(name).get<double>(), expected_ns, 1) << name;
  };
  expect_part("total_ns", 1200 * ms);
  expect_part("work_ns", 1000 * ms);
  expect_part("tasks_ns", 90 * ms);
  expect_part("wake_ups_ns", 5 * ms);
  expect_part("steals_ns", 20 * ms);
  expect_part("waiting_ns", 10 * ms);
  expect_part("idle_ns", 30 * ms);
  expect_part("inflation_ns", 22 * ms);
  expect_part("unexplained_ns", 23 * ms);
  expect_part("to_explain_ns", 100 * ms);
  EXPECT_NEAR(two.at("explained").get<double>(), 0.87, 1e-9);
}

TEST(Budget, SaysWhatIsMissingOfASchedulerThatDoesNotCount) {
  const budget two = budgets().at(3);
  EXPECT_EQ(two.scheduler, "onetbb");
  EXPECT_NEAR(two.idle_ns.value(), 30 * ms, 1);
  EXPECT_FALSE(two.steals_ns || two.waiting_ns || two.wake_ups_ns);
  EXPECT_NEAR(two.inflation_ns.value(), 30 * ms, 1);
  EXPECT_NEAR(two.explained.value(), 0.3, 1e-9);
  const json object = json_of(two);
  EXPECT_TRUE(object.at("steals_ns").is_null());
  EXPECT_NEAR(object.at("unexplained_ns").get<double>(), 140 * ms, 1);
  const dataset::measurements data = data_with([](dataset::raw_lines&) {});
  const report::section section = budget_section(analysis::estimates(data));
  EXPECT_THAT(to_markdown(report::document{"", {section}}),
              HasSubstr("No counters of onetbb: its wake-ups, steals and waiting are missing."));
  EXPECT_EQ(headers_of(std::get<report::table>(section.blocks.back())),
            "scheduler | workers | P · T_P | work | tasks | wake-ups | steals | waiting | idle | "
            "inflation | unexplained | to explain | explained");
  const auto& rows = std::get<report::table>(section.blocks.back()).rows;
  EXPECT_THAT(rows.at(0), ElementsAre("work-stealing", "1", "1.10 s", "90.9 %", "8.2 %", "—", "—",
                                      "—", "—", "—", "0.9 %", "9.1 %", "90.0 %"));
  EXPECT_THAT(rows.at(1),
              ElementsAre("work-stealing", "2", "1.20 s", "83.3 %", "7.5 %", "0.4 %", "1.7 %",
                          "0.8 %", "2.5 %", "1.8 %", "1.9 %", "8.3 %", "87.0 %"));
  EXPECT_EQ(rows.at(2).back(), "—") << "T1 is Ts";
  EXPECT_EQ(rows.at(3).back(), "30.0 %");
}

// Steals cannot take longer than workers are without a task.
TEST(Budget, HasNoMoreOfAPartThanThereIs) {
  const auto found = budgets_with([](dataset::raw_lines& all) {
    all[0]["about"]["prices"]["work-stealing"]["steal_ns"] = 1e6;
    all[0]["about"]["prices"]["work-stealing"]["slowdown_beside"] = 0.9;
  });
  EXPECT_NEAR(found.at(1).steals_ns.value(), 30 * ms, 1);
  EXPECT_NEAR(found.at(1).waiting_ns.value(), 0, 1);
  EXPECT_EQ(found.at(1).inflation_ns, 0) << "the noise of a measurement";
}

// With 10 ms without a task while events are counted, of 30 ms that a worker slept in the timed
// run.
TEST(Budget, IsIdleNoLongerThanWithoutATask) {
  const auto found = budgets_with([](dataset::raw_lines& all) {
    for (json& line : all) {
      if (line["type"] == "counters" &&
          line["cell"] == name_of(dataset::fib_on("work-stealing", 2))) {
        line["counters"] = counted(0.642, {0.64, 0.634});
      }
    }
  });
  EXPECT_NEAR(found.at(1).idle_ns.value(), 10 * ms, 1);
  EXPECT_NEAR(found.at(1).steals_ns.value(), 0, 1);
  EXPECT_NEAR(found.at(1).waiting_ns.value(), 0, 1);
}

TEST(Budget, HasNoTimeWithoutATaskWhereWorkersWereBusyLongerThanTheRun) {
  const auto found = budgets_with([](dataset::raw_lines& all) {
    for (json& line : all) {
      if (line["type"] == "counters" &&
          line["cell"] == name_of(dataset::fib_on("work-stealing", 2))) {
        line["counters"] = counted(0.642, {0.643, 0.642});
      }
    }
  });
  EXPECT_EQ(found.at(1).idle_ns, 0);
  EXPECT_EQ(found.at(1).steals_ns, 0);
  EXPECT_EQ(found.at(1).waiting_ns, 0);
}

TEST(Budget, HasNoInflationWhereNoneWasMeasured) {
  const auto found = budgets_with([](dataset::raw_lines& all) {
    all[0]["about"]["prices"]["work-stealing"].erase("slowdown_beside");
  });
  EXPECT_FALSE(found.at(1).inflation_ns);
  EXPECT_NEAR(found.at(3).inflation_ns.value(), 30 * ms, 1);
}

}  // namespace
}  // namespace stealbench::experiments::explain
