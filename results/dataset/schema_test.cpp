// schema.json, which other programs read, says the same as measurements.hpp.
#include <filesystem>
#include <functional>
#include <map>
#include <sstream>
#include <string>
#include <utility>

#include "results/analysis/statistics.hpp"
#include "results/dataset/simulation_fixture.hpp"
#include "results/system/process.hpp"
#include "results/system/scratch_folder_fixture.hpp"

namespace stealbench::dataset {
namespace {

// NOLINTNEXTLINE(readability-identifier-naming): GoogleTest shows it as the name of the suite.
class Schema : public system::scratch_folder {
 protected:
  [[nodiscard]] system::process_result validate(const raw_lines& lines) {
    const auto file = folder() / "compare.jsonl";
    std::ofstream(file) << jsonl_of(lines);
    return runner.run({STEALBENCH_VALIDATOR, {file.string()}});
  }

  system::process_runner runner;
};

raw_lines with_every_type_of_line() {
  raw_lines lines = made_comparison();
  lines[0]["energy"] = "no counter of energy can be read";  // Of older files.
  lines[2]["repeated"] = true;
  lines.insert(lines.end() - 1, json{{"type", "resumed"}, {"date", "2026-11-21T20:41:35Z"}});
  lines.insert(lines.end() - 1, lines.end()[-2]);
  lines.end()[-2]["host_checks"] = lines[0]["host_checks"];
  lines.insert(lines.end() - 1, json{{"type", "counters"},
                                     {"cell", lines[2]["cell"]},
                                     {"spent_seconds", 1},
                                     {"failure", "counting run: exit status 3"}});
  return lines;
}

TEST_F(Schema, FitsEveryTypeOfLine) {
  const raw_lines lines = with_every_type_of_line();
  EXPECT_NO_THROW(static_cast<void>(read_lines(lines))) << "nor is it refused here";
  const system::process_result result = validate(lines);
  EXPECT_EQ(result.status, 0) << result.errors;
}

// What JSON need not escape.
TEST_F(Schema, FitsALineWithCharactersThatEndLinesElsewhere) {
  raw_lines lines = made_comparison();
  lines[0]["command"] = "a\u0085b\u2028c\u2029d";
  const system::process_result result = validate(lines);
  EXPECT_EQ(result.status, 0) << result.errors;
}

TEST_F(Schema, IsReadByTenLinesOfPython) {
  const raw_lines lines = made_comparison();
  ASSERT_EQ(validate(lines).status, 0);
  const std::filesystem::path program =
      std::filesystem::path(STEALBENCH_VALIDATOR).parent_path() / "medians.py";
  const auto read = runner.run({program, {(folder() / "compare.jsonl").string()}});
  ASSERT_EQ(read.status, 0) << read.errors;
  std::istringstream words(read.output);
  std::map<std::string, std::pair<double, std::size_t>> medians;
  std::string cell;
  double milliseconds = 0;
  for (std::size_t rounds = 0; words >> cell >> milliseconds >> rounds;) {
    medians[cell] = {milliseconds, rounds};
  }
  std::size_t with_times = 0;
  const measurements data = read_lines(lines);
  for (const measured_cell& each : data.cells()) {
    if (each.samples.empty()) continue;
    ++with_times;
    const auto [found, rounds] = medians[name_of(each.which)];
    EXPECT_EQ(rounds, each.samples.size());
    EXPECT_NEAR(found, 1e3 * analysis::median(values_of(each, metric::seconds)), 1e-9 * found);
  }
  EXPECT_EQ(medians.size(), with_times);
}

TEST_F(Schema, FitsASimulation) {
  const system::process_result result = validate(made_simulation());
  EXPECT_EQ(result.status, 0) << result.errors;
}

TEST_F(Schema, FitsSimulationsBesideMeasurements) {
  const system::process_result result = validate(made_mixture());
  EXPECT_EQ(result.status, 0) << result.errors;
}

TEST_F(Schema, FitsTwoBuilds) {
  const system::process_result result = validate(made_ab({1}, {1}));
  EXPECT_EQ(result.status, 0) << result.errors;
}

TEST_F(Schema, DoesNotFitALineThatIsWrong) {
  const std::vector<std::function<void(raw_lines&)>> changes{
      [](raw_lines& lines) { lines[0]["format"] = 2; },
      [](raw_lines& lines) { lines[0].erase("settings"); },
      [](raw_lines& lines) { lines[0]["cells"][0]["workers"] = 0; },
      [](raw_lines& lines) { lines[0]["host_checks"][0]["status"] = "perhaps"; },
      [](raw_lines& lines) { lines[1]["context"]["environment"] = 7; },
      [](raw_lines& lines) { lines[2]["type"] = "guess"; },
      [](raw_lines& lines) { lines[2]["round"] = 0; },
      [](raw_lines& lines) { lines[2]["benchmark"].erase("real_time"); },
      [](raw_lines& lines) { lines[2]["benchmark"]["time_unit"] = "h"; },
      [](raw_lines& lines) { lines[2]["colour"] = "red"; },
      [](raw_lines& lines) { lines[2]["repeated"] = "perhaps"; },
      [](raw_lines& lines) { lines[18]["counters"] = 7; },
      [](raw_lines& lines) { lines.back().erase("spent_seconds"); },
      [](raw_lines& lines) { lines = made_ab({1}, {1}), lines[0]["cells"][0]["build"] = "C"; },
      [](raw_lines& lines) { lines = made_ab({1}, {1}), lines[1]["build"] = "C"; },
      [](raw_lines& lines) { lines = made_simulation(), lines[2]["simulation"].erase("shares"); },
      [](raw_lines& lines) { lines = made_simulation(), lines[0]["cells"][3]["varied"] = ""; }};
  // One call for all, each as a file of its own; Python takes its time to start.
  system::process_request request{STEALBENCH_VALIDATOR, {}};
  for (const auto& change : changes) {
    raw_lines lines = with_every_type_of_line();
    change(lines);
    request.arguments.push_back(
        (folder() / (std::to_string(request.arguments.size()) + ".jsonl")).string());
    std::ofstream(request.arguments.back()) << jsonl_of(lines);
  }
  const system::process_result result = runner.run(request);
  EXPECT_EQ(result.status, 1);
  for (const std::string& file : request.arguments) {
    EXPECT_TRUE(contains(result.errors, file + ":")) << file << " in\n" << result.errors;
  }
}

TEST_F(Schema, IsAskedForAFile) { EXPECT_EQ(runner.run({STEALBENCH_VALIDATOR, {}}).status, 1); }

}  // namespace
}  // namespace stealbench::dataset
