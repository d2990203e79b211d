// What the checks say of a process in a state of its own, and of its environment.
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <sys/prctl.h>

#include "bench/driver/end_to_end/driver_fixture.hpp"
#include "bench/driver/end_to_end/planted_fixture.hpp"

namespace stealbench::end_to_end {
namespace {

// NOLINTNEXTLINE(readability-identifier-naming): GoogleTest shows it as the name of the suite.
class ProcessChecks : public driver_fixture {
 protected:
  ProcessChecks() {
    use_planted_schedulers();
    plant("stealbench-serial", well_behaved());
  }

  /// What `doctor` says of one check, when it is started by these words of a shell.
  [[nodiscard]] json check_after(const std::string& beginning, const std::string& name) const {
    const process_result result = call_shell(beginning + " '" STEALBENCH_DRIVER "' doctor --json");
    const json printed = json::parse(result.output, nullptr, false);
    if (printed.is_discarded()) return result.errors;
    for (const json& each : printed["checks"]) {
      if (each["check"] == name) return each;
    }
    return nullptr;
  }

  void expect_warning(const std::string& beginning, const std::string& name,
                      const std::string& part) const {
    const json check = check_after(beginning, name);
    ASSERT_TRUE(check.is_object()) << beginning << ": " << check;
    EXPECT_EQ(check["status"], "warn") << beginning << ": " << check;
    EXPECT_TRUE(contains(check["detail"], part)) << beginning << ": " << check;
  }

  [[nodiscard]] std::vector<std::string> comparison() const {
    return {"compare",        "--workloads", "fib", "--schedulers", "serial", "--size",
            "test",           "--workers",   "1",   "--rounds",     "1",      "--output",
            output().string()};
  }
};

TEST_F(ProcessChecks, SayThatTheProcessHasOneLayout) {
  expect_warning("setarch -R", "aslr", "randomization is off for this process");
  EXPECT_FALSE(contains(check_after("", "aslr")["detail"], "for this process"));
}

TEST_F(ProcessChecks, SayHowTheProcessIsScheduled) {
  expect_warning("nice -n 1", "scheduling", "the nice value is ");
  expect_warning("chrt -b 0", "scheduling", "The scheduling class is batch");
  expect_warning("chrt -i 0", "scheduling", "The scheduling class is idle");
  EXPECT_TRUE(contains(check_after("", "scheduling")["detail"], "class is other"));
}

TEST_F(ProcessChecks, SayWhatTheProcessIsLimitedTo) {
  expect_warning("ulimit -t 1234; exec", "limits", "1234 s of processor time");
#if !defined(__SANITIZE_ADDRESS__)  // It reserves more.
  expect_warning("ulimit -v 33554432; exec", "limits", "34359738368 bytes of address space");
  expect_warning("ulimit -d 33554432; exec", "limits", "34359738368 bytes of data");
#endif
  EXPECT_FALSE(contains(check_after("", "limits")["detail"], " s of processor time"));
}

TEST_F(ProcessChecks, SayThatTheProcessHasNoHugePages) {
  const json usual = check_after("", "huge pages");
  if (usual["status"] == "unknown" || contains(usual["detail"], "[never]")) {
    GTEST_SKIP() << "this system has none";
  }
  EXPECT_EQ(usual["status"], "pass") << usual;
  prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);
  expect_warning("", "huge pages", "off for this process");
  prctl(PR_SET_THP_DISABLE, 0, 0, 0, 0);
}

TEST_F(ProcessChecks, SayWhichProcessorsTheProcessMayUse) {
  const json check =
      check_after("taskset -c \"$(taskset -pc $$ | sed 's/.*: //;s/[,-].*//')\"", "workers");
  EXPECT_TRUE(contains(check["detail"], "may use 1")) << check;
}

TEST_F(ProcessChecks, SayWhatOfTheEnvironmentRuntimesRead) {
  for (const std::string variable :
       {"OMP_PROC_BIND", "GOMP_SPINCOUNT", "KMP_BLOCKTIME", "TBB_VERSION", "RAYON_NUM_THREADS",
        "GOMAXPROCS", "GOGC", "MALLOC_ARENA_MAX", "GLIBC_TUNABLES", "JAVA_TOOL_OPTIONS",
        "HWLOC_XMLFILE", "LD_BIND_NOW"}) {
    expect_warning("env " + variable + "=1", "environment", variable + "=1");
  }
  expect_warning("env \"GOGC=$(printf 'a\\033\\377b')\"", "environment", "GOGC=a??b.");
  EXPECT_TRUE(contains(check_after("env MALLOC= EDITOR=vi", "environment")["detail"], "linker: "));
}

TEST_F(ProcessChecks, TheEnvironmentIsRecordedAndSaidBesideTheTable) {
  if (!is_built("serial")) GTEST_SKIP() << "serial is not built";
  unsetenv("STEALBENCH_BIN_DIR");
  setenv("GOGC", "off", 1);
  const process_result result = drive(comparison());
  unsetenv("GOGC");
  ASSERT_EQ(result.status, 0) << result.errors;
  EXPECT_TRUE(contains(result.errors, "Warning: environment: ")) << result.errors;
  EXPECT_TRUE(contains(result.output, "with GOGC=off")) << result.output;
  EXPECT_TRUE(contains(data().context().value("environment", ""), "GOGC=off"));
  expect_valid_by_the_schema("compare");
}

TEST_F(ProcessChecks, PinnedBenchmarksAreNotBoundByOpenMPToo) {
  plant("stealbench-serial",
        "env | grep -c '^OMP_P\\|^GOMP_C\\|^KMP_A' > \"$0.bound\"\n" + well_behaved());
  const std::string settings =
      "env OMP_PROC_BIND=true OMP_PLACES=cores GOMP_CPU_AFFINITY=0 "
      "KMP_AFFINITY=compact '" STEALBENCH_DRIVER "'";
  std::string command = settings;
  for (const std::string& each : comparison()) command += " '" + each + "'";
  const process_result pinned = call_shell(command + " --pin");
  EXPECT_EQ(pinned.status, 0) << pinned.errors;
  EXPECT_TRUE(contains(pinned.errors, "OMP_PROC_BIND is not passed on")) << pinned.errors;
  EXPECT_EQ(text_of(folder() / "stealbench-serial.bound"), "0\n");
  const process_result unpinned = call_shell(command + " --overwrite");
  EXPECT_EQ(unpinned.status, 0) << unpinned.errors;
  EXPECT_EQ(text_of(folder() / "stealbench-serial.bound"), "4\n");
}

TEST_F(ProcessChecks, WorkersOfOpenMPThatIsBoundArePinnedApart) {
  if (!is_built("openmp")) GTEST_SKIP() << "openmp is not built";
  const json check = check_after("", "workers");
  if (contains(check["detail"], "may use 1 ")) GTEST_SKIP() << "one processor";
  unsetenv("STEALBENCH_BIN_DIR");
  const auto processors = [&] {
    const process_result result =
        call("openmp", {"--workload", "fib", "--size", "test", "--workers", "2", "--pin",
                        "--benchmark_format=json", "--benchmark_min_time=0"});
    return json::parse(result.output, nullptr, false)["context"].value("processors", "");
  };
  const std::string usual = processors();
  EXPECT_NE(usual, "");
  for (const auto& [variable, value] :
       {std::pair{"OMP_PROC_BIND", "true"}, {"OMP_PLACES", "threads"}, {"OMP_PLACES", "{0}"}}) {
    setenv(variable, value, 1);
    EXPECT_EQ(processors(), usual) << variable;
    unsetenv(variable);
  }
}

}  // namespace
}  // namespace stealbench::end_to_end
