#include "results/system/whole_file.hpp"

#include <cstddef>
#include <string>

#include <gtest/gtest.h>

#include "results/system/scratch_folder.hpp"

namespace stealbench::system {
namespace {

// NOLINTNEXTLINE(readability-identifier-naming): GoogleTest shows it as the name of the suite.
class WholeFile : public scratch_folder {
 protected:
  [[nodiscard]] std::ptrdiff_t file_count() const {
    return std::distance(std::filesystem::directory_iterator(folder()), {});
  }
};

TEST_F(WholeFile, AReaderSeesTheOldTextOrTheNewOneAndNothingBetween) {
  const auto file = folder() / "file";
  write_atomically(file, "the old text");
  std::ifstream reader(file);
  write_atomically(file, "new");
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(reader), {}), "the old text");
  EXPECT_EQ(text_of(file), "new");
}

TEST_F(WholeFile, AFullDiskLeavesTheOldFileAsItWas) {
  const auto file = folder() / "file";
  write_atomically(file, "the old text");
  std::filesystem::create_symlink("/dev/full", folder() / ".file.new");
  try {
    write_atomically(file, "new");
    FAIL() << "nothing was thrown";
  } catch (const std::system_error& error) {
    EXPECT_EQ(error.code(), std::errc::no_space_on_device);
    EXPECT_NE(std::string(error.what()).find(file.string()), std::string::npos) << error.what();
  }
  EXPECT_EQ(text_of(file), "the old text");
  EXPECT_EQ(file_count(), 1U);
}

TEST_F(WholeFile, AFileThatCannotBeReplacedIsReported) {
  std::filesystem::create_directories(folder() / "occupied" / "x");
  EXPECT_THROW(write_atomically(folder() / "occupied", "text"), std::system_error);
  EXPECT_EQ(file_count(), 1U);
}

}  // namespace
}  // namespace stealbench::system
