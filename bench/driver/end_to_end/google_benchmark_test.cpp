// Google Benchmark's own tool reads what a process writes.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>

#include "bench/driver/end_to_end/driver_fixture.hpp"

namespace stealbench::end_to_end {
namespace {

/// compare.py takes two functions of SciPy, which need not be installed for them. One is for means
/// over benchmarks; the other is for repetitions, which these files have none of.
constexpr const char* scipy_stats = R"(
import math
class array(list):
    def any(self): return bool(self)
def gmean(pairs):
    return array(math.exp(sum(map(math.log, column)) / len(column)) for column in zip(*pairs))
def mannwhitneyu(*_, **__): raise NotImplementedError
)";

// NOLINTNEXTLINE(readability-identifier-naming): GoogleTest shows it as the name of the suite.
class GoogleBenchmark : public driver_fixture {
 protected:
  void SetUp() override {
    if (!is_built("serial")) GTEST_SKIP() << "serial is not built here";
    std::filesystem::create_directory(folder() / "scipy");
    std::ofstream(folder() / "scipy" / "__init__.py") << '\n';
    std::ofstream(folder() / "scipy" / "stats.py") << scipy_stats;
    std::ofstream(folder() / "numpy.py") << "from scipy.stats import array\n";
    setenv("PYTHONPATH", folder().c_str(), 1);
    setenv("PYTHONDONTWRITEBYTECODE", "1", 1);
  }
  void TearDown() override { unsetenv("PYTHONPATH"); }

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
