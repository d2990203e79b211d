// For tests: what the kernel says of this process's memory.
#pragma once

#include <cstdint>
#include <fstream>
#include <sstream>
#include <string>

namespace stealbench::fibers {

/// Adjacent pages of the same kind.
struct mapping {
  std::uintptr_t first = 0;
  std::uintptr_t end = 0;
  std::string access;  ///< "rw-p" and the like; empty where nothing is mapped.
};

/// The mapping that an address is in, from /proc/self/maps.
inline mapping mapping_of(const void* address) {
  const auto wanted = reinterpret_cast<std::uintptr_t>(address);
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    std::istringstream words(line);
    mapping next;
    char dash = 0;
    words >> std::hex >> next.first >> dash >> next.end >> next.access;
    if (next.first <= wanted && wanted < next.end) return next;
  }
  return {};
}

inline std::string access_to(const void* address) { return mapping_of(address).access; }

}  // namespace stealbench::fibers
