#include "bench/system/whole_file.hpp"

#include <cstddef>
#include <string>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bench/system/scratch_folder_fixture.hpp"
#include "schedulers/input.hpp"

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

TEST_F(WholeFile, OnlyARegularFileIsReplaced) {
  const auto expect_refused = [&](const std::filesystem::path& node) {
    std::error_code ignored;  // Of a ring.
    const auto before = std::filesystem::status(node, ignored).type();
    EXPECT_THROW(write_atomically(node, "text"), schedulers::bad_input) << node;
    EXPECT_EQ(std::filesystem::status(node, ignored).type(), before) << node;
  };
  std::filesystem::create_directories(folder() / "occupied" / "x");
  expect_refused(folder() / "occupied");
  ASSERT_EQ(mkfifo((folder() / "pipe").c_str(), 0600), 0);
  expect_refused(folder() / "pipe");
  std::filesystem::create_symlink("pipe", folder() / "to_pipe");
  expect_refused(folder() / "to_pipe");
  std::filesystem::create_symlink("occupied", folder() / "to_folder");
  expect_refused(folder() / "to_folder");
  std::filesystem::create_symlink("ring", folder() / "ring");
  expect_refused(folder() / "ring");
  // As /dev/stdout, which a test must not put at risk.
  std::filesystem::create_symlink("/proc/self/fd/1", folder() / "stdout");
  expect_refused(folder() / "stdout");
  expect_refused("");
  EXPECT_EQ(file_count(), 6U) << "nothing was left";
}

TEST_F(WholeFile, AFileThatThisProgramHasOpenIsNotReplacedByItsLinkInProc) {
  const auto file = folder() / "file";
  write_atomically(file, "the old text");
  const int open_file = open(file.c_str(), O_WRONLY | O_CLOEXEC);
  for (const char* const links : {"/proc/self/fd", "/dev/fd"}) {
    const auto link = std::filesystem::path(links) / std::to_string(open_file);
    EXPECT_THROW(write_atomically(link, "new"), schedulers::bad_input);
  }
  close(open_file);
  EXPECT_EQ(text_of(file), "the old text");
}

TEST_F(WholeFile, IsWrittenWhereSymbolicLinksLead) {
  std::filesystem::create_directories(folder() / "far");
  std::filesystem::create_symlink("far/file", folder() / "link");
  std::filesystem::create_symlink(folder() / "link", folder() / "other");
  for (const char* const text : {"made there", "replaced there"}) {
    write_atomically(folder() / "other", text);
    EXPECT_EQ(text_of(folder() / "far" / "file"), text);
    EXPECT_TRUE(std::filesystem::is_symlink(folder() / "link"));
    EXPECT_TRUE(std::filesystem::is_symlink(folder() / "other"));
  }
  EXPECT_EQ(file_count(), 3U);
}

TEST_F(WholeFile, APipeThatWasLeftUnderTheTemporaryNameIsNoReasonToWait) {
  ASSERT_EQ(mkfifo((folder() / ".file.new").c_str(), 0600), 0);
  EXPECT_THROW(write_atomically(folder() / "file", "text"), std::system_error);
}

TEST_F(WholeFile, WhatWasLeftUnderTheTemporaryNameIsWrittenOver) {
  std::ofstream(folder() / ".file.new") << "what a killed process has left";
  write_atomically(folder() / "file", "text");
  EXPECT_EQ(text_of(folder() / "file"), "text");
}

}  // namespace
}  // namespace stealbench::system
