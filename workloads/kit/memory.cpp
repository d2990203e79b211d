#include <fmt/format.h>
#include <unistd.h>

#include "workloads/kit/parameters.hpp"

namespace stealbench::kit {

std::uint64_t physical_memory_bytes() {
  const long pages = sysconf(_SC_PHYS_PAGES);
  const long page_bytes = sysconf(_SC_PAGESIZE);
  if (pages <= 0 || page_bytes <= 0) return ~std::uint64_t{0};
  return static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(page_bytes);
}

void require_memory(std::string_view key, std::uint64_t value,
                    const std::function<std::uint64_t(std::uint64_t)>& bytes_of) {
  constexpr double gib = 1 << 30;
  const std::uint64_t available = physical_memory_bytes();
  const std::uint64_t wanted = bytes_of(value);
  if (wanted <= available) return;
  std::uint64_t fits = 0;
  std::uint64_t fits_not = value;
  while (fits_not - fits > 1) {
    const std::uint64_t middle = fits + (fits_not - fits) / 2;
    (bytes_of(middle) <= available ? fits : fits_not) = middle;
  }
  throw bad_input(fmt::format(
      "--set {}={}: takes {:.1f} GiB, and this machine has {:.1f} GiB of memory; valid: up to {}",
      key, value, static_cast<double>(wanted) / gib, static_cast<double>(available) / gib, fits));
}

}  // namespace stealbench::kit
