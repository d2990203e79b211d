// The directed lot under GenMC, with scripts of its own: Relacy's run a whole scheduler. Invariant:
// no worker sleeps for good beside a job that is meant for it. -DSCRIPT=name.
#include "schedulers/engine/sleep/directed_lot.hpp"

#include "verify/genmc/genmc_model.hpp"

namespace stealbench::verify {
namespace {

using model = genmc_model<true>;
constexpr engine::directed_lot_orderings orderings = mutant_of(engine::directed_lot_shipped);
using directed_lot = engine::directed_lot<model, orderings>;

late<directed_lot> lot;
late<directed_lot::sleeper> sleepers[2];
model::atomic<unsigned> inbox[2];

template <unsigned Self, unsigned Jobs>
void serve() {
  while (inbox[Self].load(order::acquire) < Jobs) {
    static_cast<void>(lot->park(
        *sleepers[Self], false, [] { return false; },
        [] { return inbox[Self].load(order::relaxed) >= Jobs; }));
  }
}
[[gnu::always_inline]] inline void give(unsigned worker) {
  inbox[worker].fetch_add(1, order::release);
  lot->wake(*sleepers[worker]);
}

// A job for each of two workers.
[[maybe_unused]] [[gnu::always_inline]] inline void two_workers() {
  const long first = start<serve<0, 1>>();
  const long second = start<serve<1, 1>>();
  give(0);
  give(1);
  join(first);
  join(second);
}

// Two jobs for a worker, from two threads: one of them wakes it.
void give_another() { give(0); }
[[maybe_unused]] [[gnu::always_inline]] inline void two_pushers() {
  const long worker = start<serve<0, 2>>();
  const long other = start<give_another>();
  give(0);
  join(other);
  join(worker);
}

}  // namespace
}  // namespace stealbench::verify

int main() {
  using namespace stealbench::verify;
  lot.make(2U, 1U);
  for (auto& each : sleepers) each.make();
#ifdef SCRIPT
  SCRIPT();
#endif
}
