// `stealbench report`, and the reference results in the repository.
#include <filesystem>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "bench/driver/end_to_end/driver_fixture.hpp"
#include "bench/driver/experiments/explain/recorded_fixture.hpp"
#include "results/dataset/fixture.hpp"

namespace stealbench::end_to_end {
namespace {

namespace fs = std::filesystem;
using dataset::made_comparison;
using dataset::raw_lines;

// NOLINTNEXTLINE(readability-identifier-naming): GoogleTest shows it as the name of the suite.
class Report : public driver_fixture {
 protected:
  void write(const std::string& name, const raw_lines& lines) const {
    std::ofstream(folder() / name) << dataset::jsonl_of(lines);
  }

  /// The page that the command writes of the files in the folder.
  [[nodiscard]] std::string page() const {
    const process_result result = drive({"report", folder().string()});
    EXPECT_EQ(result.status, 0) << result.errors;
    return text_of(folder() / "report.html");
  }
};

TEST_F(Report, HasEverySectionInItsOrder) {
  write("compare.jsonl", made_comparison(6));
  const std::string html = page();
  std::size_t before = 0;
  for (const char* const heading :
       {"Verdict", "Ranks", "Speedup", "Overhead", "Balance", "Memory",
        "First run and steady state", "Processor time and context switches", "All values",
        "Did not finish", "The machine", "Provenance", "How each value was measured"}) {
    const std::size_t at = html.find(std::string(">") + heading + "</h2>");
    ASSERT_NE(at, std::string::npos) << heading;
    EXPECT_GT(at, before) << heading;
    before = at;
  }
  for (const char* const part : {"timed out after 120 s", "A &lt;processor&gt;", "49 %, 51 %",
                                 "work-stealing: at 1", "DNF (1)", "compare: 6 benchmarks on"}) {
    EXPECT_TRUE(contains(html, part)) << part;
  }
}

TEST_F(Report, HasASectionForEachExperimentThatIsThere) {
  write("compare.jsonl", made_comparison(6));
  raw_lines micro = dataset::lines_of("micro", {{{{"fork", {}}, "serial", 1}, {1e-9}}});
  micro.front()["about"] = {
      {"figures",
       {{{"name", "fork"}, {"meaning", "m"}, {"raw", "r"}, {"workers", 1}, {"unit", "seconds"}}}},
      {"gaps", {{{"figure", "fork"}, {"scheduler", "onetbb"}, {"reason", "why it has none"}}}}};
  write("micro.jsonl", micro);
  const std::string html = page();
  for (const char* const part :
       {">Costs of single operations</h2>", "fork of onetbb: not applicable, why it has none",
        ">Provenance (compare)</h2>", ">Provenance (micro)</h2>"}) {
    EXPECT_TRUE(contains(html, part)) << part;
  }
  const std::string once = ">How each value was measured</h2>";
  EXPECT_EQ(html.find(once), html.rfind(once));
  for (const char* const file : {"compare.md", "compare.csv", "micro.md", "micro.csv"}) {
    EXPECT_TRUE(fs::exists(folder() / file)) << file;
  }
  EXPECT_FALSE(contains(text_of(folder() / "micro.md"), "Verdict")) << "each has its own";
}

TEST_F(Report, WritesAllFilesAndPrintsTheTablesWithoutColour) {
  write("compare.jsonl", made_comparison(6));
  const fs::path other = folder() / "new" / "folder";
  const process_result result = drive({"report", folder().string(), "--output", other.string()});
  EXPECT_EQ(result.status, 0) << result.errors;
  EXPECT_TRUE(contains(result.output, "fib n=20"));
  EXPECT_TRUE(contains(result.output, "work-stealing leads"));
  EXPECT_FALSE(contains(result.output, "\x1B"));
  EXPECT_TRUE(contains(text_of(other / "report.html"), "</html>"));
  EXPECT_TRUE(contains(text_of(other / "compare.md"), "### fib n=20"));
  EXPECT_TRUE(contains(text_of(other / "compare.csv"), "\r\nfib/serial/n:20/workers:1,fib,"));
  EXPECT_FALSE(fs::exists(folder() / "report.html"));
}

TEST_F(Report, WritesBesideAFile) {
  write("kept.jsonl", made_comparison(6));
  EXPECT_EQ(drive({"report", (folder() / "kept.jsonl").string()}).status, 0);
  EXPECT_TRUE(fs::exists(folder() / "report.html"));
  EXPECT_TRUE(fs::exists(folder() / "compare.md"));
}

TEST_F(Report, PrintsTheSummaryAloneAndWritesNothing) {
  write("compare.jsonl", made_comparison(6));
  const process_result result = drive({"report", "--summary", folder().string()});
  EXPECT_EQ(result.status, 0) << result.errors;
  EXPECT_TRUE(contains(result.output, "work-stealing leads")) << result.output;
  EXPECT_TRUE(contains(result.output, "| geometric mean "));
  EXPECT_FALSE(contains(result.output, "Provenance"));
  EXPECT_FALSE(fs::exists(folder() / "report.html"));
}

TEST_F(Report, PrintsTheRegretOnEveryMachineAndWritesNothing) {
  const auto comparison = [](double slow) {
    std::vector<dataset::measured> all;
    for (const auto& [scheduler, seconds] :
         std::vector<std::pair<std::string, double>>{{"serial", slow}, {"onetbb", 2}, {"rayon", 1}})
      all.push_back({dataset::fib_on(scheduler, 2), dataset::six(seconds)});
    return dataset::lines_of("compare", all);
  };
  write("compare.jsonl", comparison(4));
  fs::create_directories(folder() / "machines");
  write("machines/b.jsonl", comparison(8));
  write("machines/a.jsonl", comparison(16));
  write("machines/notes.txt", {});
  for (const char* const copy : {"a.jsonl.bak", "a.jsonl~", ".a.jsonl.new"}) {
    write(std::string("machines/") + copy, comparison(2));
  }
  const process_result result = drive({"report", "--regret", folder().string()});
  EXPECT_EQ(result.status, 0) << result.errors;
  const std::string row =
      "| serial (1 worker) | 4.00 × · 4.00 × fib | 16.0 × · 16.0 × fib | 8.00 × · 8.00 × fib |";
  EXPECT_TRUE(contains(result.output, row)) << result.output;
  EXPECT_FALSE(fs::exists(folder() / "report.html"));
  expect_refusal({"report", "--regret", "--plots", folder().string()}, {"cannot be used together"});
}

TEST_F(Report, OfTheRegretOfTwoStrategiesIsRefused) {
  write("compare.jsonl", dataset::lines_of("compare", {{dataset::fib_on("serial", 1), {1}},
                                                       {dataset::fib_on("openmp", 1), {2}}}));
  expect_refusal({"report", "--regret", folder().string()},
                 {"--regret: '" + folder().string() + "' has fewer than three strategies",
                  "valid: three or more"});
}

TEST_F(Report, OfSeveralRunsSetsThemSideBySide) {
  write("one.jsonl", made_comparison(6));
  write("other.jsonl", made_comparison(6));
  const auto run = [&](const char* name) { return (folder() / name).string(); };
  const std::string merged = run("merged");
  expect_refusal({"merge", run("one.jsonl"), "--output", merged}, {"one.jsonl' alone", "valid"});
  expect_refusal({"merge", run("one.jsonl"), run("none"), "--output", merged}, {"none", "valid"});
  EXPECT_FALSE(fs::exists(merged));
  const process_result result =
      drive({"merge", run("one.jsonl"), run("other.jsonl"), "--output", merged});
  EXPECT_EQ(result.status, 0) << result.errors;
  for (const std::string& text : {result.output, text_of(folder() / "merged/report.html"),
                                  text_of(folder() / "merged/report.md")}) {
    EXPECT_TRUE(contains(text, "run 1 → run 2: 6 benchmarks: 0 slower")) << text;
  }
  expect_refusal({"merge", run("one.jsonl"), run("other.jsonl"), "--output", run("one.jsonl")},
                 {"one.jsonl", "valid"});
}

TEST_F(Report, OfSeveralRunsSaysWhatChangedByMoreThanTheThreshold) {
  const auto run = [&](double seconds) {
    const std::string name = fmt::format("seconds,{}.jsonl", seconds);
    write(name,
          dataset::lines_of("compare", {{dataset::fib_on("serial", 1), dataset::six(1)},
                                        {dataset::fib_on("onetbb", 1), dataset::six(seconds)}}));
    return (folder() / name).string();
  };
  std::vector<std::string> merge{"merge", run(1), run(1.5), "--output",
                                 (folder() / "merged").string()};
  const process_result found = drive(merge);
  EXPECT_EQ(found.status, 0) << found.errors << "a comma is part of a path";
  EXPECT_TRUE(contains(found.output, "2 benchmarks: 1 slower")) << found.output;
  merge.insert(merge.end(), {"--threshold", "60"});
  EXPECT_TRUE(contains(drive(merge).output, "2 benchmarks: 0 slower"));
}

TEST_F(Report, OfADiffNamesWhatOnlyOneSideHas) {
  for (const char* const side : {"old", "new"}) fs::create_directories(folder() / side);
  const raw_lines lines = made_comparison(6);
  write("old/compare.jsonl", lines);
  write("new/compare.jsonl", dataset::renamed(lines, "openmp", "onetbb"));
  raw_lines grain = lines;
  grain[0]["experiment"] = "grain";
  grain[0]["about"] = {{"parameter", "n"}, {"greater", "finer"}, {"unit", "levels"}};
  write("old/grain.jsonl", grain);
  const std::string before = (folder() / "old").string();
  const std::string after = (folder() / "new").string();
  const process_result found = drive({"diff", "--all", before, after});
  EXPECT_EQ(found.status, 0) << found.errors;
  EXPECT_TRUE(contains(found.output, "fib/serial/n:20/workers:1 ")) << found.output;
  EXPECT_TRUE(contains(found.output, "more than 3 %")) << found.output;
  for (const char* const part : {"2 benchmarks only in the old dataset: fib/openmp",
                                 "2 benchmarks only in the new dataset: fib/onetbb",
                                 "1 experiment only in the old dataset: grain"}) {
    EXPECT_TRUE(contains(found.errors, part)) << part << " in\n" << found.errors;
  }
  const process_result back = drive({"diff", after, before});
  EXPECT_EQ(back.status, 0) << back.errors;
  EXPECT_FALSE(contains(back.output, "fib/serial/n:20/workers:1")) << back.output;
  EXPECT_TRUE(contains(back.errors, "1 experiment only in the new dataset: grain")) << back.errors;
  write("new/grain.jsonl", grain);
  raw_lines slower = lines;
  dataset::slow_down(slower, "fib/serial/n:20/workers:1", 2);
  write("new/compare.jsonl", slower);
  EXPECT_EQ(drive({"diff", before, after}).status, 1) << "whatever the last experiment shows";
}

TEST_F(Report, SaysWhetherTheExperimentIsFinished) {
  raw_lines lines = made_comparison(6);
  write("compare.jsonl", lines);
  EXPECT_FALSE(contains(page(), "is unfinished"));
  lines.pop_back();
  write("compare.jsonl", lines);
  EXPECT_TRUE(contains(page(), "is unfinished"));
}

TEST_F(Report, RefusesWhatIsNoDatasetAndWritesNothing) {
  const std::string path = folder().string();
  expect_refusal({"report"}, {"FOLDER is required"});
  expect_refusal({"report", (folder() / "none").string()}, {"no such file", "valid: "});
  expect_refusal(
      {"report", path},
      {"contains none of compare.jsonl, grain.jsonl, metg.jsonl, micro.jsonl", "valid: "});
  std::ofstream(folder() / "compare.jsonl") << "{\n";
  expect_refusal({"report", path}, {"compare.jsonl': line 1", "not JSON", "valid: "});
  raw_lines lines = made_comparison(6);
  lines.front()["experiment"] = "guess";
  write("compare.jsonl", lines);
  expect_refusal({"report", path}, {"unknown experiment \"guess\"", "valid: compare, grain"});
  lines.front()["experiment"] = "grain";
  write("compare.jsonl", lines);
  expect_refusal({"report", path},
                 {"line 1: the key 'about.parameter' is missing; it must be a text", "valid: "});
  lines = made_comparison(6);
  lines.front().erase("date");
  write("compare.jsonl", lines);
  expect_refusal({"report", path}, {"'date'", "valid: "});
  EXPECT_FALSE(fs::exists(folder() / "report.html"));

  write("compare.jsonl", made_comparison(6));
  for (const std::vector<std::string>& more :
       {std::vector<std::string>{"--plots"}, std::vector<std::string>{"--output", path}}) {
    std::vector<std::string> both{"report", "--summary", path};
    both.insert(both.end(), more.begin(), more.end());
    expect_refusal(both, {more.front() + " and --summary cannot be used together"});
  }
  std::ofstream(folder() / "file") << "x";
  expect_refusal({"report", path, "--output", (folder() / "file").string()},
                 {"output folder", "valid: "});
}

TEST_F(Report, RefusesWhatCannotBeDrawnAndWritesNothing) {
  json about = experiments::explain::about(1e7, 2e7);
  std::vector<double> lengths(1'100);  // The last is of strands of 2 to the power of 1099 ns.
  lengths[0] = lengths[1] = lengths.back() = 1;
  about["recorded"]["strands_of_length"] = lengths;
  raw_lines lines = dataset::lines_of("explain", {{dataset::fib_on("serial", 1), {1}}});
  lines.front()["about"] = about;
  write("explain.jsonl", lines);
  expect_refusal({"report", folder().string()},
                 {folder().string(), "inf is not on the axis", "valid: "});
  EXPECT_FALSE(fs::exists(folder() / "explain.md"));
}

TEST_F(Report, WithPlotsThatCannotBeWrittenWritesNothing) {
  write("compare.jsonl", made_comparison(6));
  const fs::path plots = folder() / "plots";
  std::ofstream(plots) << "x";
  expect_refusal({"report", "--plots", folder().string()}, {plots.string(), "valid: "});
  fs::remove(plots);
  fs::create_directories(plots / "speedup-of-fib-n-20.svg");
  expect_refusal({"report", "--plots", folder().string()}, {"fib-n-20.svg': a folder", "valid: "});
  for (const char* const name : {"compare.md", "compare.csv", "report.html"}) {
    EXPECT_FALSE(fs::exists(folder() / name)) << name;
  }
}

TEST_F(Report, ThatIsRefusedLeavesNoFolderBehind) {
  write("compare.jsonl", made_comparison(6));
  fs::create_directories(folder() / "compare.md");
  expect_refusal({"report", "--plots", folder().string()}, {"compare.md': a folder", "valid: "});
  EXPECT_FALSE(fs::exists(folder() / "plots"));
  const fs::path output = folder() / "new";
  // A limit on files acts as a full disk does.
  const process_result full =
      call_shell("ulimit -f 0; '" STEALBENCH_DRIVER "' report '" + folder().string() +
                 "' --output '" + output.string() + "'");
  EXPECT_EQ(full.status, 2);
  EXPECT_TRUE(contains(full.errors, "output folder '" + output.string())) << full.errors;
  EXPECT_FALSE(fs::exists(output));
}

TEST_F(Report, RefusesWhatItWouldReadForEver) {
  ASSERT_EQ(mkfifo((folder() / "compare.jsonl").c_str(), 0600), 0);
  const std::string pipe = (folder() / "compare.jsonl").string();
  const std::string path = folder().string();
  for (const auto& arguments : std::vector<std::vector<std::string>>{
           {"report", path},
           {"report", "/dev/zero"},
           {"diff", pipe, pipe},
           {"validate", pipe, "/dev/zero"},
           {"compare", "--workloads", "fib", "--resume", "--output", path}}) {
    expect_refusal(arguments, {"regular file", "valid: "});
  }
  expect_refusal({"report", ""}, {"'': there is no such file", "valid: "});
}

TEST_F(Report, OfALargeFileSaysWhatItDoes) {
  std::vector<dataset::measured> cells{{dataset::fib_on("serial", 1), {}},
                                       {dataset::fib_on("work-stealing", 1), {}}};
  for (dataset::measured& each : cells) each.seconds.assign(5'000, 1e-3);
  write("compare.jsonl", dataset::lines_of("compare", cells));
  const process_result result = drive({"report", folder().string()});
  EXPECT_EQ(result.status, 0) << result.errors;
  EXPECT_TRUE(contains(result.errors,
                       "Estimating the medians and intervals of compare: 2 "
                       "benchmarks, 10,000 processes"))
      << result.errors;
}

TEST_F(Report, DoesNotShowControlCharactersOfAFile) {
  raw_lines lines = made_comparison(6);
  lines.front()["baseline"] = "a\x1b[2J";
  lines[1]["context"]["processor"] = "\x1b[2J<script>";
  write("compare.jsonl", lines);
  const process_result result = drive({"report", folder().string()});
  EXPECT_EQ(result.status, 0) << result.errors;
  for (const std::string& text :
       {result.output, result.errors, text_of(folder() / "compare.md"),
        text_of(folder() / "compare.csv"), text_of(folder() / "report.html")}) {
    EXPECT_FALSE(contains(text, "\x1b"));
  }
  EXPECT_FALSE(contains(text_of(folder() / "report.html"), "<script"));
  EXPECT_TRUE(contains(text_of(folder() / "compare.md"), "\\<script>"));
  expect_refusal({"report", "no\x1b[2J"}, {"'no [2J': there is no such file"});
}

TEST_F(Report, AtTheLimitOfAFileSaysSo) {
  write("compare.jsonl", made_comparison(6));
  const process_result result = call_shell(std::string("ulimit -f 0; '") + STEALBENCH_DRIVER +
                                           "' report '" + folder().string() + "'");
  EXPECT_EQ(result.how, ending::exited);
  EXPECT_TRUE(contains(result.errors, "File too large")) << result.errors;
}

TEST_F(Report, WritesEachPlotToAFileIfAsked) {
  write("compare.jsonl", made_comparison(6));
  EXPECT_EQ(drive({"report", folder().string()}).status, 0);
  EXPECT_FALSE(fs::exists(folder() / "plots"));
  const process_result result = drive({"report", "--plots", folder().string()});
  EXPECT_EQ(result.status, 0) << result.errors;
  for (const char* const name : {"speedup-of-fib-n-20.svg", "overhead-on-fib-n-20.svg"}) {
    EXPECT_TRUE(contains(result.output, name));
    EXPECT_TRUE(text_of(folder() / "plots" / name).starts_with("<svg")) << name;
  }
}

// NOLINTNEXTLINE(readability-identifier-naming): GoogleTest shows it as the name of the suite.
class ReferenceResults : public driver_fixture {};

TEST_F(ReferenceResults, AreThoseInTheReadme) {
  const process_result result =
      drive({"report", "--summary", STEALBENCH_RUNS "/comparison/compare.jsonl.gz"});
  EXPECT_EQ(result.status, 0) << result.errors;
  ASSERT_FALSE(result.output.empty());
  EXPECT_TRUE(contains(text_of(STEALBENCH_ROOT "/README.md"), result.output))
      << "renew it: cmake --build --preset verify --target pages";
}

TEST_F(ReferenceResults, OfTheFourProgramsAreThoseOfTheirRawFiles) {
  const std::string programs = STEALBENCH_RUNS "/programs";
  const process_result result = drive({"merge", programs + "/fib", programs + "/others", "--output",
                                       (folder() / "again").string()});
  ASSERT_EQ(result.status, 0) << result.errors;
  EXPECT_EQ(text_of(folder() / "again/report.md"), text_of(fs::path(programs) / "report.md"))
      << "renew it: cmake --build --preset verify --target pages";
}

TEST_F(ReferenceResults, FollowFromTheirRawFiles) {
  std::size_t plots = 0;
  for (const fs::path& run :
       {fs::path(STEALBENCH_RUNS "/comparison"), fs::path(STEALBENCH_RUNS "/ablation"),
        fs::path(STEALBENCH_RUNS "/claims")}) {
    const fs::path again = folder() / run.filename();
    const process_result result =
        drive({"report", run.string(), "--plots", "--output", again.string()});
    ASSERT_EQ(result.status, 0) << result.errors;
    for (const auto& each : fs::recursive_directory_iterator(run)) {
      if (!each.is_regular_file() || each.path().extension() == ".gz") continue;
      const fs::path name = fs::relative(each.path(), run);
      ASSERT_TRUE(fs::exists(again / name)) << name;
      EXPECT_TRUE(text_of(each.path()) == text_of(again / name))
          << each.path() << " is out of date; renew it: "
          << "cmake --build --preset verify --target pages";
      if (name.extension() != ".svg") continue;
      ++plots;
      EXPECT_TRUE(contains(text_of(STEALBENCH_ROOT "/README.md"), name.string()))
          << "nothing shows it";
    }
  }
  EXPECT_GT(plots, 0U);
}

}  // namespace
}  // namespace stealbench::end_to_end
