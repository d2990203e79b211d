#include "schedulers/fibers/stack_memory.hpp"

#include <array>

#include <sys/mman.h>

namespace stealbench::fibers {

std::size_t stack_memory::committed_bytes() const {
  constexpr std::size_t pages_at_a_time = 64;
  const std::size_t page_bytes = operating_system::page_bytes();
  std::array<unsigned char, pages_at_a_time> in_memory{};
  std::size_t committed = 0;
  for (std::byte* end = top(); end > bottom();) {
    const std::size_t length =
        std::min(pages_at_a_time * page_bytes, static_cast<std::size_t>(end - bottom()));
    end -= length;
    if (mincore(end, length, in_memory.data()) != 0) break;
    const auto count = static_cast<std::size_t>(
        std::count_if(in_memory.begin(), in_memory.begin() + length / page_bytes,
                      [](unsigned char page) { return (page & 1U) != 0; }));
    if (count == 0) break;
    committed += count * page_bytes;
  }
  return committed;
}

}  // namespace stealbench::fibers
