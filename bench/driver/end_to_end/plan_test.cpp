// Which cells each experiment measures, by the first line of its raw file.
#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "bench/driver/end_to_end/driver_fixture.hpp"
#include "bench/driver/end_to_end/planted_fixture.hpp"
#include "bench/driver/experiments/metg/metg.hpp"
#include "bench/driver/experiments/options.hpp"
#include "bench/driver/rounds/host.hpp"
#include "bench/driver/rounds/installation.hpp"
#include "schedulers/operating_system/processors.hpp"

namespace stealbench::end_to_end {
namespace {

using texts = std::vector<std::string>;

// NOLINTNEXTLINE(readability-identifier-naming): GoogleTest shows it as the name of the suite.
class Plan : public driver_fixture {
 protected:
  Plan() {
    use_planted_schedulers();
    for (const char* const name : {"stealbench-serial", "stealbench-work-stealing"}) {
      plant(name, taking("1000 + x"));
    }
  }

  /// The first line of what these arguments measure in one round.
  [[nodiscard]] json header_of(texts arguments) const {
    for (const char* const more : {"--rounds", "1", "--overwrite", "--output"}) {
      arguments.emplace_back(more);
    }
    arguments.push_back(output().string());
    const process_result result = drive(arguments);
    EXPECT_EQ(result.status, 0) << result.errors;
    return data(arguments.front()).header();
  }

