// SHA-1 of a message that fits one block, which is all that the tree's random stream needs.
#pragma once

#include <array>
#include <cstdint>

namespace stealbench::uts {

/// Sixteen big-endian words: up to 55 bytes of message, a byte 0x80, zeros, and the length of the
/// message in bits as the last two words (FIPS 180-4, section 5.1.1).
using sha1_block = std::array<std::uint32_t, 16>;

/// Five big-endian words.
using sha1_digest = std::array<std::uint32_t, 5>;

/// The digest of a message that is already padded to one block. Any thread; allocates nothing;
/// uses the processor's SHA instructions where there are any.
[[nodiscard]] sha1_digest sha1(const sha1_block& padded);

}  // namespace stealbench::uts
