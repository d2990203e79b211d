// For tests that need files.
#pragma once

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <system_error>

#include <gtest/gtest.h>

namespace stealbench::system {

/// A folder of its own for each test.
class scratch_folder : public ::testing::Test {
 public:
  scratch_folder(const scratch_folder&) = delete;
  scratch_folder& operator=(const scratch_folder&) = delete;
  ~scratch_folder() override {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }

 protected:
  scratch_folder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "stealbench-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) {
      throw std::system_error(errno, std::generic_category(), pattern);
    }
    folder_ = pattern;
  }

  [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }

  /// A shell script that can be executed; the body is what it does.
  std::filesystem::path plant(const std::string& name, const std::string& body) const {
    std::filesystem::path script = folder_ / name;
    std::ofstream(script) << "#!/bin/sh\n" << body << '\n';
    std::filesystem::permissions(script, std::filesystem::perms::owner_all);
    return script;
  }

  [[nodiscard]] static std::string text_of(const std::filesystem::path& file) {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
  }

 private:
  std::filesystem::path folder_;
};

}  // namespace stealbench::system
