// Experiments that mpirun or srun starts several times at once: `stealbench simulate` shares a
// sweep out among the ranks, `stealbench merge` joins what they wrote.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "bench/driver/end_to_end/simulation/simulate_fixture.hpp"
#include "bench/driver/rounds/host.hpp"

namespace stealbench::end_to_end {
namespace {

namespace fs = std::filesystem;
using texts = std::vector<std::string>;

// NOLINTNEXTLINE(readability-identifier-naming): GoogleTest shows it as the name of the suite.
class Shares : public simulate_fixture {
 public:
  ~Shares() override { be_alone(); }

 protected:
  static void be(const std::string& rank, const std::string& ranks,
                 const char* rank_variable = "OMPI_COMM_WORLD_RANK",
                 const char* ranks_variable = "OMPI_COMM_WORLD_SIZE") {
    be_alone();
    setenv(rank_variable, rank.c_str(), 1);
    setenv(ranks_variable, ranks.c_str(), 1);
  }

  static void be_alone() {
    for (const char* const each :
         {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_SIZE", "PMI_RANK",
          "PMI_SIZE", "MPI_LOCALNRANKS", "SLURM_PROCID", "SLURM_STEP_NUM_TASKS",
          "SLURM_NTASKS_PER_NODE"}) {
      unsetenv(each);
    }
  }

  /// As each of the ranks, one after the other.
  void simulate_as_ranks(unsigned ranks, const texts& more = {}) const {
    for (unsigned rank = 0; rank < ranks; ++rank) {
      be(std::to_string(rank), std::to_string(ranks));
      const process_result result = drive(arguments(more));
      EXPECT_EQ(result.status, 0) << result.errors;
      EXPECT_EQ(result.output, "");
    }
    be_alone();
  }

  [[nodiscard]] fs::path folder_of(unsigned rank) const {
    return output() / ("rank-" + std::to_string(rank));
  }

  [[nodiscard]] texts merging(unsigned ranks, const std::string& into = "joined") const {
    texts all{"merge"};
    // Backwards, for the order does not matter.
    for (unsigned rank = ranks; rank-- > 0;) all.push_back(folder_of(rank).string());
    all.insert(all.end(), {"--output", (folder() / into).string()});
    return all;
  }

  [[nodiscard]] static dataset::measurements data_of(const fs::path& folder) {
    return dataset::read_file(folder / "simulate.jsonl").data;
  }

