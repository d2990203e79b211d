#include "bench/driver/rounds/host.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <set>
#include <span>
#include <sstream>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <hwloc.h>
#include <nlohmann/json.hpp>
#include <sched.h>

#include "results/analysis/estimates.hpp"
#include "results/report/format.hpp"
#include "results/system/usage.hpp"

namespace stealbench::rounds {
namespace {

namespace fs = std::filesystem;
using system::first_line;

host_check unknown(std::string check) {
  return {std::move(check), verdict::unknown, "The operating system does not report this."};
}

/// A sentence that says what was found and, where that is a reason to warn, why it matters and what
/// to do.
host_check graded(std::string check, bool is_good, const std::string& found, const char* advice) {
  return {std::move(check), is_good ? verdict::pass : verdict::warn,
          is_good ? found : found + advice};
}

/// From a file that holds one word.
host_check graded_word(std::string check, const fs::path& file, std::string_view good,
                       const char* if_good, const char* if_not) {
  const auto word = first_line(file);
  if (!word) return unknown(std::move(check));
  return graded(std::move(check), *word == good, *word == good ? if_good : if_not, "");
}

host_check governor(const host_files& where) {
  std::set<std::string> governors;
  std::error_code error;
  for (const auto& each : fs::directory_iterator(where.sys / "devices/system/cpu", error)) {
    if (const auto word = first_line(each.path() / "cpufreq/scaling_governor")) {
      governors.insert(*word);
    }
  }
  if (governors.empty()) return unknown("governor");
  return graded("governor", governors == std::set<std::string>{"performance"},
                fmt::format("The frequency governor is {}.", fmt::join(governors, ", ")),
                " The clock frequency follows the load, so times vary. Set the governor of every "
                "processor to performance.");
}

host_check turbo(const host_files& where) {
  const fs::path cpu = where.sys / "devices/system/cpu";
  const bool is_intel = fs::exists(cpu / "intel_pstate/no_turbo");
  return graded_word("turbo", cpu / (is_intel ? "intel_pstate/no_turbo" : "cpufreq/boost"),
                     is_intel ? "1" : "0", "Turbo is off.",
                     "Turbo is on. The clock frequency depends on the temperature and on how many "
                     "processors work, so times vary. Turn turbo off in the firmware or in /sys.");
}

// Off is what needs a warning: each process has a layout of its own, so a lucky one shows as
// spread; without, one layout would favour a scheduler in every round (Mytkowicz et al., ASPLOS
// 2009).
host_check address_layout(const host_files& where) {
  const auto word = first_line(where.proc / "sys/kernel/randomize_va_space");
  if (!word) return unknown("aslr");
  return graded(
      "aslr", *word != "0",
      fmt::format("Address space layout randomization is {}.", *word == "0" ? "off" : "on"),
      " All rounds have the same memory layout, a bias that no interval shows. Turn it on: write 2 "
      "to /proc/sys/kernel/randomize_va_space.");
}

host_check load(const host_files& where) {
  const auto line = first_line(where.proc / "loadavg");
  double average = 0;
  if (!line || !(std::istringstream(*line) >> average)) return unknown("load");
  constexpr double most = 0.5;
  return graded("load", average < most,
                fmt::format("The load average of the last minute is {:.2f}.", average),
                " Other programs use the processors, which makes times longer. Stop them, and wait "
                "until the load average is below 0.5.");
}

std::optional<double> quotient(const std::string& two_numbers) {
  std::istringstream words(two_numbers);
  double quota = 0;
  double period = 0;
  if (!(words >> quota >> period) || quota <= 0 || period <= 0) return {};
  return quota / period;
}

/// Processors' worth of time that a control group may use, by either version's files; none without
/// a limit.
std::optional<double> quota_in(const fs::path& group) {
  if (const auto line = first_line(group / "cpu.max")) return quotient(*line);
  const auto quota = first_line(group / "cpu.cfs_quota_us");
  const auto period = first_line(group / "cpu.cfs_period_us");
  return quota && period ? quotient(*quota + ' ' + *period) : std::nullopt;
}

/// The least quota of this process's group and of those above it.
std::optional<double> quota_from(const fs::path& root, const fs::path& own) {
  std::optional<double> least = quota_in(root);
  fs::path group = root;
  for (const fs::path& part : own.relative_path()) {
    group /= part;
    const auto quota = quota_in(group);
    if (quota && (!least || *quota < *least)) least = quota;
  }
  return least;
}

/// By the control groups; none if they set no limit, or the system does not say.
std::optional<double> processor_quota(const host_files& where) {
  std::ifstream groups(where.proc / "self/cgroup");
  std::optional<double> least;
  for (std::string line; std::getline(groups, line);) {
    // `NUMBER:CONTROLLERS:PATH`; version 2 is number 0 and names no controller.
    const std::size_t colon = line.find(':');
    const std::size_t path = line.find(':', colon + 1);
    if (path == std::string::npos) continue;
    const std::string controllers = line.substr(colon + 1, path - colon - 1);
    if (!controllers.empty() && controllers != "cpu" && controllers != "cpu,cpuacct") continue;
    const auto quota = quota_from(where.sys / "fs/cgroup" / controllers, line.substr(path + 1));
    if (quota && (!least || *quota < *least)) least = quota;
  }
  return least;
}

host_check processor_limit(const host_files& where) {
  if (!first_line(where.proc / "self/cgroup")) return unknown("cpu limit");
  const std::optional<double> least = processor_quota(where);
  if (!least) return graded("cpu limit", true, "No control group limits the processor time.", "");
  return graded("cpu limit", *least >= where.allowed,
                fmt::format("A control group limits the process to {:g} processors.", *least),
                " All workers stop when the limit is used up. Raise the limit to the number of "
                "processors, or run outside the control group.");
}

double processors_of(const host_files& where) {
  return std::min<double>(where.allowed, processor_quota(where).value_or(INFINITY));
}

/// Whether each worker can have a processor: of those that the affinity of this process and its
/// control groups leave it, not of those that are installed.
host_check worker_count(unsigned most_workers, const host_files& where) {
  const double usable = processors_of(where);
  const std::string all = where.installed > usable ? fmt::format(" of {}", where.installed) : "";
  return graded("workers", most_workers <= usable,
                fmt::format("A benchmark has up to {}, and the process may use {:g}{} {}.",
                            report::counted(most_workers, "worker"), usable, all,
                            usable == 1 && all.empty() ? "processor" : "processors"),
                " Workers take turns on a processor, so times are longer and vary. Use no more "
                "workers than processors, unless that is what you measure, or allow the process "
                "more of them (taskset, cpuset, cpu.max).");
}

host_check virtual_machine(const host_files& where) {
  for (const char* const key : {"flags", "Features"}) {
    const auto line = first_line(where.proc / "cpuinfo", key);
    if (!line) continue;
    const bool is_guest = (*line + ' ').find(" hypervisor ") != std::string::npos;
    return graded(
        "virtual machine", !is_guest,
        is_guest ? "The machine is a virtual machine." : "The machine is not a virtual machine.",
        " Other guests may share its processors and caches, so times vary. Repeat "
        "important measurements on a physical machine.");
  }
  return unknown("virtual machine");
}

host_check memory_nodes() {
  hwloc_topology_t topology = nullptr;
  if (hwloc_topology_init(&topology) != 0) return unknown("numa");
  const bool is_loaded = hwloc_topology_load(topology) == 0;
  const int nodes = is_loaded ? hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_NUMANODE) : 0;
  hwloc_topology_destroy(topology);
  if (nodes < 1) return unknown("numa");
  return graded(
      "numa", nodes == 1,
      fmt::format("The machine has {} memory node{}.", nodes, nodes == 1 ? "" : "s"),
      " A worker may be far from its memory, so times vary. Bind the run to one node, for "
      "example with numactl --cpunodebind=0 --membind=0.");
}

const char* word_of(verdict found) {
  constexpr std::array words{"pass", "warn", "unknown"};
  return words.at(static_cast<std::size_t>(found));
}

}  // namespace

