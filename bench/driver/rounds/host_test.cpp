#include "bench/driver/rounds/host.hpp"

#include <algorithm>
#include <cctype>
#include <chrono>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "results/dataset/fixture.hpp"
#include "results/system/scratch_folder_fixture.hpp"
#include "schedulers/options.hpp"

namespace stealbench::rounds {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

// NOLINTNEXTLINE(readability-identifier-naming): GoogleTest shows it as the name of the suite.
class HostChecks : public system::scratch_folder {
 protected:
  [[nodiscard]] host files() const {
    return {{folder() / "sys", folder() / "proc"}, allowed_, cores_, memory_nodes_, 4, sleep_};
  }
  void allow(unsigned processors) { allowed_ = processors; }
  void place(unsigned cores, unsigned memory_nodes) {
    cores_ = cores;
    memory_nodes_ = memory_nodes;
  }

  /// While nothing else happens, programs use that many of the four processors: one number for each
  /// time that is slept, of which the last one stays.
  void use(const std::vector<double>& processors) {
    used_ = processors;
    sleep_ = [this](std::chrono::milliseconds time) {
      constexpr double milliseconds_per_tick = 10;
      const double ticks = static_cast<double>(time.count()) / milliseconds_per_tick;
      slept_ += time;
      busy_ticks_ += used_.front() * ticks;
      idle_ticks_ += (4 - used_.front()) * ticks;
      if (used_.size() > 1) used_.erase(used_.begin());
      write_ticks();
    };
    write_ticks();
  }
  [[nodiscard]] std::chrono::milliseconds slept() const { return slept_; }

  /// What is said of a wait of so long at most.
  [[nodiscard]] std::string said_of_wait(std::chrono::milliseconds longest) const {
    ::testing::internal::CaptureStderr();
    wait_until_calm(longest, files());
    return ::testing::internal::GetCapturedStderr();
  }

  void write(const std::string& path, const std::string& text) const {
    fs::create_directories((folder() / path).parent_path());
    std::ofstream(folder() / path) << text << '\n';
  }

  [[nodiscard]] host_check check(const std::string& name) const {
    const auto all = checks_before(1, files());
    const auto found = std::find_if(all.begin(), all.end(),
                                    [&](const host_check& each) { return each.check == name; });
    return found == all.end() ? host_check{"missing", verdict::unknown, ""} : *found;
  }

  /// As a raw file has them.
  [[nodiscard]] nlohmann::ordered_json json_of_all() const {
    auto all = nlohmann::ordered_json::array();
    for (const host_check& each : checks_before(1, files())) all.push_back(json_of(each));
    return all;
  }

  void expect(const std::string& name, verdict found) const {
    const host_check seen = check(name);
    EXPECT_EQ(seen.check, name);
    EXPECT_EQ(seen.found, found) << name << ": " << seen.detail;
  }

  [[nodiscard]] host_check check_of_workers(unsigned workers) const {
    const auto all = checks_before(workers, files());
    return *std::ranges::find(all, "workers", &host_check::check);
  }

 private:
  /// A processor that no program of ours uses is idle, waits for a disk, or is another guest's.
  void write_ticks() const {
    write("proc/stat", fmt::format("cpu  {} 0 0 {} {} 0 0 {}", busy_ticks_, idle_ticks_ / 2,
                                   idle_ticks_ / 4, idle_ticks_ / 4));
  }

