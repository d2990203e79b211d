#include "bench/driver/rounds/installation.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <iterator>
#include <sstream>
#include <stdexcept>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include "bench/cell/program.hpp"
#include "results/system/process.hpp"
#include "schedulers/variant.hpp"
#include "workloads/catalogue.hpp"

namespace stealbench::rounds {

using kit::bad_input;

namespace {

// Scripts may still say so.
constexpr std::string_view former_sequential_name = "reference";

constexpr std::string_view simulation_prefix = "simulated-";

std::vector<std::string> words_of(const char* text) {
  std::istringstream words(text);
  return {std::istream_iterator<std::string>(words), {}};
}

/// Throws unless it is one of `simulated_schedulers`.
void expect_simulated(const std::string& scheduler) {
  if (std::ranges::count(simulated_schedulers(), scheduler) > 0) return;
  const std::string valid = fmt::format("{}", fmt::join(simulated_schedulers(), ", "));
  const bool is_known = std::ranges::count(known_schedulers(), scheduler) > 0;
  if (!is_known && scheduler != cell::sequential_name) {
    throw bad_input(fmt::format("unknown scheduler '{}'; valid: {}", scheduler, valid));
  }
  const bool is_sequential = scheduler == "serial" || scheduler == cell::sequential_name;
  throw bad_input(fmt::format(
      "scheduler {} cannot be simulated, because {}; valid: {}", scheduler,
      is_sequential ? "it has one worker" : "it does not run on the in-house engine", valid));
}

}  // namespace

installation installation::of_this_program() {
  // NOLINTNEXTLINE(concurrency-mt-unsafe): nothing here sets the environment.
  const char* const elsewhere = std::getenv("STEALBENCH_BIN_DIR");
  if (elsewhere != nullptr && *elsewhere != '\0') {
    return installation(std::filesystem::absolute(elsewhere));
  }
  std::error_code error;
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", error);
  if (error) {
    throw std::system_error(error,
                            "the schedulers' executables lie beside this program, and "
                            "/proc/self/exe does not say where that is (STEALBENCH_BIN_DIR names "
                            "their folder)");
  }
  return installation(self.parent_path());
}

std::filesystem::path installation::path_of(const std::string& scheduler) const {
  return folder_ / ("stealbench-" + scheduler);
}

std::vector<std::string> installation::those_that_are(bool built) const {
  std::vector<std::string> names;
  for (const std::string& name : known_schedulers()) {
    if ((access(path_of(name).c_str(), X_OK) == 0) == built) names.push_back(name);
  }
  return names;
}

bool installation::has_sequential() const {
  return access(path_of(std::string(cell::sequential_name)).c_str(), X_OK) == 0;
}

std::filesystem::path installation::executable_of(const std::string& scheduler) const {
  const std::vector<std::string>& known = known_schedulers();
  if (scheduler != cell::sequential_name && std::ranges::count(known, scheduler) == 0) {
    throw bad_input(fmt::format("unknown scheduler '{}'; valid: {}, {}", scheduler,
                                fmt::join(known, ", "), cell::sequential_name));
  }
  std::vector<std::string> ready = built();
  if (has_sequential()) ready.emplace_back(cell::sequential_name);
  if (std::ranges::count(ready, scheduler) > 0) return path_of(scheduler);
  throw bad_input(fmt::format("scheduler {} is not built (built: {}); build it with\n  {}",
                              scheduler,
                              ready.empty() ? "none" : fmt::format("{}", fmt::join(ready, ", ")),
                              build_command(scheduler)));
}

const cell::self_description& installation::description_of(const std::string& scheduler) const {
  const auto known = descriptions_.find(scheduler);
  if (known != descriptions_.end()) return known->second;
  constexpr std::chrono::seconds longest{10};
  const std::filesystem::path executable = executable_of(scheduler);
  cell::self_description described;
  try {
    const system::process_result said =
        system::process_runner().run({executable, {"--describe"}, longest});
    if (said.how == system::ending::exited && said.status == 0) {
      described = cell::parse_description(said.output);
    }
  } catch (const nlohmann::json::exception&) {
    described = {};
  }
  return descriptions_.emplace(scheduler, std::move(described)).first->second;
}

std::vector<std::string> installation::counting() const {
  std::vector<std::string> names = built();
  std::erase_if(names, [&](const auto& each) { return description_of(each).counters.empty(); });
  return names;
}

/// `, or work-stealing with deque=…`, for a message.
std::string installation::others_with_settings() const {
  std::string text;
  for (const std::string& each : built()) {
    const std::vector<schedulers::setting>& settings = description_of(each).settings;
    if (!settings.empty()) text += fmt::format(", or {} with {}", each, text_of(settings));
  }
  return text;
}

runnable installation::choose(std::string_view typed) const {
  if (typed == former_sequential_name) typed = cell::sequential_name;
  const std::size_t colon = typed.find(':');
  const std::string scheduler(typed.substr(0, colon));
  std::filesystem::path executable = executable_of(scheduler);
  if (colon == std::string_view::npos) return {scheduler, std::move(executable)};
  const std::vector<schedulers::setting>& settings = description_of(scheduler).settings;
  if (settings.empty()) {
    throw bad_input(fmt::format("scheduler {} has no settings; valid: {}{}", scheduler, scheduler,
                                others_with_settings()));
  }
  try {
    const schedulers::variant chosen(scheduler, settings, typed.substr(colon + 1));
    return {chosen.name_of(scheduler), std::move(executable)};
  } catch (const std::invalid_argument& error) {
    throw bad_input(error.what());
  }
}

std::vector<std::string> installation::built_simulations() const {
  std::vector<std::string> names = simulated_schedulers();
  std::erase_if(names, [&](const auto& each) {
    return access(path_of(std::string(simulation_prefix) + each).c_str(), X_OK) != 0;
  });
  return names;
}

// As the executable of a scheduler, one simulates one type: each deque has its own.
runnable installation::choose_simulated(std::string_view typed) const {
  const std::size_t colon = typed.find(':');
  const std::string scheduler(typed.substr(0, colon));
  expect_simulated(scheduler);
  runnable chosen{scheduler, {}};
  std::string type = scheduler;
  if (colon != std::string_view::npos) {
    chosen.name = choose(typed).name;
    const std::vector<schedulers::setting>& settings = description_of(scheduler).settings;
    const schedulers::variant given(scheduler, settings, typed.substr(colon + 1));
    const std::string_view deque = given.value_of("deque");
    if (deque != schedulers::variant(settings).value_of("deque")) type.append(".").append(deque);
  }
  chosen.executable = path_of(std::string(simulation_prefix) + type);
  if (access(chosen.executable.c_str(), X_OK) == 0) return chosen;
  throw bad_input(fmt::format("the simulation of {} is not built; build it with\n  {}", typed,
                              build_command(scheduler)));
}

std::filesystem::path installation::profile_file(const std::string& name) const {
  return folder_ / "profiles" / (name + ".json");
}

std::vector<std::string> installation::profiles() const {
  std::vector<std::string> names;
  std::error_code none;
  for (const auto& each : std::filesystem::directory_iterator(folder_ / "profiles", none)) {
    if (each.path().extension() == ".json") names.push_back(each.path().stem());
  }
  std::ranges::sort(names);
  return names;
}

const std::vector<std::string>& known_schedulers() {
  static const std::vector<std::string> names = words_of(STEALBENCH_KNOWN_SCHEDULERS);
  return names;
}

const std::vector<std::string>& simulated_schedulers() {
  static const std::vector<std::string> names = words_of(STEALBENCH_SIMULATED_SCHEDULERS);
  return names;
}

std::string build_command(const std::string& scheduler) {
  if (scheduler == "compare") return "cmake --preset compare && cmake --build build/compare";
  return fmt::format("cmake --workflow --preset {}",
                     scheduler == cell::sequential_name ? "serial" : scheduler);
}

std::vector<std::string> workload_names() {
  std::vector<std::string> names;
  for (const kit::description& each : workloads::descriptions()) names.push_back(each.name);
  return names;
}

void expect_all_alone(std::string_view option, const std::vector<std::string>& workloads) {
  const std::vector<std::string> named = dataset::distinct(workloads);
  if (named.size() < 2 || std::ranges::count(named, "all") == 0) return;
  throw bad_input(fmt::format("{} {}: all is every workload; valid: all alone, or names without it",
                              option, fmt::join(workloads, ",")));
}

kit::description find_workload(std::string_view name) {
  for (kit::description& candidate : workloads::descriptions()) {
    if (candidate.name == name) return std::move(candidate);
  }
  throw bad_input(
      fmt::format("unknown workload '{}'; valid: {}", name, fmt::join(workload_names(), ", ")));
}

dataset::instance instance_of(const std::string& workload, const kit::parameters& chosen) {
  dataset::instance what{workload, {}};
  for (const auto& [key, value] : chosen.all()) {
    if (chosen.was_set(key)) what.parameters.emplace_back(key, kit::to_string(value));
  }
  return what;
}

std::vector<dataset::instance> instances_of(const kit::description& workload, std::string_view size,
                                            const std::vector<kit::assignment>& by_user) {
  std::vector<dataset::instance> instances;
  for (const kit::parameters& chosen :
       kit::instances_of(workload, kit::find_size(workload, size), by_user)) {
    instances.push_back(instance_of(workload.name, chosen));
  }
  return instances;
}

}  // namespace stealbench::rounds
