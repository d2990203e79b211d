#include "bench/compare/report.hpp"

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "bench/compare/document_fixture.hpp"
#include "bench/compare/driver_fixture.hpp"
#include "bench/compare/report_sections.hpp"
#include "workloads/parameters.hpp"

namespace stealbench::compare {
namespace {

using nlohmann::ordered_json;
using row = std::vector<std::string>;

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

class Report : public driver_fixture {
 protected:
  void write(const std::string& name, const ordered_json& what) const {
    std::ofstream(folder() / name) << what.dump();
  }

  [[nodiscard]] document read(const ordered_json& what) const {
    write("comparison.json", what);
    return read_document(folder() / "comparison.json", "comparison");
  }

  /// With every time of these cells multiplied.
  static ordered_json slowed(const std::string& cell, double by) {
    ordered_json all = made_comparison();
    for (ordered_json& each : all["benchmarks"]) {
      if (each["cell"] == cell) each["real_time"] = each["real_time"].get<double>() * by;
    }
    return all;
  }

  /// The comparison, and the same once more on another instance after a change of each entry.
  static ordered_json on_two_instances(const std::function<void(ordered_json&)>& change) {
    ordered_json all = made_comparison();
    const ordered_json first = all;
    const auto renamed = [](ordered_json& value) {
      std::string name = value.get<std::string>();
      value = name.replace(name.find("n:20"), 4, "n:30");
    };
    for (ordered_json each : first["context"]["cells"]) {
      each["parameters"]["n"] = "30";
      renamed(each["name"]);
      all["context"]["cells"].push_back(each);
    }
    for (ordered_json each : first["benchmarks"]) {
      renamed(each["cell"]);
      change(each);
      all["benchmarks"].push_back(each);
    }
    return all;
  }
};

TEST_F(Report, TheVerdictNamesWhoLeadsAndByHowMuch) {
  const document of = read(made_comparison());
  const report_view view(of);
  const std::string verdict = verdict_of(view);
  EXPECT_TRUE(contains(verdict, "With 2 workers, work-stealing leads: its time is 1.00 ×"))
      << verdict;
  EXPECT_TRUE(contains(verdict, "no other shares its rank, and serial is next with 2.00 ×"));
  EXPECT_TRUE(contains(verdict, "It is first on every instance")) << verdict;
}

TEST_F(Report, TheVerdictNamesWhatCannotBeToldApart) {
  const document of = read(slowed("fib/serial/n:20/workers:2", 0.505));
  const std::string verdict = verdict_of(report_view(of));
  EXPECT_TRUE(contains(verdict, "no other shares its rank")) << verdict;  // Slower in every round.

  ordered_json mixed = slowed("fib/serial/n:20/workers:2", 0.505);
  for (ordered_json& each : mixed["benchmarks"]) {
    if (each["cell"] == "fib/serial/n:20/workers:2" && each["round"] == 1) each["real_time"] = 0.9;
  }
  const document shared = read(mixed);
  const std::string other = verdict_of(report_view(shared));
  EXPECT_TRUE(contains(other, "not shown to be slower: serial (1.0")) << other;
}

TEST_F(Report, TheVerdictNamesWhereTheLeaderIsBehind) {
  const document of = read(on_two_instances([](ordered_json& entry) {
    // 2 workers are of no use to work-stealing here.
    if (entry["cell"] == "fib/work-stealing/n:30/workers:2") entry["real_time"] = 2.5;
  }));
  const report_view view(of);
  ASSERT_TRUE(view.leader());
  EXPECT_EQ(view.schedulers()[*view.leader()], "work-stealing");
  const std::string verdict = verdict_of(view);
  EXPECT_TRUE(contains(verdict, "over all 2")) << verdict;
  EXPECT_TRUE(contains(verdict,
                       "It does not lead on fib n=30 (1.23 × [1.21, 1.24] the time of "
                       "serial)."))
      << verdict;
}

TEST_F(Report, NobodyLeadsWhereNobodyFinished) {
  ordered_json all = made_comparison();
  for (ordered_json& cell : all["context"]["cells"]) {
    if (cell["workers"] == 2) cell["failure"] = "wrong answer";
  }
  const document of = read(all);
  EXPECT_TRUE(contains(verdict_of(report_view(of)), "so none leads"));
}

TEST_F(Report, TheRankTableKeepsWhatDidNotFinish) {
  const document of = read(made_comparison());
  const report::table table = rank_table(report_view(of));
  ASSERT_EQ(table.rows.size(), 2U);
  EXPECT_EQ(table.rows[0], (row{"geometric mean", "2.00 ×", "1.00 ×", "DNF (1)"}));
  EXPECT_EQ(table.rows[1], (row{"fib n=20", "2 · 2.00 ×", "1 · 1.00 ×", "DNF"}));
  const auto marked = [&](std::size_t at, std::size_t column, report::emphasis how) {
    return std::any_of(table.marks.begin(), table.marks.end(), [&](const report::mark& each) {
      return each.row == at && each.column == column && each.what == how;
    });
  };
  EXPECT_TRUE(marked(0, 2, report::emphasis::best));
  EXPECT_TRUE(marked(1, 2, report::emphasis::best));
  EXPECT_TRUE(marked(0, 3, report::emphasis::failed));
  EXPECT_TRUE(marked(1, 3, report::emphasis::failed));
  EXPECT_EQ(table.marks.size(), 4U);
}

TEST_F(Report, TheMeanIsGeometric) {
  const document of = read(on_two_instances([](ordered_json& entry) {
    if (entry["cell"] == "fib/serial/n:30/workers:2") {
      entry["real_time"] = entry["real_time"].get<double>() * 4;  // 8 times the best.
    }
  }));
  EXPECT_EQ(rank_table(report_view(of)).rows[0][1], "4.00 ×");
}

TEST_F(Report, TheCsvHasPlainNumbersForEveryCell) {
  const document of = read(made_comparison());
  const report::table table = csv_table(report_view(of));
  ASSERT_EQ(table.rows.size(), of.cells.size());
  const auto value = [&](std::size_t at, const std::string& name) {
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      if (table.columns[i].header == name) return table.rows[at].at(i);
    }
    ADD_FAILURE() << "no column " << name;
    return std::string();
  };
  EXPECT_EQ(value(4, "cell"), "fib/work-stealing/n:20/workers:2");
  EXPECT_NEAR(std::stod(value(4, "time_s")), 1.02e-3, 1e-9);
  EXPECT_NEAR(std::stod(value(4, "time_low_s")), 1.01e-3, 1e-9);
  EXPECT_NEAR(std::stod(value(4, "speedup")), 2, 1e-9);
  EXPECT_NEAR(std::stod(value(4, "first_run_s")), 2.04e-3, 1e-9);
  EXPECT_EQ(value(4, "overhead"), "");  // That is of one worker.
  EXPECT_NEAR(std::stod(value(1, "overhead")), 1, 1e-9);
  EXPECT_EQ(value(4, "energy_joules"), "");
  EXPECT_EQ(value(4, "steals"), "7");
  EXPECT_EQ(value(4, "rank"), "1");
  EXPECT_EQ(value(5, "failure"), "timed out after 120 s");
  EXPECT_EQ(value(5, "time_s"), "");
}

TEST_F(Report, ThePageHasEverySectionInItsOrder) {
  write("comparison.json", made_comparison());
  const std::string page = report_page(read_folder(folder()));
  std::size_t before = 0;
  for (const char* const heading :
       {"Verdict", "Ranks", "Speedup", "Overhead", "Balance", "Memory", "Cold and warm",
        "Processor time and context switches", "Energy", "All figures", "Did not finish",
        "The machine", "Provenance", "How each figure was made"}) {
    const std::size_t at = page.find(std::string(">") + heading + "</h2>");
    ASSERT_NE(at, std::string::npos) << heading;
    EXPECT_GT(at, before) << heading;
    before = at;
  }
  for (const char* const part :
       {"timed out after 120 s", "Not measured: no counter of energy", "A &lt;processor&gt;",
        "49 %, 51 %", "work-stealing: at 1", "DNF (1)", "performance"}) {
    EXPECT_TRUE(contains(page, part)) << part;
  }
  EXPECT_FALSE(contains(page, "a-secret"));
}

TEST_F(Report, WhatWasNotRecordedIsADash) {
  ordered_json all = made_comparison();
  for (ordered_json& cell : all["context"]["cells"]) cell["counters"] = nullptr;
  for (const char* const key : {"host_checks", "energy"}) all["context"].erase(key);
  write("comparison.json", all);
  const std::string page = report_page(read_folder(folder()));
  EXPECT_TRUE(contains(page, "Nothing of this was recorded."));
  EXPECT_TRUE(contains(page, "Nothing was checked"));
}

TEST_F(Report, OtherKindsHaveASectionIfTheyAreThere) {
  write("comparison.json", made_comparison());
  // The same cells as if they were of a figure.
  std::string text = made_comparison().dump();
  for (const auto& [from, to] : std::vector<std::pair<std::string, std::string>>{
           {"fib/", "fork/"}, {"/n:20", ""}, {"\"fib\"", "\"fork\""}, {R"({"n":"20"})", "{}"}}) {
    for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size()) {
      text.replace(at, from.size(), to);
    }
  }
  ordered_json micro = ordered_json::parse(text);
  micro["context"]["kind"] = "micro";
  micro["context"]["schedulers"] = "serial,work-stealing,openmp,onetbb";
  micro["context"]["figures"] = "fork";
  write("micro.json", micro);
  const std::string page = report_page(read_folder(folder()));
  EXPECT_TRUE(contains(page, ">Micro-figures</h2>"));
  EXPECT_TRUE(contains(page, "fork of onetbb")) << "why it has no value";
  write("grain.json", micro);
  EXPECT_THROW((void)read_folder(folder()), workloads::bad_input);
}

