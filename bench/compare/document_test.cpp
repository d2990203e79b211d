#include "bench/compare/document.hpp"

#include <functional>
#include <vector>

#include "bench/compare/document_fixture.hpp"
#include "results/system/scratch_folder.hpp"
#include "workloads/parameters.hpp"

namespace stealbench::compare {
namespace {

using nlohmann::ordered_json;

class Document : public system::scratch_folder {
 protected:
  [[nodiscard]] std::filesystem::path file() const { return folder() / "comparison.json"; }

  [[nodiscard]] document read(const std::string& text) const {
    std::ofstream(file()) << text;
    return read_document(file(), "comparison");
  }

  void expect_refusal(const std::string& text, const std::string& reason) const {
    try {
      static_cast<void>(read(text));
      ADD_FAILURE() << "not refused: " << reason;
    } catch (const workloads::bad_input& error) {
      const std::string message = error.what();
      for (const std::string& part : {reason, file().string(), std::string("valid: ")}) {
        EXPECT_NE(message.find(part), std::string::npos) << part << " in\n" << message;
      }
    }
  }

  /// A good file after one change.
  void expect_refusal_after(const std::function<void(ordered_json&)>& change,
                            const std::string& reason) const {
    ordered_json whole = made_comparison();
    change(whole);
    expect_refusal(whole.dump(), reason);
  }
};

TEST_F(Document, HoldsEveryCellWithItsRounds) {
  const document read_back = read(made_comparison().dump());
  ASSERT_EQ(read_back.cells.size(), 6U);
  ASSERT_EQ(read_back.rounds.size(), 6U);
  const cell_result& last_but_one = read_back.cells[4];
  EXPECT_EQ(name_of(last_but_one.which), "fib/work-stealing/n:20/workers:2");
  ASSERT_EQ(last_but_one.samples.size(), 3U);
  EXPECT_NEAR(last_but_one.samples[2].seconds, 1.03e-3, 1e-12);
  EXPECT_EQ(last_but_one.counted["steals"], 7);
  EXPECT_TRUE(has_finished(last_but_one));
  EXPECT_EQ(read_back.cells[5].failure, "timed out after 120 s");
  EXPECT_EQ(read_back.context["commit"], "0123456789ab");
}

TEST_F(Document, GivesAFigureOfEveryRoundOrOfNone) {
  ordered_json whole = made_comparison();
  document read_back = read(whole.dump());
  EXPECT_EQ(figures_of(read_back, 1, "start_up_seconds"), (std::vector<double>{1e-4, 1e-4, 1e-4}));
  EXPECT_EQ(figures_of(read_back, 1, "energy_joules"), std::vector<double>{});
  read_back.rounds[1][2].erase("start_up_seconds");
  EXPECT_EQ(figures_of(read_back, 1, "start_up_seconds"), std::vector<double>{});
  read_back.rounds[1][0]["forced_switches"] = "few";
  EXPECT_THROW((void)figures_of(read_back, 1, "forced_switches"), workloads::bad_input);
}

TEST_F(Document, SaysWhatAnUnfinishedRecordingHasNotComeTo) {
  ordered_json whole = made_comparison();
  whole["context"]["finished"] = false;
  whole["benchmarks"] = ordered_json::array();
  const document read_back = read(whole.dump());
  EXPECT_FALSE(has_finished(read_back.cells[0]));
  EXPECT_NE(read_back.cells[0].failure.find("unfinished"), std::string::npos);
}

TEST_F(Document, RefusesWhatIsNoFileOfTheSuite) {
  try {
    static_cast<void>(read_document(folder() / "none.json", "comparison"));
    ADD_FAILURE();
  } catch (const workloads::bad_input& error) {
    EXPECT_NE(std::string(error.what()).find("no such file"), std::string::npos) << error.what();
  }
  EXPECT_THROW((void)read_document(folder(), "comparison"), workloads::bad_input);
  expect_refusal("", "it is empty");
  expect_refusal("{\"context\": ", "it is not JSON");
  expect_refusal("[]", "no context");
  expect_refusal(R"({"context": {}})", "no benchmarks");
  expect_refusal(R"({"context": {"date": "x"}, "benchmarks": []})", "not of this suite");
}

TEST_F(Document, RefusesAnotherFormatAndAnotherKind) {
  expect_refusal_after([](ordered_json& all) { all["context"].erase("format"); }, "older than 2");
  expect_refusal_after([](ordered_json& all) { all["context"]["format"] = 3; }, "format 3");
  expect_refusal_after([](ordered_json& all) { all["context"]["kind"] = "metg"; }, "kind \"metg\"");
  expect_refusal_after([](ordered_json& all) { all["context"].erase("kind"); }, "no kind");
  expect_refusal_after([](ordered_json& all) { all["context"]["finished"] = 1; }, "finished");
}

TEST_F(Document, RefusesCellsThatAreNone) {
  const auto after = [this](const auto& change, const std::string& reason) {
    expect_refusal_after([&](ordered_json& all) { change(all["context"]["cells"]); }, reason);
  };
  after([](ordered_json& cells) { cells = ordered_json::array(); }, "no cells");
  after([](ordered_json& cells) { cells = 5; }, "no cells");
  after([](ordered_json& cells) { cells[0] = "fib"; }, "a cell has no name");
  after([](ordered_json& cells) { cells[1] = cells[0]; }, "twice");
  after([](ordered_json& cells) { cells[0]["workers"] = 0; }, "workers of fib/serial");
  after([](ordered_json& cells) { cells[0]["workers"] = 1.5; }, "workers of fib/serial");
  after([](ordered_json& cells) { cells[0]["parameters"] = nullptr; }, "parameters of fib");
  after([](ordered_json& cells) { cells[0]["parameters"]["n"] = 5; }, "parameter n");
  after([](ordered_json& cells) { cells[0]["failure"] = 3; }, "failure of fib");
  after([](ordered_json& cells) { cells[0]["counters"] = 3; }, "counters of fib");
  after([](ordered_json& cells) { cells[0].erase("scheduler"); }, "no scheduler");
}

TEST_F(Document, RefusesEntriesThatAreNone) {
  const auto after = [this](const auto& change, const std::string& reason) {
    expect_refusal_after([&](ordered_json& all) { change(all["benchmarks"]); }, reason);
  };
  after([](ordered_json& entries) { entries[0] = 1; }, "an entry has no cell");
  after([](ordered_json& entries) { entries[0]["cell"] = "x/y"; }, "not among its cells");
  after([](ordered_json& entries) { entries[0]["round"] = -1; }, "round of an entry");
  after([](ordered_json& entries) { entries[1]["round"] = 1; }, "round 2 is due");
  after([](ordered_json& entries) { entries[0]["real_time"] = "fast"; }, "no number");
  after([](ordered_json& entries) { entries[0].erase("time_unit"); }, "lacks a figure");
  after([](ordered_json& entries) { entries[0]["error_occurred"] = true; }, "the cell did not");
  after([](ordered_json& entries) { entries = ordered_json::array(); },
        "neither a figure nor a failure");
}

}  // namespace
}  // namespace stealbench::compare
