#include "verify/check.hpp"

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "schedulers/contract/test_limit.hpp"

namespace stealbench::verify {
namespace {

// A check that "finds" `outcome` and keeps a list of the searches that it was asked for.
check finds(const char* name, const char* outcome, std::vector<std::string>* searches = nullptr) {
  return {name, "A sentence.", {full, bound(2)}, [=](const search& s) {
            if (searches != nullptr) searches->push_back(to_string(s));
            if (outcome == passes) {
              return verdict{outcome, s.how == search::kind::random ? s.limit : 7, 0.0};
            }
            failure failed;
            failed.steps.resize(s.how == search::kind::bound ? s.limit : 20);
            failed.steps.back().operation = std::string("ends by ") + outcome;
            failed.trace = std::string("history of ") + outcome + '\n';
            return verdict{outcome, 7, 0.0, failed};
          }};
}

std::string program() { return testing::TempDir() + "check_test_program"; }

struct result {
  int status;
  std::string output;
};

result run(const std::vector<check>& checks, std::vector<std::string> arguments = {}) {
  arguments.insert(arguments.begin(), program());
  std::vector<char*> argv;
  argv.reserve(arguments.size());
  for (std::string& a : arguments) argv.push_back(a.data());
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  const int status = run_checks(static_cast<int>(argv.size()), argv.data(), checks);
  std::string output = testing::internal::GetCapturedStdout();
  return {status, output + testing::internal::GetCapturedStderr()};
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(Check, SucceedsIfEverySuitePassesAndEndsWithTheirNumber) {
  const result r = run({finds("a", "SUCCESS"), finds("b", "SUCCESS")});
  EXPECT_EQ(r.status, 0);
  EXPECT_TRUE(contains(r.output, "a, bound:2: SUCCESS up to execution 7"));
  EXPECT_TRUE(r.output.ends_with("4 searches passed: 28 executions, 0.0 s\n")) << r.output;
}

TEST(Check, FailsIfOneSuiteOfManyFailsAndEndsWithItsShortestExecution) {
  const result r = run({finds("a", "SUCCESS"), finds("b", "DEADLOCK"), finds("c", "SUCCESS")});
  EXPECT_EQ(r.status, 1);
  EXPECT_TRUE(contains(r.output, "FAILED b, full: DEADLOCK in execution 7"));
  const std::string end = r.output.substr(r.output.find("2 of 6 searches failed"));
  EXPECT_TRUE(contains(end, "the shortest failing execution is in b, bound:2")) << end;
  EXPECT_TRUE(contains(end, "all 2 steps:\n  thread 0\n  thread 0  ends by DEADLOCK\n")) << end;
  EXPECT_TRUE(end.ends_with("repeat it:   " + program() + " --suite b --search bound:2\n")) << end;
}

TEST(Check, RepeatsOfARandomSearchTheExecutionThatFailed) {
  const check fails = finds("a", "DEADLOCK");
  const result r = run({fails}, {"--suite", "a", "--search", "random:100@12"});
  EXPECT_TRUE(r.output.ends_with(" --suite a --search random:1@18\n")) << r.output;
}

TEST(Check, WritesTheWholeTraceBesideTheProgram) {
  // From the second execution on: of one from the first the environment may ask for fresh seeds.
  const result r = run({finds("a/b", "DEADLOCK")}, {"--suite", "a/b", "--search", "random:9@2"});
  const std::string file = program() + ".a-b.random-9@2.trace";
  EXPECT_TRUE(contains(r.output, "the last 12 of 20 steps"));
  EXPECT_TRUE(contains(r.output, "whole trace: " + file));
  std::ifstream trace(file);
  const std::string text(std::istreambuf_iterator<char>(trace), {});
  EXPECT_TRUE(contains(text, "all 20 steps")) << text;
  EXPECT_TRUE(contains(text, "history of DEADLOCK")) << text;
  EXPECT_FALSE(contains(r.output, "history"));
}

TEST(Check, PrintsTheTraceWhereItsFileCannotBeWritten) {
  const std::string file = program() + ".a.bound-1.trace";
  std::filesystem::create_directory(file);
  const result r = run({finds("a", "DEADLOCK")}, {"--suite", "a", "--search", "bound:1"});
  std::filesystem::remove(file);
  EXPECT_TRUE(contains(r.output, "'" + file + "' cannot be written")) << r.output;
  EXPECT_TRUE(contains(r.output, "history of DEADLOCK")) << r.output;
  EXPECT_FALSE(contains(r.output, "whole trace: " + file)) << r.output;
}

TEST(Check, StartsARandomSearchWhereItIsToldTo) {
  std::vector<std::string> searches;
  const check any = finds("a", "SUCCESS", &searches);
  EXPECT_EQ(run({any}, {"--suite", "a", "--search", "random:9@12"}).status, 0);
  EXPECT_EQ(searches, (std::vector<std::string>{"random:9@12"}));
  for (const char* wrong : {"random:9@", "random:9@0", "random:@3", "bound:2@3", "full@3"}) {
    EXPECT_EQ(run({any}, {"--suite", "a", "--search", wrong}).status, 2) << wrong;
  }
}

TEST(Check, TakesFreshSeedsWhereTheEnvironmentAsksForThem) {
  std::vector<std::string> searches;
  check passing = finds("a", "SUCCESS", &searches);
  check negative = finds("b", "DEADLOCK", &searches);
  negative.expected = "DEADLOCK";
  passing.searches = negative.searches = {bound(2), random(9)};
  setenv("STEALBENCH_FRESH_SEEDS", "3", 1);
  EXPECT_EQ(run({passing, negative}).status, 0);
  // To play a failure again.
  EXPECT_EQ(run({passing}, {"--suite", "a", "--search", "random:9@12"}).status, 0);
  EXPECT_EQ(searches.back(), "random:9@12");
  searches.pop_back();
  setenv("STEALBENCH_FRESH_SEEDS", "many", 1);
  EXPECT_EQ(run({passing}).status, 2);
  unsetenv("STEALBENCH_FRESH_SEEDS");
  ASSERT_EQ(searches.size(), 4U);
  EXPECT_EQ(searches[0], "bound:2");
  EXPECT_TRUE(searches[1].starts_with("random:27@")) << searches[1];
  EXPECT_EQ(searches[3], "random:9");  // It must be found among the executions that are known.
}

// With bit 35 set, Relacy's generator all but repeats itself: the same thread runs on and on.
TEST(Check, TakesNoFreshSeedWithWhichRelacyChoosesTheSameThreadAgainAndAgain) {
  std::vector<std::string> searches;
  check passing = finds("a", "SUCCESS", &searches);
  passing.searches = std::vector(100, random(9));
  setenv("STEALBENCH_FRESH_SEEDS", "1", 1);
  EXPECT_EQ(run({passing}).status, 0);
  unsetenv("STEALBENCH_FRESH_SEEDS");
  ASSERT_EQ(searches.size(), 100U);
  for (const std::string& each : searches) {
    const std::uint64_t first = std::stoull(each.substr(each.find('@') + 1));
    EXPECT_EQ((first >> 35) & 1, 0U) << each;
  }
}

TEST(Check, ASuiteThatIsThereToBeCaughtPassesIfItIsForTheReasonThatIsExpected) {
  for (const auto& [found, status] :
       {std::pair{"SUCCESS", 1}, {"MEMORY LEAK", 1}, {"DATA RACE", 0}, {"USER ASSERT FAILED", 1}}) {
    check negative = finds("negative", found);
    negative.expected = "DATA RACE";
    const result r = run({negative});
    EXPECT_EQ(r.status, status) << found;
    EXPECT_FALSE(contains(r.output, "history"));
  }
}

TEST(Check, FailsIfARandomSearchHasEndedTooEarly) {
  const check early{"a", "A sentence.", {random(9)}, [](const search&) {
                      return verdict{std::string(passes), 8, 0.0};
                    }};
  EXPECT_EQ(run({early}).status, 1);
}

TEST(Check, RunsEveryLongSearchAndTheOthersOnlyOfTheSuiteThatIsNamed) {
  std::vector<std::string> searches;
  check suite = finds("a", "SUCCESS", &searches);
  suite.searches = {full, bound(1), deep(bound(2))};
  EXPECT_EQ(run({suite}).status, 0);
  EXPECT_EQ(searches, (std::vector<std::string>{"full", "bound:1"}));
  searches.clear();
  EXPECT_EQ(run({suite}, {"--suite", "a"}).status, 0);
  EXPECT_EQ(searches, (std::vector<std::string>{"full", "bound:1", "bound:2"}));
}

TEST(Check, RunsOnlyTheSuiteThatIsNamedAndListsAllWithTheirSearches) {
  const std::vector<check> checks{finds("a", "SUCCESS"), finds("b", "DATA RACE")};
  EXPECT_EQ(run(checks, {"--suite", "a"}).status, 0);
  EXPECT_TRUE(contains(run(checks, {"--list"}).output, "a: full bound:2"));
}

TEST(Check, RejectsABadCommandLineWithStatusTwo) {
  const std::vector<check> checks{finds("a", "SUCCESS")};
  for (const std::vector<std::string>& arguments :
       std::vector<std::vector<std::string>>{{"--nonsense", "x"},
                                             {"--suite"},
                                             {"--suite", "b"},
                                             {"--search", "full"},
                                             {"--suite", "a", "--search", "bound"},
                                             {"--suite", "a", "--search", "bound:0"},
                                             {"--suite", "a", "--search", "bound:2x"},
                                             {"--suite", "a", "--search", "deep:2"}}) {
    EXPECT_EQ(run(checks, arguments).status, 2) << arguments.back();
  }
}

TEST(Check, WritesOneTestPerCheckAndSearchForCTestWithTheLabelThatItIsTold) {
  check suite = finds("a", "SUCCESS");
  suite.searches = {full, bound(2), deep(bound(3))};
  const result r = run({suite}, {"--ctest", "relacy/x/"});
  EXPECT_EQ(r.status, 0);
  EXPECT_TRUE(
      contains(r.output, "add_test([==[relacy/x/a/full]==] [==[" + program() + "]==] --suite a"));
  EXPECT_TRUE(contains(r.output, "--suite a --search bound:2)"));
  EXPECT_TRUE(contains(r.output, "LABELS [==[relacy;long]==]"));
  const result nightly = run({suite}, {"--ctest", "relacy/x/", "--label", "nightly"});
  EXPECT_TRUE(contains(nightly.output,
                       "--search full)\nset_tests_properties([==[relacy/x/a/full]==] "
                       "PROPERTIES LABELS [==[relacy;nightly]==]"));
  EXPECT_TRUE(contains(nightly.output, "[==[relacy;deep]==] TIMEOUT 7200"));
  EXPECT_FALSE(contains(nightly.output, "relacy;long"));
}

TEST(Check, RunsADisabledCheckByItsNameAlone) {
  check blind = finds("a", "NEVER");
  blind.disabled = "the tool cannot";
  const std::vector<check> checks{blind, finds("b", "SUCCESS")};
  EXPECT_EQ(run(checks, {}).status, 0);
  EXPECT_EQ(run(checks, {"--suite", "a"}).status, 1);
  EXPECT_TRUE(
      contains(run(checks, {"--ctest", "x/"}).output, "LABELS [==[relacy;long]==] DISABLED TRUE)"));
  EXPECT_TRUE(contains(run(checks, {"--list"}).output, "disabled: the tool cannot"));
}

}  // namespace
}  // namespace stealbench::verify
