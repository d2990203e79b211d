#include "bench/driver/rounds/host.hpp"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <string>

#include <gtest/gtest.h>
#include <sched.h>

#include "results/dataset/fixture.hpp"
#include "results/system/scratch_folder.hpp"

namespace stealbench::rounds {
namespace {

namespace fs = std::filesystem;

// NOLINTNEXTLINE(readability-identifier-naming): GoogleTest shows it as the name of the suite.
class HostChecks : public system::scratch_folder {
 protected:
  [[nodiscard]] host_files files() const {
    return {folder() / "sys", folder() / "proc", allowed_, 4};
  }
  void allow(unsigned processors) { allowed_ = processors; }

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
  unsigned allowed_ = 4;
};

TEST_F(HostChecks, WhatTheSystemDoesNotSayIsUnknownAndNotLeftOut) {
  for (const char* const name :
       {"governor", "turbo", "smt", "aslr", "load", "cpu limit", "virtual machine"}) {
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

TEST_F(HostChecks, SharedCoresAreAWarning) {
  write("sys/devices/system/cpu/smt/active", "1");
  expect("smt", verdict::warn);
  write("sys/devices/system/cpu/smt/active", "0");
  expect("smt", verdict::pass);
}

TEST_F(HostChecks, OneLayoutForAllRoundsIsAWarning) {
  write("proc/sys/kernel/randomize_va_space", "0");
  expect("aslr", verdict::warn);
  write("proc/sys/kernel/randomize_va_space", "2");
  expect("aslr", verdict::pass);
}

TEST_F(HostChecks, OtherProgramsAreAWarning) {
  write("proc/loadavg", "1.25 0.1 0.1 2/90 1234");
  expect("load", verdict::warn);
  write("proc/loadavg", "0.05 0.1 0.1 1/90 1234");
  expect("load", verdict::pass);
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

TEST_F(HostChecks, TheAffinityOfThisProcessIsWhatItMayUse) {
  cpu_set_t own;
  ASSERT_EQ(sched_getaffinity(0, sizeof own, &own), 0);
  EXPECT_EQ(host_files().allowed, static_cast<unsigned>(CPU_COUNT(&own)));
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
  EXPECT_NE(all.find(", …."), std::string::npos) << all;
}

TEST_F(HostChecks, AVirtualMachineIsAWarning) {
  write("proc/cpuinfo", "processor : 0\nflags : fpu sse hypervisor");
  expect("virtual machine", verdict::warn);
  write("proc/cpuinfo", "processor : 0\nflags : fpu sse hypervisors_unite");
  expect("virtual machine", verdict::pass);
}

TEST_F(HostChecks, TimeThatOtherGuestsHadIsAWarning) {
  write("proc/stat", "cpu  100 0 100 800 0 0 0 0 0 0");
  const auto before = processor_time_of(files());
  write("proc/stat", "cpu  200 0 100 1600 0 0 0 100 50 0");
  const auto after = processor_time_of(files());
  ASSERT_TRUE(before && after);
  const host_check stolen = steal_time_between(before, after);
  EXPECT_EQ(stolen.found, verdict::warn);
  EXPECT_NE(stolen.detail.find("10.00 %"), std::string::npos) << stolen.detail;
  EXPECT_EQ(steal_time_between(before, before).found, verdict::unknown) << "no time has passed";
  EXPECT_EQ(steal_time_between({}, after).found, verdict::unknown);
}

TEST_F(HostChecks, EnergyIsReadOfAllPackagesOrAbsentWithTheReason) {
  EXPECT_NE(energy_of(files()).find("no energy counter"), std::string::npos);
  write("sys/class/powercap/intel-rapl:0/energy_uj", "5");
  write("sys/class/powercap/intel-rapl:0:0/energy_uj", "x");
  EXPECT_EQ(energy_of(files()), "measured") << "a part of a package does not matter";
  fs::create_directories(folder() / "sys/class/powercap/intel-rapl:1");
  EXPECT_NE(energy_of(files()).find("root"), std::string::npos);
}

TEST_F(HostChecks, AreCompleteSentences) {
  write("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "powersave");
  write("sys/devices/system/cpu/cpufreq/boost", "1");
  write("sys/devices/system/cpu/smt/active", "1");
  write("proc/sys/kernel/randomize_va_space", "0");
  write("proc/loadavg", "1.25 0.1 0.1 2/90 1234");
  write("proc/self/cgroup", "0::/a");
  write("sys/fs/cgroup/a/cpu.max", "50000 100000");
  write("proc/cpuinfo", "flags : hypervisor");
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
