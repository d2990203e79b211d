// The splittable random stream of UTS: a node's state is a digest, and a child's state is the
// digest of its parent's state and its own index. So any worker can make any subtree, always the
// same one.
#pragma once

#include <array>
#include <cstdint>

namespace stealbench::uts {

/// A message that fits one block: sixteen big-endian words, up to 55 bytes of message, a byte 0x80,
/// zeros, and the length of the message in bits as the last two words (FIPS 180-4, section 5.1.1).
using sha1_block = std::array<std::uint32_t, 16>;

/// Five big-endian words.
using sha1_digest = std::array<std::uint32_t, 5>;

/// The digest of a message that is already padded to one block. Any thread; allocates nothing;
/// uses the processor's SHA instructions where there are any.
[[nodiscard]] sha1_digest sha1(const sha1_block& padded);

using node_state = sha1_digest;

inline constexpr std::uint32_t end_of_message = 0x80000000;

/// The root's state: SHA-1 of sixteen zero bytes and the seed.
[[nodiscard]] inline node_state root_state(std::uint32_t seed) {
  return sha1({0, 0, 0, 0, seed, end_of_message, 0, 0, 0, 0, 0, 0, 0, 0, 0, 5 * 32});
}

/// The state of child `index`: SHA-1 of the parent's state and the index.
[[nodiscard]] inline node_state child_state(const node_state& parent, std::uint32_t index) {
  return sha1({parent[0], parent[1], parent[2], parent[3], parent[4], index, end_of_message, 0, 0,
               0, 0, 0, 0, 0, 0, 6 * 32});
}

/// The node's random number, 0 to 2^31 - 1. Reading it does not advance anything.
[[nodiscard]] inline std::uint32_t random_of(const node_state& state) {
  return state[4] & 0x7fffffff;
}

}  // namespace stealbench::uts
