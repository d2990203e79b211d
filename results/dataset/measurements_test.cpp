#include "results/dataset/measurements.hpp"

#include <fstream>
#include <functional>
#include <optional>

#include <fmt/format.h>
#include <sys/stat.h>

#include "results/dataset/simulation_fixture.hpp"
#include "results/system/scratch_folder_fixture.hpp"
#include "schedulers/input.hpp"

namespace stealbench::dataset {
namespace {

using schedulers::bad_input;

/// The first line of the fixture, of a process, of a counting run, and the last one.
constexpr std::size_t header_line = 0;
constexpr std::size_t process_line = 2;
constexpr std::size_t counters_line = 18;
constexpr std::size_t finished = 23;

// NOLINTNEXTLINE(readability-identifier-naming): GoogleTest shows it as the name of the suite.
class RawFile : public system::scratch_folder {
 protected:
  [[nodiscard]] std::filesystem::path file() const { return folder() / "compare.jsonl"; }

  [[nodiscard]] raw_file read(const std::string& text) const {
    std::ofstream(file()) << text;
    return read_file(file());
  }

  void expect_refusal(const std::string& text, const std::string& reason) const {
    try {
      static_cast<void>(read(text));
      ADD_FAILURE() << "not refused: " << reason;
    } catch (const bad_input& error) {
      for (const std::string& part : {reason, file().string(), std::string("valid: ")}) {
        EXPECT_TRUE(contains(error.what(), part)) << part << " in\n" << error.what();
      }
    }
  }

