// The parking lot under GenMC, with scripts of its own: Relacy's run a whole scheduler. Invariant:
// no worker sleeps for good beside a job. -DSCRIPT=name -DFENCE_PAIR=true, or false for a machine
// without membarrier.
#include "schedulers/engine/parking_lot.hpp"

#include "verify/genmc/genmc_model.hpp"

#ifndef SCRIPT
#define SCRIPT one_worker
#define FENCE_PAIR true
#endif

namespace stealbench::verify {
namespace {

using model = genmc_model<FENCE_PAIR>;
constexpr engine::parking_lot_orderings orderings = mutant_of(engine::parking_lot_shipped);
using parking_lot = engine::parking_lot<model, orderings>;

late<parking_lot> lot;
late<parking_lot::sleeper> sleepers[2];
model::atomic<unsigned> pushed;
model::atomic<unsigned> taken;
model::atomic<unsigned> inbox[2];

[[gnu::always_inline]] inline bool has_work() {
  return taken.load(order::relaxed) < pushed.load(order::relaxed);
}
[[gnu::always_inline]] inline bool take() {
  unsigned next = taken.load(order::relaxed);
  return next < pushed.load(order::acquire) &&
         taken.compare_exchange_strong(next, next + 1, order::relaxed, order::relaxed);
}

// A worker that takes the only job.
void work() {
  lot->start_searching();
  while (!take()) lot->park(*sleepers[0], [] { return has_work(); });
  lot->stop_searching([] { return has_work(); });
}
[[maybe_unused]] [[gnu::always_inline]] inline void one_worker() {
  const long worker = start<work>();
  pushed.store(1, order::release);
  if (lot->anyone_idle()) lot->wake_any();
  join(worker);
  expect(taken.load(order::relaxed) == 1, "the job has run");
}
// Jobs that one worker alone may take.
template <unsigned Self>
void serve() {
  lot->start_searching();
  while (inbox[Self].load(order::acquire) == 0) {
    lot->park(*sleepers[Self], [] { return inbox[Self].load(order::relaxed) != 0; });
  }
  lot->stop_searching([] { return false; });
}
[[maybe_unused]] [[gnu::always_inline]] inline void directed() {
  const long first = start<serve<0>>();
  const long second = start<serve<1>>();
  for (unsigned i = 0; i < 2; ++i) {
    inbox[i].store(1, order::release);
    lot->wake(*sleepers[i]);
  }
  join(first);
  join(second);
}

}  // namespace
}  // namespace stealbench::verify

int main() {
  using namespace stealbench::verify;
  lot.make(2U);
  for (auto& each : sleepers) each.make();
  SCRIPT();
}
