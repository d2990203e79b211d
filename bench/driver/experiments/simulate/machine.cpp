#include <algorithm>
#include <array>
#include <charconv>
#include <stdexcept>
#include <string_view>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "bench/driver/experiments/simulate/simulate.hpp"

namespace stealbench::experiments::simulate {
namespace {

using kit::bad_input;

virtual_machine::profile find_profile(const std::string& named,
                                      const rounds::installation& installed) {
  std::vector<std::string> valid = installed.profiles();
  std::filesystem::path file = named;
  std::error_code none;
  if (std::ranges::count(valid, named) > 0) {
    file = installed.profile_file(named);
  } else if (!std::filesystem::is_regular_file(file, none)) {
    valid.emplace_back(valid.empty() ? "a file that `stealbench calibrate` has written"
                                     : "or a file that `stealbench calibrate` has written");
    kit::refuse(fmt::format("--profile {}: there is no such profile and no such file", named),
                valid);
  }
  try {
    return virtual_machine::read_profile(file);
  } catch (const std::invalid_argument& error) {
    throw bad_input(fmt::format("--profile {}: {}", named, error.what()));
  }
}

}  // namespace

std::optional<double> nanoseconds_of(const std::string& text) {
  constexpr std::array<std::pair<std::string_view, double>, 4> units{
      {{"ns", 1}, {"us", 1e3}, {"µs", 1e3}, {"ms", 1e6}}};
  constexpr double most = 1e9;  // As a profile may have.
  double number = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc{}) return {};
  for (const auto& [unit, nanoseconds] : units) {
    if (std::string_view(stop, static_cast<std::size_t>(end - stop)) != unit) continue;
    // Written so that NaN fails too.
    if (number >= 0 && number * nanoseconds <= most) return number * nanoseconds;
  }
  return {};
}

CLI::Validator duration() {
  return {[](const std::string& text) -> std::string {
            if (nanoseconds_of(text)) return {};
            return fmt::format(
                "{}: must be a time from 0 to 1000ms with one of the units ns, us, µs, ms, such "
                "as 90ns",
                text.empty() ? "''" : text);
          },
          ""};
}

simulated_machine find_machine(const machine_options& chosen, const rounds::installation& installed,
                               const std::filesystem::path& folder, const std::string& processor) {
  std::string source = chosen.profile;
  if (source.empty()) {
    const std::filesystem::path own = folder / default_profile_file;
    source = std::filesystem::exists(own) ? own.string() : "reference";
  }
  simulated_machine machine{find_profile(source, installed), {}, source};
  // A profile also has the number of processors.
  if (!(machine.profile.processor + ',').starts_with(processor + ',')) {
    machine.other_processor = processor;
  }
  virtual_machine::costs& costs = machine.profile.costs;
  if (!chosen.transfer.empty()) {
    costs.transfer = costs.remote_transfer = nanoseconds_of(chosen.transfer).value();
    machine.changes.push_back("transfer " + chosen.transfer);
  }
  if (!chosen.wake.empty()) {
    costs.wake = nanoseconds_of(chosen.wake).value();
    machine.changes.push_back("wake " + chosen.wake);
  }
  if (!machine.changes.empty()) machine.profile.validated.reset();
  return machine;
}

}  // namespace stealbench::experiments::simulate
