#include "bench/driver/experiments/settings.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "bench/cell/command_line.hpp"

namespace stealbench::experiments {
namespace {

using json = nlohmann::ordered_json;
using texts = std::vector<std::string>;

/// A command with an option of each kind.
// NOLINTNEXTLINE(readability-identifier-naming): GoogleTest shows it as the name of the suite.
class Settings : public ::testing::Test {
 public:
  Settings() {
    options.add("WORKLOAD", workload, cell::takes::workload, "");
    options.add("--schedulers,--scheduler", schedulers, cell::takes::scheduler, "");
    options.add("--workers", workers, cell::takes::number(1, 256), "");
    options.add("--target", target, cell::takes::percentage(), "");
    options.add("--ablation", is_ablation, "");
    app.add_option("--output", output);
  }

  void parse(texts arguments) {
    std::reverse(arguments.begin(), arguments.end());
    app.parse(std::move(arguments));
  }

  std::string workload;
  texts schedulers;
  std::vector<unsigned> workers{1, 2};
  double target = 2;
  bool is_ablation = false;
  std::string output;
  CLI::App app;
  settings options{app};
};

const json typed{{"WORKLOAD", "uts"},
                 {"schedulers", {"serial", "onetbb"}},
                 {"workers", {3}},
                 {"target", 0.5},
                 {"ablation", true}};

TEST_F(Settings, RecordDefaultsByTheNamesOfTheOptions) {
  parse({});
  EXPECT_EQ(options.record(), (json{{"WORKLOAD", ""},
                                    {"schedulers", json::array()},
                                    {"workers", {1, 2}},
                                    {"target", 2.0},
                                    {"ablation", false}}));
}

TEST_F(Settings, RecordWhatWasTypedAndNoOtherOption) {
  parse({"uts", "--scheduler", "serial,onetbb", "--workers=3", "--target", "0.5", "--ablation",
         "--output", "there"});
  EXPECT_EQ(options.record(), typed);
}

TEST_F(Settings, RestoreWhatWasNotTyped) {
  parse({"--workers", "4,5"});
  options.restore(typed);
  EXPECT_EQ(workload, "uts");
  EXPECT_EQ(schedulers, (texts{"serial", "onetbb"}));
  EXPECT_EQ(workers, (std::vector<unsigned>{4, 5}));
  EXPECT_EQ(target, 0.5);
  EXPECT_TRUE(is_ablation);
}

TEST_F(Settings, NameEachDifference) {
  parse({"--workers", "4,5", "--scheduler", "serial,onetbb"});
  options.restore(typed);
  EXPECT_EQ(options.differences(typed), texts{"--workers was [3], not [4,5]"});
  schedulers.pop_back();
  EXPECT_EQ(options.differences(typed),
            (texts{R"(--schedulers was ["serial","onetbb"], not ["serial"])",
                   "--workers was [3], not [4,5]"}));
}

TEST_F(Settings, AreNotRestoredFromWhatIsNoRecord) {
  parse({});
  json other = typed;
  other["workers"] = "many";
  EXPECT_THROW(options.restore(other), json::exception);
  other = typed;
  other.erase("ablation");
  EXPECT_THROW(options.restore(other), json::exception);
  EXPECT_THROW((void)options.differences(other), json::exception);
  EXPECT_THROW(options.restore(7), json::exception);
}

TEST_F(Settings, RefuseAPercentageThatIsNone) {
  const auto refuses = [&](const std::string& text, const std::string& message) {
    try {
      parse({"--target", text});
      ADD_FAILURE() << text;
    } catch (const CLI::ParseError& error) {
      EXPECT_EQ(std::string(error.what()), "--target: " + message);
    }
  };
  for (const std::string text : {"0", "-1", "101", "nan", "inf"}) {
    refuses(text, text + ": must be between 0.01 and 100");
  }
  for (const std::string text : {"two", "2x"}) {
    refuses(text, text + ": must be a number between 0.01 and 100");
  }
  refuses("", "'': must be a number between 0.01 and 100");
  for (const char* const text : {"0.01", "3", "100"}) EXPECT_NO_THROW(parse({"--target", text}));
}

TEST_F(Settings, RefuseASeedThatIsNone) {
  std::uint64_t seed = 0;
  app.add_option("--seed", seed)
      ->check(cell::takes::number(0, std::numeric_limits<std::uint64_t>::max()).valid);
  for (const char* const text : {"-1", "18446744073709551616", "1.5", "x", "2x", ""}) {
    EXPECT_THROW(parse({"--seed", text}), CLI::ParseError) << text;
  }
  parse({"--seed", "18446744073709551615"});
  EXPECT_EQ(seed, 18446744073709551615U);
}

}  // namespace
}  // namespace stealbench::experiments