  /// A good file after a change of one line, which the message names.
  void expect_refusal_of(std::size_t line, const std::function<void(json&)>& change,
                         const std::string& reason) const {
    raw_lines lines = made_comparison();
    change(lines.at(line));
    expect_refusal(jsonl_of(lines), "line " + std::to_string(line + 1) + ": ");
    expect_refusal(jsonl_of(lines), reason);
  }
};

TEST_F(RawFile, HoldsEveryCellWithItsRounds) {
  const measurements data = read(jsonl_of(made_comparison())).data;
  EXPECT_EQ(data.experiment(), "compare");
  EXPECT_TRUE(data.is_finished());
  ASSERT_EQ(data.cells().size(), 6U);
  const measured_cell& last_but_one = data.cells()[4];
  EXPECT_EQ(name_of(last_but_one.which), "fib/work-stealing/n:20/workers:2");
  EXPECT_EQ(label_of(last_but_one.which.what), "fib n=20");
  ASSERT_EQ(last_but_one.samples.size(), 3U);
  EXPECT_NEAR(*last_but_one.samples[2][metric::seconds], 1.03e-3, 1e-12);
  EXPECT_EQ(counter_of(last_but_one, "steals"), 7);
  EXPECT_EQ(counter_of(last_but_one, "per_worker"), std::nullopt) << "not a number";
  EXPECT_EQ(counter_of(data.cells()[0], "steals"), std::nullopt);
  EXPECT_TRUE(has_finished(last_but_one));
  EXPECT_FALSE(has_finished(data.cells()[5]));
  EXPECT_EQ(reason_of(data.cells()[5]), "timed out after 120 s");
  EXPECT_EQ(data.context()["commit"], "0123456789ab");
  EXPECT_EQ(data.spent_seconds(), 12.5);
}

TEST_F(RawFile, GivesAValueOfEveryRoundOrOfNone) {
  raw_lines lines = made_comparison();
  lines[process_line + 1]["benchmark"]["bytes_per_worker"] = 5;  // Of one round of three.
  const measurements data = read_lines(lines);
  EXPECT_EQ(values_of(data.cells()[1], metric::start_up_seconds),
            (std::vector<double>{1e-4, 1e-4, 1e-4}));
  EXPECT_EQ(values_of(data.cells()[1], metric::bytes_per_worker), std::vector<double>{});
}

TEST_F(RawFile, KeepsTheContextOfTheFirstProcessWithWhatOthersAddAndTheLatestChecks) {
  raw_lines lines = made_comparison();
  lines[1]["context"]["num_cpus"] = 4;
  lines.insert(
      lines.begin() + 2,
      json{{"type", "context"}, {"context", {{"num_cpus", 99}, {"library of openmp", "libgomp"}}}});
  EXPECT_EQ(read_lines(lines).context()["num_cpus"], 4);
  EXPECT_EQ(read_lines(lines).context()["library of openmp"], "libgomp");
  EXPECT_TRUE(read_lines(lines).host_checks().empty());
  lines.pop_back();
  EXPECT_EQ(read_lines(lines).host_checks().size(), 2U);
}

TEST_F(RawFile, HasTheCountersOfTheFirstSeedAlone) {
  raw_lines lines = made_simulation();
  for (json& line : lines) {
    if (line.value("round", 0) > 1) line["simulation"].erase("counters");
  }
  const measurements data = read_lines(lines);
  for (const measured_cell& each : data.cells()) EXPECT_EQ(each.counters["steals"], 7);
}

TEST_F(RawFile, CountsHowOftenItWasResumed) {
  raw_lines lines = made_comparison();
  EXPECT_EQ(read_lines(lines).times_resumed(), 0U);
  const json resumed{{"type", "resumed"}, {"date", "2026-11-21T20:41:35Z"}};
  lines.insert(lines.begin() + 4, resumed);
  lines.insert(lines.begin() + 9, resumed);
  EXPECT_EQ(read_lines(lines).times_resumed(), 2U);
}

TEST_F(RawFile, KeepsTheWorseOfAHostCheckThatIsMadeAgain) {
  const auto check = [](const char* name, const char* status, const char* detail) {
    return json{{"check", name}, {"status", status}, {"detail", detail}};
  };
  raw_lines lines = made_comparison();
  lines.pop_back();
  lines[0]["host_checks"] = {check("load", "warn", "before"), check("turbo", "unknown", "before"),
                             check("aslr", "pass", "before"), check("smt", "unknown", "before")};
  lines.push_back({{"type", "resumed"},
                   {"date", "2026-11-21T20:41:35Z"},
                   {"host_checks",
                    {check("load", "pass", "now"), check("turbo", "warn", "now"),
                     check("aslr", "unknown", "now"), check("smt", "pass", "now"),
                     check("numa", "pass", "now")}}});
  EXPECT_EQ(read_lines(lines).host_checks(),
            (json{check("load", "warn", "before"), check("turbo", "warn", "now"),
                  check("aslr", "unknown", "now"), check("smt", "unknown", "before"),
                  check("numa", "pass", "now")}));
}

TEST_F(RawFile, SaysWhatAnUnfinishedExperimentHasNotMeasured) {
  raw_lines lines = made_comparison();
  lines.resize(process_line);
  const measurements data = read(jsonl_of(lines)).data;
  EXPECT_FALSE(data.is_finished());
  EXPECT_FALSE(has_finished(data.cells()[0]));
  EXPECT_TRUE(contains(reason_of(data.cells()[0]), "unfinished"));
}

TEST_F(RawFile, IsReadWithoutALastLineThatIsTorn) {
  raw_lines lines = made_comparison();
  lines.pop_back();
  const std::string whole = jsonl_of(lines);
  const std::string torn_line = json(finished_line()).dump();
  for (const std::size_t bytes : {std::size_t{1}, torn_line.size() / 2, torn_line.size()}) {
    const raw_file found = read(whole + torn_line.substr(0, bytes));
    EXPECT_FALSE(found.data.is_finished()) << bytes;
    EXPECT_EQ(found.whole_bytes, whole.size()) << bytes;
    EXPECT_EQ(found.data.cells()[4].samples.size(), 3U);
  }
}

TEST_F(RawFile, OfAFolderIsTheCompressedOneOnlyIfThereIsNoOther) {
  EXPECT_EQ(find_file(folder(), "grain"), std::nullopt);
  std::ofstream(folder() / "grain.jsonl.gz") << "";
  EXPECT_EQ(find_file(folder(), "grain"), folder() / "grain.jsonl.gz");
  std::ofstream(folder() / "grain.jsonl") << "";
  EXPECT_EQ(find_file(folder(), "grain"), folder() / "grain.jsonl");
}

TEST_F(RawFile, IsRefusedIfItIsNoFileOfTheSuite) {
  try {
    static_cast<void>(read_file(folder() / "none.jsonl"));
    ADD_FAILURE();
  } catch (const bad_input& error) {
    EXPECT_TRUE(contains(error.what(), "none.jsonl': there is no such file; valid: "));
  }
  EXPECT_THROW(static_cast<void>(read_file(folder())), bad_input);
  expect_refusal("", "no complete line");
  expect_refusal("{\"type\": \"exp", "no complete line");
  expect_refusal("{\"type\": \n", "line 1: it is not JSON");
  expect_refusal("[]\n", "line 1: ");
  expect_refusal("7\n", "line 1: ");
  expect_refusal("{}\n", "'type'");
  expect_refusal(R"({"type": "finished"})"
                 "\n",
                 "the first line does not describe an experiment");
}

TEST_F(RawFile, IsRefusedInAnotherFormat) {
  expect_refusal_of(
      header_line, [](json& line) { line["format"] = 2; },
      "it has format 2; this stealbench reads format 3");
  expect_refusal_of(
      header_line, [](json& line) { line["format"] = 4; }, "format 4");
  expect_refusal_of(
      header_line, [](json& line) { line.erase("format"); }, "format");
  // What the suite wrote before: one JSON object.
  expect_refusal("{\"context\": {\"format\": 2},\n\"benchmarks\": []}\n", "line 1: it is not JSON");
  expect_refusal("{\"context\": {\"format\": 2}, \"benchmarks\": []}\n", "line 1: ");
}

TEST_F(RawFile, IsRefusedIfItsFirstLineLacksSomething) {
  for (const char* const key : {"experiment", "settings", "host_checks", "cells"}) {
    expect_refusal_of(
        header_line, [&](json& line) { line.erase(key); }, key);
  }
  expect_refusal_of(
      header_line, [](json& line) { line["experiment"] = 7; }, "'experiment' is 7, not a text");
  expect_refusal_of(
      header_line, [](json& line) { line["settings"] = 7; }, "'settings' is 7, not an object");
}

TEST_F(RawFile, IsRefusedIfACellIsNone) {
  const auto after = [this](const std::function<void(json&)>& change, const std::string& reason) {
    expect_refusal_of(
        header_line, [&](json& line) { change(line["cells"]); }, reason);
  };
  after([](json& cells) { cells = json::array(); }, "no benchmarks");
  after([](json& cells) { cells[0] = "fib"; }, "'cells[0]' is \"fib\", not an object");
  after([](json& cells) { cells[1] = cells[0]; }, "fib/serial/n:20/workers:1\" twice");
  after([](json& cells) { cells[0]["workers"] = 0; }, "workers of \"fib/serial");
  after([](json& cells) { cells[0]["workers"] = 1.5; },
        "is 1.5, not a whole number from 0 to 65536");
  after([](json& cells) { cells[0]["workers"] = -1; }, "is -1, not a whole number from 0 to 65536");
  after([](json& cells) { cells[0]["parameters"]["n"] = 5; }, "is 5, not a text");
  after([](json& cells) { cells[0].erase("scheduler"); },
        "the key 'cells[0].scheduler' is missing");
  after([](json& cells) { cells[0]["name"] = "fib/x"; },
        "the benchmark \"fib/serial/n:20/workers:1\" is named \"fib/x\"");
}

TEST_F(RawFile, IsRefusedIfAProcessDoesNotFit) {
  const auto after = [this](const std::function<void(json&)>& change, const std::string& reason) {
    expect_refusal_of(process_line, change, reason);
  };
  after([](json& line) { line = 1; }, "the line is 1, not an object");
  after([](json& line) { line["type"] = "guess"; },
        "unknown type \"guess\"; valid: experiment, context");
  after([](json& line) { line["type"] = "experiment"; }, "an experiment begins inside");
  after([](json& line) { line["cell"] = "x/y"; }, "there is no benchmark \"x/y\"");
  after([](json& line) { line["round"] = 2; },
        "round 2 of \"fib/serial/n:20/workers:1\" where round 1");
  after([](json& line) { line["round"] = -1; }, "round -1");
  after([](json& line) { line["benchmark"]["real_time"] = "fast"; },
        "'real_time' is \"fast\", not a number from 1e-12 to 1e+12");
  after([](json& line) { line["benchmark"]["real_time"] = 0; }, "'real_time' is 0, not a number");
  after([](json& line) { line["benchmark"].erase("time_unit"); }, "'time_unit' is null; valid: ns");
  after([](json& line) { line["benchmark"]["time_unit"] = "h"; },
        "'time_unit' is \"h\"; valid: ns");
  after([](json& line) { line["benchmark"].erase("fork_count"); },
        "the key 'fork_count' is missing");
  after([](json& line) { line["benchmark"]["worker_count"] = 0; },
        "'worker_count' is 0, not a number from 1 to 65536");
  after([](json& line) { line["benchmark"] = 7; }, "it is 7, not an object");
  after([](json& line) { line.erase("benchmark"); }, "it is null, not an object");
  after([](json& line) { line.erase("spent_seconds"); }, "'spent_seconds'");
  after([](json& line) { line["failure"] = 3; }, "'failure' is 3, not a text");
}

// Each bound once, and each metric beyond its greatest value.
TEST_F(RawFile, IsRefusedIfAValueIsOutsideOfWhatAMachineCanHave) {
  const auto set = [this](const std::string& key, double value, const std::string& reason) {
    expect_refusal_of(
        process_line, [&](json& line) { line["benchmark"][key] = value; }, reason);
  };
  set("real_time", 1e308, "'real_time' is 1e+308, not a number from 1e-12 to 1e+12");
  set("real_time", 1.1e12, "'real_time'");
  set("real_time", 0.9e-12, "'real_time'");
  set("runs", 0.5, "'runs' is 0.5, not a number from 1 to 1e+18");
  for (const dataset::metric_description& each : dataset::metrics) {
    if (each.where == dataset::presence::simulated || each.name == "seconds") continue;
    set(std::string(each.name), -1, fmt::format("'{}' is -1.0", each.name));
    set(std::string(each.name), 1e19, fmt::format("'{}' is 1e+19", each.name));
  }
  set("cpu_seconds", 1.1e9, "not a number from 0 to 1e+09");
  expect_refusal_of(
      process_line, [](json& line) { line["spent_seconds"] = -1; }, "'spent_seconds' is -1");
}

TEST_F(RawFile, IsRefusedIfItHasMoreThanCanBeAnalysed) {
  expect_refusal_of(
      header_line,
      [](json& line) {
        const json cell = line["cells"][0];
        for (std::size_t i = line["cells"].size(); i <= most_cells; ++i) {
          line["cells"].push_back(cell);
        }
      },
      "it has 20001 benchmarks; valid: at most 20000");
  expect_refusal_of(
      header_line, [](json& line) { line["cells"][0]["workers"] = (1ULL << 32U) + 1; },
      "is 4294967297, not a whole number from 0 to 65536");
  expect_refusal(std::string(40, '[') + std::string(40, ']') + "\n", "nested too deeply");
  expect_refusal(std::string(most_line_bytes + 2, ' ') + "\n",
                 "line 1: it is longer than 16777216 bytes");
  expect_refusal(std::string(1'000'000, '[') + "\n", "nested too deeply");
}

TEST_F(RawFile, IsRefusedIfABenchmarkHasMoreRoundsThanCanBeResampled) {
  raw_lines lines{header_of("compare", {{fib_on("serial", 1), {}}})};
  json line{{"type", "process"},
            {"cell", "fib/serial/n:20/workers:1"},
            {"spent_seconds", 1},
            {"benchmark", benchmark_of({fib_on("serial", 1), {}}, 1)}};
  for (std::size_t round = 1; round <= most_rounds; ++round) {
    line["round"] = round;
    lines.push_back(line);
  }
  EXPECT_EQ(read(jsonl_of(lines)).data.cells()[0].samples.size(), most_rounds);
  line["round"] = most_rounds + 1;
  lines.push_back(line);
  expect_refusal(jsonl_of(lines), "\"fib/serial/n:20/workers:1\" has more than 10000 rounds");
}

TEST_F(RawFile, HoldsTwoBuildsWithTheirContexts) {
  const measurements data = read(jsonl_of(made_ab({1, 2}, {3, 4}))).data;
  EXPECT_EQ(data.builds(), (std::vector<std::string>{"A", "B"}));
  EXPECT_EQ(data.context("A")["commit"], "aaa");
  EXPECT_EQ(data.context("B")["commit"], "bbb");
  EXPECT_EQ(data.context(), data.context("A"));
  EXPECT_EQ(data.context("C"), json::object());
  EXPECT_EQ(name_of(data.cells()[1].which), "fib/serial/n:20/workers:1/build:B");
  const measurements part = data.of_build("B");
  ASSERT_EQ(part.cells().size(), 1U);
  EXPECT_EQ(name_of(part.cells()[0].which), "fib/serial/n:20/workers:1");
  EXPECT_EQ(values_of(part.cells()[0], metric::seconds), (std::vector<double>{3, 4}));
  EXPECT_EQ(part.context()["commit"], "bbb");
  EXPECT_EQ(read(jsonl_of(made_comparison())).data.builds(), std::vector<std::string>{""});
}

TEST_F(RawFile, IsRefusedIfACellOfTwoBuildsHasNone) {
  raw_lines lines = made_ab({1}, {1});
  lines[0]["cells"][0].erase("build");
  lines[0]["cells"][0]["name"] = "fib/serial/n:20/workers:1";
  expect_refusal(jsonl_of(lines), "the key 'cells[0].build' is missing");
  lines = made_ab({1}, {1});
  lines[0]["settings"]["threshold"] = "much";
  expect_refusal(jsonl_of(lines), "'settings.threshold' is \"much\", not a number");
}

TEST_F(RawFile, IsRefusedIfAMeasuredDatasetHasASimulationOrTheOtherWayRound) {
  expect_refusal_of(
      process_line,
      [](json& line) {
        line["simulation"] = line["benchmark"];
        line.erase("benchmark");
      },
      "is simulated, and the first line has no profile");
}

TEST_F(RawFile, IsRefusedIfASimulationReportsNoWorkerCount) {
  raw_lines lines = made_simulation();
  lines[header_line]["about"]["workers"] = json::array();
  expect_refusal(jsonl_of(lines), "line 1: 'about.workers' is empty; valid: one worker count");
}

TEST_F(RawFile, HasSimulationsBesideMeasurementsOfCellsThatNameAMachine) {
  const measurements data = read(jsonl_of(made_mixture())).data;
  EXPECT_FALSE(data.is_simulated());
  ASSERT_EQ(data.cells().size(), 2U);
  EXPECT_EQ(name_of(data.cells()[1].which), "fib/work-stealing/n:20/workers:2/machine:reference");
  EXPECT_EQ(values_of(data.cells()[0], metric::seconds), std::vector<double>{1.0});
  EXPECT_EQ(values_of(data.cells()[1], metric::seconds), std::vector<double>{2.0});
  EXPECT_EQ(counter_of(data.cells()[1], "steals"), 7);
  raw_lines swapped = made_mixture();
  std::swap(swapped[2]["cell"], swapped[3]["cell"]);
  expect_refusal(jsonl_of(swapped), "is measured, and the first line has a profile");
}

TEST_F(RawFile, TakesNullForAMemberThatMayBeMissing) {
  raw_lines lines = made_comparison();
  lines[header_line]["about"] = nullptr;
  for (const char* const key : {"varied", "build", "machine"}) {
    lines[header_line]["cells"][0][key] = nullptr;
  }
  lines[1]["build"] = nullptr;
  const measurements data = read(jsonl_of(lines)).data;
  EXPECT_EQ(data.cells()[0].which, fib_on("serial", 1));
  EXPECT_EQ(data.context()["commit"], "0123456789ab");
  EXPECT_FALSE(data.is_simulated());
}

TEST_F(RawFile, IsRefusedIfReadingItCouldTakeForEver) {
  const auto expect_none = [](const std::filesystem::path& file) {
    try {
      static_cast<void>(read_file(file));
      ADD_FAILURE() << file;
    } catch (const bad_input& error) {
      EXPECT_TRUE(contains(error.what(), "that is no regular file; valid: ")) << error.what();
    }
  };
  ASSERT_EQ(mkfifo((folder() / "pipe").c_str(), 0600), 0);
  expect_none(folder() / "pipe");
  expect_none("/dev/zero");
}

TEST_F(RawFile, ShowsNoControlCharacterOfWhatItRefuses) {
  expect_refusal_of(
      process_line, [](json& line) { line["cell"] = "a\x1b[2J\n\u009b"; },
      R"(there is no benchmark "a\u001b[2J\n\u009b")");
  expect_refusal_of(
      process_line, [](json& line) { line["cell"] = std::string(1000, 'x'); }, "xxx…;");
}

TEST_F(RawFile, IsRefusedIfCountersDoNotFit) {
  expect_refusal_of(
      counters_line, [](json& line) { line["counters"] = 3; },
      "counters of \"fib/serial/n:20/workers:1\" are neither an object nor null");
  expect_refusal_of(
      counters_line, [](json& line) { line.erase("counters"); }, "are neither an object nor null");
  expect_refusal_of(
      counters_line, [](json& line) { line["failure"] = 3; }, "'failure' is 3, not a text");
}

TEST_F(RawFile, IsRefusedIfItEndsBeforeEveryCellWasMeasured) {
  const raw_lines lines = made_comparison();
  expect_refusal(jsonl_of({lines.front(), finished_line()}),
                 "line 2: \"fib/serial/n:20/workers:1\" has neither a value nor a failure");
  expect_refusal_of(
      finished, [](json& line) { line.erase("host_checks"); }, "'host_checks'");
}

}  // namespace
}  // namespace stealbench::dataset
