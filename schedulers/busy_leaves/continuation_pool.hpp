// The one pool of continuations of all workers, under a lock.
#pragma once

#include <cstdint>

#include "schedulers/engine/jobs/job_list.hpp"

namespace stealbench::busy_leaves {

/// What a continuation has while it is in the pool.
template <class M>
struct pool_links : engine::job_list_links<M> {
  pool_links() : engine::job_list_links<M>{} {}

  typename M::template plain<unsigned> worker{0};  ///< Who has put it there.
  /// How often a worker that looked for work has taken it. It is a suspended fiber, and its
  /// children tell by that number whether it is there for them. Written by the worker that has
  /// taken it, and read under the lock by those who find it in the pool.
  typename M::template plain<std::uint32_t> thefts{0};
};

/// The oldest first. Any thread; each operation takes constant time.
template <class Continuation, class M>
class continuation_pool {
 public:
  void push(Continuation& rest, unsigned worker) {
    rest.worker.write(worker);
    rests_.push(rest);
  }

  /// The oldest one, or null.
  Continuation* take() {
    Continuation* const oldest = rests_.take();
    if (oldest != nullptr) oldest->thefts.write(oldest->thefts.read() + 1);
    return oldest;
  }

  /// Takes this one out, unless it was taken since a push before which it had been `thefts` times.
  bool take_back(Continuation& rest, std::uint32_t thefts) {
    return rests_.take_out(rest, [&] { return rest.thefts.read() == thefts; });
  }

  /// Exact for continuations whose push happens before, or is ordered before by fences
  /// (parking_lot.hpp, K1).
  [[nodiscard]] bool looks_empty() const { return rests_.looks_empty(); }

 private:
  engine::job_list<Continuation, M> rests_{"continuation pool: mutex and ends"};
};

}  // namespace stealbench::busy_leaves
