// What holds of every workload, on the type of scheduler whose benchmarks are linked here: the
// cells that are measured are the cells that are tested.
#include <algorithm>
#include <cstdlib>
#include <memory>
#include <optional>
#include <ostream>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <sched.h>

#include "bench/cell/cell.hpp"
#include "bench/cell/program.hpp"
#include "schedulers/operating_system/processors.hpp"
#include "schedulers/variant.hpp"
#include "workloads/kit/parameters.hpp"

namespace stealbench::cell {

// For GoogleTest, in place of the bytes.
void PrintTo(const program& shown, std::ostream* to) {  // NOLINT(readability-identifier-naming)
  *to << shown.description.name;
}

namespace {

schedulers::options options_with(unsigned workers,
                                 const schedulers::variant& chosen = schedulers::variant(),
                                 bool pin = false) {
  constexpr std::size_t stack_mib = 16;
  return options_of(linked_strategy().self.scheduler, workers, pin, stack_mib, chosen);
}

std::string name_of(const testing::TestParamInfo<program>& info) {
  std::string name = info.param.description.name;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

// NOLINTNEXTLINE(readability-identifier-naming): GoogleTest shows it as the name of the suite.
class EveryWorkload : public testing::TestWithParam<program> {
 protected:
  [[nodiscard]] static std::vector<kit::parameters> test_instances() {
    const kit::description& workload = GetParam().description;
    return instances_of(workload, find_size(workload, "test"), {});
  }
  [[nodiscard]] static std::unique_ptr<cell> timed(unsigned workers,
                                                   const kit::parameters& chosen) {
    return GetParam().timed(options_with(workers), chosen);
  }
};

TEST_P(EveryWorkload, IsRightTwiceInARowAndForksAsOftenOnAnyNumberOfWorkers) {
  for (const kit::parameters& instance : test_instances()) {
    std::set<std::uint64_t> fork_counts;
    for (const unsigned workers : {1U, 2U, 3U}) {
      const std::unique_ptr<cell> subject = timed(workers, instance);
      for (int repetition = 0; repetition < 2; ++repetition) {
        EXPECT_EQ(subject->run().verified, true) << workers << " workers, " << repetition;
        fork_counts.insert(subject->fork_count());
      }
    }
    EXPECT_EQ(fork_counts.size(), 1U);
    EXPECT_GT(*fork_counts.begin(), 0U);
  }
}

TEST_P(EveryWorkload, IsWrongWhereAnErrorWasPlanted) {
  setenv("STEALBENCH_INJECT_ERROR", GetParam().description.name.c_str(), 1);
  for (const kit::parameters& instance : test_instances()) {
    EXPECT_EQ(timed(2, instance)->run().verified, false);
  }
  unsetenv("STEALBENCH_INJECT_ERROR");
}

TEST_P(EveryWorkload, IsRightWhereItsJobsAreCounted) {
  if (GetParam().counting == nullptr) GTEST_SKIP() << "this scheduler does not count";
  for (const kit::parameters& instance : test_instances()) {
    const std::unique_ptr<cell> counted = GetParam().counting(options_with(2), instance);
    EXPECT_EQ(counted->run().verified, true);
    ASSERT_TRUE(counted->counters());
    EXPECT_EQ(counted->counters()->jobs_run, counted->counters()->jobs_spawned);
  }
}

/// Every value of every setting but the deque, with what it requires and on this type.
std::vector<std::string> settings_of_type() {
  const strategy& linked = linked_strategy();
  const std::string deque = linked.deque.empty() ? "" : ":deque=" + std::string(linked.deque);
  std::vector<std::string> all{deque};
  const std::vector<schedulers::setting>& settings = linked.self.settings;
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
  const self_description& self = linked_strategy().self;
  if (settings.empty()) return schedulers::variant(self.settings);
  try {
    return schedulers::variant(self.scheduler, self.settings, settings.substr(1));
  } catch (const std::invalid_argument&) {
    return std::nullopt;
  }
}

// fib(13) - 1 forks, of which a static partition hands on those alone that divide a team of
// workers.
TEST(EveryType, CountsTheSameJobsUnderEveryOption) {
  const std::string& scheduler = linked_strategy().self.scheduler;
  const std::vector<program>& programs = linked_strategy().programs;
  const program& fib = *std::ranges::find(
      programs, "fib", [](const program& each) { return each.description.name; });
  if (fib.counting == nullptr) GTEST_SKIP() << "this scheduler does not count";
  const int jobs = scheduler == "static-partition" ? 1 : 232;
  const kit::parameters chosen(fib.description, {{"n", "12"}});
  const std::vector<std::string> all = settings_of_type();
  std::size_t refused = 0;
  for (const std::string& settings : all) {
    const std::optional<schedulers::variant> variant = variant_with(settings);
    if (!variant) {
      ++refused;
      continue;
    }
    const std::string name = variant->name_of(scheduler);
    const auto report = run_once(fib, name, chosen, options_with(2, *variant));
    EXPECT_EQ(report["scheduler"], name);
    EXPECT_EQ(report["verified"], true) << name;
    EXPECT_EQ(report["counters"]["jobs_spawned"], jobs) << name;
    EXPECT_TRUE(report["counters"].contains("steals")) << name;
  }
  EXPECT_LE(refused, all.size() / 4);
}

TEST(EveryType, GivesItsCallerAllProcessorsBackAfterPinning) {
  const auto processors = [] {
    operating_system::processor_set now{};
    EXPECT_GT(sched_getaffinity(0, sizeof now, now.data()), -1);
    return CPU_COUNT_S(sizeof now, now.data());
  };
  const int before = processors();
  const program& any = linked_strategy().programs.front();
  const auto instances = instances_of(any.description, find_size(any.description, "test"), {});
  any.timed(options_with(2, schedulers::variant(), true), instances.front())->run();
  EXPECT_EQ(processors(), before);
}

INSTANTIATE_TEST_SUITE_P(Programs, EveryWorkload, testing::ValuesIn(linked_strategy().programs),
                         name_of);

}  // namespace
}  // namespace stealbench::cell
