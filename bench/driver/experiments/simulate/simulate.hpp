// The machine of a simulation, as a user names it, and what is said of what ran on it.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "bench/driver/rounds/installation.hpp"
#include "results/dataset/measurements.hpp"
#include "results/report/document.hpp"
#include "results/system/host.hpp"
#include "schedulers/virtual_machine/profile.hpp"

namespace stealbench::experiments::simulate {

/// `90ns`, `11us`, `0.5ms`: in nanoseconds; none for what is no such time, or more than a second.
[[nodiscard]] std::optional<double> nanoseconds_of(const std::string& text);

/// Such a time.
[[nodiscard]] CLI::Validator duration();

/// What a user says of the machine. Empty: as the profile has it.
struct machine_options {
  /// A name of `installation::profiles`, or a file. Empty: the file of this machine, which
  /// `stealbench calibrate` has written to the current folder, or else `reference`.
  std::string profile = {};
  std::string transfer = {};
  std::string wake = {};
};

struct simulated_machine {
  virtual_machine::profile profile;  ///< With the changes; what was validated is another one then.
  std::vector<std::string> changes;  ///< `transfer 180ns`, for a reader.
  std::string source;                ///< The name or the file that the profile was read from.
  std::string other_processor = {};  ///< That of this machine, if the profile is of another one.
};

/// What `stealbench calibrate` writes unless it is told otherwise.
inline constexpr const char* default_profile_file = "stealbench-profile.json";

/// Looks for a file of this machine in `folder`. Throws kit::bad_input. Requires: the times are
/// durations.
[[nodiscard]] simulated_machine find_machine(
    const machine_options& chosen, const rounds::installation& installed,
    const std::filesystem::path& folder = {},
    const std::string& processor = system::processor_model());

/// Throws std::invalid_argument if the values of the dataset do not belong together.
[[nodiscard]] std::vector<report::section> simulate_sections(const dataset::measurements& data);

}  // namespace stealbench::experiments::simulate
