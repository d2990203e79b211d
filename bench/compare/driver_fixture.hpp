// For tests that run the built driver as a user would.
#pragma once

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "bench/compare/process.hpp"
#include "bench/compare/scratch_folder.hpp"

namespace stealbench::compare {

class driver_fixture : public scratch_folder {
 public:
  ~driver_fixture() override { unsetenv("STEALBENCH_BIN_DIR"); }

 protected:
  /// From now on the driver takes its schedulers from the scratch folder.
  void use_planted_schedulers() const { setenv("STEALBENCH_BIN_DIR", folder().c_str(), 1); }

  /// `stealbench` with these arguments.
  [[nodiscard]] process_result drive(const std::vector<std::string>& arguments) const {
    return run_process({STEALBENCH_DRIVER, arguments, std::chrono::minutes(5)}, watch_);
  }

  [[nodiscard]] std::filesystem::path output() const { return folder() / "results"; }
  [[nodiscard]] nlohmann::json comparison() const {
    return nlohmann::json::parse(text_of(output() / "comparison.json"), nullptr, false);
  }

 private:
  signal_watch watch_;
};

}  // namespace stealbench::compare
