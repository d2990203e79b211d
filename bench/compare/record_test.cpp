#include "bench/compare/record.hpp"

#include <string>

#include <gtest/gtest.h>

#include "results/system/scratch_folder.hpp"
#include "workloads/parameters.hpp"

namespace stealbench::compare {
namespace {

// NOLINTNEXTLINE(readability-identifier-naming): GoogleTest shows it as the name of the suite.
using Record = system::scratch_folder;

std::size_t file_count(const std::filesystem::path& folder) {
  std::size_t count = 0;
  for ([[maybe_unused]] const auto& each : std::filesystem::directory_iterator(folder)) ++count;
  return count;
}

TEST_F(Record, IsTheContextOfTheFirstProcessAndAllEntries) {
  record kept(folder() / "new" / "folder");
  kept.describe("seed", 7);
  kept.set_context({{"num_cpus", 2}});
  kept.set_context({{"num_cpus", 99}});
  kept.add({{"name", "a"}});
  kept.add({{"name", "b"}});
  kept.save();
  const auto read = nlohmann::json::parse(text_of(kept.json_file()));
  EXPECT_EQ(read["context"],
            (nlohmann::json{{"num_cpus", 2}, {"format", 2}, {"kind", "comparison"}, {"seed", 7}}));
  ASSERT_EQ(read["benchmarks"].size(), 2U);
  EXPECT_EQ(read["benchmarks"][1]["name"], "b");
}

TEST_F(Record, LeavesAnOlderComparisonAloneUntilItIsSaved) {
  {
    record older(folder());
    older.save();
    older.save_tables("tables\n");
  }
  const std::string before = text_of(folder() / "comparison.json");

  record newer(folder());
  newer.add({{"name", "a"}});
  EXPECT_EQ(text_of(newer.json_file()), before);
  EXPECT_EQ(text_of(newer.markdown_file()), "tables\n");
  newer.save();
  EXPECT_NE(text_of(newer.json_file()), before);
  EXPECT_FALSE(std::filesystem::exists(newer.markdown_file())) << "tables of another comparison";
}

TEST_F(Record, LeavesNoTemporaryFileBehind) {
  record kept(folder());
  EXPECT_EQ(file_count(folder()), 0U);
  kept.save();
  kept.save_tables("");
  EXPECT_EQ(file_count(folder()), 2U);
}

TEST_F(Record, AFolderThatAnotherWritesToIsRefused) {
  {
    const record first(folder());
    try {
      const record second(folder());
      FAIL() << "nothing was thrown";
    } catch (const workloads::bad_input& error) {
      EXPECT_NE(std::string(error.what()).find("another stealbench"), std::string::npos)
          << error.what();
    }
  }
  EXPECT_NO_THROW(record{folder()});
}

TEST_F(Record, TextThatIsNotUtf8DoesNotEndIt) {
  record kept(folder());
  kept.add({{"error_message", "\xff"}});
  kept.save();
  EXPECT_FALSE(nlohmann::json::parse(text_of(kept.json_file()), nullptr, false).is_discarded());
}

TEST_F(Record, AFolderThatCannotBeMadeIsRefused) {
  const auto file = plant("file", "");
  try {
    const record kept(file / "below");
    FAIL() << "nothing was thrown";
  } catch (const workloads::bad_input& error) {
    EXPECT_NE(std::string(error.what()).find("valid: a folder"), std::string::npos) << error.what();
  }
  EXPECT_THROW(record(""), workloads::bad_input);
}

TEST_F(Record, AFolderThatCannotBeWrittenIsRefused) {
  // Not even root can make a file there.
  EXPECT_THROW(record("/proc/self/task"), workloads::bad_input);
}

}  // namespace
}  // namespace stealbench::compare
