#include "bench/driver/calibration/runs.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string_view>
#include <system_error>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "bench/cell/program.hpp"
#include "bench/costs/catalogue.hpp"
#include "results/dataset/measurements.hpp"

namespace stealbench::calibration {
namespace {

using nlohmann::ordered_json;

constexpr std::chrono::seconds longest{120};
constexpr unsigned least_processes = 2;
constexpr unsigned most_processes = 3;
constexpr std::chrono::milliseconds long_enough{450};  // So that all takes less than 90 s.

[[noreturn]] void fail(const std::string& process, std::string_view why) {
  throw std::runtime_error(fmt::format("{}: {}", process, why));
}

std::string without_newline(std::string text) {
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text;
}

/// The JSON object that a process prints.
ordered_json object_from(const system::process_request& request, const std::string& process,
                         system::process_runner& runner) {
  const system::process_result result = runner.run(request);
  if (result.how != system::ending::exited || result.status != 0) {
    const std::string words = without_newline(result.errors);
    fail(process, words.empty() ? system::describe_ending(result) : words);
  }
  ordered_json read = ordered_json::parse(result.output, nullptr, false);
  if (!read.is_object()) fail(process, "unreadable output: not a JSON object");
  return read;
}

/// Finite and not negative.
double number_at(const ordered_json& object, const char* key, const std::string& process) {
  const auto found = object.find(key);
  const double value = found != object.end() && found->is_number() ? found->get<double>() : NAN;
  if (!(value >= 0) || !std::isfinite(value)) {
    fail(process, fmt::format("unreadable output: '{}' is not a number from 0", key));
  }
  return value;
}

/// The median of the steady state of one process.
double measure_once(const rounds::target& subject, system::process_runner& runner) {
  const rounds::timed_run ran = rounds::run_timed(subject, longest, runner);
  if (!ran.failure.empty()) fail(name_of(subject.which), ran.failure);
  return dataset::sample_of(ran.entry).value()[dataset::metric::seconds].value();
}

}  // namespace

machine measure_machine(const std::filesystem::path& sequential, system::process_runner& runner) {
  const std::string process = "costs of the machine";
  const ordered_json said =
      object_from({sequential, {"--machine-costs"}, longest}, process, runner);
  try {
    return {.costs = virtual_machine::costs_of(said),
            .processor = fmt::format("{}, {} processors", dataset::text_at(said, "processor"),
                                     dataset::text_at(said, "processors")),
            .build = fmt::format("commit {}, {}", dataset::text_at(said, "commit"),
                                 dataset::text_at(said, "compiler"))};
  } catch (const std::invalid_argument& error) {
    fail(process, error.what());
  }
}

double measure_transfer(const std::filesystem::path& sequential, system::process_runner& runner) {
  const costs::figure_description& handover = costs::find_figure("steal");
  const rounds::target subject{.which = {.what = {std::string(handover.name), {}},
                                         .scheduler = std::string(cell::sequential_name),
                                         .workers = handover.workers},
                               .executable = sequential,
                               .is_figure = true};
  return measure_once(subject, runner) * 1e9 / costs::transfers_per_handover;
}

double measure_seconds(const rounds::target& subject, system::process_runner& runner) {
  using clock = std::chrono::steady_clock;
  const clock::time_point enough = clock::now() + long_enough;
  double least = std::numeric_limits<double>::infinity();
  for (unsigned i = 0; i < most_processes; ++i) {
    if (i >= least_processes && clock::now() >= enough) break;
    least = std::min(least, measure_once(subject, runner));
  }
  return least;
}

simulated_run simulate(const rounds::target& subject, const ordered_json& profile,
                       system::process_runner& runner) {
  const std::string process = fmt::format("simulation of {}", name_of(subject.which));
  constexpr std::uint64_t seed = 1;
  const system::process_result ended =
      runner.run(rounds::simulation_of(subject, seed, profile, longest));
  const rounds::timed_run ran = rounds::read_simulation(ended, subject, seed, longest);
  if (!ran.failure.empty()) fail(process, ran.failure);
  const ordered_json charges = ran.entry.value("charges", ordered_json::object());
  return {.seconds = number_at(ran.entry, "seconds", process),
          .work_units = number_at(ran.entry, "work_units", process),
          .forks = number_at(charges, "fork", process),
          .calls = number_at(charges, "call", process),
          .spawns = number_at(charges, "spawn", process),
          .pieces = number_at(charges, "piece", process)};
}

}  // namespace stealbench::calibration
