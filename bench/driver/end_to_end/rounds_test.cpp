// The rounds of a comparison, read from its raw file: their order, their number, what is counted
// and when it stops. The schedulers are planted.
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "bench/driver/end_to_end/driver_fixture.hpp"
#include "bench/driver/end_to_end/planted_fixture.hpp"
#include "bench/driver/rounds/host.hpp"
#include "results/analysis/statistics.hpp"

namespace stealbench::end_to_end {
namespace {

using texts = std::vector<std::string>;
using dataset::metric;

// NOLINTNEXTLINE(readability-identifier-naming): GoogleTest shows it as the name of the suite.
class Rounds : public driver_fixture {
 protected:
  Rounds() { use_planted_schedulers(); }

  /// Compares fib on `work-stealing`, which is planted anew and so counts its rounds from 1.
  process_result compare(const std::string& nanoseconds, texts more) const {
    for (const auto& each : std::filesystem::directory_iterator(folder())) {
      if (each.path().extension() == ".rounds") std::filesystem::remove(each);
    }
    plant("stealbench-work-stealing", taking(nanoseconds));
    more.insert(more.begin(), {"compare", "--workloads", "fib", "--schedulers", "work-stealing",
                               "--overwrite", "--output", output().string()});
    process_result result = drive(more);
    EXPECT_TRUE(result.how != ending::exited || result.status == 0) << result.errors;
    return result;
  }

  /// The cells of each round in the order of the raw file.
  [[nodiscard]] std::vector<texts> orders() const {
    std::vector<texts> orders;
    for (const json& each : lines_of_type("process")) {
      const auto round = each["round"].get<std::size_t>();
      EXPECT_TRUE(round == orders.size() || round == orders.size() + 1)
          << "rounds follow each other";
      orders.resize(std::max(orders.size(), round));
      orders[round - 1].push_back(each["cell"]);
    }
    return orders;
  }

  /// The widest interval of the first rounds of every cell.
  [[nodiscard]] double widest_after(std::size_t rounds) const {
    double widest = 0;
    const dataset::measurements read = data();
    for (const dataset::measured_cell& each : read.cells()) {
      std::vector<double> times = values_of(each, metric::seconds);
      times.resize(rounds);
      widest = std::max(widest, analysis::relative_half_width(analysis::estimate_median(times)));
    }
    return widest;
  }

  /// Every cell of the same number of rounds.
  [[nodiscard]] std::size_t rounds_of_all() const {
    const auto cells = data().cells();
    for (const auto& each : cells) EXPECT_EQ(each.samples.size(), cells[0].samples.size());
    return cells[0].samples.size();
  }

  /// As if it had spent so long when it was interrupted, before its last lines.
  void interrupt(std::size_t last_lines, double spent_seconds) const {
    edit_lines([=](std::vector<json>& lines) {
      lines.resize(lines.size() - last_lines);
      for (json& each : lines) {
        if (each.contains("spent_seconds")) each["spent_seconds"] = spent_seconds;
      }
    });
  }