TEST_F(Report, TheCommandWritesAllFilesAndPrintsTheTablesWithoutColour) {
  write("comparison.json", made_comparison());
  const std::filesystem::path output = folder() / "new" / "folder";
  const process_result result = drive({"report", folder().string(), "--output", output.string()});
  EXPECT_EQ(result.status, 0) << result.errors;
  EXPECT_TRUE(contains(result.output, "fib n=20"));
  EXPECT_TRUE(contains(result.output, "work-stealing leads"));
  EXPECT_FALSE(contains(result.output, "\x1B"));
  EXPECT_TRUE(contains(text_of(output / "report.html"), "</html>"));
  EXPECT_TRUE(contains(text_of(output / "comparison.md"), "### fib n=20"));
  EXPECT_TRUE(contains(text_of(output / "comparison.csv"), "\r\nfib/serial/n:20/workers:1,fib,"));
}

TEST_F(Report, SaysWhetherTheComparisonHasComeToItsEnd) {
  ordered_json all = made_comparison();
  write("comparison.json", all);
  EXPECT_FALSE(contains(report_page(read_folder(folder())), "not come to its end"));
  all["context"]["finished"] = false;
  write("comparison.json", all);
  EXPECT_TRUE(contains(report_page(read_folder(folder())), "not come to its end"));
}

