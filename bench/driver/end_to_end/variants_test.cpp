// Variants of a scheduler on the command lines of the driver and of the executable.
#include <cstdlib>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include "bench/driver/end_to_end/driver_fixture.hpp"
#include "schedulers/settings.hpp"

namespace stealbench::end_to_end {
namespace {

// NOLINTNEXTLINE(readability-identifier-naming): GoogleTest shows it as the name of the suite.
class DriverVariants : public needing_fixture {
 protected:
  DriverVariants() : needing_fixture({"work-stealing"}) {}
};

TEST_F(DriverVariants, AreListedWithTheirScheduler) {
  const process_result all = drive({"list"});
  EXPECT_EQ(all.status, 0) << all.errors;
  const json listed = json::parse(drive({"list", "--json"}).output);
  const json stealing = listed_scheduler(listed, "work-stealing");
  EXPECT_FALSE(stealing["paper"].get<std::string>().empty());
  std::vector<std::string> parts{"NAME:KEY=VALUE", "uts", stealing["group"]};
  std::size_t at = 0;
  for (const schedulers::setting& each : schedulers::settings_of("work-stealing")) {
    const json& setting = stealing["settings"].at(at++);
    EXPECT_EQ(setting["name"], each.name);
    std::vector<std::string> words;
    for (const json& value : setting["values"]) words.push_back(value["word"]);
    EXPECT_EQ(words, each.words());
    parts.push_back(each.name);
  }
  for (const std::string& part : parts) {
    EXPECT_NE(all.output.find(part), std::string::npos) << part << " in\n" << all.output;
  }
}

TEST_F(DriverVariants, AreListedAloneWithTheirMeanings) {
  const process_result one = drive({"list", "work-stealing"});
  EXPECT_EQ(one.status, 0) << one.errors;
  for (const char* const part :
       {"which worker a thief tries first", "last", "Paper", "the first value is the default"}) {
    EXPECT_TRUE(contains(one.output, part)) << part << " in\n" << one.output;
  }
  EXPECT_EQ(one.output.find("uts"), std::string::npos) << one.output;
  const json listed = json::parse(drive({"list", "work-stealing", "--json"}).output);
  ASSERT_EQ(listed["schedulers"].size(), 1U);
  EXPECT_EQ(listed["schedulers"][0]["name"], "work-stealing");
  EXPECT_TRUE(listed["workloads"].empty());
}

TEST_F(DriverVariants, AreATableInMarkdown) {
  const process_result table = drive({"list", "work-stealing", "--markdown"});
  const std::vector<schedulers::setting>& settings = schedulers::settings_of("work-stealing");
  EXPECT_EQ(count_of("\n", table.output), settings.size() + 2) << table.errors << "and the head";
  for (const schedulers::setting& setting : settings) {
    const std::string row = "\n| `" + setting.name + "` | " + setting.meaning + " | `";
    EXPECT_TRUE(contains(table.output, row + setting.words().front() + "`")) << setting.name;
  }
}

TEST_F(DriverVariants, AllStrategiesAreThoseInTheReadme) {
  const process_result table = drive({"list", "schedulers", "--markdown"});
  ASSERT_TRUE(contains(table.output, "| `deque=split`, the default |")) << table.errors;
  const auto missing = json::parse(drive({"list", "schedulers", "--json"}).output)["not_built"];
  for (const json& each : missing) {  // The table lacks these two in any case.
    if (each != "taskflow" && each != "parlay") GTEST_SKIP() << each << " is not built here";
  }
  EXPECT_TRUE(contains(text_of(STEALBENCH_ROOT "/schedulers/README.md"), table.output))
      << "renew it: cmake --build --preset verify --target pages";
}

TEST_F(DriverVariants, EveryValueRunsUnderItsCanonicalName) {
  for (const std::string scheduler : {"work-stealing", "continuation-stealing", "central-queue",
                                      "work-sharing", "pull-migration", "push-migration"}) {
    if (!is_built(scheduler)) continue;
    const std::vector<schedulers::setting>& settings = schedulers::settings_of(scheduler);
    EXPECT_FALSE(settings.empty()) << scheduler;
    for (const schedulers::setting& key : settings) {
      for (const std::string& value : key.words()) {
        std::vector<std::string> assignments = schedulers::required_by(key, value, settings);
        assignments.push_back(std::string(key.name).append("=").append(value));
        const std::string typed = fmt::format("{}", fmt::join(assignments, ":"));
        const process_result result =
            drive({"run", "fib", "--scheduler", fmt::format("{}:{}", scheduler, typed), "--workers",
                   "2", "--size", "test", "--json"});
        ASSERT_EQ(result.status, 0) << result.errors;
        const json report = json::parse(result.output);
        EXPECT_EQ(report["scheduler"],
                  schedulers::variant(scheduler, settings, typed).name_of(scheduler));
        EXPECT_EQ(report["verified"], true);
        EXPECT_GT(report["counters"]["jobs_spawned"], 0);
        EXPECT_TRUE(report["counters"].contains("steals"));
      }
    }
  }
}

TEST_F(DriverVariants, AreNamedCanonicallyInWordsToo) {
  const process_result result =
      drive({"run", "fib", "--scheduler", "work-stealing:victim=random:idle=park:deque=locked",
             "--size", "test"});
  EXPECT_EQ(result.status, 0) << result.errors;
  EXPECT_NE(result.output.find("on work-stealing:deque=locked:victim=random, 1 worker"),
            std::string::npos)
      << result.output;
}

TEST_F(DriverVariants, AreTakenByTheExecutableItself) {
  const process_result listed =
      call("work-stealing", {"--variant", "victim=random:deque=chase-lev", "--workload", "fib",
                             "--size", "test", "--workers", "1", "--benchmark_list_tests"});
  EXPECT_EQ(listed.status, 0) << listed.errors;
  EXPECT_EQ(listed.output,
            "fib/work-stealing:deque=chase-lev:victim=random/n:20/workers:1/manual_time\n");
  const process_result once =
      call("work-stealing", {"--variant", "deque=abp", "--once", "--workload", "fib", "--size",
                             "test", "--workers", "1"});
  EXPECT_EQ(once.status, 0) << once.errors;
  EXPECT_EQ(json::parse(once.output)["scheduler"], "work-stealing:deque=abp");
}

TEST_F(DriverVariants, AreComparedLikeSchedulersOfTheirOwnAndOnce) {
  const std::string schedulers =
      "work-stealing,work-stealing:idle=spin:deque=locked,work-stealing:deque=locked:idle=spin,"
      "work-stealing:join=any";
  const process_result result =
      drive({"compare", "--size", "test", "--workloads", "fib", "--workers", "1", "--rounds", "1",
             "--schedulers", schedulers, "--output", output().string()});
  ASSERT_EQ(result.status, 0) << result.errors;
  const std::string name = "work-stealing:deque=locked:idle=spin";
  // Each table has both as rows.
  EXPECT_GE(count_of("\n" + name + " ", result.output), 1U) << result.output;
  EXPECT_EQ(count_of("\n" + name + " ", result.output), count_of("\nwork-stealing ", result.output))
      << result.output;
  EXPECT_EQ(count_of("ablation", result.output), 0U);
  const dataset::measurements written = data();
  ASSERT_EQ(written.cells().size(), 2U);
  EXPECT_EQ(written.cells()[0].which.scheduler, "work-stealing");
  EXPECT_EQ(written.cells()[1].which.scheduler, name);
  EXPECT_TRUE(written.cells()[1].counters.contains("steals"));
  for (const json& each : lines_of_type("process")) {
    EXPECT_EQ(each["benchmark"]["name"], each["cell"].get<std::string>() + "/manual_time");
  }
}

TEST_F(DriverVariants, BadSettingsAreRefusedEverywhere) {
  const std::string all = schedulers::text_of(schedulers::settings_of("work-stealing"));
  const auto expect_everywhere = [&](const std::string& settings,
                                     const std::vector<std::string>& parts) {
    const std::string scheduler = "work-stealing:" + settings;
    expect_refusal({"run", "fib", "--scheduler", scheduler}, parts);
    expect_refusal({"compare", "--schedulers", "work-stealing," + scheduler}, parts);
    for (const char* const what : {"--benchmark_list_tests", "--describe"}) {
      const process_result direct = call("work-stealing", {"--variant", settings, what});
      EXPECT_EQ(direct.status, 2) << settings;
      EXPECT_EQ(direct.output, "");
      for (const std::string& part : parts) {
        EXPECT_NE(direct.errors.find(part), std::string::npos) << part << " in\n" << direct.errors;
      }
    }
  };
  expect_everywhere("colour=red", {"unknown setting 'colour'", all});
  expect_everywhere("deque=list", {"deque=list", "split, chase-lev, "});
  expect_everywhere("idle=spin:idle=spin", {"idle is set twice", "park|yield|"});
  expect_everywhere("", {"setting is empty", all});
  expect_everywhere("idle=spin:", {"setting is empty", all});
  expect_everywhere("chase-lev", {"expected KEY=VALUE", all});
}

TEST_F(DriverVariants, SettingsOnAnotherSchedulerAreRefused) {
  expect_refusal({"run", "fib", "--scheduler", "lottery:deque=locked"},
                 {"unknown scheduler 'lottery'", "work-stealing"});
  if (!is_built("serial")) GTEST_SKIP() << "serial is not built here";
  const std::vector<std::string> parts{"serial has no settings", "work-stealing with deque="};
  expect_refusal({"run", "fib", "--scheduler", "serial:deque=locked"}, parts);
  expect_refusal({"compare", "--schedulers", "serial:"}, parts);
  EXPECT_EQ(call("serial", {"--variant", "deque=locked"}).status, 2);
  EXPECT_EQ(call("serial", {"--variant", "deque=locked", "--describe"}).status, 2);
}

TEST_F(DriverVariants, TheAblationHasARowForEachThatDiffersInOneSetting) {
  if (!is_built("serial")) GTEST_SKIP() << "serial is not built here";
  setenv("COLUMNS", "300", 1);  // A part of the table for all columns.
  const process_result result =
      drive({"compare", "--ablation", "--size", "test", "--workloads", "fib", "--workers", "1,2",
             "--rounds", "1", "--output", output().string()});
  unsetenv("COLUMNS");
  ASSERT_EQ(result.status, 0) << result.errors;
  const json contrasts = data().header()["about"]["ablation"];
  ASSERT_GE(contrasts.size(), settings_but_defaults().size());
  EXPECT_EQ(data().cells().size() % 2, 1U) << "each at one and at two workers, and serial once";
  EXPECT_TRUE(data().context().contains("asymmetric_fence"));
  const std::vector<std::string> all = settings_but_defaults();
  const auto victims = static_cast<std::size_t>(std::ranges::count_if(
      all, [](const std::string& each) { return each.starts_with("victim="); }));
  for (const char* const title : {"ablation, 1 worker:", "ablation, 2 workers:"}) {
    const std::string after = result.output.substr(result.output.find(title));
    const std::string table = after.substr(0, after.find("\n\n", after.find("----")));
    EXPECT_EQ(count_of(" × [", table), contrasts.size()) << table;
    EXPECT_EQ(count_of("  work-stealing:victim ", table), victims) << table;
  }
  const std::string markdown = text_of(output() / "compare.md");
  const std::string tables = markdown.substr(markdown.find("### ablation, 1 worker"));
  for (const json& each : contrasts) {
    const std::string variant = "| " + each["variant"].get<std::string>() + " ";
    EXPECT_GE(count_of(variant, tables), 2U) << variant;
  }
}

TEST_F(DriverVariants, TheAblationTakesNoSchedulers) {
  expect_refusal({"compare", "--ablation", "--schedulers", "serial"},
                 {"--schedulers and --ablation cannot be used together"});
}

}  // namespace
}  // namespace stealbench::end_to_end