  [[nodiscard]] process_result resume() const {
    return drive({"compare", "--resume", "--output", output().string()});
  }
};

const std::string eight_cells = "1,2,3,4,5,6,7,8";

TEST_F(Rounds, AreShuffledEachAnewByTheSeed) {
  const auto ordered_by = [&](const std::string& seed) {
    compare("1000", {"--workers", eight_cells, "--rounds", "4", "--seed", seed});
    return orders();
  };
  const std::vector<texts> first = ordered_by("7");
  ASSERT_EQ(first.size(), 4U);
  texts planned;
  const json header = data().header();
  for (const json& each : header["cells"]) planned.push_back(each["name"]);
  const std::set<texts> different(first.begin(), first.end());
  EXPECT_EQ(different.size(), 4U) << "each round has an order of its own";
  EXPECT_FALSE(different.contains(planned)) << "and none that of the plan";
  for (texts each : first) {
    std::ranges::sort(each);
    EXPECT_EQ(each, planned) << "every cell once";
  }
  EXPECT_EQ(ordered_by("7"), first);
  EXPECT_NE(ordered_by("8"), first);
}

TEST_F(Rounds, HaveTheSameOrderAfterAResumption) {
  const texts options{"--workers", eight_cells, "--rounds", "3", "--seed", "7"};
  compare("1000", options);
  const std::vector<texts> whole = orders();
  for (const unsigned killed_at : {3U, 10U, 21U}) {
    std::filesystem::remove(folder() / "calls");
    plant("stealbench-work-stealing",
          fmt::format("cd \"${{0%/*}}\"; echo >> calls; if [ $(wc -l < calls) = {} ]; then "
                      "kill -KILL $PPID; exec sleep 600; fi\n{}",
                      killed_at, taking("1000")));
    texts arguments{"compare",       "--workloads", "fib",      "--schedulers",
                    "work-stealing", "--overwrite", "--output", output().string()};
    arguments.insert(arguments.end(), options.begin(), options.end());
    EXPECT_EQ(drive(arguments).how, ending::signalled);
    EXPECT_EQ(resume().status, 0);
    EXPECT_EQ(orders(), whole) << "killed at process " << killed_at;
  }
}

TEST_F(Rounds, AreAsManyAsWereAskedFor) {
  for (const unsigned rounds : {1U, 2U, 7U}) {
    compare("1000", {"--workers", "1,2", "--rounds", std::to_string(rounds), "--budget", "1"});
    EXPECT_EQ(rounds_of_all(), rounds);
  }
}

TEST_F(Rounds, AreSixAtLeastWhateverTheBudget) {
  compare("1000 + 500 * (round % 2)", {"--workers", "1", "--budget", "1", "--target", "0.01"});
  EXPECT_GE(rounds_of_all(), 6U);
}

// One cell of three is unsteady at first, each in turn: the others alone would be enough.
TEST_F(Rounds, EndAsSoonAsTheLastIntervalIsNarrow) {
  for (const std::string unsteady : {"1", "2", "3"}) {
    for (const std::string target : {"2", "6"}) {
      compare("1000 + (workers == " + unsteady + " && round <= 3 ? 40 * round : 0)",
              {"--workers", "1,2,3", "--target", target, "--budget", "1000"});
      const std::size_t rounds = rounds_of_all();
      const double within = std::stod(target) / 100;
      EXPECT_GE(rounds, 6U);
      EXPECT_LE(widest_after(rounds), within) << "± " << target << " %, cell " << unsteady;
      EXPECT_TRUE(rounds == 6 || widest_after(rounds - 1) > within) << "no round too many";
      if (target == "2") {
        EXPECT_GT(rounds, 6U) << "it has something to wait for";
      }
    }
  }
}

TEST_F(Rounds, OfAResumedComparisonHaveWhatIsLeftOfTheBudget) {
  const auto interrupted_after = [&](double spent_seconds) {
    compare("1000 + 500 * (round % 2)", {"--workers", "1", "--rounds", "6"});
    edit_lines([](std::vector<json>& lines) {
      lines[0]["settings"].update(json{{"rounds", 0}, {"budget", 3}, {"target", 0.01}});
    });
    interrupt(1, spent_seconds);
    EXPECT_EQ(resume().status, 0);
    return rounds_of_all();
  };
  EXPECT_EQ(interrupted_after(1000), 6U) << "nothing is left";
  EXPECT_GT(interrupted_after(0), 6U);
}

TEST_F(Rounds, AddUpWhatTheyHaveSpent) {
  plant("stealbench-work-stealing", "sleep 0.1\n" + taking("1000"));
  const auto begin = std::chrono::steady_clock::now();
  ASSERT_EQ(drive({"compare", "--workloads", "fib", "--schedulers", "work-stealing", "--workers",
                   "1", "--rounds", "3", "--output", output().string()})
                .status,
            0);
  const std::chrono::duration<double> whole = std::chrono::steady_clock::now() - begin;
  double before = 0;
  std::size_t processes = 0;
  for (const char* const type : {"process", "finished"}) {
    for (const json& each : lines_of_type(type)) {
      const double spent = each["spent_seconds"];
      EXPECT_GT(spent, before);
      before = spent;
      ++processes;
    }
  }
  EXPECT_EQ(processes, 4U);
  EXPECT_GE(before, 0.4) << "three rounds and a counting run, each of which slept for 0.1 s";
  EXPECT_LE(before, whole.count());
  interrupt(3, 36000);  // The end and two rounds.
  const process_result resumed = resume();
  ASSERT_EQ(resumed.status, 0);
  EXPECT_GT(lines_of_type("process").at(1)["spent_seconds"], 36000)
      << "what was spent before counts";
  const json spent = lines_of_type("finished").at(0)["spent_seconds"];
  EXPECT_GT(spent, 36000);
  EXPECT_LT(spent, 72000) << "and counts once";
  EXPECT_TRUE(contains(resumed.errors, "round 3, 75 % done, 0:")) << resumed.errors;
  EXPECT_FALSE(contains(resumed.errors, "10:00:")) << "the next process takes less than all before";
}

// Half of the long sixth round does not fit into the rest of the budget, though the rest is not
// empty: a slow machine changes nothing about that. A long first round does not matter.
TEST_F(Rounds, EndWhenLessThanHalfOfTheLatestWouldFit) {
  const auto rounds_with = [&](unsigned long_round, const std::string& sleep,
                               const std::string& budget) {
    plant("stealbench-work-stealing", R"(case "$*" in *--once*) ;; *)
  echo >> "$0.runs"; [ $(wc -l < "$0.runs") != )" +
                                          std::to_string(long_round) + " ] || sleep " + sleep +
                                          " ;; esac\n" + taking("1000 + 500 * (round % 2)"));
    const process_result result =
        drive({"compare", "--workloads", "fib", "--schedulers", "work-stealing", "--workers", "1",
               "--target", "0.01", "--budget", budget, "--output", output().string()});
    EXPECT_EQ(result.status, 0) << result.errors;
    std::filesystem::remove(folder() / "stealbench-work-stealing.runs");
    return rounds_of_all();
  };
  EXPECT_EQ(rounds_with(6, "1.5", "2"), 6U);
  const std::size_t rounds = rounds_with(1, "2.2", "3");
  const std::vector<json> processes = lines_of_type("process");
  const double spent = processes.at(5)["spent_seconds"];
  const double latest = spent - processes.at(4)["spent_seconds"].get<double>();
  EXPECT_TRUE(rounds > 6 || spent + latest / 2 > 2.9) << "half of the latest would have fitted";
}

TEST_F(Rounds, SayHowFarTheyHaveCome) {
  const process_result with_seed =
      compare("1000", {"--workers", "1", "--rounds", "2", "--seed", "7"});
  for (const char* const part : {"1 benchmark, 2 rounds, seed 7\n", "round 1, 0 % done\n",
                                 "counting events, 33 % done, ", "round 2, 67 % done, "}) {
    EXPECT_TRUE(contains(with_seed.errors, part)) << part << " in\n" << with_seed.errors;
  }
  const process_result within =
      compare("1000", {"--workers", "1,2", "--target", "2.5", "--budget", "77", "--seed", "8"});
  EXPECT_TRUE(contains(within.errors,
                       "2 benchmarks, 6 rounds, then more until every median is within ± 2.5 % or "
                       "77 s are spent, seed 8\n"))
      << within.errors;
}

// A process says how much of its time it waited for a processor: here in the first `lost` calls,
// and most in the second.
TEST_F(Rounds, RepeatAProcessThatLostAProcessorOnce) {
  const auto compared = [&](unsigned lost, const std::string& workers) {
    std::filesystem::remove(folder() / "calls");
    plant("stealbench-work-stealing", R"(
calls=${0%/*}/calls
case "$*" in *--once*) ;; *) echo "$*" >> "$calls" ;; esac
call=$(wc -l < "$calls")
waiting=0; [ $call -gt )" + std::to_string(lost) +
                                          R"( ] || waiting=0.9$((call == 2 ? 5 : 0))
()" + taking("1000") + R"() | sed 's/"runs":3/"runs":3,"waiting_threads":'$waiting/)");
    EXPECT_EQ(drive({"compare", "--workloads", "fib", "--schedulers", "work-stealing", "--workers",
                     workers, "--rounds", "1", "--output", output().string()})
                  .status,
              0);
    EXPECT_EQ(process_count(), 1U);
    return count_of("\n", text_of(folder() / "calls"));
  };
  EXPECT_EQ(compared(0, "1"), 1U);
  EXPECT_FALSE(lines_of_type("process").at(0).contains("repeated"));
  EXPECT_EQ(compared(1, "1"), 2U);
  EXPECT_EQ(lines_of_type("process").at(0)["repeated"], true);
  EXPECT_EQ(lines_of_type("process").at(0)["benchmark"]["waiting_threads"], 0);
  EXPECT_EQ(compared(9, "1"), 2U) << "once";
  EXPECT_EQ(lines_of_type("process").at(0)["benchmark"]["waiting_threads"], 0.9)
      << "marked, and the better one of two";
  EXPECT_EQ(compared(1, std::to_string(rounds::usable_processors())), 2U);
  EXPECT_EQ(compared(9, "250"), 1U) << "more workers than processors have to wait";
}

/// Measures what it is told to, and says that it waited for a processor.
std::string waiting() {
  return "(" + taking("1000") + R"() | sed 's/"runs":3/"runs":3,"waiting_threads":0.9/')";
}

TEST_F(Rounds, HaveNoTimeOfAProcessWhoseRepetitionFails) {
  plant("stealbench-work-stealing",
        R"(case "$*" in *--once*) ;; *)
  echo >> "$0.calls"; [ $(wc -l < "$0.calls") = 1 ] || exit 3 ;; esac
)" + waiting());
  EXPECT_EQ(drive({"compare", "--workloads", "fib", "--schedulers", "work-stealing", "--workers",
                   "1", "--rounds", "1", "--output", output().string()})
                .status,
            1);
  const std::vector<json> processes = lines_of_type("process");
  ASSERT_EQ(processes.size(), 1U);
  EXPECT_EQ(processes[0].value("failure", ""), "exit status 3");
}

// Its process looks by itself at whether its samples count.
TEST_F(Rounds, DoNotRepeatTheProcessOfAFigure) {
  plant("stealbench-work-stealing", "echo >> \"$0.calls\"\n" + waiting());
  EXPECT_EQ(drive({"micro", "--metrics", "fork", "--schedulers", "work-stealing", "--rounds", "1",
                   "--output", output().string()})
                .status,
            0);
  EXPECT_EQ(count_of("\n", text_of(folder() / "stealbench-work-stealing.calls")), 1U);
}

TEST_F(Rounds, AreFollowedByOneCountingRunOfEachCellAfterTheFirst) {
  compare("1000", {"--workers", "1,2", "--rounds", "3"});
  std::multiset<std::string> counted;
  std::size_t before = 0;
  for (const json& line : json_lines(text_of(raw_file()))) {
    if (line["type"] == "process" && counted.empty()) ++before;
    if (line["type"] != "counters") continue;
    counted.insert(line["cell"].get<std::string>());
    EXPECT_EQ(line["counters"]["steals"], 54321);
  }
  EXPECT_EQ(before, 2U) << "after the first round";
  EXPECT_EQ(counted, (std::multiset<std::string>{"fib/work-stealing/n:35/workers:1",
                                                 "fib/work-stealing/n:35/workers:2"}));
}

TEST_F(Rounds, CountASchedulerWithoutCountersOnce) {
  std::string script = taking("1000");
  const std::string counters = R"({"steals":54321})";
  script.replace(script.find(counters), counters.size(), "null");
  plant("stealbench-work-stealing", script);
  ASSERT_EQ(drive({"compare", "--workloads", "fib", "--schedulers", "work-stealing", "--workers",
                   "1,2", "--rounds", "2", "--output", output().string()})
                .status,
            0);
  EXPECT_EQ(lines_of_type("counters").size(), 1U);
}

// What a process is told, and what is read of it.
TEST_F(Rounds, TellAProcessWhatToMeasureAndKeepWhatItWrote) {
  plant("stealbench-work-stealing", "echo \"$*\" >> \"${0%/*}/told\"\n" + taking("123456"));
  ASSERT_EQ(drive({"compare", "--workloads", "fib", "--schedulers", "work-stealing:idle=spin",
                   "--workers", "3", "--rounds", "1", "--output", output().string()})
                .status,
            0);
  const std::string told = text_of(folder() / "told");
  const std::string cell = "--workload fib --size none --workers 3 --variant idle=spin --set n=35";
  EXPECT_TRUE(contains(told, cell + " --benchmark_format=json")) << told;
  EXPECT_TRUE(contains(told, " --benchmark_min_time=0 --sample-ms 150\n")) << told;
  EXPECT_TRUE(contains(told, "--once --counters-only --sample-ms 150 " + cell + "\n")) << told;
  const json entry = lines_of_type("process").at(0)["benchmark"];
  EXPECT_EQ(entry["real_time"], 123456);
  EXPECT_EQ(entry["time_unit"], "ns");
  const dataset::measured_cell read = data().cells().at(0);
  EXPECT_DOUBLE_EQ(values_of(read, metric::seconds).at(0), 123456e-9);
  EXPECT_DOUBLE_EQ(values_of(read, metric::cpu_seconds).at(0), 0.002);
  EXPECT_DOUBLE_EQ(values_of(read, metric::first_run_seconds).at(0), 0.004);
}

// What the process reports of itself and of its children at its end, user and system: the operating
// system rounds that down. It waits too, which is not processor time.
TEST_F(Rounds, KeepTheProcessorTimeOfTheWholeProcess) {
  plant("stealbench-work-stealing", R"(
burn() {  # A tenth of a second or more.
  user=0m0.0
  until [ "${user#0m0.0}" = "$user" ]; do
    i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done
    times > "$1"; read user rest < "$1"
  done
}
case "$*" in
  *--once*) ;;
  *) burn "$0.own"
     (burn "$0.of_child")
     dd if=/dev/zero of=/dev/null bs=1 count=100000 2> /dev/null
     sleep 1
     trap 'times > "$0.reported"' EXIT ;;
esac
)" + taking("1000"));
  ASSERT_EQ(drive({"compare", "--workloads", "fib", "--schedulers", "work-stealing", "--workers",
                   "1", "--rounds", "1", "--output", output().string()})
                .status,
            0);
  double reported = 0;
  std::istringstream words(
      text_of(folder() / "stealbench-work-stealing.reported"));  // `0m0.170000s`
  for (std::string word; words >> word;) {
    reported += 60 * std::stod(word) + std::stod(word.substr(word.find('m') + 1));
  }
  ASSERT_GE(reported, 0.2);
  const json kept = lines_of_type("process").at(0)["benchmark"]["process_cpu_seconds"];
  EXPECT_GE(kept.get<double>(), reported);
  EXPECT_LE(kept.get<double>(), 1.5 * reported) << "what it takes to end is not much";
}

}  // namespace
}  // namespace stealbench::end_to_end
