#include "bench/driver/rounds/host.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iostream>
#include <numeric>
#include <set>
#include <sstream>
#include <system_error>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>
#include <sched.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>

#include "results/analysis/estimates.hpp"
#include "results/report/format.hpp"
#include "results/system/inherited.hpp"
#include "schedulers/options.hpp"

namespace stealbench::rounds {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;
using system::first_line;

/// What was found, in a sentence.
struct finding {
  bool is_good;
  std::string sentence;
};
using found = std::optional<finding>;  ///< None where the system does not say.

/// The sentence and, where that is a reason to warn, why it matters and what to do.
host_check graded(const char* check, const found& seen, const char* advice) {
  if (!seen) return {check, verdict::unknown, "The operating system does not report this."};
  return seen->is_good ? host_check{check, verdict::pass, seen->sentence}
                       : host_check{check, verdict::warn, seen->sentence + ' ' + advice};
}

found governor(const host& where, unsigned /*most_workers*/) {
  std::set<std::string> governors;
  std::error_code error;
  for (const auto& each : fs::directory_iterator(where.sys / "devices/system/cpu", error)) {
    if (const auto word = first_line(each.path() / "cpufreq/scaling_governor")) {
      governors.insert(*word);
    }
  }
  if (governors.empty()) return {};
  return finding{governors == std::set<std::string>{"performance"},
                 fmt::format("The frequency governor is {}.", fmt::join(governors, ", "))};
}

/// Of a switch whose file has this word where it is off.
found is_off(const char* what, const fs::path& file, std::string_view off) {
  const auto word = first_line(file);
  if (!word) return {};
  return finding{*word == off, fmt::format("{} is {}.", what, *word == off ? "off" : "on")};
}

found turbo(const host& where, unsigned /*most_workers*/) {
  const fs::path cpu = where.sys / "devices/system/cpu";
  const found by_intel = is_off("Turbo", cpu / "intel_pstate/no_turbo", "1");
  return by_intel ? by_intel : is_off("Turbo", cpu / "cpufreq/boost", "0");
}

found threads_of_cores(const host& where, unsigned /*most_workers*/) {
  if (where.cores == 0) return {};
  return finding{where.allowed <= where.cores,
                 fmt::format("The process may use {} of {}.",
                             report::counted(where.allowed, "hardware thread"),
                             report::counted(where.cores, "core"))};
}

// Off is what needs a warning: each process has a layout of its own, so a lucky one shows as
// spread; without, one layout would favour a scheduler in every round (Mytkowicz et al., ASPLOS
// 2009).
found address_layout(const host& where, unsigned /*most_workers*/) {
  const int own = personality(0xffffffff);  // Of this process, and what it starts; no change.
  if (own > 0 && (own & ADDR_NO_RANDOMIZE) != 0) {
    return finding{false, "Address space layout randomization is off for this process."};
  }
  found seen = is_off("Address space layout randomization",
                      where.proc / "sys/kernel/randomize_va_space", "0");
  if (seen) seen->is_good = !seen->is_good;
  return seen;
}

/// Of the load average, and of the processors that programs use.
constexpr double most_when_calm = 0.5;
constexpr milliseconds window{200};

/// The processors that programs use, this one asleep.
std::optional<double> busy_processors(const host& where) {
  const auto before = processor_time_of(where);
  where.sleep(window);
  const auto after = processor_time_of(where);
  if (!before || !after || after->all <= before->all) return {};
  const double unused = after->idle - before->idle + after->stolen - before->stolen;
  return where.installed * (1 - unused / (after->all - before->all));
}

// The average is of a minute, and falls slowly: programs that have ended, such as a compiler, do
// not disturb.
found load(const host& where, unsigned /*most_workers*/) {
  const auto average = system::number_in(where.proc / "loadavg");
  if (!average) return {};
  const std::string sentence =
      fmt::format("The load average of the last minute is {:.2f}", *average);
  if (*average < most_when_calm) return finding{true, sentence + '.'};
  const auto busy = busy_processors(where);
  if (!busy) return finding{false, sentence + '.'};
  return finding{*busy < most_when_calm,
                 fmt::format("{}, and programs use {:.2f} processors now.", sentence, *busy)};
}

/// Processors' worth of time that a control group may use, by either version's files; none without
/// a limit.
std::optional<double> quota_in(const fs::path& group) {
  const auto both = first_line(group / "cpu.max");
  std::istringstream numbers(both ? *both
                                  : first_line(group / "cpu.cfs_quota_us").value_or("") + ' ' +
                                        first_line(group / "cpu.cfs_period_us").value_or(""));
  double quota = 0;
  double period = 0;
  if (!(numbers >> quota >> period) || quota <= 0 || period <= 0) return {};
  return quota / period;
}

std::optional<double> processor_quota(const host& where) {
  return system::least_in_groups(where, "cpu", quota_in);
}

double processors_of(const host& where) {
  return std::min<double>(where.allowed, processor_quota(where).value_or(INFINITY));
}

found processor_limit(const host& where, unsigned /*most_workers*/) {
  if (!first_line(where.proc / "self/cgroup")) return {};
  const std::optional<double> least = processor_quota(where);
  if (!least) return finding{true, "No control group limits the processor time."};
  return finding{*least >= where.allowed,
                 fmt::format("A control group limits the process to {:g} processors.", *least)};
}

/// Whether each worker can have a processor: of those that the affinity of this process and its
/// control groups leave it, not of those that are installed.
found worker_count(const host& where, unsigned most_workers) {
  const double usable = processors_of(where);
  const std::string all = where.installed > usable ? fmt::format(" of {}", where.installed) : "";
  return finding{most_workers <= usable,
                 fmt::format("A benchmark has up to {}, and the process may use {:g}{} {}.",
                             report::counted(most_workers, "worker"), usable, all,
                             usable == 1 && all.empty() ? "processor" : "processors")};
}

found virtual_machine(const host& where, unsigned /*most_workers*/) {
  auto flags = first_line(where.proc / "cpuinfo", "flags");
  if (!flags) flags = first_line(where.proc / "cpuinfo", "Features");
  if (!flags) return {};
  const bool is_guest = (*flags + ' ').find(" hypervisor ") != std::string::npos;
  return finding{!is_guest,
                 fmt::format("The machine is {}a virtual machine.", is_guest ? "" : "not ")};
}

found memory_nodes(const host& where, unsigned /*most_workers*/) {
  if (where.memory_nodes == 0) return {};
  return finding{where.memory_nodes == 1,
                 fmt::format("The process may use the processors of {}.",
                             report::counted(where.memory_nodes, "memory node"))};
}

std::optional<double> memory_limit_in(const fs::path& group) {
  std::optional<double> least;
  for (const char* const file : {"memory.max", "memory.high", "memory.limit_in_bytes"}) {
    const auto most = system::number_in(group / file);  // None of the word `max`.
    if (most && *most < least.value_or(INFINITY)) least = most;
  }
  return least;
}

found limits(const host& where, unsigned /*most_workers*/) {
  std::vector<std::string> all;
  const auto least = system::least_in_groups(where, "memory", memory_limit_in);
  const auto installed = system::bytes_in(where.proc / "meminfo", "MemTotal:");
  if (least && least < installed) all.push_back(system::bytes_in_words(*least) + " of memory");
  for (const auto& [resource, unit] : {std::pair{RLIMIT_CPU, "s of processor time"},
                                       {RLIMIT_AS, "bytes of address space"},
                                       {RLIMIT_DATA, "bytes of data"}}) {
    rlimit most{};
    if (getrlimit(resource, &most) != 0 || most.rlim_cur == RLIM_INFINITY) continue;
    all.push_back(fmt::format("{} {}", most.rlim_cur, unit));
  }
  if (all.empty()) return finding{true, "Nothing limits its memory and its processor time."};
  return finding{false, fmt::format("The process may use {}.", fmt::join(all, ", "))};
}

found scheduling(const host& /*where*/, unsigned /*most_workers*/) {
  constexpr std::array classes{"other", "FIFO", "round-robin", "batch", "", "idle", "deadline"};
  const auto own = static_cast<unsigned>(sched_getscheduler(0) & ~SCHED_RESET_ON_FORK);
  const int nice = getpriority(PRIO_PROCESS, 0);
  return finding{own == SCHED_OTHER && nice == 0,
                 fmt::format("The scheduling class is {}, and the nice value is {}.",
                             own < classes.size() ? classes.at(own) : "unknown", nice)};
}

found huge_pages(const host& where, unsigned /*most_workers*/) {
  const auto modes = first_line(where.sys / "kernel/mm/transparent_hugepage/enabled");
  if (!modes) return {};
  const bool is_off =
      modes->find("[never]") == std::string::npos && prctl(PR_GET_THP_DISABLE, 0, 0, 0, 0) > 0;
  return finding{!is_off, fmt::format("Transparent huge pages: {}{}.", *modes,
                                      is_off ? ", but off for this process" : "")};
}

found environment(const host& /*where*/, unsigned /*most_workers*/) {
  const std::string all = system::environment_of_runtimes();
  return finding{
      all == "none",
      fmt::format("Variables of runtimes, the allocator and the dynamic linker: {}.", all)};
}

struct rule {
  const char* check;
  found (*look)(const host& where, unsigned most_workers);
  const char* advice;  ///< Why what is not good matters, and what to do.
};

constexpr std::array rules{
    rule{"governor", governor,
         "The clock frequency follows the load, so times vary. Set the governor of every processor "
         "to performance."},
    rule{"turbo", turbo,
         "The clock frequency depends on the temperature and on how many processors work, so times "
         "vary. Turn turbo off in the firmware or in /sys."},
    rule{
        "smt", threads_of_cores,
        "Two workers may share a core, which slows both. Use --pin and no more workers than cores, "
        "or turn SMT off: write off to /sys/devices/system/cpu/smt/control."},
    rule{"aslr", address_layout,
         "All rounds have the same memory layout, a bias that no interval shows. Turn it on: write "
         "2 to /proc/sys/kernel/randomize_va_space, and start without setarch -R."},
    rule{"load", load,
         "Other programs use the processors, which makes times longer. Stop them, or wait for them "
         "with --calm."},
    rule{"cpu limit", processor_limit,
         "All workers stop when the limit is used up. Raise the limit to the number of processors, "
         "or run outside the control group."},
    rule{"workers", worker_count,
         "Workers take turns on a processor, so times are longer and vary. Use no more workers "
         "than processors, unless that is what you measure, or allow the process more of them "
         "(taskset, cpuset, cpu.max)."},
    rule{"virtual machine", virtual_machine,
         "Other guests may share its processors and caches, so times vary. Repeat important "
         "measurements on a physical machine."},
    rule{"numa", memory_nodes,
         "A worker may be far from its memory, so times vary. Bind the run to one node, for "
         "example with numactl --cpunodebind=0 --membind=0."},
    rule{"limits", limits,
         "A benchmark that needs more is slowed down or does not finish. Raise the limit (ulimit, "
         "control group)."},
    rule{"scheduling", scheduling,
         "Times differ from those of usual programs. Start it without nice and chrt."},
    rule{"huge pages", huge_pages,
         "Memory is slower than for other programs. Start it from a process that has not called "
         "prctl(PR_SET_THP_DISABLE)."},
    rule{"environment", environment,
         "They change what is measured. Unset them, unless that is what you measure."}};

}  // namespace

