#include <string>

#include <boost/version.hpp>
#include <fmt/format.h>
#include <hwloc.h>
#include <sys/utsname.h>

#include "bench/cell/commit.hpp"
#include "bench/cell/google_benchmark.hpp"
#include "bench/system/host.hpp"
#include "bench/system/inherited.hpp"
#include "schedulers/engine/std_machine.hpp"
#include "schedulers/operating_system/thread.hpp"

namespace stealbench::cell {
namespace {

std::string kernel() {
  utsname name{};
  if (uname(&name) != 0) return "unknown";
  return fmt::format("{} {} {}", name.sysname, name.release, name.machine);
}

/// Of its headers, as below of hwloc and Boost: none of them says its version at run time.
std::string standard_library() {
#ifdef _LIBCPP_VERSION
  return fmt::format("libc++ {}", _LIBCPP_VERSION);
#else
  return fmt::format("libstdc++ {} ({})", _GLIBCXX_RELEASE, __GLIBCXX__);
#endif
}

}  // namespace

nlohmann::ordered_json provenance() {
  return {
      {"commit", commit},
      {"compiler", STEALBENCH_COMPILER},
      {"build_type", STEALBENCH_BUILD_TYPE},
      {"flags", STEALBENCH_FLAGS},
      {"processor", system::processor_model()},
      {"processors", std::to_string(operating_system::processor_count())},
      {"governor", system::first_line("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor")
                       .value_or("unknown")},
      {"kernel", kernel()},
      {"environment", system::environment_of_runtimes()},
      {"standard_library", standard_library()},
      {"hwloc", HWLOC_VERSION},
      {"boost_context", fmt::format("{}.{}.{}", BOOST_VERSION / 100'000, BOOST_VERSION / 100 % 1000,
                                    BOOST_VERSION % 100)},
      {"asymmetric_fence",
       engine::std_machine::asymmetric() ? "membarrier" : "none: a full fence in its place"},
  };
}

}  // namespace stealbench::cell
