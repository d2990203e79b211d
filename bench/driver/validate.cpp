#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "bench/driver/commands.hpp"
#include "bench/driver/experiments/report.hpp"
#include "results/report/format.hpp"
#include "results/sections/sections.hpp"
#include "results/system/whole_file.hpp"
#include "schedulers/virtual_machine/profile.hpp"
#include "workloads/kit/parameters.hpp"

namespace stealbench::driver {
namespace {

namespace fs = std::filesystem;
using dataset::json;
using dataset::measurements;
using kit::bad_input;
using virtual_machine::profile;

struct validation_request {
  fs::path measured;
  fs::path simulated;
  fs::path profile;
  bool as_markdown = false;
};

measurements read_dataset(const char* place, const fs::path& where, const char* experiment) {
  std::vector<measurements> all = experiments::read_datasets(where);
  const auto wanted = std::ranges::find(all, experiment, &measurements::experiment);
  if (wanted != all.end()) return std::move(*wanted);
  throw bad_input(fmt::format("{} is of the experiment {}; valid: a dataset of `stealbench {}`",
                              place, all.front().experiment(), experiment));
}

/// Refuses a profile other than that of the simulation, whatever accuracy either states, and one of
/// another machine.
void expect_profile(const fs::path& file, const measurements& measured,
                    const measurements& simulated) {
  try {
    profile stored = virtual_machine::read_profile(file);
    profile used = virtual_machine::profile_of(simulated.header().at("about").at("profile"));
    stored.validated.reset();
    used.validated.reset();
    if (json_of(stored) != json_of(used)) {
      throw std::invalid_argument(
          "SIMULATED was simulated with other costs; valid: the profile that it was simulated "
          "with");
    }
    if (!analysis::is_same_machine(measured, simulated)) {
      throw std::invalid_argument(
          fmt::format("it is of {}, and MEASURED of {}; valid: a profile of the machine that was "
                      "measured",
                      stored.processor, dataset::text_at(measured.context(), "processor")));
    }
  } catch (const std::invalid_argument& error) {
    throw bad_input(fmt::format("--profile {}: {}", file.string(), error.what()));
  }
}

/// Leaves everything else in the file as it is.
void write_accuracy(const json& known, const measurements& measured, const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  json whole = json::parse(stream);
  whole["accuracy"] = known;
  whole["accuracy"]["date"] = measured.header().at("date").get<std::string>().substr(0, 10);
  system::write_atomically(file, whole.dump(2) + '\n');
}

int validate(const validation_request& chosen) {
  const measurements measured = read_dataset("MEASURED", chosen.measured, "compare");
  const measurements simulated = read_dataset("SIMULATED", chosen.simulated, "simulate");
  const analysis::validation found = analysis::validate(measured, simulated);
  const report::document document{"", sections::validation_sections(found, measured, simulated)};
  if (!chosen.profile.empty()) {
    expect_profile(chosen.profile, measured, simulated);
    write_accuracy(accuracy_of(found), measured, chosen.profile);
  }
  for (const std::string& each : found.warnings) {
    std::cerr << fmt::format("Warning: {}\n", report::on_one_line(each));
  }
  std::cout << (chosen.as_markdown ? to_markdown(document)
                                   : to_text(document, report::standard_output()));
  return 0;
}

}  // namespace

void declare_validate(CLI::App& program, int& status) {
  const auto [command, chosen] =
      add_command(program, "validate",
                  "Compare simulated times with measured ones and show how far they are apart",
                  validate, status);
  add_dataset(command, "MEASURED", chosen.measured, "Dataset of `stealbench compare`");
  add_dataset(command, "SIMULATED", chosen.simulated, "Dataset of `stealbench simulate`");
  command.add_flag("--markdown", chosen.as_markdown, "Print Markdown");
  cell::add_option(command, "--profile", chosen.profile, cell::takes::file,
                   "Profile that SIMULATED was simulated with. Its accuracy is replaced with the "
                   "one found on benchmarks held out");
  cell::add_footer(
      command,
      "A benchmark is compared if both datasets have it: the same scheduler, workload with all its "
      "parameters, and worker count. The others are listed with a reason.\n\n"
      "Exit status: 0 if benchmarks were compared, however large the errors are, 1 if a file could "
      "not be written, 2 for bad input.",
      {"measured simulated", "measured/compare.jsonl simulated/simulate.jsonl --markdown"});
}

}  // namespace stealbench::driver