unsigned usable_processors(const host& where) {
  return static_cast<unsigned>(
      std::clamp<double>(std::floor(processors_of(where)), 1, schedulers::max_workers));
}

std::optional<processor_time> processor_time_of(const host& where) {
  constexpr std::string_view all = "cpu ";
  std::istringstream words(
      first_line(where.proc / "stat", all).value_or(std::string(all)).substr(all.size()));
  // user nice system idle iowait irq softirq steal: what a guest uses is in the first two, too.
  std::array<double, 8> ticks{};
  for (double& each : ticks) {
    if (!(words >> each)) return {};
  }
  return processor_time{.idle = ticks[3] + ticks[4],
                        .stolen = ticks[7],
                        .all = std::accumulate(ticks.begin(), ticks.end(), 0.0)};
}

void wait_until_calm(milliseconds longest, const host& where) {
  std::optional<double> busy = busy_processors(where);
  milliseconds waited = window;
  if (busy && *busy >= most_when_calm) {
    std::cerr << fmt::format(
        "Programs use {:.2f} processors. Waiting until they stop, {} s at most\n", *busy,
        std::chrono::duration<double>(longest).count());
  }
  for (; busy && *busy >= most_when_calm && waited < longest; waited += window) {
    busy = busy_processors(where);
  }
  if (!busy) return;
  std::cerr << fmt::format(
      "After {:.1f} s programs use {:.2f} processors: {}\n",
      std::chrono::duration<double>(waited).count(), *busy,
      *busy < most_when_calm ? "the machine is calm" : "measuring all the same");
}