unsigned allowed_processors() {
  cpu_set_t allowed;
  const bool is_known = sched_getaffinity(0, sizeof allowed, &allowed) == 0;
  return is_known ? static_cast<unsigned>(CPU_COUNT(&allowed))
                  : std::thread::hardware_concurrency();
}

unsigned usable_processors(const host_files& where) {
  return static_cast<unsigned>(std::max(1.0, std::floor(processors_of(where))));
}

std::optional<processor_time> processor_time_of(const host_files& where) {
  const auto line = first_line(where.proc / "stat");
  if (!line) return {};
  std::istringstream words(*line);
  std::string name;
  words >> name;
  // user nice system idle iowait irq softirq steal: what a guest uses is in the first two, too.
  constexpr std::size_t columns = 8;
  std::array<double, columns> ticks{};
  for (double& each : ticks) {
    if (!(words >> each)) return {};
  }
  processor_time sum{.stolen = ticks.back(), .all = 0};
  for (const double each : ticks) sum.all += each;
  return sum;
}

std::vector<host_check> checks_before(unsigned most_workers, const host_files& where) {
  return {governor(where),
          turbo(where),
          graded_word("smt", where.sys / "devices/system/cpu/smt/active", "0", "SMT is off.",
                      "SMT is on. Two workers may share a core, which slows both. Turn SMT off: "
                      "write off to /sys/devices/system/cpu/smt/control."),
          address_layout(where),
          load(where),
          processor_limit(where),
          worker_count(most_workers, where),
          virtual_machine(where),
          memory_nodes()};
}

