// The built driver, run as a user runs it, with whatever schedulers are built beside it.
#include <algorithm>
#include <cstdlib>
#include <sstream>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "bench/driver/end_to_end/driver_fixture.hpp"
#include "bench/driver/end_to_end/planted_fixture.hpp"
#include "bench/driver/rounds/host.hpp"
#include "bench/driver/rounds/installation.hpp"
#include "results/report/table.hpp"
#include "workloads/catalogue.hpp"

namespace stealbench::end_to_end {
namespace {

// NOLINTNEXTLINE(readability-identifier-naming): GoogleTest shows it as the name of the suite.
class Driver : public driver_fixture {
 protected:
  /// A scheduler that is built, whichever.
  static std::string any_scheduler() {
    const std::string all = STEALBENCH_BUILT_SCHEDULERS;
    return all.substr(0, all.find(' '));
  }
};

TEST_F(Driver, ListsTheBuiltSchedulersAndTheWorkloadsAsJson) {
  const process_result result = drive({"list", "--json"});
  ASSERT_EQ(result.status, 0) << result.errors;
  const json listed = json::parse(result.output);
  EXPECT_EQ(listed_scheduler(listed, any_scheduler())["name"], any_scheduler());
  const json& all = listed["workloads"];
  const auto found =
      std::find_if(all.begin(), all.end(), [](const json& each) { return each["name"] == "fib"; });
  ASSERT_NE(found, all.end());
  const json& fib = *found;
  EXPECT_EQ(fib["family"], "recursive");
  EXPECT_EQ(fib["sizes"]["standard"], json::parse(R"([{"n": "35"}])"));
  const json& n = fib["parameters"][0];
  EXPECT_EQ(n["name"], "n");
  EXPECT_EQ(n["type"], "integer");
  EXPECT_EQ(n["default"], 35);
  EXPECT_LT(n["min"], n["max"]);
  EXPECT_FALSE(n["meaning"].get<std::string>().empty());
}

TEST_F(Driver, ListsOneWorkload) {
  const json listed = json::parse(drive({"list", "uts", "--json"}).output);
  ASSERT_EQ(listed["workloads"].size(), 1U);
  const json& parameters = listed["workloads"][0]["parameters"];
  const auto of_type = [&](const char* type) {
    return std::any_of(parameters.begin(), parameters.end(),
                       [&](const json& each) { return each["type"] == type; });
  };
  EXPECT_TRUE(of_type("choice"));
  EXPECT_TRUE(of_type("real"));
  const kit::profile& about = rounds::find_workload("uts").about;
  const std::string words = drive({"list", "uts"}).output;
  for (const auto& [key, heading, text] :
       {std::tuple("shape", "Shape", about.shape), std::tuple("tasks", "Tasks", about.tasks),
        std::tuple("work", "Work", about.work), std::tuple("span", "Span", about.span),
        std::tuple("bound_by", "Bound by", about.bound_by),
        std::tuple("answer", "Answer", about.answer), std::tuple("source", "Source", about.source),
        std::tuple("unit", "Unit", about.unit)}) {
    EXPECT_EQ(listed["workloads"][0][key], text);
    EXPECT_TRUE(contains(words, fmt::format("\n  {:<9} {}\n", heading, text))) << words;
  }
  EXPECT_TRUE(contains(drive({"list", "fib"}).output, "integer, 0 to 90, default 35"));
}

TEST_F(Driver, ListsWhatIsNotBuiltWithTheCommandThatBuildsIt) {
  use_planted_schedulers();
  plant("stealbench-serial", "exit 0");
  const process_result result = drive({"list"});
  EXPECT_EQ(result.status, 0);
  EXPECT_TRUE(contains(result.output, " openmp")) << result.output;
  EXPECT_TRUE(contains(result.output, "--target stealbench stealbench-NAME")) << result.output;
  EXPECT_TRUE(contains(drive({"list", "taskflow"}).output, "CMAKE_PREFIX_PATH=FOLDER"));
  EXPECT_TRUE(contains(drive({"list", "openmp"}).output, "--target stealbench stealbench-openmp"));
  EXPECT_EQ(result.output.find("stealbench-serial"), std::string::npos);
  EXPECT_EQ(json::parse(drive({"list", "openmp", "--json"}).output)["not_built"], json{"openmp"});
}

TEST_F(Driver, ListsEverythingOnTwoScreens) {
  const process_result result = call_shell("COLUMNS=100 " STEALBENCH_DRIVER " list");
  EXPECT_EQ(result.status, 0) << result.errors;
  EXPECT_LE(count_of("\n", result.output), 100U) << result.output;
  std::istringstream lines(result.output);
  for (std::string line; std::getline(lines, line);) {
    EXPECT_LE(report::display_width(line), 100U) << line;
  }
  for (const char* const part : {"  uts  ", " Stress\n"}) {
    EXPECT_TRUE(contains(result.output, part)) << part << " in\n" << result.output;
  }
  EXPECT_EQ(contains(result.output, " Baselines\n"), is_built("serial")) << result.output;
}

TEST_F(Driver, DescribesTheWorkloadThatIsNamedAndNothingElse) {
  const process_result result = drive({"list", "uts"});
  EXPECT_EQ(result.status, 0) << result.errors;
  EXPECT_TRUE(result.output.starts_with("uts: ")) << result.output;
  EXPECT_TRUE(contains(result.output, "\n  Work      "));
  EXPECT_TRUE(contains(result.output, "\n  Parameters (--set NAME=VALUE)\n    tree "));
  EXPECT_TRUE(contains(result.output, "\n  Unit      SHA-1 computation\n"));
  EXPECT_FALSE(contains(result.output, any_scheduler() + " "));
  EXPECT_TRUE(
      contains(drive({"list", "scan"}).output, "\n  Unit      none: it cannot be simulated"));
}

TEST_F(Driver, TellsWhatDisturbsMeasurementsAndWhatIsNotBuilt) {
  use_planted_schedulers();
  const process_result none = drive({"doctor"});
  EXPECT_EQ(none.status, 1);
  EXPECT_TRUE(contains(none.output, "warn     schedulers       None is built.")) << none.output;
  // The status is that of the checks, of which a machine may warn, too.
  const json last = json::parse(drive({"doctor", "--json"}).output)["checks"].back();
  EXPECT_EQ(last["check"], "schedulers");
  EXPECT_EQ(last["status"], "warn");

  plant("stealbench-serial", "exit 0");
  const process_result result = drive({"doctor", "--json"});
  const json found = json::parse(result.output);
  EXPECT_EQ(found["built"], json{"serial"});
  EXPECT_GT(std::ranges::count(found["not_built"], json("openmp")), 0);
  EXPECT_GE(found["processors"].get<unsigned>(), 1U);
  const process_result text = drive({"doctor"});
  bool is_well = true;
  ASSERT_GE(found["checks"].size(), 8U);
  for (const json& each : found["checks"]) {
    is_well = is_well && each["status"] != "warn";
    const std::string name = each["check"];
    EXPECT_TRUE(contains(text.output, " " + name + " ")) << name << " in\n" << text.output;
  }
  EXPECT_EQ(result.status, is_well ? 0 : 1);
  EXPECT_TRUE(contains(text.output, "Add NAME with\n  cmake")) << text.output;
  EXPECT_TRUE(contains(text.output, "Build all that have their libraries with\n  cmake"));
}

TEST_F(Driver, ReportsASchedulerThatCannotDescribeItself) {
  use_planted_schedulers();
  plant("stealbench-openmp", "kill -SEGV $$");
  const process_result result = drive({"list"});
  EXPECT_EQ(result.status, 1);
  EXPECT_TRUE(contains(result.errors, "openmp cannot describe itself: ")) << result.errors;
}

TEST_F(Driver, ListsTheBaseline) {
  if (!is_built("serial")) GTEST_SKIP() << "it is built with the serial scheduler";
  const process_result result = drive({"list", "sequential"});
  EXPECT_EQ(result.status, 0) << result.errors;
  EXPECT_EQ(count_of("sequential", result.output), 2U) << result.output;
  EXPECT_FALSE(contains(result.output, "not built")) << result.output;
  const json listed = json::parse(drive({"list", "sequential", "--json"}).output)["schedulers"];
  ASSERT_EQ(listed.size(), 1U);
  EXPECT_EQ(listed[0]["name"], "sequential");
}

TEST_F(Driver, ListsEachInstanceOfASizeOnALineOfItsOwn) {
  const process_result result = drive({"list", "wavefront"});
  EXPECT_EQ(result.status, 0) << result.errors;
  EXPECT_TRUE(contains(result.output,
                       "    standard     order=quadrants\n                 order=diagonals\n"))
      << result.output;
}

TEST_F(Driver, RunsAWorkloadOnce) {
  const process_result result = drive({"run", "fib", "--scheduler", any_scheduler(), "--workers",
                                       "2", "--size", "test", "--set", "n=15", "--json"});
  ASSERT_EQ(result.status, 0) << result.errors;
  const json report = json::parse(result.output);
  EXPECT_EQ(report["workload"], "fib");
  EXPECT_EQ(report["scheduler"], any_scheduler());
  EXPECT_EQ(report["workers"], 2);
  EXPECT_EQ(report["parameters"]["n"], 15);
  EXPECT_EQ(report["answer"], 610);
  EXPECT_EQ(report["verified"], true);
  EXPECT_GT(report["time_ns"], 0);
  EXPECT_TRUE(report.contains("counters"));
}

std::vector<std::string> workload_names() {
  std::vector<std::string> names;
  for (const kit::description& each : workloads::descriptions()) names.push_back(each.name);
  return names;
}

TEST_F(Driver, RunsTheSerialReferenceOfEveryWorkload) {
  if (!is_built("serial")) GTEST_SKIP() << "it is built with the serial scheduler";
  for (const std::string& name : workload_names()) {
    const process_result result =
        drive({"run", name, "--scheduler", "sequential", "--size", "test", "--json"});
    ASSERT_EQ(result.status, 0) << name << ": " << result.errors;
    EXPECT_EQ(json::parse(result.output)["verified"], true) << name;
  }
}

TEST_F(Driver, APlantedErrorFailsTheRunOfEveryWorkload) {
  for (const std::string& name : workload_names()) {
    setenv("STEALBENCH_INJECT_ERROR", name.c_str(), 1);
    const process_result result =
        drive({"run", name, "--scheduler", any_scheduler(), "--size", "test", "--json"});
    unsetenv("STEALBENCH_INJECT_ERROR");
    EXPECT_EQ(result.status, 1) << name;
    ASSERT_TRUE(json::accept(result.output)) << name << ": " << result.errors;
    EXPECT_EQ(json::parse(result.output)["verified"], false) << name;
  }
}

TEST_F(Driver, ComparesEveryInstanceOfEveryWorkload) {
  const process_result result =
      drive({"compare", "--size", "test", "--workloads", "all", "--schedulers", any_scheduler(),
             "--workers", "1", "--rounds", "1", "--output", output().string()});
  EXPECT_EQ(result.status, 0) << result.errors;
}

TEST_F(Driver, APlantedErrorIsADnfAndTheOtherCellsGoOn) {
  setenv("STEALBENCH_INJECT_ERROR", "mergesort", 1);
  const process_result result =
      drive({"compare", "--size", "test", "--workloads", "fib,mergesort", "--schedulers",
             any_scheduler(), "--workers", "1", "--rounds", "1", "--output", output().string()});
  unsetenv("STEALBENCH_INJECT_ERROR");
  EXPECT_EQ(result.status, 1);
  const std::size_t of_fib = result.output.find("fib n=20");
  const std::size_t of_mergesort = result.output.find("mergesort keys");
  const std::size_t failed = result.output.find(": wrong answer");
  ASSERT_NE(of_mergesort, std::string::npos) << result.output;
  EXPECT_LT(of_fib, of_mergesort);
  EXPECT_GT(failed, of_mergesort) << result.output;
  EXPECT_NE(failed, std::string::npos) << result.output;
}

TEST_F(Driver, RunsInWordsToo) {
  const process_result result =
      drive({"run", "uts", "--scheduler", any_scheduler(), "--size", "test"});
  ASSERT_EQ(result.status, 0) << result.errors;
  for (const char* const part : {"nodes", "right", "time"}) {
    EXPECT_NE(result.output.find(part), std::string::npos) << result.output;
  }
}

TEST_F(Driver, ComparesAndWritesItsFiles) {
  const process_result result = drive(
      {"compare", "--size", "test", "--workloads", "fib,mergesort", "--schedulers", any_scheduler(),
       "--workers", "2", "--rounds", "2", "--seed", "5", "--output", output().string()});
  ASSERT_EQ(result.status, 0) << result.errors;
  EXPECT_NE(result.output.find("fib n="), std::string::npos) << result.output;
  EXPECT_NE(result.errors.find("seed 5"), std::string::npos) << result.errors;
  EXPECT_NE(text_of(output() / "compare.md").find("## Provenance"), std::string::npos);
  EXPECT_EQ(text_of(output() / "report.html").find("unfinished"), std::string::npos);

  const dataset::measurements written = data();
  EXPECT_EQ(written.header()["settings"]["seed"], 5);
  EXPECT_TRUE(contains(written.header()["command"], "compare --size test"));
  EXPECT_TRUE(written.context().contains("num_cpus")) << "Google Benchmark's own context";
  EXPECT_FALSE(written.context().contains("host_name"));
  EXPECT_FALSE(written.context().contains("executable"));
  EXPECT_EQ(written.cells().size(), 2U);
  const std::vector<json> processes = lines_of_type("process");
  ASSERT_EQ(processes.size(), 4U);
  for (const json& each : processes) {
    EXPECT_GT(each["benchmark"]["real_time"], 0.0) << each;
    EXPECT_GT(each["benchmark"]["peak_rss_bytes"], 0) << each;
    EXPECT_TRUE(each["round"] == 1 || each["round"] == 2) << each;
  }
}

TEST_F(Driver, RecordsTheLibraryOfEachSchedulerThatIsOne) {
  use_planted_schedulers();
  const auto on = [](const std::string& library) {
    const std::string before = R"("num_cpus":2)";
    std::string script = well_behaved();
    return script.replace(
        script.find(before), before.size(),
        before + R"(,"library_build_type":"debug","scheduler_library":")" + library + '"');
  };
  plant("stealbench-serial", on("in-house"));
  plant("stealbench-openmp", on("libgomp of GCC 12"));
  plant("stealbench-onetbb", on("oneTBB 2021.8"));
  const process_result result =
      drive({"compare", "--workloads", "fib", "--schedulers", "serial,openmp,onetbb", "--workers",
             "1", "--rounds", "2", "--output", output().string()});
  ASSERT_EQ(result.status, 0) << result.errors;
  const json context = data().context();
  EXPECT_EQ(context["library of openmp"], "libgomp of GCC 12");
  EXPECT_EQ(context["library of onetbb"], "oneTBB 2021.8");
  EXPECT_EQ(context.size(), 3U) << context;
  EXPECT_TRUE(contains(text_of(output() / "compare.md"), "| library of onetbb"));
  EXPECT_LE(lines_of_type("context").size(), 3U);
}

TEST_F(Driver, KeepsTheFirstRunAndTheSteadyStateApart) {
  const process_result result =
      drive({"compare", "--size", "test", "--workloads", "fib", "--schedulers", any_scheduler(),
             "--workers", "1", "--rounds", "1", "--output", output().string()});
  ASSERT_EQ(result.status, 0) << result.errors;
  const json entry = lines_of_type("process").at(0)["benchmark"];
  EXPECT_GE(entry["runs"], 1);
  EXPECT_GT(entry["first_run_seconds"], 0.0);
  EXPECT_GE(entry["start_up_seconds"], 0.0);
  EXPECT_NEAR(entry["cpu_seconds"].get<double>(),
              entry["user_seconds"].get<double>() + entry["system_seconds"].get<double>(), 1e-9);
  EXPECT_EQ(data().host_checks().size(), 15U) << "steal time and waiting included";
}

TEST_F(Driver, EndsWhenItsTimeIsSpent) {
  const process_result result =
      drive({"compare", "--size", "test", "--workloads", "fib", "--schedulers", any_scheduler(),
             "--workers", "1", "--budget", "1", "--target", "0.01", "--output", output().string()});
  ASSERT_EQ(result.status, 0) << result.errors;
  EXPECT_LT(process_count(), 1000U) << "as many as it measures at most";
}

TEST_F(Driver, EndsWhenEveryMedianIsKnownWellEnough) {
  const process_result result =
      drive({"compare", "--size", "test", "--workloads", "fib", "--schedulers", any_scheduler(),
             "--workers", "1", "--target", "100", "--output", output().string()});
  ASSERT_EQ(result.status, 0) << result.errors;
  EXPECT_EQ(process_count(), 6U) << "fewer give no interval";
}

TEST_F(Driver, StartsAsManyThreadsOfOpenMPAsItIsToldWhateverTheEnvironmentSays) {
  for (const char* const scheduler : {"openmp", "openmp-llvm"}) {
    if (!is_built(scheduler)) continue;
    const auto run = [&](const char* variable, const char* value) {
      // More than a runtime starts that may choose.
      const std::string workers = std::to_string(rounds::usable_processors() + 1);
      setenv(variable, value, 1);
      process_result result =
          call(scheduler, {"--workload", "fib", "--size", "test", "--once", "--workers", workers});
      unsetenv(variable);
      return result;
    };
    const process_result chosen = run("OMP_DYNAMIC", "true");
    EXPECT_EQ(chosen.status, 0) << scheduler << ": " << chosen.errors;
    const process_result limited = run("OMP_THREAD_LIMIT", "1");
    EXPECT_EQ(limited.status, 1) << scheduler;
    EXPECT_TRUE(contains(limited.errors, "fewer threads than asked for")) << limited.errors;
  }
}

TEST_F(Driver, RefusesWhatItDoesNotKnowAndNamesWhatIsValid) {
  const std::string built = any_scheduler();
  const std::vector<std::string> workloads{"fib", "mergesort", "uts"};
  expect_refusal({"list", "sudoku"}, workloads);
  expect_refusal({"list", "sudoku"}, {"serial", "sequential"});
  if (is_built("serial")) {
    expect_refusal({"list", "serial", "--markdown"},
                   {"scheduler serial has no settings", "valid: "});
  }
  expect_refusal({"run", "sudoku", "--scheduler", built}, workloads);
  for (const char* const command : {"run", "trace"}) {
    expect_refusal({command, "sudoku"}, {"WORKLOAD sudoku: must be one of ", "mergesort"});
  }
  expect_refusal({"run", "fib", "--scheduler", "lottery"}, {"serial", "openmp"});
  expect_refusal({"run", "fib", "--scheduler", built, "--size", "huge"}, {"test", "standard"});
  expect_refusal({"run", "fib", "--scheduler", built, "--set", "m=1"},
                 {"--set m=1: fib has no parameter 'm'", "n"});
  expect_refusal({"run", "fib", "--scheduler", built, "--set", "n=91"},
                 {"--set n=91: expected an integer between 0 and 90"});
  for (const std::vector<std::string>& twice :
       {std::vector<std::string>{"--set", "n=3", "--set", "n=4"},
        std::vector<std::string>{"--set=n=3", "--size", "test", "--set=n=3"}}) {
    for (const char* const command : {"run", "trace", "grain", "simulate"}) {
      std::vector<std::string> arguments{command, "uts", "--scheduler", built};
      arguments.insert(arguments.end(), twice.begin(), twice.end());
      expect_refusal(arguments, {"--set n=", "n is set twice, first as n=3; valid: one value"});
    }
  }
  expect_refusal({"run", "fib", "--scheduler", built, "--set", "n"},
                 {"--set n: expected KEY=VALUE"});
  expect_refusal({"compare", "--workloads", "fib,sudoku"}, workloads);
  for (const char* const mixed : {"all,fib", "fib,all", "fib,all,uts"}) {
    expect_refusal({"compare", "--workloads", mixed},
                   {std::string("--workloads ") + mixed + ": all is every workload", "valid: "});
  }
  expect_refusal({"compare", "--schedulers", "lottery"}, {"serial", "openmp"});
  expect_refusal({"compare", "--size", "huge"},
                 {"--size huge: must be one of test, small, standard, large"});
  expect_refusal({"compare", "--workloads", "fib", "--set", "keys=3"},
                 {"--set keys=3: fib has no parameter 'keys'", "n"});
  expect_refusal({"compare", "--workloads", "fib,uts", "--set", "keys=3"},
                 {"--set keys=3: no chosen workload has this parameter; valid: ", "fib, uts"});
  expect_refusal({"compare", "--exclude", "lottery"},
                 {"--exclude lottery: ", "mergesort", "work-stealing"});
  expect_refusal({"compare", "--workloads", "fib", "--exclude", "fib"},
                 {"--exclude fib: leaves nothing to compare"});
  expect_refusal({"compare", "--workloads", "fib", "--size-of", "fib"},
                 {"--size-of fib: expected KEY=VALUE"});
  expect_refusal({"compare", "--workloads", "fib", "--size-of", "uts=small"},
                 {"--size-of uts=small: no such workload is chosen; valid: fib"});
  expect_refusal({"compare", "--workloads", "fib", "--size-of", "fib=huge"},
                 {"--size-of fib=huge: no such size; valid: test, small, standard, large"});
}

TEST_F(Driver, ASchedulerThatWasMadeSlowerIsFoundByTheDiff) {
  const auto compare_into = [&](const std::string& name) {
    const process_result result =
        drive({"compare", "--size", "test", "--workloads", "fib", "--schedulers", any_scheduler(),
               "--workers", "1", "--rounds", "6", "--output", (folder() / name).string()});
    EXPECT_EQ(result.status, 0) << result.errors;
  };
  compare_into("before");
  setenv("STEALBENCH_INJECT_DELAY", (any_scheduler() + "=900").c_str(), 1);
  compare_into("after");
  unsetenv("STEALBENCH_INJECT_DELAY");
  const std::string before = (folder() / "before").string();
  const std::string after = (folder() / "after").string();
  const process_result slower = drive({"diff", before, after, "--threshold", "200"});
  EXPECT_EQ(slower.status, 2) << "not a percentage";
  EXPECT_TRUE(contains(slower.errors, "--threshold 200: must be between 0.01 and 100"));
  const process_result found = drive({"diff", before, after, "--threshold", "100"});
  EXPECT_EQ(found.status, 1) << found.output << found.errors;
  EXPECT_NE(found.output.find("1 slower, 0 faster"), std::string::npos) << found.output;
  EXPECT_EQ(drive({"diff", before, before}).status, 0);
  EXPECT_EQ(drive({"diff", after, before}).status, 0) << "faster is no failure";
}

TEST_F(Driver, RefusesToDiffWhatIsNoComparison) {
  const std::string nothing = (folder() / "nothing").string();
  expect_refusal({"diff", nothing, nothing}, {"nothing", "valid"});
  const std::string empty = folder().string();
  expect_refusal({"diff", empty, empty}, {"compare.jsonl, grain.jsonl, metg.jsonl", "valid"});
  std::ofstream(folder() / "compare.jsonl") << "{\"type\":\n";
  expect_refusal({"diff", empty, empty}, {"line 1", "not JSON", "valid"});
  std::ofstream(folder() / "compare.jsonl") << R"({"type":"experiment","format":2})" << '\n';
  expect_refusal({"diff", empty, empty}, {"format 2", "valid"});
  expect_refusal({"diff", empty}, {"NEW is required"});
}

TEST_F(Driver, ReadsANumberWithLeadingZerosAsADecimalOne) {
  for (const auto& [typed, workers] : {std::pair("08", 8), std::pair("010", 10)}) {
    const process_result result = drive({"run", "fib", "--scheduler", any_scheduler(), "--workers",
                                         typed, "--set", "n=010", "--json"});
    ASSERT_EQ(result.status, 0) << result.errors;
    EXPECT_EQ(json::parse(result.output)["workers"], workers);
    EXPECT_EQ(json::parse(result.output)["answer"], 55);
  }
}

TEST_F(Driver, RefusesNumbersOutOfRange) {
  for (const char* const workers :
       {"0", "-1", "two", "1025", "1.5", "2x", "99999999999999999999", ""}) {
    expect_refusal({"run", "fib", "--scheduler", any_scheduler(), "--workers", workers},
                   {"--workers " + std::string(*workers == '\0' ? "''" : workers) + ": must be ",
                    "between 1 and 1024"});
  }
  expect_refusal({"compare", "--workers", "1,0"}, {"--workers 0: must be between 1 and 1024"});
  expect_refusal({"compare", "--workers", "-1"}, {"between 1 and 1024"});
  expect_refusal({"compare", "--workers", ""},
                 {"--workers '': must be an integer between 1 and 1024"});
  expect_refusal({"compare", "--workers", "1-1025"},
                 {"--workers 1025: must be between 1 and 1024"});
  expect_refusal({"compare", "--workers", "4-2"},
                 {"--workers 4-2: must begin with the smaller number"});
  expect_refusal({"compare", "--workers", "2-"}, {"must be an integer between 1 and 1024"});
  expect_refusal({"compare", "--workers"}, {"--workers: the value is missing", "1 to 1024"});
  for (const char* const list : {"1,,2", "1,", ",1", ","}) {
    const std::vector<std::string> parts{
        "--workers " + std::string(list) +
        ": an item of the list is empty; valid: N,N,..., each 1 to 1024"};
    expect_refusal({"compare", "--workers", list}, parts);
    expect_refusal({"compare", std::string("--workers=") + list}, parts);
    const process_result direct = call(any_scheduler(), {"--workers", list});
    EXPECT_EQ(direct.status, 2) << list;
    EXPECT_TRUE(contains(direct.errors, parts.front())) << direct.errors;
  }
  expect_refusal({"compare", "--schedulers", "serial,,openmp"},
                 {"--schedulers serial,,openmp: an item of the list is empty", "stealbench list"});
  expect_refusal({"compare", "--workloads", "fib,"},
                 {"--workloads fib,: an item of the list is empty", "mergesort"});
  expect_refusal({"simulate", "fib,,uts"},
                 {"WORKLOAD fib,,uts: an item of the list is empty", "nqueens"});
  expect_refusal({"compare", "--workloads", "fib,sudoku"},
                 {"--workloads sudoku: must be one of", "mergesort"});
  for (const char* const rounds : {"0", "1001", "-3", "many"}) {
    expect_refusal({"compare", "--rounds", rounds}, {"--rounds ", "between 1 and 1000"});
  }
  expect_refusal({"compare", "--budget", "0"}, {"--budget 0: must be between 1 and 86400"});
  for (const char* const target : {"0", "-1", "101", "nan", "two", ""}) {
    expect_refusal({"compare", "--target", target}, {"--target ", "between 0.01 and 100"});
  }
  for (const char* const timeout : {"0", "86401", "soon"}) {
    expect_refusal({"compare", "--timeout", timeout}, {"between 1 and 86400"});
  }
  for (const char* const seed : {"x", "-1", "18446744073709551616"}) {
    expect_refusal({"compare", "--seed", seed}, {"--seed ", "between 0 and 18446744073709551615"});
  }
}

TEST_F(Driver, RefusesASchedulerThatIsNotBuiltAndSaysHowToBuildIt) {
  use_planted_schedulers();
  const std::vector<std::string> parts{
      "not built", "cmake --build build/compare --target stealbench stealbench-onetbb"};
  expect_refusal({"run", "fib", "--scheduler", "onetbb"}, parts);
  expect_refusal({"compare", "--schedulers", "onetbb"}, parts);
}

TEST_F(Driver, RefusesUnknownOptionsAndCommands) {
  expect_refusal({"race"}, {"unknown command 'race'", "list, run", "compare"});
  expect_refusal({"compare", "--round", "3"}, {"unknown option '--round'", "--rounds"});
  expect_refusal({"--versions"}, {"unknown option '--versions'; valid: --help, --version\n"});
  expect_refusal({"run", "fib"}, {"--scheduler is required"});
}

TEST_F(Driver, RunsOneCommandAndTakesTheNameOfASecondOneForItsArgument) {
  expect_refusal({"doctor", "list"}, {"doctor: unknown argument 'list'", "valid: --help, --json"});
  expect_refusal({"diff", "merge", "list"}, {"'merge': there is no such file"});
}

TEST_F(Driver, TheHelpOfEveryCommandFitsATerminalAndEndsWithTwoExamples) {
  const process_result program = drive({"--help"});
  EXPECT_EQ(program.status, 0);
  for (const char* const command :
       {"list", "run", "trace", "compare", "ab", "explain", "grain", "metg", "micro", "simulate",
        "claims", "calibrate", "diff", "merge", "validate", "report", "doctor"}) {
    EXPECT_TRUE(contains(program.output, std::string("\n  ") + command + " ")) << command;
    const process_result result = drive({command, "--help"});
    EXPECT_EQ(result.status, 0) << command;
    const std::size_t examples = result.output.find("\nExamples:\n");
    ASSERT_NE(examples, std::string::npos) << result.output;
    EXPECT_EQ(count_of("\n", result.output.substr(examples)), 4U) << result.output;
    std::istringstream lines(result.output.substr(0, examples));
    for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 81U) << line;
  }
}

TEST_F(Driver, SaysItsVersionAndCommit) {
  const process_result result = drive({"--version"});
  EXPECT_EQ(result.status, 0);
  const auto root = std::filesystem::path(STEALBENCH_ROOT);
  const std::string citation = text_of(root / "CITATION.cff");
  const std::string before = "\nversion: ";
  const std::size_t at = citation.find(before) + before.size();
  const std::string version = citation.substr(at, citation.find('\n', at) - at);
  EXPECT_TRUE(result.output.starts_with("stealbench " + version + " (commit ")) << result.output;
}

TEST_F(Driver, WithoutACommandItShowsItsHelp) {
  const process_result nothing_asked = drive({});
  EXPECT_EQ(nothing_asked.status, 2);
  EXPECT_NE(nothing_asked.errors.find("compare"), std::string::npos);
}

}  // namespace
}  // namespace stealbench::end_to_end