TEST_F(Report, TheCommandRefusesWhatIsNoComparisonAndWritesNothing) {
  expect_refusal({"report"}, {"folder"});
  expect_refusal({"report", (folder() / "none").string()}, {"no folder", "valid: "});
  expect_refusal({"report", folder().string()}, {"no comparison.json", "valid: "});
  std::ofstream(folder() / "comparison.json") << "{";
  expect_refusal({"report", folder().string()}, {"comparison.json", "not JSON", "valid: "});
  EXPECT_FALSE(std::filesystem::exists(folder() / "report.html"));

  write("comparison.json", made_comparison());
  std::ofstream(folder() / "file") << "x";
  expect_refusal({"report", folder().string(), "--output", (folder() / "file").string()},
                 {"output folder", "valid: "});
}

TEST_F(Report, WithoutGnuplotTheCommandSaysSo) {
  write("comparison.json", made_comparison());
  const process_result result = call_shell(std::string("PATH=/nowhere '") + STEALBENCH_DRIVER +
                                           "' report '" + folder().string() + "'");
  EXPECT_EQ(result.status, 1);
  EXPECT_TRUE(contains(result.errors, "gnuplot-nox")) << result.errors;
  EXPECT_FALSE(std::filesystem::exists(folder() / "report.html"));
}

std::string text_of_file(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

TEST(ReferenceResults, AreThoseInTheReadme) {
  const raw_files reference = read_folder(STEALBENCH_REFERENCE);
  EXPECT_NE(text_of_file(STEALBENCH_README).find(summary_in_markdown(reference.comparison)),
            std::string::npos)
      << "renew it: cmake --build --preset verify --target reference";
}

TEST(ReferenceResults, FollowFromTheirRawFile) {
  const std::filesystem::path folder = STEALBENCH_REFERENCE;
  const raw_files reference = read_folder(folder);
  EXPECT_NE(text_of_file(folder / "comparison.md").find(summary_in_markdown(reference.comparison)),
            std::string::npos)
      << "renew it: stealbench report " << folder.filename();
}

}  // namespace
}  // namespace stealbench::compare