host_check steal_time_between(const std::optional<processor_time>& before,
                              const std::optional<processor_time>& after) {
  if (!before || !after || after->all <= before->all) return unknown("steal time");
  const double part = (after->stolen - before->stolen) / (after->all - before->all);
  constexpr double most = 0.001;
  return graded(
      "steal time", part <= most,
      fmt::format(
          "During the measurement {:.2f} % of the processors' time was stolen by the hypervisor.",
          100 * part),
      " Other guests of the host used it, which makes times longer. Repeat the "
      "measurement when the host is less busy.");
}

host_check processors_during(const dataset::measurements& data) {
  const auto lost = analysis::cells_without_processor(data);
  if (!lost) return unknown("processors");
  constexpr std::size_t most_named = 3;
  const std::span named(lost->data(), std::min(lost->size(), most_named));
  return graded(
      "processors", lost->empty(),
      lost->empty()
          ? "No benchmark waited for a processor for more than a tenth of its workers' time."
          : fmt::format("{} waited for a processor for more than a tenth of the workers' time: "
                        "{}{}.",
                        report::counted(lost->size(), "benchmark"), fmt::join(named, ", "),
                        named.size() < lost->size() ? ", …" : ""),
      " Other programs had it, or there are fewer processors than workers, so these times are too "
      "long. Stop the other programs, and measure again.");
}

std::string energy_of(const host_files& where) {
  const system::energy_meter meter(where.sys / "class/powercap");
  return meter.why_not().empty() ? "measured" : meter.why_not();
}

nlohmann::ordered_json json_of(const host_check& check) {
  return {{"check", check.check}, {"status", word_of(check.found)}, {"detail", check.detail}};
}

std::string warnings_in(const nlohmann::ordered_json& checks) {
  std::string text;
  std::vector<std::string> unknown;
  for (const auto& each : checks) {
    const std::string name = each.at("check");
    if (each.at("status") == "warn") {
      text += fmt::format("Warning: {}: {}\n", name, each.at("detail").get<std::string>());
    }
    if (each.at("status") == "unknown") unknown.push_back(name);
  }
  if (!unknown.empty()) {
    text += fmt::format("Not checked, because the operating system does not report it: {}\n",
                        fmt::join(unknown, ", "));
  }
  return text;
}

}  // namespace stealbench::rounds