std::vector<host_check> checks_before(unsigned most_workers, const host& where) {
  std::vector<host_check> all;
  all.reserve(std::size(rules));
  for (const rule& each : rules) {
    all.push_back(graded(each.check, each.look(where, most_workers), each.advice));
  }
  return all;
}

host_check steal_time_between(const std::optional<processor_time>& before,
                              const std::optional<processor_time>& after, bool is_resumed) {
  found seen;
  if (before && after && after->all > before->all) {
    constexpr double most = 0.001;
    const double part = (after->stolen - before->stolen) / (after->all - before->all);
    seen = {part <= most,
            fmt::format("{} {:.2f} % of the processors' time was stolen by the hypervisor.",
                        is_resumed ? "Since the measurement was resumed" : "During the measurement",
                        100 * part)};
  }
  return graded("steal time", seen,
                "Other guests of the host used it, which makes times longer. Repeat the "
                "measurement when the host is less busy.");
}

host_check processors_during(const dataset::measurements& data) {
  found seen;
  if (const auto lost = analysis::cells_without_processor(data)) {
    constexpr std::size_t most_named = 3;
    seen = {lost->empty(),
            lost->empty()
                ? "No benchmark waited for a processor for more than a tenth of its workers' time."
                : fmt::format("{} waited for a processor for more than a tenth of the workers' "
                              "time: {}.",
                              report::counted(lost->size(), "benchmark"),
                              report::joined(*lost, most_named))};
  }
  return graded("processors", seen,
                "Other programs had it, or there are fewer processors than workers, so these times "
                "are too long. Stop the other programs, and measure again.");
}

nlohmann::ordered_json json_of(const host_check& check) {
  constexpr std::array words{"pass", "warn", "unknown"};
  return {{"check", check.check},
          {"status", words.at(static_cast<std::size_t>(check.found))},
          {"detail", check.detail}};
}

std::string warnings_in(const nlohmann::ordered_json& checks) {
  std::string text;
  std::vector<std::string> unknown;
  for (const auto& each : checks) {
    const std::string name = each.at("check");
    if (each.at("status") == "unknown") unknown.push_back(name);
    if (each.at("status") != "warn") continue;
    text += fmt::format("Warning: {}: {}\n", name, each.at("detail").get<std::string>());
  }
  if (unknown.empty()) return text;
  return text + fmt::format("Not checked, because the operating system does not report it: {}\n",
                            fmt::join(unknown, ", "));
}

}  // namespace stealbench::rounds
