#include <fstream>
#include <string_view>

#include <sys/utsname.h>

#include "bench/cell/commit.hpp"
#include "bench/cell/google_benchmark.hpp"
#include "schedulers/engine/std_model.hpp"
#include "schedulers/engine/thread.hpp"

namespace stealbench::cell {
namespace {

std::string first_line(const char* path) {
  std::ifstream file(path);
  std::string line;
  return std::getline(file, line) ? line : "unknown";
}

std::string processor_model() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    constexpr std::string_view key = "model name";
    const auto colon = line.find(": ");
    if (line.starts_with(key) && colon != std::string::npos) return line.substr(colon + 2);
  }
  return "unknown";
}

std::string kernel() {
  utsname name{};
  if (uname(&name) != 0) return "unknown";
  return std::string(name.sysname) + " " + name.release + " " + name.machine;
}

}  // namespace

std::vector<std::pair<std::string, std::string>> provenance() {
  return {
      {"commit", commit},
      {"compiler", STEALBENCH_COMPILER},
      {"build_type", STEALBENCH_BUILD_TYPE},
      {"flags", STEALBENCH_FLAGS},
      {"processor", processor_model()},
      {"processors", std::to_string(engine::processor_count())},
      {"governor", first_line("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor")},
      {"kernel", kernel()},
      {"asymmetric_fence",
       engine::asymmetric_fence_available() ? "membarrier" : "none: a full fence in its place"},
  };
}

}  // namespace stealbench::cell
