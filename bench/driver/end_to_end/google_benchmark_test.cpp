// Google Benchmark's own tool reads what a process writes.
#include <fstream>
#include <string>

#include <gtest/gtest.h>

#include "bench/driver/end_to_end/driver_fixture.hpp"

namespace stealbench::end_to_end {
namespace {

// NOLINTNEXTLINE(readability-identifier-naming): GoogleTest shows it as the name of the suite.
class GoogleBenchmark : public driver_fixture {
 protected:
  void SetUp() override {
    if (!is_built("serial")) GTEST_SKIP() << "serial is not built here";
  }

  [[nodiscard]] std::string measure_into(const std::string& name) const {
    std::string file = (folder() / name).string();
    const process_result result =
        call("serial", {"--workload", "fib", "--size", "test", "--benchmark_min_time=0",
                        "--benchmark_out=" + file, "--benchmark_out_format=json"});
    EXPECT_EQ(result.status, 0) << result.errors;
    return file;
  }

  [[nodiscard]] process_result compare(const std::string& before, const std::string& after) const {
    return run_program("/usr/bin/python3",
                       {"/usr/share/benchmark/compare.py", "benchmarks", before, after});
  }
};

TEST_F(GoogleBenchmark, ComparesWhatTwoProcessesWrote) {
  const std::string before = measure_into("a.json");
  const process_result result = compare(before, measure_into("b.json"));
  EXPECT_EQ(result.status, 0) << result.errors;
  EXPECT_TRUE(contains(result.output, "fib/serial/n:20/workers:1/manual_time")) << result.output;
}

TEST_F(GoogleBenchmark, DoesNotReadWhatIsNoneOfItsFiles) {
  const std::string other = (folder() / "other.json").string();
  std::ofstream(other) << "{}";
  EXPECT_NE(compare(measure_into("a.json"), other).status, 0);
}

}  // namespace
}  // namespace stealbench::end_to_end