  static texts schedulers_of(const json& header) {
    texts names;
    for (const json& each : header["cells"]) names.push_back(each["scheduler"]);
    return names;
  }
};

TEST_F(Plan, EveryCombinationIsACellOnce) {
  const json header = header_of({"compare", "--workloads", "uts,fib,uts", "--workers", "2,1,2"});
  const json& cells = header["cells"];
  ASSERT_EQ(cells.size(), 9U) << "two trees and one fib, two worker counts, and serial once";
  EXPECT_EQ(cells.front()["workload"], "uts");
  EXPECT_EQ(cells.front()["workers"], 2);
  EXPECT_EQ(cells.back()["workload"], "fib");
  EXPECT_EQ(cells.back()["workers"], 1);
  EXPECT_EQ(header["settings"]["budget"], 90);
  EXPECT_EQ(header["settings"]["target"], 2);
  EXPECT_EQ(header["settings"]["workloads"], (json{"uts", "fib"}));
  EXPECT_EQ(header["settings"]["schedulers"], (json{"serial", "work-stealing"}));
  EXPECT_EQ(header["settings"]["workers"], (json{2, 1}));
  EXPECT_EQ(schedulers_of(header),
            (texts{"serial", "work-stealing", "work-stealing", "serial", "work-stealing",
                   "work-stealing", "serial", "work-stealing", "work-stealing"}));
  EXPECT_EQ(cells[0]["workers"], 2) << "serial beside the most workers";
  const auto& checks = header["host_checks"];
  const auto of_workers = std::ranges::find(
      checks, "workers", [](const json& each) { return each["check"].get<std::string>(); });
  ASSERT_NE(of_workers, checks.end());
  EXPECT_TRUE(contains((*of_workers)["detail"], "up to 2 workers")) << *of_workers;
}

TEST_F(Plan, NamesWhatIsNotBuiltOfTheUsualSchedulersWithTheCommandThatAddsIt) {
  const texts compare{"compare", "--workloads", "fib", "--workers", "1"};
  const json missing = header_of(compare)["about"]["not_built"];
  EXPECT_EQ(missing["schedulers"], (json{"central-queue", "work-sharing", "static-partition",
                                         "onetbb", "openmp", "openmp-llvm", "rayon"}));
  const std::string command = missing["command"];
  EXPECT_TRUE(command.ends_with(
      "cmake --preset compare && cmake --build build/compare --target comparison"))
      << command;
  const std::string page = text_of(output() / "compare.md");
  EXPECT_TRUE(contains(page,
                       "Not built, so not compared: central-queue, work-sharing, "
                       "static-partition, onetbb and 3 more. The command that adds them: " +
                           command))
      << page;
  texts chosen = compare;
  chosen.insert(chosen.end(), {"--exclude", "openmp,rayon"});
  EXPECT_EQ(header_of(chosen)["about"]["not_built"]["schedulers"].size(), 5U);
  chosen = compare;
  chosen.insert(chosen.end(), {"--schedulers", "serial,work-stealing"});
  EXPECT_FALSE(header_of(chosen)["about"].contains("not_built")) << "it was not asked for";
}

TEST_F(Plan, WorkerCountsAreNumbersAndRanges) {
  const auto counts_of = [&](const std::string& typed) {
    return header_of({"compare", "--workloads", "fib", "--workers", typed})["settings"]["workers"];
  };
  EXPECT_EQ(counts_of("2-4"), (json{2, 3, 4}));
  EXPECT_EQ(counts_of("1,2-3,8"), (json{1, 2, 3, 8}));
  EXPECT_EQ(counts_of("1-2,2-2"), (json{1, 2}));
}

TEST_F(Plan, UsualWorkerCountsDoubleUpToTheCoresAndThenAreTheProcessors) {
  using counts = std::vector<unsigned>;
  EXPECT_EQ(experiments::usual_worker_counts(1, 1), counts{1});
  EXPECT_EQ(experiments::usual_worker_counts(2, 2), (counts{1, 2}));
  EXPECT_EQ(experiments::usual_worker_counts(6, 6), (counts{1, 2, 4, 6}));
  EXPECT_EQ(experiments::usual_worker_counts(12, 6), (counts{1, 2, 4, 6, 12}));
  EXPECT_EQ(experiments::usual_worker_counts(128, 16), (counts{1, 2, 4, 8, 16, 128}));
  EXPECT_EQ(experiments::usual_worker_counts(2, 4), (counts{1, 2})) << "a control group limits it";
  EXPECT_EQ(experiments::usual_worker_counts(6, 0), (counts{1, 2, 4, 6})) << "cores not known";
}

TEST_F(Plan, AParameterIsSetOnEachWorkloadThatHasIt) {
  const json header = header_of({"compare", "--workloads", "fib,mergesort,integrate", "--workers",
                                 "1", "--schedulers", "serial", "--set", "n=7"});
  ASSERT_EQ(header["cells"].size(), 3U);
  EXPECT_EQ(header["cells"][0]["parameters"], (json{{"n", "7"}}));
  EXPECT_FALSE(header["cells"][1]["parameters"].contains("n"));
}

TEST_F(Plan, WhatIsExcludedIsLeftOut) {
  const texts compare{"compare", "--workloads", "fib,uts", "--workers", "1"};
  const auto with = [&](const texts& more) {
    texts all = compare;
    all.insert(all.end(), more.begin(), more.end());
    return header_of(all);
  };
  EXPECT_EQ(schedulers_of(with({"--exclude", "serial,uts,openmp"})), texts{"work-stealing"});
  const texts three{"--schedulers", "work-stealing,work-stealing:idle=spin,serial", "--exclude"};
  const auto without = [&](const char* excluded) {
    texts all = three;
    all.insert(all.end(), {excluded, "--workloads", "fib"});
    all.insert(all.begin(), {"compare", "--workers", "1"});
    return schedulers_of(header_of(all));
  };
  EXPECT_EQ(without("work-stealing"), texts{"serial"});
  EXPECT_EQ(without("work-stealing:idle=spin"), (texts{"work-stealing", "serial"}));
  EXPECT_EQ(without("work-stealing:idle=park"), (texts{"work-stealing:idle=spin", "serial"}))
      << "the default";
  const json ablation = with({"--ablation", "--exclude", "work-stealing:idle=spin"});
  for (const json& each : ablation["about"]["ablation"]) {
    EXPECT_NE(each["variant"], "work-stealing:idle=spin");
  }
}

TEST_F(Plan, APinnedComparisonTellsEachProcess) {
  plant("stealbench-serial", "echo \"$*\" >> \"${0%/*}/told\"\n" + taking("1000"));
  const texts once{"compare", "--workloads", "fib", "--workers", "1", "--schedulers", "serial"};
  static_cast<void>(header_of(once));
  EXPECT_EQ(count_of(" --pin ", text_of(folder() / "told")), 0U);
  texts pinned = once;
  pinned.emplace_back("--pin");
  EXPECT_EQ(header_of(pinned)["settings"]["pin"], true);
  EXPECT_EQ(count_of(" --pin ", text_of(folder() / "told")), 2U) << "timed, and counted";
}

// Of each experiment what `--help` and the README promise.
TEST_F(Plan, WithoutOptionsIsTheOneThatTheHelpNames) {
  const texts usual{"serial", "work-stealing", "central-queue", "work-sharing", "static-partition",
                    "onetbb", "openmp",        "openmp-llvm",   "rayon"};
  for (const std::string& each : usual) plant("stealbench-" + each, taking("1000 + x"));
  plant("stealbench-depth-first", taking("1000 + x"));
  const json compare = header_of({"compare"});
  EXPECT_EQ(compare["settings"]["workloads"], (json{"mergesort", "uts"}));
  EXPECT_EQ(compare["settings"]["schedulers"], json(usual));
  const unsigned processors = rounds::usable_processors();
  EXPECT_EQ(
      compare["settings"]["workers"],
      json(experiments::usual_worker_counts(processors, operating_system::this_machine().cores())));
  EXPECT_EQ(compare["settings"]["size"], "standard");
  EXPECT_EQ(compare["baseline"], "serial");
  const json grain = header_of({"grain", "nqueens", "--set", "n=3"});
  EXPECT_EQ(grain["settings"]["workers"], json{processors});
  EXPECT_EQ(grain["settings"]["size"], "standard");
  EXPECT_EQ(grain["settings"]["budget"], 120);
  const json metg = header_of({"metg", "--schedulers", "serial"});
  EXPECT_EQ(metg["settings"]["workers"], json(dataset::distinct(std::vector{1U, processors})));
  EXPECT_EQ(metg["settings"]["budget"], 150);
  EXPECT_EQ(metg["about"], analysis::json_of(experiments::metg::standard_graphs(processors)));
  const json micro = header_of({"micro", "--metrics", "fork", "--schedulers", "serial"});
  EXPECT_EQ(micro["settings"]["budget"], 120);
  const json ab = header_of({"ab", folder(), folder(), "--workloads", "fib"});
  EXPECT_EQ(ab["settings"]["threshold"], 3);
  EXPECT_EQ(ab["settings"]["schedulers"], json(usual));
  EXPECT_EQ(ab["settings"]["workers"], json{processors});
  for (const json& each : {compare, grain, metg, micro, ab}) {
    EXPECT_EQ(each["settings"]["target"], 2);
    EXPECT_EQ(each["settings"]["timeout"], 120);
  }
}

TEST_F(Plan, HasAnotherSeedEachTime) {
  const texts fib{"compare", "--workloads", "fib", "--schedulers", "serial", "--workers", "1"};
  EXPECT_NE(header_of(fib)["settings"]["seed"], header_of(fib)["settings"]["seed"]);
}

TEST_F(Plan, AllWorkloadsAreSpeltOut) {
  plant("stealbench-serial", "exit 3");
  const process_result result =
      drive({"compare", "--workloads", "all", "--schedulers", "serial", "--workers", "1",
             "--rounds", "1", "--output", output().string()});
  EXPECT_EQ(result.status, 1);
  EXPECT_GT(data().header()["settings"]["workloads"].size(), 20U);
}

TEST_F(Plan, VariantsOfOneNameAreOneScheduler) {
  EXPECT_EQ(schedulers_of(header_of(
                {"compare", "--workloads", "fib", "--workers", "1", "--schedulers",
                 "work-stealing:join=any,work-stealing,work-stealing:idle=spin:deque=locked"})),
            (texts{"work-stealing", "work-stealing:deque=locked:idle=spin"}));
}

// Only work stealing is planted here.
TEST_F(Plan, TheAblationHasTheBaselineTheDefaultAndEachVariantThatDiffersInOneSetting) {
  const json header = header_of({"compare", "--ablation", "--workloads", "fib", "--workers", "1"});
  const texts schedulers = schedulers_of(header);
  EXPECT_EQ(schedulers[0], "serial");
  EXPECT_EQ(schedulers[1], "work-stealing");
  const json& contrasts = header["about"]["ablation"];
  ASSERT_EQ(contrasts.size(), settings_but_defaults().size());
  for (std::size_t i = 0; i < contrasts.size(); ++i) {
    const std::string variant = contrasts[i]["variant"];
    EXPECT_TRUE(contains(variant, settings_but_defaults()[i])) << variant;
    EXPECT_TRUE(variant.starts_with(contrasts[i]["against"].get<std::string>())) << variant;
    for (const char* const side : {"variant", "against"}) {
      EXPECT_EQ(std::ranges::count(schedulers, contrasts[i][side].get<std::string>()), 1);
    }
    const std::string factor = contrasts[i]["factor"];
    EXPECT_TRUE(contains(variant, factor.substr(factor.find(':')) + "=")) << variant;
  }
}

TEST_F(Plan, AWorkloadMayHaveAnotherSizeThanTheOthers) {
  const json header =
      header_of({"compare", "--workloads", "fib,mergesort", "--schedulers", "serial", "--workers",
                 "1", "--size", "small", "--size-of", "fib=large,fib=test"});
  ASSERT_EQ(header["cells"].size(), 2U);
  EXPECT_EQ(header["cells"][0]["parameters"], (json{{"n", "20"}})) << "the last one counts";
  EXPECT_EQ(header["cells"][1]["parameters"], (json{{"keys", "1048576"}}));
}

TEST_F(Plan, ASeedIsTakenAsItIs) {
  EXPECT_EQ(header_of({"compare", "--workloads", "fib", "--workers", "1", "--seed",
                       "18446744073709551615"})["settings"]["seed"],
            18446744073709551615U);
}

TEST_F(Plan, MicroHasNoCellForAFigureThatASchedulerCannotHave) {
  const json header = header_of({"micro", "--metrics", "fork,steal"});
  texts names;
  for (const json& each : header["cells"]) names.push_back(each["name"]);
  EXPECT_EQ(names, (texts{"fork/serial/workers:1", "fork/work-stealing/workers:1",
                          "steal/work-stealing/workers:2"}));
  ASSERT_EQ(header["about"]["gaps"].size(), 1U);
  EXPECT_EQ(header["about"]["gaps"][0]["scheduler"], "serial");
}

TEST_F(Plan, GrainTakesWorkStealingUnlessAskedOtherwise) {
  const json header = header_of({"grain", "nqueens", "--workers", "1", "--set", "n=3"});
  EXPECT_EQ(schedulers_of(header), texts(4, "work-stealing"));
  EXPECT_EQ(header["about"],
            (json{{"parameter", "cutoff"}, {"greater", "finer"}, {"unit", "levels"}}));
  EXPECT_EQ(header_of({"grain", "health", "--workers", "1", "--grains", "1"})["about"]["greater"],
            "coarser")
      << "levels of a piece";
}

TEST_F(Plan, ComparesTheSchedulersOfTheFirstTableOfTheReadmeIfNoneAreNamed) {
  const std::string readme = text_of(STEALBENCH_ROOT "/README.md");
  const std::size_t begin = readme.find("### Rank and time");
  const std::string table = readme.substr(begin, readme.find("<!-- end of", begin) - begin);
  for (const std::string& each : rounds::compared_schedulers()) {
    EXPECT_TRUE(contains(table, "\n| " + each + " ")) << each;
  }
  EXPECT_EQ(count_of("\n| ", table), rounds::compared_schedulers().size() + 2) << "and the head";
}

TEST_F(Plan, AWaitForACalmMachineIsReportedAndIsNoSetting) {
  const process_result result =
      drive({"compare", "--workloads", "fib", "--workers", "1", "--schedulers", "serial",
             "--rounds", "1", "--calm", "1", "--output", output().string()});
  EXPECT_EQ(result.status, 0) << result.errors;
  EXPECT_TRUE(contains(result.errors, " s programs use ")) << result.errors;
  EXPECT_FALSE(data().header()["settings"].contains("calm"));
}

TEST_F(Plan, NothingBuiltSaysHowToBuild) {
  for (const char* const name : {"stealbench-serial", "stealbench-work-stealing"}) {
    std::filesystem::remove(folder() / name);
  }
  for (const char* const experiment : {"compare", "metg", "micro"}) {
    const process_result result = drive({experiment, "--output", output().string()});
    EXPECT_EQ(result.status, 2);
    EXPECT_TRUE(contains(result.errors, "cmake --build build/compare")) << result.errors;
  }
  EXPECT_TRUE(contains(drive({"grain", "mergesort"}).errors,
                       "--target stealbench stealbench-work-stealing"));
  EXPECT_FALSE(std::filesystem::exists(output()));
}

}  // namespace
}  // namespace stealbench::end_to_end
