// Every value of a process is read from its own member of what the process wrote.
#include <cmath>
#include <cstddef>
#include <limits>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "results/dataset/measurements.hpp"

namespace stealbench::dataset {
namespace {

/// What a process has to write of each metric, by the names that raw files have. A list of its own,
/// because files are read for years.
const std::vector<std::pair<metric, std::string>> measured_members{
    {metric::cpu_seconds, "cpu_seconds"},
    {metric::user_seconds, "user_seconds"},
    {metric::system_seconds, "system_seconds"},
    {metric::start_up_seconds, "start_up_seconds"},
    {metric::first_run_seconds, "first_run_seconds"},
    {metric::voluntary_switches, "voluntary_switches"},
    {metric::forced_switches, "forced_switches"},
    {metric::waiting_threads, "waiting_threads"},
    {metric::peak_rss_bytes, "peak_rss_bytes"},
    {metric::bytes_per_worker, "bytes_per_worker"},
    {metric::runs, "runs"},
    {metric::fork_count, "fork_count"},
    {metric::worker_count, "worker_count"}};

const std::vector<std::pair<metric, std::string>> simulated_members{
    {metric::seconds, "/seconds"},
    {metric::fork_count, "/fork_count"},
    {metric::worker_count, "/workers"},
    {metric::work_share, "/shares/work"},
    {metric::overhead_share, "/shares/overhead"},
    {metric::search_share, "/shares/search"},
    {metric::lines_share, "/shares/lines"},
    {metric::asleep_share, "/shares/asleep"},
    {metric::tasks_moved, "/tasks_moved"},
    {metric::steal_attempts, "/steal_attempts"}};

TEST(Instance, HasANumberOnlyWhereAllOfTheParameterIsOne) {
  const auto number = [](const std::string& text) {
    return number_of({"fib", {{"grain", text}}}, "grain");
  };
  EXPECT_EQ(number("64"), 64.0);
  for (const char* const text : {"64.75", "16k", "1e3", "", "-1"}) {
    EXPECT_EQ(number(text), std::nullopt) << text;
  }
}

/// A value of its own for each: 2, 3, ...
json measured_entry() {
  json entry{{"real_time", 1500.0}, {"time_unit", "us"}, {"cpu_time", 99.0}, {"iterations", 98}};
  double value = 2;
  for (const auto& [which, name] : measured_members) entry[name] = value++;
  return entry;
}

/// The same of what was simulated, in hundredths where it is a share.
double in_range_of(const std::string& place, double value) {
  return place.starts_with("/shares/") ? value / 100 : value;
}

json simulated_entry() {
  json entry{{"seed", 99}, {"host_seconds", 98.0}};
  double value = 2;
  for (const auto& [which, place] : simulated_members) {
    entry[json::json_pointer(place)] = in_range_of(place, value++);
  }
  return entry;
}

TEST(Sample, HasEachValueThatTheProcessWrote) {
  const sample read = sample_of(measured_entry()).value();
  EXPECT_DOUBLE_EQ(read[metric::seconds].value(), 1.5e-3);
  double value = 2;
  for (const auto& [which, name] : measured_members) EXPECT_EQ(read[which], value++) << name;
  for (std::size_t i = 0; i < metrics.size(); ++i) {
    if (metrics.at(i).where != presence::simulated) continue;
    EXPECT_EQ(read[static_cast<metric>(i)], std::nullopt) << metrics.at(i).name;
  }
}

TEST(Sample, OfASimulationHasEachValueThatItPrinted) {
  const sample read = sample_of(simulated_entry(), source::simulation).value();
  double value = 2;
  for (const auto& [which, place] : simulated_members) {
    EXPECT_EQ(read[which], in_range_of(place, value++)) << place;
  }
  EXPECT_EQ(read[metric::cpu_seconds], std::nullopt);
  EXPECT_EQ(read[metric::runs], std::nullopt);
}

TEST(Sample, HasNoMetricButThoseListedAbove) {
  std::size_t listed = 1 + measured_members.size();  // The time has a unit beside it.
  for (const metric_description& each : metrics)
    listed += each.where == presence::simulated ? 1 : 0;
  EXPECT_EQ(listed, metrics.size());
}

TEST(Sample, OfASimulationHasNoShareAboveOne) {
  for (const char* const name : {"work", "overhead", "search", "lines", "asleep"}) {
    json entry = simulated_entry();
    entry["shares"][name] = 1;
    EXPECT_TRUE(sample_of(entry, source::simulation)) << name;
    entry["shares"][name] = 1.01;
    EXPECT_FALSE(sample_of(entry, source::simulation)) << name;
  }
}

TEST(Sample, OfASimulationNeedsEveryValue) {
  const json whole = simulated_entry();
  EXPECT_FALSE(sample_of(json::array(), source::simulation));
  for (const auto& [which, place] : simulated_members) {
    const json::json_pointer at(place);
    for (const json& bad : {json(-1), json("2"), json(nullptr), json(std::nan(""))}) {
      json entry = whole;
      entry[at] = bad;
      EXPECT_FALSE(sample_of(entry, source::simulation)) << place << ' ' << bad;
    }
    json entry = whole;
    entry[at] = 0;
    const bool may_be_zero = which != metric::seconds && which != metric::worker_count;
    EXPECT_EQ(sample_of(entry, source::simulation).has_value(), may_be_zero) << place;
    json& parent = entry[at.parent_pointer()];
    parent.erase(at.back());
    EXPECT_FALSE(sample_of(entry, source::simulation)) << place;
  }
}

TEST(Sample, RefusesWhatIsNoPositiveFiniteTime) {
  EXPECT_FALSE(sample_of(json(7)));
  for (const double time : {0.0, -1.0, std::nan(""), std::numeric_limits<double>::infinity()}) {
    json entry = measured_entry();
    entry["real_time"] = time;
    EXPECT_FALSE(sample_of(entry)) << time;
  }
  for (const char* const unit : {"h", "", "sec", "NS"}) {
    json entry = measured_entry();
    entry["time_unit"] = unit;
    EXPECT_FALSE(sample_of(entry)) << unit;
  }
}

TEST(Sample, NeedsEveryValueButThoseThatNotEveryProcessHas) {
  const std::set optional{metric::waiting_threads, metric::bytes_per_worker};
  for (const auto& [which, name] : measured_members) {
    json entry = measured_entry();
    entry.erase(name);
    EXPECT_EQ(sample_of(entry).has_value(), optional.contains(which)) << name;
  }
}

TEST(Sample, KnowsTheUnitsOfGoogleBenchmark) {
  const std::pair<const char*, double> units[]{{"ns", 1e-9}, {"us", 1e-6}, {"ms", 1e-3}, {"s", 1}};
  for (const auto& [unit, seconds] : units) {
    json entry = measured_entry();
    entry["time_unit"] = unit;
    EXPECT_DOUBLE_EQ(sample_of(entry).value()[metric::seconds].value(), 1500 * seconds) << unit;
  }
}

TEST(Sample, HasARunAndAWorkerAtLeastAndTakesZeroOfWhatIsUsed) {
  for (const auto& [which, name] : measured_members) {
    json entry = measured_entry();
    entry[name] = 0;
    const bool may_be_zero = which != metric::runs && which != metric::worker_count;
    EXPECT_EQ(sample_of(entry).has_value(), may_be_zero) << name;
    entry[name] = 1;
    EXPECT_TRUE(sample_of(entry)) << name;
  }
}

TEST(Sample, LeavesOutAnOptionalValueThatIsMissingAndRefusesOneThatIsNone) {
  for (const auto& [which, name] : {std::pair(metric::waiting_threads, "waiting_threads"),
                                    std::pair(metric::bytes_per_worker, "bytes_per_worker")}) {
    json entry = measured_entry();
    for (const json& bad : {json(-1), json("many"), json(std::nan(""))}) {
      entry[name] = bad;
      EXPECT_FALSE(sample_of(entry)) << name << ' ' << bad;
    }
    entry.erase(name);
    ASSERT_TRUE(sample_of(entry)) << name;
    EXPECT_EQ(sample_of(entry).value()[which], std::nullopt) << name;
  }
}

}  // namespace
}  // namespace stealbench::dataset
