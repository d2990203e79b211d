// The latch and the parker of its waiter under GenMC. The first scripts and their invariants are
// those of engine/sleep_relacy.cpp; where Relacy runs a whole scheduler a slot is used twice.
// -DSCRIPT=name.
#include "schedulers/engine/sleep/latch.hpp"

#include <memory>

#include "schedulers/engine/sleep/parker.hpp"
#include "verify/genmc/genmc_model.hpp"

namespace stealbench::verify {
namespace {

using model = genmc_model<true>;
constexpr engine::latch_orderings orderings = mutant_of(engine::latch_shipped);
using parker = engine::parker<model>;
using latch = engine::latch<parker, model, orderings>;

late<latch> joined;  // of its own: a wake-up is counted in the word, which must outlive the waker
late<parker> sleeper;
model::plain<int> result;
model::plain<int> job;
model::atomic<int> offered;

[[gnu::always_inline]] inline void await() {
  while (!joined->done()) {
    if (joined->register_waiter(*sleeper)) sleeper->park();
  }
}
void wake(parker* who) {
  if (who != nullptr) who->unpark();
}

// Stands for the end of the latch's life: a setter that touches it later races with this.
void reuse_memory() { joined.make(); }

void set() {
  result.write(1);
  wake(joined->set());
}
void wake_early() { sleeper->unpark(); }

[[maybe_unused]] [[gnu::always_inline]] inline void sleeping() {
  const long setter = start<set>();
  await();
  reuse_memory();
  expect(result.read() == 1, "the result is there after the join");
  join(setter);
}
[[maybe_unused]] [[gnu::always_inline]] inline void registering() {
  const long setter = start<set>();
  if (joined->register_waiter(*sleeper)) await();
  reuse_memory();
  expect(result.read() == 1, "the result is there after the join");
  join(setter);
}
[[maybe_unused]] [[gnu::always_inline]] inline void woken_early() {
  const long setter = start<set>();
  const long waker = start<wake_early>();
  await();
  expect(result.read() == 1, "the result is there after the join");
  join(setter);
  join(waker);
}

// A slot that holds two jobs, one after the other; the first one is declined.
[[gnu::always_inline]] inline bool claim(order o) { return offered.exchange(0, o) == 1; }
void steal_second() {
  if (!claim(order::acquire)) return;
  result.write(job.read());
  wake(joined->set());
}
void decline_and_steal() {
  wake(joined->decline());
  steal_second();
}
[[gnu::always_inline]] inline void own_two_jobs() {
  static_cast<void>(joined->register_waiter(*sleeper));
  await();
  expect(joined->declined(), "the first job is declined");
  expect(job.read() == 1, "the first job is still there");
  joined->reset();
  job.write(2);
  offered.store(1, order::release);
  if (!claim(order::relaxed)) {
    static_cast<void>(joined->register_waiter(*sleeper));
    await();
    expect(!joined->declined(), "the second job has been run");
    expect(result.read() == 2, "its result is there after the join");
  }
  reuse_memory();
}
[[maybe_unused]] [[gnu::always_inline]] inline void declined_working() {
  job.write(1);
  const long thief = start<decline_and_steal>();
  own_two_jobs();
  join(thief);
}
[[maybe_unused]] [[gnu::always_inline]] inline void declined_two_thieves() {
  job.write(1);
  const long first = start<decline_and_steal>();
  const long second = start<steal_second>();
  own_two_jobs();
  join(first);
  join(second);
}

}  // namespace
}  // namespace stealbench::verify

int main() {
  stealbench::verify::joined.make();
  stealbench::verify::sleeper.make();
#ifdef SCRIPT
  stealbench::verify::SCRIPT();
#endif
}
