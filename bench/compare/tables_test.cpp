#include "bench/compare/tables.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace stealbench::compare {
namespace {

using row = std::vector<std::string>;

cell_result measured(const std::string& scheduler, unsigned workers,
                     const std::vector<double>& seconds) {
  cell_result made;
  made.which = {scheduler, "x", {"fib", {{"n", "20"}}}, workers};
  for (const double each : seconds) {
    made.samples.push_back({.seconds = each,
                            .cpu_seconds = each * workers,
                            .fork_count = 1e6,
                            .worker_count = static_cast<double>(workers),
                            .peak_rss_bytes = each * 1024 * 1024});
  }
  return made;
}

TEST(Tables, FiguresFollowTheirDefinitions) {
  const std::vector<cell_result> cells{measured("serial", 1, {2, 2, 2}),
                                       measured("work-stealing", 1, {3, 3, 3}),
                                       measured("work-stealing", 2, {1, 1, 4})};
  const auto tables = tables_of(cells);
  ASSERT_EQ(tables.size(), 1U);
  EXPECT_EQ(tables[0].title, "fib n=20");
  ASSERT_EQ(tables[0].rows.size(), 3U);
  // Median, rank, Ts/Tp, T1/Ts, Tp P/forks, median CPU time, greatest memory, steals.
  EXPECT_EQ(tables[0].rows[0], (row{"serial", "1", "2.00 s [2.00, 2.00]", "1", "1.00 ×", "1.00 ×",
                                    "2.00 µs", "2.00 s", "2.00 MiB", "—"}));
  EXPECT_EQ(tables[0].rows[1], (row{"work-stealing", "1", "3.00 s [3.00, 3.00]", "2", "0.667 ×",
                                    "1.50 ×", "3.00 µs", "3.00 s", "3.00 MiB", "—"}));
  EXPECT_EQ(tables[0].rows[2], (row{"work-stealing", "2", "1.00 s [1.00, 4.00]", "1", "2.00 ×",
                                    "1.50 ×", "2.00 µs", "2.00 s", "4.00 MiB", "—"}));
}

TEST(Tables, RowsThatCannotBeToldApartShareARank) {
  const std::vector<cell_result> cells{measured("serial", 1, {5, 6, 7}),
                                       measured("onetbb", 1, {1, 2, 3}),
                                       measured("openmp", 1, {2, 3, 4})};
  const auto rows = tables_of(cells).front().rows;
  EXPECT_EQ(rows[0][3], "3");
  EXPECT_EQ(rows[1][3], "1");
  EXPECT_EQ(rows[2][3], "1");
}

TEST(Tables, RowsAreGroupedByWorkerCount) {
  const std::vector<cell_result> cells{measured("serial", 2, {1}), measured("onetbb", 1, {1}),
                                       measured("openmp", 2, {1}), measured("serial", 1, {1})};
  std::vector<row> keys;
  const auto tables = tables_of(cells);
  for (const row& each : tables.front().rows) keys.push_back({each[0], each[1]});
  EXPECT_EQ(keys,
            (std::vector<row>{{"onetbb", "1"}, {"serial", "1"}, {"serial", "2"}, {"openmp", "2"}}));
}

TEST(Tables, EachInstanceHasItsOwn) {
  std::vector<cell_result> cells{measured("serial", 1, {1}), measured("serial", 1, {2})};
  cells[1].which.what = {"uts", {{"tree", "T1"}}};
  const auto tables = tables_of(cells);
  ASSERT_EQ(tables.size(), 2U);
  EXPECT_EQ(tables[1].title, "uts tree=T1");
}

TEST(Tables, ACellThatDidNotFinishIsARowWithItsReason) {
  std::vector<cell_result> cells{measured("serial", 1, {1, 1}), measured("openmp", 1, {9})};
  cells[1].failure = "wrong answer";
  const auto rows = tables_of(cells).front().rows;
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[1], (row{"openmp", "1", "DNF: wrong answer", "—", "—", "—", "—", "—", "—", "—"}));
}

TEST(Tables, FewRoundsGiveARangeAndManyAnInterval) {
  const auto header = [](std::size_t rounds) {
    const std::vector<double> seconds(rounds, 1.0);
    return tables_of({measured("serial", 1, seconds)}).front().columns[2].header;
  };
  EXPECT_EQ(header(5), "median time [range]");
  EXPECT_EQ(header(6), "median time [95 %]");
}

TEST(Tables, OneMeasurementHasNoRank) {
  const auto rows = tables_of({measured("serial", 1, {1})}).front().rows;
  EXPECT_EQ(rows[0][3], "—");
}

TEST(Tables, WithoutSerialThereIsNoSpeedupAndNoOverhead) {
  const auto rows = tables_of({measured("onetbb", 1, {1})}).front().rows;
  EXPECT_EQ(rows[0][4], "—");
  EXPECT_EQ(rows[0][5], "—");
}

TEST(Tables, StealsComeFromTheCounters) {
  std::vector<cell_result> cells{measured("work-stealing", 2, {1})};
  cells[0].counted = {{"steals", 12345}};
  EXPECT_EQ(tables_of(cells).front().rows[0].back(), "12,345");
}

TEST(Tables, TheMarkdownHoldsTablesGuideAndProvenanceWithoutTheHostsName) {
  const nlohmann::ordered_json context{{"commit", "0123456789ab"},
                                       {"host_name", "secret"},
                                       {"executable", "/somewhere/x"},
                                       {"load_avg", {0.5, 1.0}},
                                       {"caches", {{{"type", "Data"}}}}};
  const std::string text =
      markdown_of("One leads.\n", tables_of({measured("serial", 1, {1})}), context);
  for (const char* const part : {"# Comparison\n\nOne leads.\n\n", "### fib n=20", "| serial",
                                 "- Speedup", "0123456789ab", "0.5, 1.0"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << " in\n" << text;
  }
  for (const char* const part : {"secret", "somewhere", "caches"}) {
    EXPECT_EQ(text.find(part), std::string::npos) << part << " in\n" << text;
  }
}

}  // namespace
}  // namespace stealbench::compare
