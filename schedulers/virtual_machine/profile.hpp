// What a machine charges for, in nanoseconds: measured by `stealbench calibrate`, or collected from
// publications. calibration.md defines each cost.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "schedulers/virtual_machine/costs.hpp"

namespace stealbench::virtual_machine {

/// What a unit of a workload's work costs (kit::profile::unit), and its tasks.
struct unit_price {
  std::string workload;
  std::map<std::string, std::string> parameters;  ///< Those that differ from their defaults.
  double ns = 0;
  /// By the name of the scheduler: prices of the workload's own tasks. Empty where its tasks are so
  /// long that the scheduler's prices hold, and where those of another instance do.
  std::map<std::string, strategy_prices> schedulers = {};
};

/// What a simulation needs of one. calibration.md has its other members, which the command reads.
struct profile {
  std::string name;
  virtual_machine::costs costs;
  std::map<std::string, strategy_prices> strategies;  ///< By the name of the scheduler.
  std::vector<unit_price> work;
};

/// Throws std::invalid_argument, which names the member and what is valid.
[[nodiscard]] profile profile_of(const nlohmann::ordered_json& read);

/// The member `costs` alone. Throws as profile_of.
[[nodiscard]] costs costs_of(const nlohmann::ordered_json& read);
[[nodiscard]] nlohmann::ordered_json json_of(const costs& some);

/// A text of JSON, not yet checked. Throws std::invalid_argument if it is none, or is nested too
/// deeply.
[[nodiscard]] nlohmann::ordered_json parse_profile(const std::string& text);

/// A profile with a member `based_on`, the name of another one in the same folder, takes from that
/// one its costs, schedulers and work that it lacks. Throws std::invalid_argument, which names the
/// file.
[[nodiscard]] profile read_profile(const std::filesystem::path& file);

/// Multiplies a cost: `transfer` (both transfers), `wake` or `jitter`. Throws
/// std::invalid_argument for another name.
void vary(costs& some, std::string_view key, double factor);

/// The prices of a scheduler with settings, `work-stealing:deque=chase-lev:victim=random`, on an
/// instance: those of the scheduler with its deque; of the workload's own tasks, by the nearest
/// instance that has such, if one has. Zero where the profile has none.
[[nodiscard]] strategy_prices prices_of(const profile& what, const std::string& scheduler,
                                        const std::string& workload,
                                        const std::map<std::string, std::string>& parameters);

/// The price of a unit of an instance, and whose it is: its own, or that of the nearest instance of
/// its workload. A parameter that is no positive number in both is farther than any number; numbers
/// are as far apart as their logarithms. Of equally near ones the first. Throws
/// std::invalid_argument if the profile has none of the workload.
[[nodiscard]] const unit_price& price_of(const profile& what, const std::string& workload,
                                         const std::map<std::string, std::string>& parameters);

}  // namespace stealbench::virtual_machine
