// The words of a block of bwos_deque.hpp, and the orderings of its protocol.
#pragma once

#include <cstdint>

#include "schedulers/engine/memory_model.hpp"

namespace stealbench::work_stealing {

/// One ordering per atomic operation, so that verify/ can weaken one at a time.
///   B1  a job is published by a store of bottom, and found by a load of bottom;
///   B2  a block is granted by a change of its claim, and found granted by a load of it;
///   B3  a slot is reused after the thief that read it has moved the claim past it;
///   B4  the memory of a block is used for a later one once thieves have left it;
///   B5  an owner that pops in its own block, and a thief that opens it: one sees the other.
struct bwos_orderings {
  using order = engine::order;

  // push, by the owner.
  order push_bottom_load = order::relaxed;  // the owner's own word
  order push_slot = order::relaxed;         // published by push_bottom
  order push_bottom = order::release;       // B1: pairs with steal_bottom

  // pop, by the owner.
  order pop_bottom_load = order::relaxed;  // the owner's own word
  order pop_bottom = order::release;       // B1, as pop_bottom of the Chase-Lev deque
  order pop_claim = order::relaxed;        // B5: ordered by the light fence before it
  order pop_slot = order::relaxed;         // the owner's own write

  // The owner takes a block back, leaves one, or begins one.
  order close_load = order::relaxed;     // validated by close
  order close = order::acquire;          // B3: pairs with steal_take
  order close_failure = order::relaxed;  // tried again with what it read
  order seal_load = order::relaxed;      // validated by seal
  order seal = order::release;           // B2: pairs with steal_claim
  order expose = order::release;         // B2: pairs with steal_claim
  order up_oldest = order::acquire;      // B4: pairs with advance
  order reopen_bottom = order::relaxed;  // published by reopen_claim
  order reopen_claim = order::release;   // B4: pairs with steal_claim
  order current = order::relaxed;        // a hint; no job is read through it

  // steal, by a thief.
  order steal_oldest = order::acquire;        // B4: pairs with advance
  order steal_claim = order::acquire;         // B2: pairs with seal, expose, force_grant
  order steal_oldest_again = order::relaxed;  // B4: ordered by steal_claim
  order steal_bottom = order::acquire;        // B1: pairs with push_bottom
  order steal_slot = order::relaxed;          // ordered by B1 or B2; steal_take validates it
  order steal_take = order::release;          // B3: pairs with close and up_oldest
  order advance = order::release;             // B4: pairs with up_oldest
  order force_ask = order::relaxed;           // B5: ordered by the heavy fence behind it
  order force_bottom = order::acquire;        // B1: passed on by force_grant
  order force_grant = order::release;         // B2: pairs with steal_claim
  order failure = order::relaxed;             // another's: nothing is read through it

  // size_hint and looks_empty, by any thread, and what saves work: no job is read through them.
  order hint = order::relaxed;

  bool light = true;            // B5: the owner's fence. False only in a mutant, as are the others.
  bool heavy = true;            // B5: the thief's fence.
  bool rounds = true;           // B3: a claim is never the same again.
  bool waits_at_closed = true;  // Thieves do not take a block that its owner is in for exhausted.
};

inline constexpr bwos_orderings bwos_shipped{};

/// Whose a block is, from which index on, and in which round: one word.
namespace bwos_claim {
inline constexpr std::uint64_t closed = 0;     ///< The owner's alone.
inline constexpr std::uint64_t requested = 1;  ///< The same, but a thief is about to open it.
inline constexpr std::uint64_t open = 2;       ///< Granted, and the owner works in it.
inline constexpr std::uint64_t sealed = 3;     ///< Granted and full: the owner has left it.

inline constexpr std::uint64_t one = 4;  ///< One more job is taken.
inline constexpr std::uint64_t one_round = std::uint64_t{1} << 16;

constexpr std::uint64_t state(std::uint64_t claim) { return claim % one; }
constexpr std::uint32_t index_of(std::uint64_t claim) {
  return static_cast<std::uint32_t>(claim % one_round / one);
}
constexpr std::uint64_t with(std::uint64_t claim, std::uint64_t state) {
  return claim - claim % one + state;
}
constexpr std::uint64_t next_round(std::uint64_t claim, std::uint64_t state, std::uint32_t index,
                                   bool counts) {
  return claim - claim % one_round + (counts ? one_round : 0) + index * one + state;
}
}  // namespace bwos_claim

template <class M>
struct alignas(128) bwos_block {
  typename M::template atomic<std::uint64_t> claim{bwos_claim::closed};
  // Behind the youngest job. Not beside the claim, which thieves write.
  alignas(64) typename M::template atomic<std::uint32_t> bottom{0};  // Written by the owner.
};

}  // namespace stealbench::work_stealing
