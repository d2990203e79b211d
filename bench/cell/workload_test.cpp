// What holds of every workload, on every type of the scheduler whose benchmarks are linked here:
// the cells that are measured are the cells that are tested.
#include <algorithm>
#include <cstdlib>
#include <memory>
#include <optional>
#include <ostream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "bench/cell/cell.hpp"
#include "bench/cell/once.hpp"
#include "bench/cell/program.hpp"
#include "schedulers/variant.hpp"
#include "workloads/kit/parameters.hpp"

namespace stealbench::cell {
namespace {

constexpr std::size_t stack_mib = 16;

struct subject {
  std::string type;  ///< The deque, where the scheduler has several types.
  program of;
};

// For GoogleTest, in place of the bytes.
void PrintTo(const subject& shown, std::ostream* to) {  // NOLINT(readability-identifier-naming)
  *to << shown.of.description.name;
}

std::vector<subject> subjects() {
  std::vector<subject> all;
  for (const strategy& each : strategies()) {
    for (program& of : each.programs()) all.push_back({std::string(each.deque), std::move(of)});
  }
  return all;
}

std::string name_of(const testing::TestParamInfo<subject>& info) {
  std::string name = info.param.of.description.name;
  if (!info.param.type.empty()) name += "_on_" + info.param.type;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

// NOLINTNEXTLINE(readability-identifier-naming): GoogleTest shows it as the name of the suite.
class EveryWorkload : public testing::TestWithParam<subject> {
 protected:
  [[nodiscard]] static std::vector<kit::parameters> test_instances() {
    const kit::description& of = GetParam().of.description;
    return instances_of(of, find_size(of, "test"), {});
  }
  [[nodiscard]] static std::unique_ptr<cell> timed(unsigned workers,
                                                   const kit::parameters& chosen) {
    return GetParam().of.timed(options_of(workers, false, stack_mib, schedulers::variant()),
                               chosen);
  }
};

TEST_P(EveryWorkload, IsRightTwiceInARowOnAnyNumberOfWorkers) {
  for (const kit::parameters& instance : test_instances()) {
    for (const unsigned workers : {1U, 2U, 3U}) {
      const std::unique_ptr<cell> subject = timed(workers, instance);
      for (int repetition = 0; repetition < 2; ++repetition) {
        EXPECT_EQ(subject->run().verified, true) << workers << " workers, " << repetition;
      }
    }
  }
}

TEST_P(EveryWorkload, IsWrongWhereAnErrorWasPlanted) {
  setenv("STEALBENCH_PLANT_ERROR", GetParam().of.description.name.c_str(), 1);
  for (const kit::parameters& instance : test_instances()) {
    EXPECT_EQ(timed(2, instance)->run().verified, false);
  }
  unsetenv("STEALBENCH_PLANT_ERROR");
}

TEST_P(EveryWorkload, ForksAsOftenOnEveryNumberOfWorkers) {
  for (const kit::parameters& instance : test_instances()) {
    const std::unique_ptr<cell> one = timed(1, instance);
    one->run();
    EXPECT_GT(one->fork_count(), 0U);
    const std::unique_ptr<cell> three = timed(3, instance);
    three->run();
    EXPECT_EQ(three->fork_count(), one->fork_count());
  }
}

TEST_P(EveryWorkload, IsRightWhereItsJobsAreCounted) {
  if (GetParam().of.counting == nullptr) GTEST_SKIP() << "this scheduler does not count";
  for (const kit::parameters& instance : test_instances()) {
    const std::unique_ptr<cell> counted =
        GetParam().of.counting(options_of(2, false, stack_mib, schedulers::variant()), instance);
    EXPECT_EQ(counted->run().verified, true);
    ASSERT_TRUE(counted->counters());
    EXPECT_EQ(counted->counters()->jobs_run, counted->counters()->jobs_spawned);
  }
}

const program& fib_of(const std::vector<program>& all) {
  return *std::ranges::find(all, "fib", [](const program& each) { return each.description.name; });
}

/// Every value of every setting but the deque, with what it requires and on this type.
std::vector<std::string> settings_on(const strategy& type) {
  const std::string deque = type.deque.empty() ? "" : ":deque=" + std::string(type.deque);
  std::vector<std::string> all{deque};
  const std::vector<schedulers::setting> settings = settings_of_scheduler();
  for (const schedulers::setting& option : settings) {
    if (option.name == "deque") continue;
    for (const std::string& value : option.words()) {
      std::string text = deque;
      for (const std::string& need : schedulers::required_by(option, value, settings)) {
        if (!need.starts_with("deque=")) text.append(":").append(need);
      }
      all.push_back(text.append(":").append(option.name).append("=").append(value));
    }
  }
  return all;
}

/// Nothing if this type does not have them.
std::optional<schedulers::variant> variant_with(const std::string& settings) {
  if (settings.empty()) return schedulers::variant(settings_of_scheduler());
  try {
    return schedulers::variant(scheduler_name(), settings_of_scheduler(), settings.substr(1));
  } catch (const std::invalid_argument&) {
    return std::nullopt;
  }
}

// fib(13) - 1 forks, of which a static partition hands on those alone that divide a team of
// workers.
TEST(EveryType, CountsTheSameJobsUnderEveryOption) {
  const int jobs = scheduler_name() == "static-partition" ? 1 : 232;
  for (const strategy& type : strategies()) {
    const std::vector<program> programs = type.programs();
    const program& fib = fib_of(programs);
    if (fib.counting == nullptr) GTEST_SKIP() << "this scheduler does not count";
    const kit::parameters chosen(fib.description, {{"n", "12"}});
    const std::vector<std::string> all = settings_on(type);
    std::size_t refused = 0;
    for (const std::string& settings : all) {
      const std::optional<schedulers::variant> variant = variant_with(settings);
      if (!variant) {
        ++refused;
        continue;
      }
      const std::string name = variant->name_of(scheduler_name());
      const auto report = run_once(fib, name, chosen, options_of(2, false, stack_mib, *variant));
      EXPECT_EQ(report["scheduler"], name);
      EXPECT_EQ(report["verified"], true) << name;
      EXPECT_EQ(report["counters"]["jobs_spawned"], jobs) << name;
      EXPECT_TRUE(report["counters"].contains("steals")) << name;
    }
    EXPECT_LE(refused, all.size() / 4) << type.deque;
  }
}

INSTANTIATE_TEST_SUITE_P(Programs, EveryWorkload, testing::ValuesIn(subjects()), name_of);

}  // namespace
}  // namespace stealbench::cell
