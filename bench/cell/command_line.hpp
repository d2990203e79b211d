// What the command lines of the executables have in common: the values that an option takes, the
// layout of --help, and the wording of errors.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

#include "schedulers/options.hpp"
#include "workloads/kit/parameters.hpp"

namespace stealbench::cell {

/// What an option takes: its type name in --help, and the check that says what is valid. A type
/// name alone is one, as is any of `takes`.
struct value_kind {
  value_kind(const char* type_name, CLI::Validator check = {})
      : type(type_name), valid(std::move(check)) {}

  std::string type;
  CLI::Validator valid;
};

/// Gives the option its kind; in --help the default is what its variable holds. A list, which is a
/// vector, has items separated by commas, and no default there.
CLI::Option* as_kind(const value_kind& kind, CLI::Option* option);

/// Declares an option, in two lines:
///   add_option(command, "--workers", typed.workers, takes::number(1, 1024), "Worker counts")
///       ->default_str("all processors");
/// The second one changes what --help shows. The variable outlives the parsing.
template <class T>
CLI::Option* add_option(CLI::App& command, const std::string& name, T& value,
                        const value_kind& kind, const std::string& help) {
  return as_kind(kind, command.add_option(name, value, help));
}

namespace takes {
inline constexpr const char* workload = "WORKLOAD";
inline constexpr const char* assignment = "KEY=VALUE";
inline constexpr const char* file = "FILE";

/// A whole number from `least` to `most`. Unlike CLI::Range it refuses -1, which is not read as the
/// greatest number.
[[nodiscard]] value_kind number(std::uint64_t least, std::uint64_t most);
[[nodiscard]] value_kind size();  ///< The name of a size, which every workload has.
}  // namespace takes

/// One of these words. Its description is `{a,b,c}`, as that of CLI::IsMember.
[[nodiscard]] CLI::Validator one_of(std::vector<std::string> words);

/// Ends --help with the notes, in paragraphs, and with two examples: arguments of this command.
void add_footer(CLI::App& command, const std::string& notes,
                const std::array<std::string, 2>& examples);

/// The size that the command says with every cell: an instance of another size would not be alone,
/// where a second one of that size has all its assignments and more.
inline constexpr std::string_view no_size = "none";

/// The instance of a workload that the options name, unchecked.
struct instance_options {
  std::string workload;
  std::string size = "standard";
  std::vector<std::string> set;
  std::optional<std::string> variant;  ///< Settings of the scheduler.
  std::size_t stack_mib = schedulers::default_stack_bytes >> 20;
};

/// Adds --workload, which it returns, --size, --set, --variant and --stack-mib.
CLI::Option* declare_instance(CLI::App& app, instance_options& typed);

/// Throws kit::bad_input.
[[nodiscard]] std::vector<kit::parameters> instances_of(const kit::description& workload,
                                                        const instance_options& typed);

/// Parses, with help in the layout of the suite, and calls `body`, whose exit status it returns.
/// Refuses a list with an empty item, such as `--workers 1,,2`, which CLI11 would leave out, and a
/// key that is set twice, as in `--set n=1 --set n=2`: one value would be ignored.
/// Tells the user what was thrown, or that the output was not written, and returns 2 for bad input,
/// else 1.
[[nodiscard]] int run_command_line(CLI::App& app, int argc, char** argv,
                                   const std::function<int()>& body);

}  // namespace stealbench::cell
