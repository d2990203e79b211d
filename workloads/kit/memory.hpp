// Refuses sizes that this machine cannot hold, before anything is allocated.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

namespace stealbench::kit {

/// Physical memory of this machine; the greatest number if that is unknown.
[[nodiscard]] std::uint64_t physical_memory_bytes();

/// Throws bad_input, which names the greatest value that fits, if a run with this value of the
/// parameter `key` needs more than the physical memory. `bytes_of` must not fall as its argument
/// grows, and must not overflow for `value`.
void require_memory(std::string_view key, std::uint64_t value,
                    const std::function<std::uint64_t(std::uint64_t)>& bytes_of);

}  // namespace stealbench::kit
