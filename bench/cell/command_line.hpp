// What the command lines of the driver and of a benchmark process have in common: the values that
// an option takes, the layout of --help, and the wording of errors.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

#include "bench/cell/instance.hpp"

namespace stealbench::cell {

/// What an option takes, beyond a number: its type name in --help, from which `stealbench
/// completion` knows the values.
namespace takes {
inline constexpr const char* workload = "WORKLOAD";
inline constexpr const char* scheduler = "SCHEDULER";
inline constexpr const char* workload_or_scheduler = "WORKLOAD|SCHEDULER";
inline constexpr const char* assignment = "KEY=VALUE";
inline constexpr const char* profile = "PROFILE";
inline constexpr const char* file = "FILE";
inline constexpr const char* folder = "FOLDER";
inline constexpr const char* file_or_folder = "FILE|FOLDER";
}  // namespace takes

/// A whole number from `least` to `most`. Unlike CLI::Range it refuses -1, which is not read as the
/// greatest number.
[[nodiscard]] CLI::Validator between(std::uint64_t least, std::uint64_t most);

/// A number from 0.01 to 100. Unlike CLI::Range it refuses NaN, which is neither less nor greater.
[[nodiscard]] CLI::Validator percentage();

/// One of these words. Its description is `{a,b,c}`, as that of CLI::IsMember.
[[nodiscard]] CLI::Validator one_of(std::vector<std::string> words);

/// What an option takes, as CLI11 knows it: `WORKLOAD`, or `N` and `1 to 256`.
struct value_description {
  std::string type;
  std::string valid;  ///< Empty if there is no validator.
};
[[nodiscard]] value_description values_of(const CLI::Option& option);

/// False for a flag.
[[nodiscard]] bool takes_value(const CLI::Option& option);

/// The words of a validator `one_of`; empty for another description.
[[nodiscard]] std::vector<std::string> words_in(const std::string& valid);

/// Text in two columns and at most 80 wide: the option and what it takes, then what it does, what
/// is valid, and the default.
[[nodiscard]] std::shared_ptr<CLI::FormatterBase> help_layout();

/// Throws CLI::ValidationError for a list with an empty item, such as `--workers 1,,2`, which CLI11
/// would leave out, and for a key that is set twice, as in `--set n=1 --set n=2`: one value would
/// be ignored. `arguments` are what the command is called with.
void expect_well_formed(const CLI::App& command, const std::vector<std::string>& arguments);

/// What was wrong, where, and what is valid: `--workers 0: must be between 1 and 256`.
[[nodiscard]] std::string message_of(const CLI::ParseError& error);

/// Adds --workload, which it returns, --size, --set, --variant and --stack-mib.
CLI::Option* declare_instance(CLI::App& app, instance_options& typed);

/// Parses and calls `body`, whose exit status it returns. Tells the user what was thrown, and
/// returns 2 for bad input, else 1.
[[nodiscard]] int run_command_line(CLI::App& app, int argc, char** argv,
                                   const std::function<int()>& body);

}  // namespace stealbench::cell
