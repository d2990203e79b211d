// `stealbench grain` and `stealbench metg` as a user runs them, on schedulers that tests plant.
#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "bench/compare/document.hpp"
#include "bench/compare/driver_fixture.hpp"
#include "bench/compare/grain_report.hpp"
#include "bench/compare/metg_report.hpp"
#include "results/report/table.hpp"

namespace stealbench::compare {
namespace {

/// A scheduler that calls its cell as it should; `nanoseconds` is a formula of the value $x of the
/// last parameter that is set.
std::string taking(const std::string& nanoseconds) {
  return R"(
file=; workload=; workers=; set=; x=1; last=
for word; do
  case $last in
    --workload) workload=$word ;;
    --workers) workers=$word ;;
    --set) set=$set/${word%%=*}:${word#*=}; x=${word#*=} ;;
  esac
  case $word in --benchmark_out=*) file=${word#--benchmark_out=} ;; esac
  last=$word
done
name=$workload/${0##*/stealbench-}$set/workers:$workers/manual_time
echo '{"context":{"num_cpus":2},"benchmarks":[{"name":"'$name'","real_time":'$(()" +
         nanoseconds + R"())',
"time_unit":"ns","cpu_seconds":0.002,"user_seconds":0.0015,"system_seconds":0.0005,
"voluntary_switches":1,"forced_switches":0,"runs":3,"start_up_seconds":0.001,
"first_run_seconds":0.004,"fork_count":'$((20000 / (x + 1)))',"worker_count":1,
"peak_rss_bytes":4096,"verified":1}]}' > "$file")";
}

// NOLINTNEXTLINE(readability-identifier-naming): GoogleTest shows it as the name of the suite.
class SweepDriver : public driver_fixture {
 protected:
  SweepDriver() { use_planted_schedulers(); }
};

TEST_F(SweepDriver, FindsTheBestGrain) {
  plant("stealbench-serial", taking("100000000 / x + 100 * x"));
  const process_result result =
      drive({"grain", "mergesort", "--scheduler", "serial", "--workers", "2", "--size", "test",
             "--set", "keys=20000", "--grains", "16,64,256,1024,4096", "--rounds", "2", "--output",
             output().string()});
  ASSERT_EQ(result.status, 0) << result.errors;
  EXPECT_NE(result.output.find("The best grain is 1,024"), std::string::npos) << result.output;

  const document read = read_document(output() / "grain.json", "grain");
  EXPECT_EQ(read.cells.size(), 5u);
  EXPECT_EQ(read.context["sweep"], "grain");
  EXPECT_EQ(read.context["finished"], true);
  const std::string written = text_of(output() / "grain.md");
  for (const report::table& each : grain_tables(read.cells, read.context)) {
    EXPECT_NE(written.find(report::to_markdown(each)), std::string::npos)
        << "the file says the same:\n"
        << report::to_markdown(each);
  }
}

TEST_F(SweepDriver, SweepsTheUsualGrains) {
  plant("stealbench-serial", taking("1000 + x"));
  const process_result result =
      drive({"grain", "nqueens", "--scheduler", "serial", "--workers", "1", "--set", "n=5",
             "--size", "test", "--rounds", "1", "--output", output().string()});
  ASSERT_EQ(result.status, 0) << result.errors;
  EXPECT_EQ(read_document(output() / "grain.json", "grain").cells.size(), 6u) << "no queen to five";
}

TEST_F(SweepDriver, GoesOnWhereAGrainFails) {
  plant("stealbench-serial", "case \"$*\" in *grain=64*) exit 3 ;; esac" + taking("1000 + x"));
  const process_result result =
      drive({"grain", "mergesort", "--scheduler", "serial", "--workers", "1", "--size", "test",
             "--grains", "16,64", "--rounds", "1", "--output", output().string()});
  EXPECT_EQ(result.status, 1);
  EXPECT_NE(result.output.find("DNF: exit status 3"), std::string::npos) << result.output;
}

TEST_F(SweepDriver, RefusesASweepThatCannotBe) {
  plant("stealbench-serial", taking("1000"));
  const auto refuses = [&](std::vector<std::string> arguments,
                           const std::vector<std::string>& parts) {
    arguments.insert(arguments.end(), {"--output", output().string()});
    expect_refusal(arguments, parts);
    EXPECT_FALSE(exists(output()));
  };
  refuses({"grain", "uts"}, {"uts has no grain to sweep", "valid:", "mergesort", "nqueens"});
  refuses({"grain", "nosuch"}, {"nosuch", "valid:"});
  refuses({"grain"}, {"WORKLOAD"});
  refuses({"grain", "mergesort", "--scheduler", "serial", "--set", "grain=4"},
          {"grain is what is swept", "--grains"});
  refuses({"grain", "mergesort", "--scheduler", "serial", "--grains", "1"},
          {"grain=1: out of range", "valid: 2"});
  refuses({"grain", "mergesort", "--scheduler", "serial", "--grains", "16,,64"}, {"whole number"});
  refuses({"grain", "mergesort", "--scheduler", "nosuch"}, {"nosuch", "valid"});
  refuses({"grain", "mergesort", "--scheduler", "serial", "--workers", "0"}, {"workers"});
  refuses({"metg", "--schedulers", "nosuch"}, {"nosuch", "valid"});
  refuses({"metg", "--workers", ""}, {"workers"});
  refuses({"metg", "--rounds", "0"}, {"rounds", "valid"});
  refuses({"metg", "--budget", "soon"}, {"budget", "valid"});
}

TEST_F(SweepDriver, MeasuresMetgDownToItsCrossing) {
  plant("stealbench-serial", taking("512 * (x + 100)"));
  const process_result result =
      drive({"metg", "--workers", "1,2", "--rounds", "2", "--output", output().string()});
  ASSERT_EQ(result.status, 0) << result.errors;
  EXPECT_NE(result.output.find("fork tree 90 %"), std::string::npos) << result.output;

  const document read = read_document(output() / "metg.json", "metg");
  unsigned least = ~0U;
  for (const cell_result& each : read.cells) {
    EXPECT_EQ(each.which.workers, 1u) << "serial is measured once";
    EXPECT_EQ(each.samples.size(), 2u);
    least = std::min(least, static_cast<unsigned>(std::stoul(each.which.what.set.back().second)));
  }
  EXPECT_EQ(least, 32u) << "64 is 39 % efficient, and what lies below tells nothing";
  for (const task_sweep& each : task_sweeps_of(read.cells, read.context)) {
    const auto metg = std::get<analysis::estimate>(analysis::estimate_metg(each.curve, 0.5));
    EXPECT_NEAR(metg.median, 200e-9, 20e-9) << each.graph;
  }
  const std::string written = text_of(output() / "metg.md");
  const auto tables = metg_tables(read.cells, read.context);
  EXPECT_NE(written.find(report::to_markdown(tables.at(0))), std::string::npos);
}

TEST_F(SweepDriver, ShowsASchedulerThatFailsInTheTableOfMetg) {
  plant("stealbench-serial", "exit 3");
  const process_result result =
      drive({"metg", "--workers", "1", "--rounds", "1", "--output", output().string()});
  EXPECT_EQ(result.status, 1);
  EXPECT_NE(result.output.find("DNF: exit status 3"), std::string::npos) << result.output;
}

}  // namespace
}  // namespace stealbench::compare
