// What a user may name: schedulers and workloads. Every function here throws kit::bad_input
// with a message that says what is valid.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "bench/cell/self_description.hpp"
#include "results/dataset/cell.hpp"
#include "workloads/kit/parameters.hpp"

namespace stealbench::rounds {

/// A scheduler that can be run.
struct runnable {
  std::string name;  ///< Of the variant, in canonical form.
  std::filesystem::path executable;

  friend bool operator==(const runnable&, const runnable&) = default;
};

/// Executables that one command adds, which has NAME for the name of each if they are more than
/// one.
struct addition {
  std::vector<std::string> names;
  std::string command;  ///< May have several lines, indented but for the first.
};

/// The schedulers of the suite, and which of them are built here: each is an executable
/// `stealbench-<name>`. So are the workloads' sequential versions, with the name `sequential` and
/// the raw cost of each operation, and the simulation of a scheduler, `simulated-<name>`.
class installation {
 public:
  /// The executables lie in `folder`; `expected` are the names of those that a build there makes.
  explicit installation(std::filesystem::path folder, std::vector<std::string> expected = {})
      : folder_(std::move(folder)), expected_(std::move(expected)) {}

  /// The build folder of this program itself, unless the environment variable STEALBENCH_BIN_DIR
  /// names another folder.
  [[nodiscard]] static installation of_this_program();

  [[nodiscard]] bool is_built(std::string_view name) const;
  /// The schedulers of the suite, built or not, and then each other `stealbench-<name>` in the
  /// folder: a program that keeps to the protocol of bench/process.md.
  [[nodiscard]] std::vector<std::string> known() const;
  /// Those that are built.
  [[nodiscard]] std::vector<std::string> built() const;
  /// Those of them that count, and so can be traced.
  [[nodiscard]] std::vector<std::string> counting() const;
  /// Those of `simulated_schedulers` whose simulations are built.
  [[nodiscard]] std::vector<std::string> built_simulations() const;

  /// Throws unless all schedulers that this build folder can have are built in it, with all their
  /// deques; or their simulations.
  void expect_all_built(bool are_simulations) const;

  /// How those come about that are not built: by a build alone, or after the installation of a
  /// package, or of a library from its sources.
  [[nodiscard]] std::vector<addition> additions_of(const std::vector<std::string>& names) const;
  /// The command that builds an executable and the driver, as above.
  [[nodiscard]] std::string build_command(const std::string& name) const;
  /// The command, on one line, that builds all that are compared if none are named, where these of
  /// them are missing.
  [[nodiscard]] std::string compare_command(const std::vector<std::string>& missing) const;

  /// Of a scheduler, or `sequential`. Throws if there is no such scheduler, or says how to build
  /// it.
  [[nodiscard]] std::filesystem::path executable_of(const std::string& scheduler) const;

  /// What the executable of a scheduler says of itself; nothing where it says nothing that can be
  /// read. Asked once. Throws as `executable_of`, and std::runtime_error if it crashes or fails.
  [[nodiscard]] const cell::self_description& description_of(const std::string& scheduler) const;

  /// From a scheduler with or without settings: `work-stealing:victim=random`. Throws as
  /// `executable_of`, and for settings that it does not have.
  [[nodiscard]] runnable choose(std::string_view typed) const;
  /// The same with the executable that simulates it. Throws also for a scheduler that cannot be
  /// simulated.
  [[nodiscard]] runnable choose_simulated(std::string_view typed) const;

  /// The executable that records work and span. Throws if it is not built.
  [[nodiscard]] std::filesystem::path recorder() const;

  /// The names of the profiles that lie beside the executables, sorted.
  [[nodiscard]] std::vector<std::string> profiles() const;
  [[nodiscard]] std::filesystem::path profile_file(const std::string& name) const;

 private:
  [[nodiscard]] std::filesystem::path path_of(std::string_view name) const;
  [[nodiscard]] std::string others_with_settings() const;
  /// Whether the build in the folder makes it.
  [[nodiscard]] bool is_target(const std::string& name) const;
  [[nodiscard]] std::string configure_for(const std::vector<std::string>& names) const;

  std::filesystem::path folder_;
  std::vector<std::string> expected_;
  mutable std::map<std::string, cell::self_description> descriptions_;
};

/// Every scheduler of the suite, built or not.
[[nodiscard]] std::vector<std::string> known_schedulers();

/// Those that run on the engine, and so on simulated processors, built or not.
[[nodiscard]] std::vector<std::string> simulated_schedulers();

/// Those that are compared if none are named, built or not.
[[nodiscard]] std::vector<std::string> compared_schedulers();

/// The command that builds all executables and the driver.
[[nodiscard]] std::string build_all_command();

[[nodiscard]] std::vector<std::string> workload_names();
[[nodiscard]] kit::description find_workload(std::string_view name);

/// What was set on a workload.
[[nodiscard]] dataset::instance instance_of(const std::string& workload,
                                            const kit::parameters& chosen);

/// What a size of a workload runs, with the user's assignments laid over it.
[[nodiscard]] std::vector<dataset::instance> instances_of(
    const kit::description& workload, std::string_view size,
    const std::vector<kit::assignment>& by_user);

}  // namespace stealbench::rounds