  unsigned allowed_ = 4;
  unsigned cores_ = 0;
  unsigned memory_nodes_ = 0;
  std::vector<double> used_;
  std::chrono::milliseconds slept_{0};
  double busy_ticks_ = 100;
  double idle_ticks_ = 100;
  std::function<void(std::chrono::milliseconds)> sleep_ = [](std::chrono::milliseconds) {};
};

TEST_F(HostChecks, WhatTheSystemDoesNotSayIsUnknownAndNotLeftOut) {
  for (const char* const name :
       {"governor", "turbo", "smt", "aslr", "load", "cpu limit", "virtual machine", "numa"}) {
    expect(name, verdict::unknown);
  }
  const std::string warnings = warnings_in(json_of_all());
  EXPECT_NE(warnings.find("governor, turbo, smt"), std::string::npos) << warnings;
}

TEST_F(HostChecks, AGovernorThatFollowsTheLoadIsAWarning) {
  write("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "performance");
  expect("governor", verdict::pass);
  write("sys/devices/system/cpu/cpu1/cpufreq/scaling_governor", "powersave");
  expect("governor", verdict::warn);
  EXPECT_NE(check("governor").detail.find("performance, powersave"), std::string::npos);
}

TEST_F(HostChecks, TurboIsAWarningHoweverTheDriverSpellsIt) {
  write("sys/devices/system/cpu/cpufreq/boost", "1");
  expect("turbo", verdict::warn);
  write("sys/devices/system/cpu/intel_pstate/no_turbo", "1");
  expect("turbo", verdict::pass);
}

// One layout for all rounds, other programs, other guests.
TEST_F(HostChecks, WhatAFileSaysOfADisturbanceIsAWarning) {
  struct {
    const char* name;
    const char* file;
    const char* disturbed;
    const char* good;
  } const cases[]{
      {"aslr", "proc/sys/kernel/randomize_va_space", "0", "2"},
      {"load", "proc/loadavg", "1.25 0.1 0.1 2/90 1234", "0.05 0.1 0.1 1/90 1234"},
      {"virtual machine", "proc/cpuinfo", "processor : 0\nflags : fpu sse hypervisor",
       "processor : 0\nflags : fpu sse hypervisors_unite"},
  };
  for (const auto& each : cases) {
    write(each.file, each.disturbed);
    expect(each.name, verdict::warn);
    write(each.file, each.good);
    expect(each.name, verdict::pass);
  }
}

TEST_F(HostChecks, ALoadThatHasEndedIsNoWarning) {
  write("proc/loadavg", "1.25 0.1 0.1 2/90 1234");
  use({0.1});
  expect("load", verdict::pass);
  EXPECT_EQ(check("load").detail,
            "The load average of the last minute is 1.25, and programs use 0.10 processors now.");
  use({0.5});
  expect("load", verdict::warn);
  write("proc/loadavg", "0.05 0.1 0.1 1/90 1234");
  const auto before = slept();
  expect("load", verdict::pass);
  EXPECT_EQ(slept(), before) << "a calm minute needs no second look";
}

TEST_F(HostChecks, AWaitEndsWhenTheMachineIsCalm) {
  use({2, 1, 0.5, 0.25});
  EXPECT_EQ(said_of_wait(60s),
            "Programs use 2.00 processors. Waiting until they stop, 60 s at most\n"
            "After 0.8 s programs use 0.25 processors: the machine is calm\n");
  EXPECT_EQ(slept(), 800ms);
}

TEST_F(HostChecks, AWaitOnACalmMachineIsALook) {
  use({0.25});
  EXPECT_EQ(said_of_wait(60s), "After 0.2 s programs use 0.25 processors: the machine is calm\n");
  EXPECT_EQ(slept(), 200ms);
}

TEST_F(HostChecks, AWaitEndsAtItsLimit) {
  use({2});
  EXPECT_EQ(said_of_wait(1s),
            "Programs use 2.00 processors. Waiting until they stop, 1 s at most\n"
            "After 1.0 s programs use 2.00 processors: measuring all the same\n");
  EXPECT_EQ(slept(), 1s);
}

TEST_F(HostChecks, ProgramsOnProcessorsThatTheAffinityLeavesOutAreBusyToo) {
  allow(1);
  use({2});
  EXPECT_TRUE(said_of_wait(1s).starts_with("Programs use 2.00 processors."));
}

TEST_F(HostChecks, NoWaitWhereTheSystemDoesNotSay) { EXPECT_EQ(said_of_wait(60s), ""); }

TEST_F(HostChecks, WorkersThatShareACoreOrAreFarFromTheirMemoryAreAWarning) {
  place(/*cores=*/4, /*memory_nodes=*/1);
  expect("smt", verdict::pass);
  expect("numa", verdict::pass);
  EXPECT_EQ(check("numa").detail, "The process may use the processors of 1 memory node.");
  place(/*cores=*/2, /*memory_nodes=*/2);
  expect("smt", verdict::warn);
  EXPECT_TRUE(check("smt").detail.starts_with("The process may use 4 hardware threads of 2 cores."))
      << check("smt").detail;
  expect("numa", verdict::warn);
  allow(2);
  expect("smt", verdict::pass);
}

TEST_F(HostChecks, ALimitOfAnyGroupAboveCounts) {
  write("proc/self/cgroup", "0::/a/b");
  write("sys/fs/cgroup/a/b/cpu.max", "max 100000");
  expect("cpu limit", verdict::pass);
  write("sys/fs/cgroup/a/cpu.max", "50000 100000");
  expect("cpu limit", verdict::warn);
  EXPECT_NE(check("cpu limit").detail.find("0.5 processors"), std::string::npos);
}

TEST_F(HostChecks, TheFirstVersionsLimitCountsToo) {
  write("proc/self/cgroup", "3:memory:/x\n1:cpu,cpuacct:/job");
  write("sys/fs/cgroup/cpu,cpuacct/job/cpu.cfs_quota_us", "-1");
  write("sys/fs/cgroup/cpu,cpuacct/job/cpu.cfs_period_us", "100000");
  expect("cpu limit", verdict::pass);
  write("sys/fs/cgroup/cpu,cpuacct/job/cpu.cfs_quota_us", "25000");
  expect("cpu limit", verdict::warn);
}

TEST_F(HostChecks, AMemoryLimitOfAnyGroupAboveCounts) {
  write("proc/meminfo", "MemTotal: 8388608 kB");
  write("proc/self/cgroup", "0::/a/b");
  write("sys/fs/cgroup/a/b/memory.max", "max");
  write("sys/fs/cgroup/a/b/memory.high", "17179869184");
  expect("limits", verdict::pass);
  write("sys/fs/cgroup/a/memory.high", "1073741824");
  expect("limits", verdict::warn);
  EXPECT_TRUE(check("limits").detail.starts_with("The process may use 1 GiB of memory."))
      << check("limits").detail;
  write("proc/self/cgroup", "3:memory:/x\n0::/");
  write("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712");
  expect("limits", verdict::pass);
  write("sys/fs/cgroup/memory/x/memory.limit_in_bytes", "536870912");
  expect("limits", verdict::warn);
}

TEST_F(HostChecks, MoreWorkersThanProcessorsAreAWarning) {
  EXPECT_EQ(check_of_workers(4).found, verdict::pass);
  EXPECT_EQ(check_of_workers(5).found, verdict::warn);
  EXPECT_NE(check_of_workers(5).detail.find("up to 5 workers, and the process may use 4 proc"),
            std::string::npos);
}

TEST_F(HostChecks, TheProcessorsThatTheAffinityLeavesCountAndNotThoseThatAreInstalled) {
  allow(1);
  EXPECT_EQ(check_of_workers(1).found, verdict::pass);
  const host_check seen = check_of_workers(2);
  EXPECT_EQ(seen.found, verdict::warn);
  EXPECT_NE(seen.detail.find("may use 1 of 4 processors"), std::string::npos) << seen.detail;
  EXPECT_EQ(usable_processors(files()), 1U);
  write("proc/self/cgroup", "0::/a");
  write("sys/fs/cgroup/a/cpu.max", "100000 100000");
  expect("cpu limit", verdict::pass);
}

TEST_F(HostChecks, TheProcessorsThatAControlGroupLeavesCount) {
  write("proc/self/cgroup", "0::/a");
  write("sys/fs/cgroup/a/cpu.max", "150000 100000");
  EXPECT_EQ(check_of_workers(1).found, verdict::pass);
  const host_check seen = check_of_workers(2);
  EXPECT_EQ(seen.found, verdict::warn);
  EXPECT_NE(seen.detail.find("may use 1.5 of 4 processors"), std::string::npos) << seen.detail;
  EXPECT_EQ(usable_processors(files()), 1U) << "and half of another one";
  write("sys/fs/cgroup/a/cpu.max", "50000 100000");
  EXPECT_EQ(usable_processors(files()), 1U) << "and never none";
  write("sys/fs/cgroup/a/cpu.max", "max 100000");
  EXPECT_EQ(usable_processors(files()), 4U);
}

TEST_F(HostChecks, NoMoreProcessorsAreUsableThanASchedulerMayHaveWorkers) {
  allow(2 * schedulers::max_workers);
  EXPECT_EQ(usable_processors(files()), schedulers::max_workers);
}

TEST_F(HostChecks, BenchmarksThatWaitedForAProcessorAreAWarning) {
  dataset::raw_lines lines = dataset::made_comparison();
  EXPECT_EQ(processors_during(dataset::read_lines(lines)).found, verdict::unknown);
  dataset::edit_cell(lines, "fib/serial/n:20/workers:1",
                     [](auto& benchmark) { benchmark["waiting_threads"] = 0.09; });
  EXPECT_EQ(processors_during(dataset::read_lines(lines)).found, verdict::pass);
  dataset::edit_cell(lines, "fib/work-stealing/n:20/workers:2",
                     [](auto& benchmark) { benchmark["waiting_threads"] = 0.9; });
  const host_check seen = processors_during(dataset::read_lines(lines));
  EXPECT_EQ(seen.check, "processors");
  EXPECT_EQ(seen.found, verdict::warn);
  EXPECT_NE(seen.detail.find("1 benchmark waited"), std::string::npos) << seen.detail;
  EXPECT_NE(seen.detail.find("fib/work-stealing/n:20/workers:2."), std::string::npos);
  for (const char* const scheduler : {"serial", "work-stealing", "openmp"}) {
    dataset::edit_cell(lines, std::string("fib/") + scheduler + "/n:20/workers:1",
                       [](auto& benchmark) { benchmark["waiting_threads"] = 0.9; });
  }
  const std::string all = processors_during(dataset::read_lines(lines)).detail;
  EXPECT_NE(all.find("4 benchmarks waited"), std::string::npos) << all;
  EXPECT_NE(all.find(" and 1 more."), std::string::npos) << all;
}

TEST_F(HostChecks, TimeThatOtherGuestsHadIsAWarning) {
  const auto read = [&](const std::string& ticks) {
    write("proc/stat", "cpu  " + ticks);
    return processor_time_of(files());
  };
  const auto before = read("100 0 100 780 0 0 0 20 0 0");
  const auto after = read("200 0 100 1580 0 0 0 120 50 0");
  ASSERT_TRUE(before && after);
  EXPECT_EQ(steal_time_between(before, read("200 0 100 1679 0 0 0 21 0 0")).found, verdict::pass);
  EXPECT_EQ(steal_time_between(before, read("200 0 100 1678 0 0 0 22 0 0")).found, verdict::warn);
  const host_check stolen = steal_time_between(before, after);
  EXPECT_EQ(stolen.found, verdict::warn);
  EXPECT_EQ(stolen.detail.find("During the measurement 10.00 %"), 0U) << stolen.detail;
  const host_check later = steal_time_between(before, after, /*is_resumed=*/true);
  EXPECT_EQ(later.detail.find("Since the measurement was resumed 10.00 %"), 0U) << later.detail;
  EXPECT_EQ(steal_time_between(before, before).found, verdict::unknown) << "no time has passed";
  EXPECT_EQ(steal_time_between({}, after).found, verdict::unknown);
}

TEST_F(HostChecks, AreCompleteSentences) {
  write("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "powersave");
  write("sys/devices/system/cpu/cpufreq/boost", "1");
  place(/*cores=*/2, /*memory_nodes=*/2);
  write("proc/sys/kernel/randomize_va_space", "0");
  write("proc/loadavg", "1.25 0.1 0.1 2/90 1234");
  write("proc/self/cgroup", "0::/a");
  write("sys/fs/cgroup/a/cpu.max", "50000 100000");
  write("proc/cpuinfo", "flags : hypervisor");
  write("proc/meminfo", "MemTotal: 8388608 kB");
  write("sys/fs/cgroup/a/memory.max", "1073741824");
  for (const host_check& each : checks_before(100'000, files())) {
    EXPECT_TRUE(std::isupper(each.detail.front())) << each.detail;
    EXPECT_EQ(each.detail.back(), '.') << each.detail;
    if (each.found != verdict::warn) continue;
    EXPECT_GE(std::ranges::count(each.detail, '.'), 3) << "found, why, what to do: " << each.detail;
  }
}

TEST_F(HostChecks, AreInTheRawFileWithTheirVerdicts) {
  const auto written = json_of_all();
  EXPECT_EQ(written.size(), checks_before(1).size());
  EXPECT_EQ(written[0]["check"], "governor");
  EXPECT_EQ(written[0]["status"], "unknown");
  write("proc/loadavg", "1.25 0.1 0.1 2/90 1234");
  const std::string warnings = warnings_in(json_of_all());
  EXPECT_NE(warnings.find(check("load").detail), std::string::npos) << warnings;
}

}  // namespace
}  // namespace stealbench::rounds
