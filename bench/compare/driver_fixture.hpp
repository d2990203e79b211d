// For tests that run the built driver as a user would.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "bench/compare/process.hpp"
#include "results/system/scratch_folder.hpp"

namespace stealbench::compare {

class driver_fixture : public system::scratch_folder {
 public:
  ~driver_fixture() override { unsetenv("STEALBENCH_BIN_DIR"); }

 protected:
  /// From now on the driver takes its schedulers from the scratch folder.
  void use_planted_schedulers() const { setenv("STEALBENCH_BIN_DIR", folder().c_str(), 1); }

  [[nodiscard]] const signal_watch& watch() const { return watch_; }

  /// `stealbench` with these arguments.
  [[nodiscard]] process_result drive(const std::vector<std::string>& arguments) const {
    return run_process({STEALBENCH_DRIVER, arguments, std::chrono::minutes(5)}, watch_);
  }

  [[nodiscard]] process_result call_shell(const std::string& command) const {
    return run_process({"/bin/sh", {"-c", command}, std::chrono::minutes(5)}, watch_);
  }

  /// Status 2, and a message of one or two lines that holds each part.
  void expect_refusal(const std::vector<std::string>& arguments,
                      const std::vector<std::string>& parts) const {
    const process_result result = drive(arguments);
    EXPECT_EQ(result.how, ending::exited);
    EXPECT_EQ(result.status, 2);
    EXPECT_EQ(result.output, "");
    EXPECT_LE(std::count(result.errors.begin(), result.errors.end(), '\n'), 2) << result.errors;
    for (const std::string& part : parts) {
      EXPECT_NE(result.errors.find(part), std::string::npos) << part << " in\n" << result.errors;
    }
  }

  /// Whether this scheduler is built beside the driver.
  [[nodiscard]] static bool is_built(const std::string& scheduler) {
    std::istringstream words(STEALBENCH_BUILT_SCHEDULERS);
    for (std::string word; words >> word;) {
      if (word == scheduler) return true;
    }
    return false;
  }

  /// `stealbench-<scheduler>` with these arguments.
  [[nodiscard]] process_result call(const std::string& scheduler,
                                    const std::vector<std::string>& arguments) const {
    const auto folder_of_driver = std::filesystem::path(STEALBENCH_DRIVER).parent_path();
    return run_process(
        {folder_of_driver / ("stealbench-" + scheduler), arguments, std::chrono::minutes(5)},
        watch_);
  }

  [[nodiscard]] std::filesystem::path output() const { return folder() / "results"; }
  [[nodiscard]] nlohmann::json comparison() const {
    return nlohmann::json::parse(text_of(output() / "comparison.json"), nullptr, false);
  }

 private:
  signal_watch watch_;
};

}  // namespace stealbench::compare
