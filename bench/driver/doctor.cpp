// `stealbench doctor`: what disturbs a measurement on this machine, and which schedulers are not
// built.
#include <algorithm>
#include <cstddef>
#include <iostream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "bench/driver/commands.hpp"
#include "bench/driver/rounds/host.hpp"
#include "bench/driver/rounds/installation.hpp"

namespace stealbench::driver {
namespace {

using nlohmann::ordered_json;

struct doctor_request {
  bool as_json = false;
};

int examine(const doctor_request& chosen) {
  const unsigned processors = rounds::usable_processors();
  std::vector<rounds::host_check> checks = rounds::checks_before(processors);
  const auto installed = rounds::installation::of_this_program();
  const std::vector<std::string> built = installed.built();
  std::vector<std::string> missing = installed.known();
  std::erase_if(missing, [&](const auto& each) { return installed.is_built(each); });
  checks.push_back(
      {"schedulers", built.empty() ? rounds::verdict::warn : rounds::verdict::pass,
       built.empty() ? "None is built." : fmt::format("Built: {}.", fmt::join(built, ", "))});

  if (chosen.as_json) {
    ordered_json whole{{"processors", processors},
                       {"checks", ordered_json::array()},
                       {"built", built},
                       {"not_built", missing}};
    for (const rounds::host_check& each : checks) whole["checks"].push_back(json_of(each));
    std::cout << whole.dump(2) << '\n';
  } else {
    const auto print = [](const std::string& found, const std::string& name,
                          const std::string& detail) {
      constexpr std::size_t name_width = 28;
      std::cout << cell::in_two_columns(fmt::format("{:<8} {}", found, name), detail, name_width);
    };
    for (const rounds::host_check& each : checks) {
      print(json_of(each)["status"], each.check, each.detail);
    }
    print("", "processors", fmt::format("This process may use {}.", processors));
    print_not_built(missing, installed);
    if (!missing.empty()) {
      std::cout << fmt::format("Build all that have their libraries with\n  {}\n",
                               rounds::build_all_command());
    }
  }
  return std::ranges::count(checks, rounds::verdict::warn, &rounds::host_check::found) == 0 ? 0 : 1;
}

}  // namespace

void declare_doctor(CLI::App& program, int& status) {
  const auto [command, chosen] = add_command(
      program, "doctor",
      "Check what disturbs measurements on this machine and what to do about it, and which "
      "schedulers are built",
      examine, status);
  command.add_flag("--json", chosen.as_json, "Print JSON");
  cell::add_footer(
      command,
      "`compare` makes the same checks before it measures, and records them.\n\n"
      "Exit status: 0 if no check warns and a scheduler is built, 1 otherwise, 2 for bad input.",
      {"", "--json"});
}

}  // namespace stealbench::driver
