#include "bench/system/host.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <sstream>

#include <fmt/format.h>
#include <sys/resource.h>

namespace stealbench::system {
namespace {

namespace fs = std::filesystem;

constexpr double bytes_per_kib = 1024;

/// The lesser of two limits; one that is none limits nothing.
std::optional<double> least_of(std::optional<double> one, std::optional<double> other) {
  if (!one || !other) return one ? one : other;
  return std::min(*one, *other);
}

std::optional<double> memory_left_in(const fs::path& group) {
  const bool is_first = fs::exists(group / "memory.limit_in_bytes");  // Version of control groups.
  const auto most = number_in(group / (is_first ? "memory.limit_in_bytes" : "memory.max"));
  if (!most) return {};  // The word `max`.
  const auto used = number_in(group / (is_first ? "memory.usage_in_bytes" : "memory.current"));
  // Pages of files, which the kernel takes back before it swaps or kills.
  const auto reclaimable =
      number_in(group / "memory.stat", is_first ? "total_inactive_file " : "inactive_file ");
  return std::clamp(*most - used.value_or(0) + reclaimable.value_or(0), 0.0, *most);
}

/// The least of what the control groups of this process leave, those above its own included;
/// version 2 has one hierarchy for all controllers.
std::optional<double> memory_left_in_groups(const host_files& where) {
  std::ifstream groups(where.proc / "self/cgroup");
  std::optional<double> least;
  // `NUMBER:CONTROLLERS:PATH`; version 2 is number 0 and names no controller.
  std::string number;
  std::string controllers;
  std::string own;
  while (std::getline(groups, number, ':') && std::getline(groups, controllers, ':') &&
         std::getline(groups, own)) {
    const bool is_of_memory = ("," + controllers + ",").find(",memory,") != std::string::npos;
    if (!controllers.empty() && !is_of_memory) continue;
    // The folder of several controllers may name them in another order, and then has links to it.
    const fs::path link = where.sys / "fs/cgroup/memory";
    const bool has_link = !controllers.empty() && fs::exists(link);
    const fs::path root = has_link ? link : where.sys / "fs/cgroup" / controllers;
    for (fs::path group = own;; group = group.parent_path()) {
      least = least_of(least, memory_left_in(root / group.relative_path()));
      if (!group.has_relative_path()) break;
    }
  }
  return least;
}

}  // namespace

std::optional<std::string> first_line(const fs::path& file, std::string_view beginning) {
  std::ifstream stream(file);
  for (std::string line; std::getline(stream, line);) {
    if (line.starts_with(beginning)) return line;
  }
  return {};
}

std::optional<double> number_in(const fs::path& file, std::string_view beginning) {
  const auto line = first_line(file, beginning);
  if (!line) return {};
  double value = 0;
  return std::istringstream(line->substr(beginning.size())) >> value ? std::optional(value)
                                                                     : std::nullopt;
}

std::optional<double> bytes_in(const fs::path& file, std::string_view beginning) {
  const auto kib = number_in(file, beginning);
  return kib ? std::optional(*kib * bytes_per_kib) : std::nullopt;
}

std::string processor_model(const fs::path& file) {
  const auto value_of = [&](std::string_view key) {
    const auto line = first_line(file, key);
    const std::size_t colon = line ? line->find(": ") : std::string::npos;
    return colon == std::string::npos ? std::string("unknown") : line->substr(colon + 2);
  };
  std::string name = value_of("model name");  // Not const: it is moved out.
  const std::string family = value_of("cpu family");
  if (family == "unknown") return name;
  // Behind a tab, since the line of the name begins so too.
  return name + " (family " + family + ", model " + value_of("model\t") + ")";
}

// Not getrusage's: a child inherits there what its parent had used when it was forked.
double peak_rss_bytes() { return bytes_in("/proc/self/status", "VmHWM:").value_or(0); }

std::optional<double> address_space_left(const host_files& where) {
  std::optional<double> left;
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY) {
    left = static_cast<double>(limit.rlim_cur) -
           bytes_in(where.proc / "self/status", "VmSize:").value_or(0);
  }
  constexpr double never = 2;
  if (number_in(where.proc / "sys/vm/overcommit_memory") == never) {
    const auto most = bytes_in(where.proc / "meminfo", "CommitLimit:");
    const auto used = bytes_in(where.proc / "meminfo", "Committed_AS:");
    if (most && used) left = least_of(left, *most - *used);
  }
  return left ? std::optional(std::max(0.0, *left)) : std::nullopt;
}

std::optional<double> memory_left(const host_files& where) {
  return least_of(
      least_of(bytes_in(where.proc / "meminfo", "MemAvailable:"), memory_left_in_groups(where)),
      address_space_left(where));
}

std::string bytes_in_words(double bytes) {
  constexpr std::array units{"bytes", "KiB", "MiB", "GiB", "TiB"};
  constexpr double most_shown = bytes_per_kib - 0.5;  // Else it is rounded to 1024.
  constexpr double most_of_three_digits = 999.5;      // Else `g` writes an exponent.
  std::size_t unit = 0;
  for (; bytes >= most_shown && unit + 1 < units.size(); ++unit) bytes /= bytes_per_kib;
  return unit == 0 || bytes >= most_of_three_digits
             ? fmt::format("{:.0f} {}", bytes, units.at(unit))
             : fmt::format("{:.3g} {}", bytes, units.at(unit));
}

}  // namespace stealbench::system
