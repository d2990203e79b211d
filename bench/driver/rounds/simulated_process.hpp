// Simulates one cell in a process of its own.
#pragma once

#include <cstdint>
#include <filesystem>

#include <nlohmann/json.hpp>

#include "bench/driver/rounds/cell_process.hpp"

namespace stealbench::rounds {

/// What is simulated, of all cells of an experiment.
struct simulation {
  nlohmann::ordered_json profile;  ///< The machine (schedulers/virtual_machine/profile.hpp).
  nlohmann::ordered_json context;  ///< What is recorded of the build.
};

/// A profile on disk, until the end of the scope.
class profile_file {
 public:
  /// Throws std::system_error if it cannot be written.
  profile_file(std::filesystem::path path, const nlohmann::ordered_json& profile);
  profile_file(const profile_file&) = delete;
  profile_file& operator=(const profile_file&) = delete;
  ~profile_file();

 private:
  std::filesystem::path path_;
};

/// Simulates the cell with a seed and the profile in a file. The entry is the object that the
/// process printed. Throws system::interrupted.
[[nodiscard]] timed_run run_simulated(const target& subject, std::uint64_t seed,
                                      const std::filesystem::path& profile, timeout limit,
                                      system::process_runner& runner);

}  // namespace stealbench::rounds
