#include "verify/mutation.hpp"

#include <cstdio>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "schedulers/contract/test_limit.hpp"

namespace stealbench::verify {
namespace {

using engine::order;

struct toy_orderings {
  order publish = order::release;
  order find = order::acquire;
  order hint = order::relaxed;
  bool fenced = true;
};
constexpr toy_orderings shipped{};
toy_orderings& toy_now = weakened<toy_orderings>;

std::vector<site_of<toy_orderings>> toy_sites() {
  using o = toy_orderings;
  return {{"publish", &o::publish, operation::store, "find"},
          {"find", &o::find, operation::load, "publish"},
          {"hint", &o::hint, operation::load, "a hint"},
          {"fenced", &o::fenced, operation::step, "another fence"}};
}

// A "protocol" of which one script sees a relaxed publish, and one a missing fence.
matrix toy() {
  return matrix_of("toy", "toy.hpp", shipped, toy_sites(),
                   {{"first", 2, full,
                     [](const search&) {
                       const bool fails = toy_now.publish == order::relaxed;
                       return verdict{fails ? "DATA RACE" : "SUCCESS", 3, 0};
                     }},
                    {"second", 3, bound(2),
                     [](const search& s) {
                       const bool fails = !toy_now.fenced && s.how == search::kind::bound;
                       return verdict{fails ? "DEADLOCK" : "SUCCESS", 5, 0};
                     }}},
                   {{"find", "relaxed", justification::equivalent, "It is a toy."}});
}

struct written {
  std::vector<std::string> wrong;
  std::string text;
};

verdict_file on_file(const std::string& text) {
  std::istringstream lines(text);
  return read_verdicts(lines);
}

written write(const matrix& tested, const std::string& second = {}) {
  const verdicts now = try_mutants(tested);
  std::ostringstream text;
  write_rows(tested, now, on_file(second), text);
  return {wrong_with(tested, now, on_file(second)), text.str()};
}

std::string lines_of(const matrix& tested) {
  std::ostringstream lines;
  write_verdicts(try_mutants(tested), lines);
  return lines.str();
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

int run(const std::vector<matrix>& tested, std::vector<std::string> arguments, std::string& said) {
  arguments.insert(arguments.begin(), "program");
  std::vector<char*> argv;
  argv.reserve(arguments.size());
  for (std::string& each : arguments) argv.push_back(each.data());
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  const int status = run_checks(static_cast<int>(argv.size()), argv.data(), {}, tested);
  said = testing::internal::GetCapturedStdout();
  said += testing::internal::GetCapturedStderr();
  return status;
}

// NOLINTNEXTLINE(readability-identifier-naming): GoogleTest shows it as the name of the suite.
class Record : public testing::Test {
 protected:
  void record(const std::string& text) { std::ofstream(file) << text; }
  int compare(const std::vector<matrix>& tested, const std::string& how = "--orderings") {
    return run(tested, {how, "/dev/null", file}, said);
  }
  void TearDown() override { std::remove(file.c_str()); }
  std::string said;
  // Of this test alone: CTest runs several at once.
  const std::string file = testing::TempDir() + "stealbench_" +
                           testing::UnitTest::GetInstance()->current_test_info()->name() + ".md";
};

TEST(Weaker, GoesDownToRelaxedOrToNoFenceAtAll) {
  using orders = std::vector<order>;
  EXPECT_EQ(weaker(operation::load, order::seq_cst), (orders{order::acquire, order::relaxed}));
  EXPECT_EQ(weaker(operation::store, order::release), orders{order::relaxed});
  EXPECT_EQ(weaker(operation::read_modify_write, order::seq_cst),
            (orders{order::acq_rel, order::acquire, order::release, order::relaxed}));
  EXPECT_EQ(weaker(operation::read_modify_write, order::acquire), orders{order::relaxed});
  EXPECT_EQ(weaker(operation::read_modify_write, order::release), orders{order::relaxed});
  EXPECT_EQ(weaker(operation::fence, order::acquire), orders{order::none});
  EXPECT_EQ(weaker(operation::fence, order::seq_cst),
            (orders{order::acq_rel, order::acquire, order::release, order::none}));
  EXPECT_TRUE(weaker(operation::load, order::relaxed).empty());
}

TEST(Matrix, SaysWhichScriptKillsAMutantWhenAndHow) {
  const written r = write(toy());
  EXPECT_TRUE(r.wrong.empty());
  EXPECT_TRUE(has(r.text,
                  "\ntoy\ttoy.hpp\tpublish\tstore\trelease\tfind\trelaxed\tkilled: `first`, 2 "
                  "threads, execution 3 of random:10000: DATA RACE\t–\t–\t–\n"));
  EXPECT_TRUE(has(r.text,
                  "\tleft out\tkilled: `second`, 3 threads, execution 5 of bound:2: "
                  "DEADLOCK\t"));
  EXPECT_TRUE(has(r.text, "toy\ttoy.hpp\thint\tload\trelaxed\ta hint\t–\tnothing to weaken\t"));
  EXPECT_TRUE(
      has(r.text, "\tnothing\tby `first` (2 threads, full), `second` (3 threads, bound:2)\t"));
}

TEST(Matrix, HasNoScriptThatFailsWithNothingWeakened) {
  matrix m = toy();
  m.survivors.clear();
  m.trials = {{"broken", 2, bound(2), [](const search&) { return verdict{"DATA RACE", 3, 0}; }}};
  const std::vector<std::string> wrong = write(m).wrong;
  ASSERT_EQ(wrong.size(), 1U);
  EXPECT_TRUE(has(wrong.front(), "toy fails with nothing weakened, killed: `broken`"));
  // The deep searches, too, of which the day's check has none.
  m.trials.front().explore = [](const search& s) {
    const bool fails = s.how == search::kind::bound && toy_now.fenced;
    return verdict{fails ? "DATA RACE" : "SUCCESS", 3, 0};
  };
  const mutant_name broken{"toy", "shipped", "broken"};
  EXPECT_EQ(try_mutants(m).count(broken), 1U);
  EXPECT_EQ(try_mutants(m, {{{"toy", "find", "relaxed"}, "survived"}}).count(broken), 0U);
}

TEST(Matrix, SaysHowLongAMutantSurvivedAndWhyAndLeavesNoneActive) {
  // Two scripts, two searches each.
  EXPECT_TRUE(has(write(toy()).text, "survived 16 executions\tequivalent mutant\tIt is a toy.\t"));
  EXPECT_TRUE(toy_now.fenced);  // The last mutant's, which another matrix would play too.
}

TEST(Matrix, TriesNoMutantThatAllowsLessThanASurvivor) {
  std::vector<site_of<toy_orderings>> sites = toy_sites();
  sites[0].what = operation::read_modify_write;
  toy_orderings strongest = shipped;
  strongest.publish = order::seq_cst;
  matrix m =
      matrix_of("toy", "toy.hpp", strongest, sites, toy().trials,
                {{"publish", "*", justification::equivalent, "A toy."}, toy().survivors.front()});
  // The first script kills the relaxed one, so that the stronger ones are tried too.
  EXPECT_TRUE(has(write(m).text, "\tacq_rel\tsurvived 16 executions\t"));
  m.trials.erase(m.trials.begin());
  const std::string text = write(m).text;
  EXPECT_TRUE(has(text, "\tacq_rel\tsurvived, as `relaxed` does\tequivalent mutant\tA toy.\t"));
  EXPECT_TRUE(has(text, "\trelaxed\tsurvived 10 executions\t"));
}

TEST(Matrix, WeakensOneOrderingAtATime) {
  matrix m = toy();
  m.trials = {{"only", 2, full, [](const search&) {
                 const int weak = (toy_now.publish != shipped.publish ? 1 : 0) +
                                  (toy_now.find != shipped.find ? 1 : 0) +
                                  (toy_now.fenced != shipped.fenced ? 1 : 0);
                 return verdict{weak == 1 ? "DATA RACE" : "SUCCESS", 1, 0};
               }}};
  m.survivors.clear();
  EXPECT_TRUE(write(m).wrong.empty());
}

TEST(Matrix, IsWrongIfItsSitesAreNotTheOrderingsOrItsReasonsNotThoseOfItsSurvivors) {
  using site_list = std::vector<site_of<toy_orderings>>;
  const auto complaints = [](const auto& change) {
    site_list sites = toy_sites();
    matrix reasons = toy();
    change(sites, reasons.survivors);
    return write(matrix_of("toy", "toy.hpp", shipped, sites, reasons.trials, reasons.survivors))
        .wrong;
  };
  const auto expect_one = [&](const char* complaint, const auto& change) {
    const std::vector<std::string> wrong = complaints(change);
    ASSERT_EQ(wrong.size(), 1U) << complaint;
    EXPECT_TRUE(has(wrong[0], complaint)) << wrong[0];
  };
  expect_one("toy: publish is shipped release, which a load cannot be",
             [](site_list& sites, auto&) { sites[0].what = operation::load; });
  expect_one("has 4 orderings, and the matrix 3 sites",
             [](site_list& sites, auto&) { sites.erase(sites.begin() + 2); });
  expect_one("find relaxed survives without a reason",
             [](site_list&, auto& survivors) { survivors.clear(); });
  EXPECT_FALSE(complaints([](site_list& sites, auto&) { sites[2] = sites[1]; }).empty());
  EXPECT_FALSE(
      complaints([](site_list&, auto& survivors) {
        survivors.push_back({"publish", "relaxed", justification::invisible, "It is not."});
      }).empty());
  EXPECT_FALSE(complaints([](site_list&, auto& survivors) {
                 survivors.push_back({"hint", "*", justification::equivalent, "None is weaker."});
               }).empty());
}

TEST(SecondOpinion, StandsBesideTheFirst) {
  const std::string text = write(toy(),
                                 "# Comment\nOther 1.0\n"
                                 "toy | shipped |  | survived 7 executions\n"
                                 "toy | publish | relaxed | killed by `x`; also | bars\n")
                               .text;
  EXPECT_TRUE(has(text, "(3 threads, bound:2)\t–\t–\tOther 1.0: survived 7 executions\n"));
  EXPECT_TRUE(has(text, "random:10000: DATA RACE\t–\t–\tkilled by `x`; also | bars\n"));
  EXPECT_TRUE(has(text, "\tequivalent mutant\tIt is a toy.\t–\n"));
}

TEST(SecondOpinion, MustKillWhatIsInvisibleToTheFirstAndNothingElse) {
  const std::string survived = "toy | find | relaxed | survived 7 executions\n";
  const std::string killed = "toy | find | relaxed | killed\n";
  matrix m = toy();
  for (const auto why :
       {justification::invisible, justification::equivalent, justification::argued}) {
    m.survivors.front().why = why;
    const bool must_be_killed = why == justification::invisible;
    EXPECT_EQ(write(m).wrong.empty(), !must_be_killed);
    EXPECT_EQ(write(m, survived).wrong.empty(), !must_be_killed);
    EXPECT_EQ(write(m, killed).wrong.empty(), must_be_killed);
  }
}

TEST(SecondOpinion, IsWrongIfItKillsWhatIsShippedOrIsAboutAMutantThatIsGone) {
  EXPECT_FALSE(write(toy(), "toy | shipped |  | killed\n").wrong.empty());
  EXPECT_FALSE(write(toy(), "toy | find | acquire | survived 7 executions\n").wrong.empty());
  EXPECT_FALSE(write(toy(), "toy | gone | relaxed | survived 7 executions\n").wrong.empty());
  EXPECT_TRUE(write(toy(), "other | gone | relaxed | survived 7 executions\n").wrong.empty());
}

TEST(Mutants, AreListedForTheSecondCheckerWeakestFirst) {
  toy_orderings strongest = shipped;
  strongest.publish = order::seq_cst;
  const matrix m = matrix_of("toy", "toy.hpp", strongest, toy_sites(), toy().trials);
  std::string said;
  EXPECT_EQ(run({m}, {"--mutants"}, said), 0);
  EXPECT_EQ(said,
            "protocol toy\nscript first\nscript second\n"
            "mutant publish relaxed\nmutant publish release\nmutant find relaxed\n"
            "mutant fenced left out\n");
}

TEST_F(Record, MustSayWhatIsTrueNow) {
  const std::string text = "# Title\nother | a | b | killed\n" + lines_of(toy());
  record(text);
  EXPECT_EQ(compare({toy()}), 0);
  EXPECT_EQ(run({toy()}, {"--orderings", "/dev/null", file, file}, said), 2) << "one too many";

  std::string changed = text;
  changed.replace(changed.find("execution 3"), 11, "execution 4");
  record(changed);
  EXPECT_EQ(compare({toy()}), 1);
  EXPECT_TRUE(has(said, "execution 4"));
  EXPECT_TRUE(has(said, "execution 3"));
}

TEST_F(Record, MustHaveTheProtocolAndNoMutantThatIsGone) {
  record("other | a | b | killed\n");
  EXPECT_EQ(compare({toy()}), 1);
  record(lines_of(toy()) + "toy | gone | relaxed | killed\n");
  EXPECT_EQ(compare({toy()}), 1);
}

TEST_F(Record, IsComparedWithANightlyMatrixUnlessTheUsualOnesAreAskedFor) {
  matrix m = toy();
  m.is_nightly = true;
  record("other | a | b | killed\n");
  EXPECT_EQ(compare({m}, "--usual-orderings"), 0);
  EXPECT_EQ(compare({m}, "--orderings"), 1);
  EXPECT_EQ(compare({toy()}, "--usual-orderings"), 1);
}

TEST_F(Record, IsComparedWithNothingByAProgramWithoutAMatrix) {
  record("");
  EXPECT_EQ(compare({}), 77);
  EXPECT_EQ(compare({}, "--usual-orderings"), 77);
  EXPECT_EQ(compare({}, "--table"), 0);
}

TEST_F(Record, IsWhatTheTableIsWrittenFrom) {
  matrix m = toy();
  std::string text = lines_of(m);
  text.replace(text.find("execution 3"), 11, "execution 4");
  std::ostringstream table;
  write_rows(m, on_file(text).by_mutant, {}, table);
  EXPECT_TRUE(has(table.str(), "threads, execution 4 of random:10000: DATA RACE\t"));
}

TEST_F(Record, SparesTheUsualRunASurvivorThatHasAReason) {
  matrix m = toy();
  const std::string text = lines_of(m);
  std::size_t tried = 0;
  for (trial& each : m.trials) {
    each.explore = [&tried, original = each.explore](const search& s) {
      tried += toy_now.find == order::relaxed ? 1 : 0;
      return original(s);
    };
  }
  record(text);
  EXPECT_EQ(compare({m}, "--usual-orderings"), 0);
  EXPECT_EQ(tried, 0U);
  EXPECT_EQ(compare({m}, "--orderings"), 0);
  EXPECT_EQ(tried, 4U);

  std::string killed = text;
  killed.replace(killed.find("survived 16"), 11, "killed: `a`");
  record(killed);
  EXPECT_EQ(compare({m}, "--usual-orderings"), 1);
  EXPECT_EQ(tried, 8U);

  m.survivors.clear();
  record(text);
  EXPECT_EQ(compare({m}, "--usual-orderings"), 1);
  EXPECT_EQ(tried, 12U);
}

TEST_F(Record, IsNoHelpForAMatrixThatIsWrongNorWhereItCannotBeRead) {
  EXPECT_EQ(compare({toy()}), 2);
  matrix m = toy();
  m.survivors.clear();
  record(lines_of(m));
  EXPECT_EQ(compare({m, toy()}), 1) << "though the last one is right";
}

}  // namespace
}  // namespace stealbench::verify
