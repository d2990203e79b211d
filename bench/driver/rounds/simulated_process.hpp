// The process that simulates one cell, and what it has to say.
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
  unsigned jobs;                   ///< Processes side by side, at least 1.
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

/// The process that simulates the cell with a seed and the profile in a file.
[[nodiscard]] system::process_request simulation_of(const target& subject, std::uint64_t seed,
                                                    const std::filesystem::path& profile,
                                                    timeout limit);

/// What it has said. The entry is the object that it printed.
[[nodiscard]] timed_run read_simulation(const system::process_result& result, const target& subject,
                                        std::uint64_t seed, timeout limit);

}  // namespace stealbench::rounds
