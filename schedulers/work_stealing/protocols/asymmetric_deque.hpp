// The deque of Chase and Lev without a fence on the owner's path. It is the source of
// chase_lev_deque.hpp, whose fences it passes only below a border that thieves move up: a thief
// that moves it pays with a system-wide fence (Linux membarrier), once for half of the jobs.
// asymmetric_deque.md says why that is right, and verify/work_stealing/asymmetric_deque_relacy.cpp
// checks it, also where there is no such fence.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "schedulers/engine/memory_model.hpp"
#include "schedulers/engine/std_machine.hpp"
#include "schedulers/work_stealing/protocols/chase_lev_deque.hpp"
#include "schedulers/work_stealing/protocols/deque.hpp"

namespace stealbench::work_stealing {

/// One ordering per atomic operation on the border's two words, and its two fences.
///   E5  an owner that pops a private job, and a thief that makes its position public: the thief
///       sees the owner's claim, or the owner sees the border.
struct border_orderings {
  using order = engine::order;

  order owner_announced = order::relaxed;  // E5: ordered by the light fence before it
  // Thieves among each other: none relies on what another one has announced before it has passed
  // the heavy fence that follows upon reading it.
  order announce_load = order::relaxed;
  order announce = order::relaxed;  // E5: ordered by the heavy fence behind it
  // As `establish`, whose value it may have read.
  order establish_load = order::relaxed;
  // E5: a release by the heavy fence before it. A thief that reads it in thief_established passes
  // steal_fence next, which makes that an acquire.
  order establish = order::relaxed;
  order thief_established = order::relaxed;  // E5: pairs with establish, by the two fences
  bool light = true;                         // E5: the owner's fence. False only in a mutant.
  bool heavy = true;                         // E5: the thief's fence. False only in a mutant.
};

inline constexpr border_orderings border_shipped{};

/// Positions below it are public: there owner and thieves pass the fences of E2. Above it the owner
/// alone takes jobs, behind a light fence. It never comes down.
template <class M, const border_orderings& Orderings = border_shipped>
class public_border {
 public:
  /// A steal may cost a system call: not for a deque that has nothing to give.
  static constexpr bool looks_before_steal = true;

  public_border() {
    M::name(announced_, "deques: border");
    M::name(established_, "deques: border of the thieves");
  }

  /// Owner only, once it has claimed the position: whether no thief may take it.
  [[nodiscard, gnu::always_inline]] bool is_private(std::int64_t position) const {
    if (Orderings.light) M::light_fence();
    return position >= announced_.load(Orderings.owner_announced);
  }

  /// Owner only: the first position, from this one on, that is private.
  [[nodiscard]] std::int64_t behind(std::int64_t position) const {
    return (std::max)(position, announced_.load(Orderings.owner_announced));
  }

  /// Thieves. Whether the position is public.
  [[nodiscard]] bool is_public(std::int64_t position) const {
    return position < established_.load(Orderings.thief_established);
  }

  /// Thieves. Makes half of the jobs public, of which there seem to be so many from `top` on: one
  /// at least and `most_public` at most, as each costs an owner that pops it a fence. Costs a
  /// heavy fence.
  [[gnu::noinline]] void publish(std::int64_t top, std::size_t jobs) {
    const auto public_jobs = static_cast<std::int64_t>((std::min)(1 + jobs / 2, most_public));
    const std::int64_t end = top + public_jobs;
    raise(announced_, end, Orderings.announce_load, Orderings.announce);
    if (Orderings.heavy) M::heavy_fence();
    raise(established_, end, Orderings.establish_load, Orderings.establish);
  }

 private:
  static constexpr std::size_t most_public = 32;
  using word = typename M::template atomic<std::int64_t>;

  static void raise(word& border, std::int64_t end, engine::order load, engine::order exchange) {
    std::int64_t old = border.load(load);
    while (old < end && !border.compare_exchange_strong(old, end, exchange, load)) {
    }
  }

  // Both are written by thieves alone, and seldom; not beside top, which each steal writes.
  alignas(128) word announced_{0};   // Read by the owner at each pop.
  alignas(64) word established_{0};  // Read by thieves.
};

/// As chase_lev_deque, with the costs turned round: a pop of a private job is loads and a store; a
/// steal costs an M::heavy_fence() if the oldest job is private, and makes half of all jobs public
/// by it, or two loads if the deque looks empty.
template <class T, class M = engine::std_machine,
          const chase_lev_orderings& Orderings = chase_lev_shipped,
          const border_orderings& BorderOrderings = border_shipped>
using asymmetric_deque = chase_lev_deque<T, M, Orderings, public_border<M, BorderOrderings>>;

static_assert(deque<asymmetric_deque<int*>>);

}  // namespace stealbench::work_stealing
