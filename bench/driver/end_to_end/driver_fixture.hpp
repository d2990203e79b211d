// For tests that run the built driver as a user would.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "bench/cell/self_description.hpp"
#include "results/dataset/measurements.hpp"
#include "results/system/process.hpp"
#include "results/system/scratch_folder_fixture.hpp"
#include "schedulers/settings.hpp"

namespace stealbench::end_to_end {

using dataset::json;
using system::ending;
using system::process_result;

[[nodiscard]] inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

[[nodiscard]] inline std::size_t count_of(const std::string& part, const std::string& text) {
  std::size_t count = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; ++at) ++count;
  return count;
}

[[nodiscard]] inline std::vector<json> json_lines(const std::string& text) {
  std::vector<json> lines;
  std::istringstream all(text);
  for (std::string line; std::getline(all, line);) lines.push_back(json::parse(line));
  return lines;
}

/// What `list --json` says of a scheduler; null if it does not.
[[nodiscard]] inline json listed_scheduler(const json& listed, const std::string& name) {
  for (const json& each : listed["schedulers"]) {
    if (each["name"] == name) return each;
  }
  return nullptr;
}

/// Without how long the rounds that are missing take, which the clock says.
[[nodiscard]] inline std::string without_duration(std::string report) {
  for (const char* const before : {" take about ", " takes about "}) {
    for (std::size_t at = 0; (at = report.find(before, at)) != std::string::npos; ++at) {
      report.erase(at, report.find(';', at) - at);
    }
  }
  return report;
}

class driver_fixture : public system::scratch_folder {
 public:
  ~driver_fixture() override { unsetenv("STEALBENCH_BIN_DIR"); }

 protected:
  /// From now on the driver takes its schedulers from the scratch folder.
  void use_planted_schedulers() const { setenv("STEALBENCH_BIN_DIR", folder().c_str(), 1); }

  /// As scratch_folder's. It takes the settings that work stealing has.
  std::filesystem::path plant(const std::string& name, const std::string& body) const {
    const cell::self_description described{.scheduler = "work-stealing",
                                           .settings = schedulers::settings_of("work-stealing"),
                                           .counters = {"steals"}};
    return scratch_folder::plant(name, name != "stealbench-work-stealing"
                                           ? body
                                           : "if [ \"$1\" = --describe ]; then cat <<'JSON'\n" +
                                                 nlohmann::json(described).dump() +
                                                 "\nJSON\nexit; fi\n" + body);
  }

  /// `victim=random`: each setting of work stealing that is not a default.
  [[nodiscard]] static std::vector<std::string> settings_but_defaults() {
    std::vector<std::string> texts;
    for (const schedulers::setting& each : schedulers::settings_of("work-stealing")) {
      for (auto value = each.values.begin() + 1; value != each.values.end(); ++value) {
        texts.push_back(std::string(each.name).append("=").append(value->word));
      }
    }
    return texts;
  }

  [[nodiscard]] process_result run_program(const std::filesystem::path& program,
                                           const std::vector<std::string>& arguments) const {
    return runner_.run({program, arguments, std::chrono::minutes(5)});
  }

  /// `stealbench` with these arguments.
  [[nodiscard]] process_result drive(const std::vector<std::string>& arguments) const {
    return run_program(STEALBENCH_DRIVER, arguments);
  }

  [[nodiscard]] process_result call_shell(const std::string& command) const {
    return run_program("/bin/sh", {"-c", command});
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
      EXPECT_TRUE(contains(result.errors, part)) << part << " in\n" << result.errors;
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
    return run_program(folder_of_driver / ("stealbench-" + scheduler), arguments);
  }

  [[nodiscard]] std::filesystem::path output() const { return folder() / "results"; }
  [[nodiscard]] std::filesystem::path raw_file(const std::string& experiment = "compare") const {
    return output() / (experiment + ".jsonl");
  }
  [[nodiscard]] dataset::measurements data(const std::string& experiment = "compare") const {
    return dataset::read_file(raw_file(experiment)).data;
  }

  /// The lines of a raw file that are of this type.
  [[nodiscard]] std::vector<json> lines_of_type(const std::string& type,
                                                const std::string& experiment = "compare") const {
    std::vector<json> found = json_lines(text_of(raw_file(experiment)));
    std::erase_if(found, [&](const json& each) { return each["type"] != type; });
    return found;
  }
  /// Changes the lines on disk.
  template <class F>
  void edit_lines(const F& change, const std::string& experiment = "compare") const {
    std::vector<json> lines = json_lines(text_of(raw_file(experiment)));
    change(lines);
    std::ofstream file(raw_file(experiment));
    for (const json& each : lines) file << each << '\n';
  }
  void expect_valid_by_the_schema(const std::string& experiment) const {
    const process_result result = run_program(STEALBENCH_ROOT "/results/dataset/validate.py",
                                              {raw_file(experiment).string()});
    EXPECT_EQ(result.status, 0) << result.errors;
  }
  [[nodiscard]] std::size_t process_count(const std::string& experiment = "compare") const {
    return lines_of_type("process", experiment).size();
  }

 private:
  mutable system::process_runner runner_;
};

/// Skips its tests where one of these schedulers is not built, as with the preset of another one.
class needing_fixture : public driver_fixture {
 protected:
  explicit needing_fixture(std::vector<std::string> needed) : needed_(std::move(needed)) {}
  void SetUp() override {
    for (const std::string& each : needed_) {
      if (!is_built(each)) GTEST_SKIP() << each << " is not built";
    }
  }

 private:
  std::vector<std::string> needed_;
};

}  // namespace stealbench::end_to_end