  /// Without what the clock says.
  [[nodiscard]] static std::vector<json> lines_of(const fs::path& file) {
    std::vector<json> lines = json_lines(text_of(file));
    for (json& line : lines) {
      line.erase("spent_seconds");
      line.erase("date");
    }
    return lines;
  }
};

TEST_F(Shares, OfFourRanksMakeWhatOneProcessWrites) {
  ASSERT_EQ(drive(arguments()).status, 0);
  const fs::path alone = folder() / "alone";
  fs::rename(output(), alone);
  simulate_as_ranks(4);
  EXPECT_EQ(count_of("\n", calls()), 2 * 48U) << "each benchmark by one of the ranks";
  EXPECT_EQ(data_of(folder_of(3)).cells().size(), 2U);
  const process_result merged = drive(merging(4));
  ASSERT_EQ(merged.status, 0) << merged.errors;
  EXPECT_TRUE(contains(merged.output, "greatest speedup 3.99 × ")) << merged.output;
  const fs::path joined = folder() / "joined";
  EXPECT_EQ(lines_of(joined / "simulate.jsonl"), lines_of(alone / "simulate.jsonl"));
  EXPECT_EQ(text_of(joined / "simulate.csv"), text_of(alone / "simulate.csv"));
  double longest = 0;
  for (const unsigned rank : {0U, 1U, 2U, 3U}) {
    longest = std::max(longest, data_of(folder_of(rank)).spent_seconds());
  }
  EXPECT_EQ(data_of(joined).spent_seconds(), longest) << "the ranks ran at the same time";
  const process_result valid = run_program(
      STEALBENCH_ROOT "/results/dataset/validate.py",
      {(joined / "simulate.jsonl").string(), (folder_of(3) / "simulate.jsonl").string()});
  EXPECT_EQ(valid.status, 0) << valid.errors;
}

TEST_F(Shares, AreJoinedByTheCommandThatRankZeroPrints) {
  const fs::path awkward = folder() / "it's a sweep";
  const fs::path driver = folder() / "the driver";
  fs::create_symlink(STEALBENCH_DRIVER, driver);
  texts command = arguments();
  std::ranges::replace(command, output().string(), awkward.string());
  be("0", "2");
  const process_result first = run_program(driver, command);
  be("1", "2");
  ASSERT_EQ(drive(command).status, 0);
  be_alone();
  const std::size_t at = first.errors.find("\n  ");
  ASSERT_NE(at, std::string::npos) << first.errors;
  const process_result merged = call_shell(first.errors.substr(at));
  EXPECT_EQ(merged.status, 0) << merged.errors;
  EXPECT_EQ(data_of(awkward).cells().size(), 8U);
}

TEST_F(Shares, ThatAreDamagedAreRefusedOrReadAsFarAsTheyAreWhole) {
  simulate_as_ranks(2);
  std::ofstream(folder_of(1) / "simulate.jsonl", std::ios::app) << "{\"type\":";
  EXPECT_EQ(drive(merging(2)).status, 0);
  std::string text = text_of(folder_of(0) / "simulate.jsonl");
  const std::string ranks = "\"ranks\":2";
  text.replace(text.find(ranks), ranks.size(), "\"ranks\":0");
  std::ofstream(folder_of(0) / "simulate.jsonl") << text;
  expect_refusal(merging(2, "other"), {"is of rank 0 of 0", "valid: "});
}

TEST_F(Shares, ThatAreEmptyAreNone) {
  simulate_as_ranks(9);
  EXPECT_TRUE(fs::exists(folder_of(7)));
  be("8", "9");
  EXPECT_EQ(drive({"simulate", "--resume", "--output", output().string()}).status, 0);
  be_alone();
  EXPECT_FALSE(fs::exists(folder_of(8))) << "there are eight benchmarks";
  EXPECT_EQ(drive(merging(8)).status, 0);
  EXPECT_EQ(data_of(folder() / "joined").cells().size(), 8U);
}

TEST_F(Shares, AreNotLeftOutWhereNothingIsSaved) {
  be("0", "2");
  ASSERT_EQ(drive(arguments()).status, 0);
  be("1", "2");
  const std::string rank = folder_of(1).string();
  for (const char* const experiment : {"simulate", "compare"}) {
    expect_refusal({experiment, "--resume", "--output", output().string()},
                   {"rank 1 of 2 saved nothing in '" + rank + "'", "--overwrite"});
  }
}

TEST_F(Shares, AreRefusedUnlessTheyAreAllOfOneSweep) {
  simulate_as_ranks(3);
  const auto share = [&](unsigned rank) { return folder_of(rank).string(); };
  expect_refusal({"merge", share(0), share(2)}, {"rank 1 of 3 is missing", "valid: "});
  expect_refusal({"merge", share(0), share(1)}, {"rank 2 of 3 is missing"});
  expect_refusal({"merge", share(0), share(1), share(1)}, {"both of rank 1", "valid: "});
  const fs::path other = folder() / "other";
  fs::rename(output(), other);
  ASSERT_EQ(drive(arguments()).status, 0);
  expect_refusal({"merge", (other / "rank-0").string(), output().string()},
                 {"no share of a sweep", "valid: all of them shares, or none"});
  fs::remove_all(output());
  simulate_as_ranks(3, {"--seeds", "7"});
  expect_refusal({"merge", share(0), (other / "rank-1").string(), share(2)},
                 {"differ in their settings", "valid: shares of one sweep"});
  fs::remove_all(output());
  simulate_as_ranks(4);
  expect_refusal({"merge", share(0), (other / "rank-1").string(), share(2)},
                 {"numbers of ranks", "valid: shares of one sweep"});
  EXPECT_FALSE(fs::exists("stealbench-merged"));
}

TEST_F(Shares, OfOtherBuildsOrProfilesAreRefused) {
  simulate_as_ranks(2);
  const fs::path file = folder_of(1) / "simulate.jsonl";
  const std::string whole = text_of(file);
  const auto refuses_edited = [&](const std::string& type, const json::json_pointer& key,
                                  const std::string& cause) {
    std::ofstream edited(file);
    for (json line : json_lines(whole)) {
      if (line["type"] == type) line[key] = 91;
      edited << line << '\n';
    }
    edited.close();
    expect_refusal(merging(2), {cause, "valid: shares of one sweep"});
  };
  refuses_edited("context", json::json_pointer("/context/commit"), "different builds");
  refuses_edited("experiment", json::json_pointer("/about/profile/costs/transfer_ns"),
                 "differ in their about");
}

TEST_F(Shares, AreJoinedAgainWhereTheDiskWasFull) {
  simulate_as_ranks(2);
  ASSERT_EQ(drive(merging(2)).status, 0);
  const std::uintmax_t bytes = fs::file_size(folder() / "joined/simulate.jsonl");
  std::string command = fmt::format("trap '' XFSZ; ulimit -f {}; exec", (bytes - 1) / 512);
  command += " '" STEALBENCH_DRIVER "'";
  for (const std::string& each : merging(2, "again")) command += " " + each;
  const process_result full = call_shell(command);
  EXPECT_EQ(full.status, 1) << full.errors;
  EXPECT_TRUE(contains(full.errors, "File too large")) << full.errors;
  EXPECT_FALSE(fs::exists(folder() / "again/simulate.jsonl")) << "half of it would be refused";
  const process_result again = drive(merging(2, "again"));
  EXPECT_EQ(again.status, 0) << again.errors;
}

TEST_F(Shares, GoOnWhereTheyWereInterrupted) {
  std::ofstream(folder() / "killed_at") << 40;  // Rank 2 of three has the calls 37 to 48.
  be("0", "3");
  ASSERT_EQ(drive(arguments()).status, 0);
  be("1", "3");
  ASSERT_EQ(drive(arguments()).status, 0);
  be("2", "3");
  ASSERT_EQ(drive(arguments()).how, ending::signalled);
  expect_refusal({"merge", folder_of(0).string(), folder_of(1).string(), folder_of(2).string()},
                 {"rank-2", "is not finished", "--resume"});
  be("2", "4");
  expect_refusal({"simulate", "--resume", "--output", output().string()},
                 {"rank 2 of 4", "rank 2 of 3", "valid: as many ranks"});
  for (const char* const rank : {"0", "1", "2"}) {
    be(rank, "3");
    EXPECT_EQ(drive({"simulate", "--resume", "--jobs", "1", "--output", output().string()}).status,
              0);
  }
  be_alone();
  EXPECT_EQ(count_of("\n", calls()), 49U) << "the one that was killed runs again, and no other";
  EXPECT_EQ(drive(merging(3)).status, 0);
}

TEST_F(Shares, WithAFailureAreWholeAndTheSweepIsNot) {
  plant("stealbench-simulated-work-stealing", R"(case $* in *"--workers 4"*) exit 3 ;; esac)"
                                              "\n" +
                                                  simulator());
  simulate_as_ranks(2);
  const process_result merged = drive(merging(2));
  EXPECT_EQ(merged.status, 1);
  EXPECT_TRUE(contains(merged.output, "DNF")) << merged.output;
}

TEST_F(Shares, AreOfWhoeverStartedThem) {
  be("4", "4");
  refuses({}, {"OMPI_COMM_WORLD_RANK is 4 and OMPI_COMM_WORLD_SIZE is 4", "valid: "});
  be("two", "4");
  refuses({}, {"OMPI_COMM_WORLD_RANK is 'two'", "valid: "});
  be("1", "8", "PMI_RANK", "PMI_SIZE");
  EXPECT_EQ(drive(arguments()).status, 0);
  EXPECT_EQ(data_of(folder_of(1)).cells().size(), 1U);
  be("3", "4", "SLURM_PROCID", "SLURM_STEP_NUM_TASKS");
  EXPECT_EQ(drive(arguments()).status, 0);
  EXPECT_EQ(data_of(folder_of(3)).cells().size(), 2U);
  be("0", "1");
  EXPECT_EQ(drive(arguments()).status, 0);
  EXPECT_TRUE(fs::exists(raw_file("simulate"))) << "one alone has no share";
}

TEST_F(Shares, AreSimulatedOneBenchmarkAtATime) {
  plant("stealbench-simulated-work-stealing",
        "mkdir \"${0%/*}/running\" || touch \"${0%/*}/overlap\"\nsleep 0.02\n" + simulator() +
            "\nrmdir \"${0%/*}/running\"");
  texts command = arguments();
  const auto jobs = std::ranges::find(command, "--jobs");
  command.erase(jobs, jobs + 2);
  be("0", "2");
  EXPECT_EQ(drive(command).status, 0);
  EXPECT_FALSE(fs::exists(folder() / "overlap"));
}

TEST_F(Shares, UseTheProcessorsThatTheOtherRanksOfTheHostLeave) {
  if (rounds::usable_processors() < 2) GTEST_SKIP() << "needs two processors";
  plant("stealbench-simulated-work-stealing",
        "mkdir \"${0%/*}/running\" || touch \"${0%/*}/overlap\"\nsleep 0.1\n" + simulator() +
            "\nrmdir \"${0%/*}/running\" || true");
  texts command = arguments({"--overwrite"});
  const auto jobs = std::ranges::find(command, "--jobs");
  command.erase(jobs, jobs + 2);
  const std::string processors = std::to_string(rounds::usable_processors());
  for (const auto& [rank, ranks, local] :
       {std::array{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_SIZE"},
        std::array{"PMI_RANK", "PMI_SIZE", "MPI_LOCALNRANKS"},
        std::array{"SLURM_PROCID", "SLURM_STEP_NUM_TASKS", "SLURM_NTASKS_PER_NODE"}}) {
    be("0", "2", rank, ranks);
    for (const std::string& neighbours : {processors, std::string("1")}) {
      setenv(local, neighbours.c_str(), 1);
      EXPECT_EQ(drive(command).status, 0);
      EXPECT_EQ(fs::remove(folder() / "overlap"), neighbours == "1") << local;
    }
  }
}

TEST_F(Shares, AreNoneOfWhatIsMeasured) {
  for (const char* const name : {"stealbench-serial", "stealbench-openmp"}) {
    plant(name, well_behaved());
  }
  for (const char* const rank : {"0", "1"}) {
    be(rank, "2");
    ASSERT_EQ(drive({"compare", "--workloads", "fib", "--schedulers", "serial,openmp", "--workers",
                     "1", "--rounds", "1", "--output", output().string()})
                  .status,
              0);
  }
  be_alone();
  const process_result result = drive(merging(2));
  ASSERT_EQ(result.status, 0) << result.errors;
  EXPECT_TRUE(contains(result.output, "run 2")) << result.output;
  EXPECT_TRUE(contains(result.output, "serial")) << result.output;
  for (const unsigned rank : {0U, 1U}) {
    EXPECT_EQ(dataset::read_file(folder_of(rank) / "compare.jsonl").data.cells().size(), 2U);
    EXPECT_TRUE(fs::exists(folder_of(rank) / "report.html"));
  }
}

}  // namespace
}  // namespace stealbench::end_to_end
