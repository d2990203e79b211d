#include "results/system/memory.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <string_view>

#include <fmt/format.h>
#include <sys/resource.h>

#include "results/system/usage.hpp"

namespace stealbench::system {
namespace {

namespace fs = std::filesystem;

constexpr double bytes_per_kib = 1024;

/// A size in KiB behind a word, as in /proc/meminfo.
std::optional<double> bytes_at(const fs::path& file, std::string_view key) {
  std::ifstream stream(file);
  double kib = 0;
  for (std::string word; stream >> word;) {
    if (word == key && stream >> kib) return kib * bytes_per_kib;
  }
  return {};
}

/// A file that holds one number; none for `max`.
std::optional<double> number_or_max_in(const fs::path& file) {
  std::ifstream stream(file);
  double value = 0;
  return stream >> value ? std::optional(value) : std::nullopt;
}

std::optional<double> least(std::optional<double> one, std::optional<double> other) {
  if (!one || !other) return one ? one : other;
  return std::min(*one, *other);
}

/// What the control groups (version 2) of this process leave it, those above its own included.
std::optional<double> left_by_groups(const memory_files& where) {
  const auto line = first_line(where.proc / "self/cgroup", "0::");
  if (!line) return {};
  std::optional<double> left;
  fs::path group = where.cgroup;
  const auto add = [&] {
    const auto most = number_or_max_in(group / "memory.max");
    const auto used = number_or_max_in(group / "memory.current");
    if (most) left = least(left, std::max(0.0, *most - used.value_or(0)));
  };
  add();
  for (const fs::path& part : fs::path(line->substr(3)).relative_path()) {
    group /= part;
    add();
  }
  return left;
}

}  // namespace

std::optional<double> address_space_left(const memory_files& where) {
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return {};
  const double used = bytes_at(where.proc / "self/status", "VmSize:").value_or(0);
  return std::max(0.0, static_cast<double>(limit.rlim_cur) - used);
}

std::optional<double> memory_left(const memory_files& where) {
  const auto of_machine = bytes_at(where.proc / "meminfo", "MemAvailable:");
  return least(least(of_machine, left_by_groups(where)), address_space_left(where));
}

std::string bytes_in_words(double bytes) {
  constexpr std::array units{"bytes", "KiB", "MiB", "GiB", "TiB"};
  std::size_t unit = 0;
  for (; bytes >= bytes_per_kib && unit + 1 < units.size(); ++unit) bytes /= bytes_per_kib;
  return unit == 0 ? fmt::format("{:.0f} bytes", bytes)
                   : fmt::format("{:.3g} {}", bytes, units.at(unit));
}

}  // namespace stealbench::system
