#include "bench/driver/rounds/installation.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <set>
#include <sstream>
#include <stdexcept>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include "bench/cell/program.hpp"
#include "bench/driver/rounds/cell_process.hpp"
#include "results/system/process.hpp"
#include "schedulers/variant.hpp"
#include "workloads/catalogue.hpp"

namespace stealbench::rounds {

using kit::bad_input;

namespace {

constexpr std::string_view prefix = "stealbench-";
constexpr std::string_view simulation_prefix = "simulated-";

std::vector<std::string> words_of(const char* text) {
  std::istringstream words(text);
  return {std::istream_iterator<std::string>(words), {}};
}

bool is_in(const std::vector<std::string>& names, std::string_view name) {
  return std::ranges::count(names, name) > 0;
}

/// `work-stealing.locked` of `work-stealing:deque=locked:idle=spin`: a scheduler with another deque
/// is a type and an executable of its own.
std::string type_of(const std::string& canonical) {
  constexpr std::string_view key = ":deque=";
  std::string type = canonical.substr(0, canonical.find(':'));
  const std::size_t deque = canonical.find(key);
  if (deque == std::string::npos) return type;
  const std::string words = canonical.substr(deque + key.size());
  return type.append(".").append(words, 0, words.find(':'));
}

/// How an executable comes about that no build so far makes.
enum class way : std::uint8_t { build, install, from_source };

/// The groups of packages have the names of the schedulers.
std::string install_command(const std::string& groups) {
  return fmt::format("{}.ci/install {}", STEALBENCH_FOLDER, groups);
}

void expect_simulated(const std::string& scheduler, const std::vector<std::string>& known) {
  if (is_in(simulated_schedulers(), scheduler)) return;
  const bool is_sequential = scheduler == "serial" || scheduler == cell::sequential_name;
  if (!is_sequential && !is_in(known, scheduler)) {
    kit::refuse(fmt::format("unknown scheduler '{}'", scheduler), simulated_schedulers());
  }
  kit::refuse(
      fmt::format("scheduler {} cannot be simulated, because {}", scheduler,
                  is_sequential ? "it has one worker" : "it does not run on the in-house engine"),
      simulated_schedulers());
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
  return installation(self.parent_path(), words_of(STEALBENCH_EXECUTABLES));
}

std::filesystem::path installation::path_of(std::string_view name) const {
  return folder_ / std::string(prefix).append(name);
}

bool installation::is_built(std::string_view name) const {
  return access(path_of(name).c_str(), X_OK) == 0;
}

std::vector<std::string> installation::known() const {
  constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyz0123456789-";
  std::vector<std::string> names = known_schedulers();
  std::set<std::string> others;
  std::error_code none;
  for (const auto& each : std::filesystem::directory_iterator(folder_, none)) {
    const std::string file = each.path().filename();
    if (!file.starts_with(prefix)) continue;
    const std::string name = file.substr(prefix.size());
    const bool is_of_the_suite =
        name == cell::sequential_name || name.starts_with(simulation_prefix) || is_in(names, name);
    // An executable of another deque has a dot in its name.
    if (is_of_the_suite || name.find_first_not_of(letters) != std::string::npos) continue;
    if (each.is_regular_file(none)) others.insert(name);
  }
  names.insert(names.end(), others.begin(), others.end());
  return names;
}

std::vector<std::string> installation::built() const {
  std::vector<std::string> names = known();
  std::erase_if(names, [&](const auto& each) { return !is_built(each); });
  return names;
}

std::vector<std::string> installation::counting() const {
  std::vector<std::string> names = built();
  std::erase_if(names, [&](const auto& each) { return description_of(each).counters.empty(); });
  return names;
}

std::vector<std::string> installation::built_simulations() const {
  std::vector<std::string> names = simulated_schedulers();
  std::erase_if(names,
                [&](const auto& each) { return !is_built(std::string(simulation_prefix) + each); });
  return names;
}

void installation::expect_all_built(bool are_simulations) const {
  for (const std::string& each : expected_) {
    const std::string name = each.substr(prefix.size());
    if (name.starts_with(simulation_prefix) != are_simulations || is_built(name)) continue;
    throw bad_input(
        fmt::format("{} is not built; build all schedulers with\n  {}", each, build_all_command()));
  }
}

std::filesystem::path installation::executable_of(const std::string& scheduler) const {
  if (scheduler != cell::sequential_name && !is_in(known(), scheduler)) {
    throw bad_input(fmt::format("unknown scheduler '{}'; valid: {}, {}", scheduler,
                                fmt::join(known(), ", "), cell::sequential_name));
  }
  if (is_built(scheduler)) return path_of(scheduler);
  std::vector<std::string> ready = built();
  if (is_built(cell::sequential_name)) ready.emplace_back(cell::sequential_name);
  if (ready.empty()) ready.emplace_back("none");
  throw bad_input(fmt::format("scheduler {} is not built (built: {}); build it with\n  {}",
                              scheduler, fmt::join(ready, ", "), build_command(scheduler)));
}

bool installation::is_target(const std::string& name) const {
  return is_in(expected_, std::string(prefix) + name);
}

std::vector<addition> installation::additions_of(const std::vector<std::string>& names) const {
  const auto way_of = [&](const std::string& name) {
    if (is_target(name)) return way::build;
    if (is_in(words_of(STEALBENCH_PACKAGED), name)) return way::install;
    return is_in(words_of(STEALBENCH_FROM_SOURCE), name) ? way::from_source : way::build;
  };
  std::vector<addition> all;
  for (const way how : {way::build, way::install, way::from_source}) {
    addition own;
    std::ranges::copy_if(names, std::back_inserter(own.names),
                         [&](const auto& each) { return way_of(each) == how; });
    if (own.names.empty()) continue;
    const std::string name = own.names.size() == 1 ? own.names.front() : "NAME";
    if (how == way::install) own.command = install_command(name) + " &&\n  ";
    if (how == way::from_source) {
      own.command =
          fmt::format("export CMAKE_PREFIX_PATH=FOLDER  # see {}schedulers/taskflow/README.md\n  ",
                      STEALBENCH_FOLDER);
    }
    own.command += fmt::format("{}{} --target stealbench {}{}", configure_for(own.names),
                               STEALBENCH_BUILD, prefix, name);
    all.push_back(std::move(own));
  }
  return all;
}

std::string installation::build_command(const std::string& name) const {
  return additions_of({name}).front().command;
}

std::string installation::compare_command(const std::vector<std::string>& missing) const {
  std::vector<std::string> groups;
  std::ranges::copy_if(missing, std::back_inserter(groups), [&](const std::string& each) {
    return !is_target(each) && is_in(words_of(STEALBENCH_PACKAGED), each);
  });
  const std::string install =
      groups.empty() ? "" : install_command(fmt::format("{}", fmt::join(groups, " "))) + " && ";
  return fmt::format("{}{}{} --target comparison", install, configure_for(missing),
                     STEALBENCH_BUILD);
}

/// What goes before the command of a build that does not make all of these.
std::string installation::configure_for(const std::vector<std::string>& names) const {
  const auto is_made = [&](const std::string& each) { return is_target(each); };
  return std::ranges::all_of(names, is_made) ? "" : STEALBENCH_CONFIGURE;
}

const cell::self_description& installation::description_of(const std::string& scheduler) const {
  const auto known = descriptions_.find(scheduler);
  if (known != descriptions_.end()) return known->second;
  constexpr std::chrono::seconds longest{10};
  const std::filesystem::path executable = executable_of(scheduler);
  const system::process_result said =
      system::process_runner().run({executable, {"--describe"}, longest});
  if (const std::string failure = why_ended(said, longest); !failure.empty()) {
    throw std::runtime_error(fmt::format("{} cannot describe itself: {} --describe: {}", scheduler,
                                         executable.string(), failure));
  }
  cell::self_description described;
  described.scheduler = scheduler;
  try {
    described = nlohmann::json::parse(said.output).get<cell::self_description>();
  } catch (const nlohmann::json::exception&) {  // Then it has no settings.
  }
  return descriptions_.emplace(scheduler, std::move(described)).first->second;
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
  const std::size_t colon = typed.find(':');
  const std::string scheduler(typed.substr(0, colon));
  runnable chosen{scheduler, executable_of(scheduler)};
  if (colon == std::string_view::npos) return chosen;
  const std::vector<schedulers::setting>& settings = description_of(scheduler).settings;
  if (settings.empty()) {
    throw bad_input(fmt::format("scheduler {} has no settings; valid: {}{}", scheduler, scheduler,
                                others_with_settings()));
  }
  try {
    chosen.name =
        schedulers::variant(scheduler, settings, typed.substr(colon + 1)).name_of(scheduler);
  } catch (const std::invalid_argument& error) {
    throw bad_input(error.what());
  }
  const std::string type = type_of(chosen.name);  // Its executable is started by the scheduler's.
  if (is_built(type) || !is_in(expected_, path_of(type).filename().string())) return chosen;
  throw bad_input(
      fmt::format("{} is not built; build it with\n  {}", chosen.name, build_command(type)));
}

runnable installation::choose_simulated(std::string_view typed) const {
  const std::string scheduler(typed.substr(0, typed.find(':')));
  expect_simulated(scheduler, known());
  runnable chosen{typed == scheduler ? scheduler : choose(typed).name, {}};
  const std::string type = std::string(simulation_prefix) + type_of(chosen.name);
  chosen.executable = path_of(type);
  if (is_built(type)) return chosen;
  throw bad_input(fmt::format("the simulation of {} is not built; build it with\n  {}", typed,
                              build_command(type)));
}

std::filesystem::path installation::recorder() const {
  if (is_built(cell::recorder_name)) return path_of(cell::recorder_name);
  throw bad_input(fmt::format("what records work and span is not built; build it with\n  {}",
                              build_command(cell::recorder_name)));
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

std::vector<std::string> known_schedulers() { return words_of(STEALBENCH_KNOWN); }
std::vector<std::string> simulated_schedulers() { return words_of(STEALBENCH_SIMULATED); }
std::vector<std::string> compared_schedulers() { return words_of(STEALBENCH_COMPARED); }

std::string build_all_command() { return STEALBENCH_BUILD_ALL; }

std::vector<std::string> workload_names() {
  std::vector<std::string> names;
  for (const kit::description& each : workloads::descriptions()) names.push_back(each.name);
  return names;
}

kit::description find_workload(std::string_view name) {
  return kit::find_named(workloads::descriptions(), &kit::description::name, name,
                         fmt::format("unknown workload '{}'", name));
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
