// The deques of pointers under GenMC. Scripts and invariants are those of
// work_stealing/deque_script.hpp. -DSCRIPT=name. A client calls play_all<Deque>().
#pragma once

#include <cstddef>
#include <memory>

#include "schedulers/work_stealing/protocols/deque.hpp"
#include "verify/genmc/genmc_model.hpp"
#include "verify/work_stealing/scripts.hpp"

#ifndef SCRIPT
#define SCRIPT push_pop_steal
#endif

namespace stealbench::verify {

using model = genmc_model<true>;
using work_stealing::steal_outcome;

inline constexpr const deque_trial& trial = deque_trials::SCRIPT;
inline constexpr const deque_script& script = trial.script;

constexpr unsigned pushes(const char* acts) {
  unsigned count = 0;
  for (; *acts != '\0'; ++acts) count += *acts == '+' ? 1U : 0U;
  return count;
}

struct job {
  model::plain<unsigned> payload;  // its number, from 1: what is not written yet is 0
  model::atomic<unsigned> runs;    // the script's own record
};
inline job jobs[1 + pushes(script.before) + pushes(script.owner)];
template <class Deque>
inline late<Deque> tested;

[[gnu::always_inline]] inline unsigned run(job* taken) {
  const unsigned id = taken->payload.read();
  expect(id != 0 && taken == &jobs[id], "the payload is the one that was pushed");
  expect(taken->runs.fetch_add(1, order::relaxed) == 0, "no job runs twice");
  taken->payload.write(id);
  return id;
}

// What one thread knows. Scripts are unrolled and this is in registers, so that GenMC sees
// nothing of it: it would try orders of these accesses too.
template <class Deque>
struct player {
  unsigned pushed = 0;
  unsigned owned = 0;      // bit i: job i has neither been popped nor found gone
  unsigned next_loot = 0;  // what this thread steals is no older

  [[gnu::always_inline]] void push() {
    const unsigned id = ++pushed;
    jobs[id].payload.write(id);
    if (tested<Deque>->push(&jobs[id])) {
      owned |= 1U << id;
    } else {
      expect(owned != 0, "a push is refused only if the deque is full");
      run(&jobs[id]);
    }
  }
  [[gnu::always_inline]] bool pop() {
    job* const taken = tested<Deque>->pop();
    if (taken == nullptr) {
      owned = 0;
      return false;
    }
    const unsigned id = run(taken);
    expect(owned >> id == 1, "a pop gives the youngest job left");
    owned ^= 1U << id;
    return true;
  }
  [[gnu::always_inline]] void expose() {
    if constexpr (Deque::has_private_jobs) tested<Deque>->expose();
  }
  [[gnu::always_inline]] static auto loot() {
    if constexpr (Deque::has_private_jobs && trial.granted) {
      return tested<Deque>->steal_granted();
    } else {
      return tested<Deque>->steal();
    }
  }
  [[gnu::always_inline]] void steal() {
    const auto [outcome, taken] = loot();
    expect((outcome == steal_outcome::taken) == (taken != nullptr), "taken means a job");
    if (taken == nullptr) return;
    const unsigned id = run(taken);
    expect(next_loot <= id, "steals give the oldest job first");
    next_loot = id + 1;
  }
};

enum class part { before, owner };
template <part Part, std::size_t At = 0, class Deque>
[[gnu::always_inline]] inline void play(player<Deque>& who) {
  constexpr char act = Part == part::before ? script.before[At] : script.owner[At];
  if constexpr (act == '+') who.push();
  if constexpr (act == '-') who.pop();
  if constexpr (act == 's') who.steal();
  if constexpr (act == 'e') who.expose();
  if constexpr (act != '\0') play<Part, At + 1>(who);
}

template <int Steals, class Deque>
[[gnu::always_inline]] inline void steal(player<Deque>& who) {
  if constexpr (Steals > 0) {
    who.steal();
    steal<Steals - 1>(who);
  }
}
template <class Deque>
void thief() {
  player<Deque> self;
  steal<script.steals>(self);
}

template <class Deque>
[[gnu::always_inline]] inline void play_all() {
  tested<Deque>.make(script.capacity, script.max_capacity);
  player<Deque> owner;
  play<part::before>(owner);
  const long first = start<thief<Deque>>();
  const long second = trial.thieves > 1 ? start_beside<thief<Deque>>(first) : 0;
  const long third = trial.thieves > 2 ? start_beside<thief<Deque>>(second) : 0;
  play<part::owner>(owner);
  join(first);
  if (trial.thieves > 1) join(second);
  if (trial.thieves > 2) join(third);
  while (owner.pop()) {
  }
  expect(tested<Deque>->looks_empty(), "nothing is left after the last pop");
  for (unsigned id = 1; id <= owner.pushed; ++id) {
    expect(jobs[id].runs.load(order::relaxed) == 1, "no job is lost");
  }
  std::destroy_at(&*tested<Deque>);
}

}  // namespace stealbench::verify
