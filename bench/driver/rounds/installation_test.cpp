#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "bench/compare/cells.hpp"
#include "bench/compare/names.hpp"
#include "bench/compare/plan.hpp"
#include "results/system/scratch_folder.hpp"

namespace stealbench::compare {
namespace {

using workloads::bad_input;

/// The message that a call ends in; empty if it returns.
template <class F>
std::string message_of(F&& call) {
  try {
    static_cast<void>(call());
  } catch (const bad_input& error) {
    return error.what();
  }
  return {};
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// NOLINTNEXTLINE(readability-identifier-naming): GoogleTest shows it as the name of the suite.
using Names = system::scratch_folder;

TEST_F(Names, ASchedulerIsBuiltIfItsExecutableIsThere) {
  const installation here(folder());
  EXPECT_TRUE(here.built().empty());
  EXPECT_EQ(here.not_built(), known_schedulers());
  const auto script = plant("stealbench-onetbb", "exit 0");
  EXPECT_EQ(here.built(), std::vector<std::string>{"onetbb"});
  EXPECT_EQ(here.executable_of("onetbb"), script);
}

TEST_F(Names, ASchedulerThatIsNotBuiltSaysHowToBuildIt) {
  const installation here(folder());
  const std::string message = message_of([&] { return here.executable_of("work-stealing"); });
  EXPECT_TRUE(contains(message, "not built")) << message;
  EXPECT_TRUE(contains(message, "cmake --workflow --preset work-stealing")) << message;
}

TEST_F(Names, AnUnknownSchedulerNamesTheKnownOnes) {
  const installation here(folder());
  const std::string message = message_of([&] { return here.executable_of("lottery"); });
  EXPECT_TRUE(contains(message, "'lottery'")) << message;
  for (const std::string& name : known_schedulers()) EXPECT_TRUE(contains(message, name));
}

TEST_F(Names, AnUnknownWorkloadNamesTheKnownOnes) {
  EXPECT_EQ(find_workload("uts").name, "uts");
  const std::string message = message_of([] { return find_workload("sudoku"); });
  for (const char* const name : {"'sudoku'", "fib", "mergesort", "uts"}) {
    EXPECT_TRUE(contains(message, name)) << message;
  }
}

TEST_F(Names, WorkerCountsOutsideTheLimitsAreRefused) {
  EXPECT_EQ(parse_workers("1"), 1U);
  EXPECT_EQ(parse_workers("256"), 256U);
  for (const char* const text :
       {"0", "-1", "257", "99999999999999999999", "two", "2x", " 2", "", "1.5", "+2"}) {
    const std::string message = message_of([&] { return parse_workers(text); });
    EXPECT_TRUE(contains(message, "1 to 256")) << "'" << text << "': " << message;
  }
}

TEST_F(Names, AListIsSplitAtCommasAndKeepsWhatIsEmpty) {
  using list = std::vector<std::string>;
  EXPECT_EQ(split_list(""), list{});
  EXPECT_EQ(split_list("uts"), list{"uts"});
  EXPECT_EQ(split_list("1,2"), (list{"1", "2"}));
  EXPECT_EQ(split_list(",1,,2,"), (list{"", "1", "", "2", ""}));
}

TEST_F(Names, RepetitionsAreRemovedAndTheOrderIsKept) {
  EXPECT_EQ(without_repetitions(std::vector{3, 1, 3, 2, 1}), (std::vector{3, 1, 2}));
}

TEST_F(Names, ACellIsCalledAsItsBenchmarkIs) {
  const cell which{"work-stealing", "x", {"uts", {{"tree", "T1"}, {"granularity", "2"}}}, 2};
  EXPECT_EQ(name_of(which), "uts/work-stealing/tree:T1/granularity:2/workers:2");
  EXPECT_EQ(label_of(which.what), "uts tree=T1 granularity=2");
  EXPECT_EQ(arguments_of(which),
            (std::vector<std::string>{"--workload", "uts", "--size", "none", "--workers", "2",
                                      "--set", "tree=T1", "--set", "granularity=2"}));
}

TEST_F(Names, ASchedulerIsChosenWithItsSettingsInCanonicalForm) {
  const installation here(folder());
  const auto script = plant("stealbench-work-stealing", "exit 0");
  plant("stealbench-serial", "exit 0");
  EXPECT_EQ(here.choose("work-stealing:idle=spin:deque=locked"),
            (runnable{"work-stealing:deque=locked:idle=spin", script}));
  EXPECT_EQ(here.choose("work-stealing:deque=split"), (runnable{"work-stealing", script}));
  EXPECT_TRUE(contains(message_of([&] { return here.choose("lottery:deque=locked"); }),
                       "unknown scheduler 'lottery'"));
  EXPECT_TRUE(
      contains(message_of([&] { return here.choose("openmp:deque=locked"); }), "not built"));
  EXPECT_TRUE(contains(message_of([&] { return here.choose("serial:"); }), "has no settings"));
}

TEST_F(Names, ACellGivesItsExecutableTheSettings) {
  const cell which{"work-stealing:deque=locked:idle=spin", "x", {"fib", {}}, 1};
  EXPECT_EQ(name_of(which), "fib/work-stealing:deque=locked:idle=spin/workers:1");
  EXPECT_EQ(arguments_of(which),
            (std::vector<std::string>{"--workload", "fib", "--size", "none", "--workers", "1",
                                      "--variant", "deque=locked:idle=spin"}));
}

TEST_F(Names, TheUsersAssignmentsWinOverTheSize) {
  const workloads::description uts = find_workload("uts");
  EXPECT_EQ(instances_of(uts, "standard", {}).size(), 2U);
  const auto chosen = instances_of(uts, "standard", {{"tree", "T5"}});
  ASSERT_EQ(chosen.size(), 1U);
  EXPECT_EQ(label_of(chosen.front()), "uts tree=T5");
}

// NOLINTNEXTLINE(readability-identifier-naming): GoogleTest shows it as the name of the suite.
using Plan = system::scratch_folder;

TEST_F(Plan, EveryCombinationIsACellOnce) {
  plant("stealbench-serial", "exit 0");
  plant("stealbench-openmp", "exit 0");
  compare_request asked;
  asked.workloads = "uts,fib,uts";
  asked.workers = "2,1,2";
  const plan made = plan_for(asked, installation(folder()));
  // Two trees and one fib, two schedulers, two worker counts.
  ASSERT_EQ(made.cells.size(), 12U);
  EXPECT_EQ(made.cells.front().what.workload, "uts");
  EXPECT_EQ(made.cells.front().workers, 2U);
  EXPECT_EQ(made.cells.back().what.workload, "fib");
  EXPECT_FALSE(made.until.rounds);
  EXPECT_EQ(made.until.budget.count(), 300);
  EXPECT_DOUBLE_EQ(made.until.target, 0.02);
}

TEST_F(Plan, VariantsOfOneNameAreOneScheduler) {
  plant("stealbench-work-stealing", "exit 0");
  compare_request asked;
  asked.workloads = "fib";
  asked.workers = "1";
  asked.schedulers = "work-stealing:join=any,work-stealing,work-stealing:idle=spin";
  const plan made = plan_for(asked, installation(folder()));
  ASSERT_EQ(made.cells.size(), 2U);
  EXPECT_EQ(made.cells[0].scheduler, "work-stealing");
  EXPECT_EQ(made.cells[1].scheduler, "work-stealing:idle=spin");
}

TEST_F(Plan, TheAblationChoosesTheSchedulers) {
  plant("stealbench-serial", "exit 0");
  plant("stealbench-work-stealing", "exit 0");
  compare_request asked;
  asked.workloads = "fib";
  asked.workers = "1";
  asked.ablation = true;
  EXPECT_EQ(plan_for(asked, installation(folder())).cells.size(), 11U);
  asked.schedulers = "serial";
  const std::string message = message_of([&] { return plan_for(asked, installation(folder())); });
  EXPECT_TRUE(contains(message, "--schedulers, not both")) << message;
}

TEST_F(Plan, ASeedIsTakenAsItIs) {
  plant("stealbench-serial", "exit 0");
  compare_request asked;
  asked.seed = "18446744073709551615";
  EXPECT_EQ(plan_for(asked, installation(folder())).seed, 18446744073709551615U);
}

TEST_F(Plan, NumbersOutOfRangeAreRefusedWithTheRange) {
  plant("stealbench-serial", "exit 0");
  const auto refused = [&](auto member, const char* text) {
    compare_request asked;
    asked.*member = text;
    return message_of([&] { return plan_for(asked, installation(folder())); });
  };
  for (const char* const text : {"0", "1001", "-3", "many"}) {
    EXPECT_TRUE(contains(refused(&compare_request::rounds, text), "1 to 1000")) << text;
  }
  for (const char* const text : {"0", "86401", "soon"}) {
    EXPECT_TRUE(contains(refused(&compare_request::timeout_seconds, text), "1 to 86400")) << text;
  }
  EXPECT_TRUE(contains(refused(&compare_request::seed, "x"), "18446744073709551615"));
  EXPECT_TRUE(contains(refused(&compare_request::size, "huge"), "test, small, standard, large"));
}

TEST_F(Plan, NothingBuiltSaysHowToBuild) {
  const std::string message = message_of([&] { return plan_for({}, installation(folder())); });
  EXPECT_TRUE(contains(message, "cmake --workflow --preset compare")) << message;
}

}  // namespace
}  // namespace stealbench::compare
