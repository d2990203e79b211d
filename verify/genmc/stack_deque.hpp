// The deques that are their owner's job stack under GenMC. Scripts and invariants are those of
// work_stealing/stack_deque_script.hpp. A client calls play_all<Played, Script>(), where `Played`
// has the deque and what its scripts' own letters mean.
#pragma once

#include <cstddef>
#include <cstdint>

#include "schedulers/engine/jobs/job_entry.hpp"
#include "schedulers/engine/sleep/latch.hpp"
#include "verify/genmc/genmc_model.hpp"
#include "verify/work_stealing/scripts.hpp"

namespace stealbench::verify {

using model = genmc_model<true>;

struct kind {};
inline kind a_job;
inline kind no_job;
struct no_sleeper {};
struct slot {
  using kind_type = kind;
  engine::job_entry<kind, model> entry;
  engine::latch<no_sleeper, model> finished;
  model::plain<std::uint64_t> payload;
};
inline late<slot> slots[5];
inline model::atomic<unsigned> runs[8];  // the script's own record
template <class Played>
inline late<typename Played::deque> tested;

[[gnu::always_inline]] inline void run(std::uint64_t id) {
  expect(id != 0, "the payload is the one that was written");
  expect(runs[id].fetch_add(1, order::relaxed) == 0, "no job runs twice");
}

// What the owner knows, in registers: see deque.hpp.
struct owner {
  unsigned depth = 0;
  unsigned forked = 0;
};

enum class part { before, owner, meanwhile };
template <const stack_script& Script>
constexpr const char* acts_of(part which) {
  if (which == part::meanwhile) return Script.meanwhile;
  return which == part::before ? Script.before : Script.owner;
}

template <class Played, const stack_script& Script, part Part, std::size_t At = 0>
[[gnu::always_inline]] inline void play(owner& self);

template <class Played, const stack_script& Script, bool Works>
[[gnu::always_inline]] inline void join(owner& self) {
  slot& topmost = *slots[self.depth - 1];
  if (tested<Played>->take_back(topmost)) {
    run(topmost.payload.read());
  } else {
    if constexpr (Works) play<Played, Script, part::meanwhile>(self);
    spin_until([&] { return topmost.finished.done(); });
    const bool declined = Played::thieves_decline && topmost.finished.declined();
    topmost.finished.reset();
    tested<Played>->retire(topmost);
    if (declined) run(topmost.payload.read());
    expect(runs[topmost.payload.read()].load(order::relaxed) == 1, "a stolen job has run");
  }
  --self.depth;
}

template <class Played, const stack_script& Script, part Part, std::size_t At>
[[gnu::always_inline]] inline void play(owner& self) {
  constexpr char act = acts_of<Script>(Part)[At];
  if constexpr (act == '+') {
    slot& mine = *slots[self.depth++];
    mine.payload.write(++self.forked);
    tested<Played>->push(mine, a_job);
  } else if constexpr (act == '-' || act == 'w') {
    join<Played, Script, act == 'w'>(self);
  } else if constexpr (act != '\0') {
    Played::template owner_does<act>(*tested<Played>, *slots[self.depth - 1], *slots[0]);
  }
  if constexpr (act != '\0') play<Played, Script, Part, At + 1>(self);
}

template <class Played, const stack_script& Script, std::size_t Who, std::size_t At = 0>
void thief() {
  constexpr const char* acts = Script.thieves[Who];
  constexpr char act = acts == nullptr ? '\0' : acts[At];
  if constexpr (act != '\0') {
    if (slot* const taken = Played::template thief_does<act, Who>(*tested<Played>)) {
      kind* const job_kind = taken->entry.kind(order::relaxed);
      if (Played::thieves_decline && job_kind == nullptr) {
        static_cast<void>(taken->finished.decline());
      } else {
        expect(job_kind == &a_job, "an open slot tells the kind of its job");
        const std::uint64_t id = taken->payload.read();
        run(id);
        taken->payload.write(id);
        static_cast<void>(taken->finished.set());
      }
    }
    thief<Played, Script, Who, At + 1>();
  }
}

template <class Played, const stack_script& Script>
[[gnu::always_inline]] inline void play_all() {
  static_assert(Script.slots < sizeof slots / sizeof *slots);
  for (std::size_t i = 0; i <= Script.slots; ++i) slots[i].make();
  slots[Script.slots]->entry.open(no_job, order::relaxed);
  tested<Played>.make(&*slots[0], &*slots[Script.slots]);
  owner self;
  play<Played, Script, part::before>(self);
  const long first = start<thief<Played, Script, 0>>();
  const long second = Script.thieves[1] != nullptr ? start<thief<Played, Script, 1>>() : 0;
  play<Played, Script, part::owner>(self);
  while (self.depth > 0) join<Played, Script, false>(self);
  join(first);
  if (Script.thieves[1] != nullptr) join(second);
  expect(tested<Played>->looks_empty(), "nothing is left after the last join");
  for (unsigned id = 1; id <= self.forked; ++id) {
    expect(runs[id].load(order::relaxed) == 1, "no job is lost");
  }
}

}  // namespace stealbench::verify
