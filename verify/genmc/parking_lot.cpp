// The parking lot under GenMC, with scripts of its own: Relacy's run a whole scheduler. Invariant:
// no worker sleeps for good beside a job. -DSCRIPT=name -DFENCE_PAIR=true, or false for a machine
// without membarrier.
#include "schedulers/engine/sleep/parking_lot.hpp"

#include "verify/genmc/genmc_model.hpp"

#ifndef FENCE_PAIR
#define FENCE_PAIR true
#endif

namespace stealbench::verify {
namespace {

using model = genmc_model<FENCE_PAIR>;
constexpr engine::parking_lot_orderings orderings = mutant_of(engine::parking_lot_shipped);
using parking_lot = engine::parking_lot<model, orderings>;

late<parking_lot> lot;
late<parking_lot::request_flag> requests[2];  // The first is the pushing thread's.
late<parking_lot::sleeper> sleepers[2];
model::atomic<unsigned> pushed;
model::atomic<unsigned> taken;

[[gnu::always_inline]] inline bool has_work() {
  return taken.load(order::relaxed) < pushed.load(order::relaxed);
}
[[gnu::always_inline]] inline bool take() {
  unsigned next = taken.load(order::relaxed);
  return next < pushed.load(order::acquire) &&
         taken.compare_exchange_strong(next, next + 1, order::relaxed, order::relaxed);
}
[[gnu::always_inline]] inline void push(unsigned job) {
  pushed.store(job, order::release);
  if (parking_lot::is_requested(*requests[0]) && lot->answer(*requests[0])) lot->wake_any(0);
}

// A worker that takes one job.
template <unsigned Self>
void work() {
  bool searches = lot->start_searching();
  while (!take()) {
    searches = lot->park(
        *sleepers[Self], searches, [] { return false; }, [] { return has_work(); });
  }
  if (searches) {
    lot->stop_searching(
        Self, [] { return has_work() ? engine::search_end::more_jobs : engine::search_end::job; });
  }
}

[[gnu::always_inline]] inline void prepare(engine::answers answered = engine::answers::requests) {
  lot.make(2U, 1U, answered);
  for (unsigned i = 0; i < 2; ++i) {
    requests[i].make();
    lot->enlist(i, *requests[i]);
    sleepers[i].make();
  }
}

// A job that the worker must take.
[[maybe_unused]] [[gnu::always_inline]] inline void one_job() {
  prepare();
  const long worker = start<work<0>>();
  push(1);
  join(worker);
  expect(taken.load(order::relaxed) == 1, "the job has run");
}

// A job that the pusher takes back, and another one that the worker must take: what it has answered
// at the first must not be forgotten at the second.
[[gnu::always_inline]] inline void push_and_take_back_and_push() {
  push(1);
  if (take()) push(2);
}
[[maybe_unused]] [[gnu::always_inline]] inline void taken_back() {
  prepare();
  const long worker = start<work<0>>();
  push_and_take_back_and_push();
  join(worker);
}

// The same as a third worker, which then finds work elsewhere, asks for some.
void ask() { lot->request(0); }
[[maybe_unused]] [[gnu::always_inline]] inline void asked_by_two() {
  prepare();
  const long worker = start<work<0>>();
  const long other = start<ask>();
  push_and_take_back_and_push();
  join(other);
  join(worker);
}

// Two jobs, of which one worker is woken for the first, and wakes the other one.
[[maybe_unused]] [[gnu::always_inline]] inline void two_jobs() {
  prepare();
  const long first = start<work<0>>();
  const long second = start<work<1>>();
  push(2);
  join(first);
  join(second);
}

// Where each push answers, it finds a request or not (`expose=always`).
[[maybe_unused]] [[gnu::always_inline]] inline void taken_back_at_pushes() {
  prepare(engine::answers::pushes);
  const long worker = start<work<0>>();
  push_and_take_back_and_push();
  join(worker);
}

// Where beats are answered, a job is published by the answer alone (`expose=heartbeat`).
void beat() { lot->beat(); }
[[maybe_unused]] [[gnu::always_inline]] inline void one_job_at_a_beat() {
  prepare(engine::answers::beats);
  const long worker = start<work<0>>();
  const long clock = start<beat>();
  spin_until([] { return parking_lot::is_requested(*requests[0]); });
  const bool wakes = lot->answer(*requests[0]);
  pushed.store(1, order::release);
  if (wakes) lot->wake_any(0);
  join(clock);
  join(worker);
}

}  // namespace
}  // namespace stealbench::verify

int main() {
#ifdef SCRIPT
  stealbench::verify::SCRIPT();
#endif
}
