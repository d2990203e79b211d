// The deque of Chase and Lev without a fence on the owner's path: a thief that has something to
// steal pays for both with a system-wide one (Linux membarrier). It is the source of
// chase_lev_deque.hpp with another pair of fences; asymmetric_deque.md says why that is right, and
// verify/work_stealing/asymmetric_deque_relacy.cpp checks it with either kind of pair.
#pragma once

#include "schedulers/engine/std_machine.hpp"
#include "schedulers/work_stealing/chase_lev_deque.hpp"
#include "schedulers/work_stealing/deque.hpp"

namespace stealbench::work_stealing {

/// What differs from chase_lev_shipped, and what E2 rests on here. E1, E3 and E4 are release stores
/// and acquire loads, and stay what they were.
inline constexpr chase_lev_orderings asymmetric_shipped{
    .asymmetric = true,
    // E2: the light fence, which pairs with steal_fence. Where membarrier is registered it only
    // keeps the compiler from moving the load of top above the store of bottom; else it is seq_cst.
    .pop_fence = engine::order::seq_cst,
    // E2: the heavy fence, which pairs with every owner's pop_fence.
    .steal_fence = engine::order::seq_cst,
};

/// As chase_lev_deque, with the costs turned round: a pop that leaves a job behind is loads and a
/// store; a steal costs an M::heavy_fence(), or two loads if the deque looks empty.
template <class T, class M = engine::std_machine,
          const chase_lev_orderings& Orderings = asymmetric_shipped>
using asymmetric_deque = chase_lev_deque<T, M, Orderings>;

static_assert(deque<asymmetric_deque<int*>>);

}  // namespace stealbench::work_stealing
