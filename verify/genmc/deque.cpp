// The deques that are no locks' under GenMC. Scripts and invariants are those of
// work_stealing/deque_script.hpp. -DSCRIPT=name; -DABP for that deque, else the Chase–Lev deque.
#include <cstddef>

#include "schedulers/work_stealing/protocols/abp_deque.hpp"
#include "schedulers/work_stealing/protocols/chase_lev_deque.hpp"
#include "verify/genmc/genmc_model.hpp"
#include "verify/work_stealing/scripts.hpp"

#ifndef SCRIPT
#define SCRIPT push_pop_steal
#endif

namespace stealbench::verify {
namespace {

using model = genmc_model<true>;
using work_stealing::steal_outcome;

constexpr const deque_trial& trial = deque_trials::SCRIPT;
constexpr const deque_script& script = trial.script;
#ifdef ABP
constexpr work_stealing::abp_orderings ring = mutant_of(work_stealing::abp_shipped);
#else
constexpr work_stealing::chase_lev_orderings ring = mutant_of(work_stealing::chase_lev_shipped);
#endif

constexpr unsigned pushes(const char* acts) {
  unsigned count = 0;
  for (; *acts != '\0'; ++acts) count += *acts == '+' ? 1U : 0U;
  return count;
}

struct job {
  model::plain<unsigned> payload;  // its number, from 1: what is not written yet is 0
  model::atomic<unsigned> runs;    // the script's own record
};
job jobs[1 + pushes(script.before) + pushes(script.owner)];
#ifdef ABP
late<work_stealing::abp_deque<job*, model, ring>> deque;
#else
late<work_stealing::chase_lev_deque<job*, model, ring>> deque;
#endif

[[gnu::always_inline]] inline unsigned run(job* taken) {
  const unsigned id = taken->payload.read();
  expect(id != 0 && taken == &jobs[id], "the payload is the one that was pushed");
  expect(taken->runs.fetch_add(1, order::relaxed) == 0, "no job runs twice");
  taken->payload.write(id);
  return id;
}

// What one thread knows. Scripts are unrolled and this is in registers, so that GenMC sees
// nothing of it: it would try orders of these accesses too.
struct player {
  unsigned pushed = 0;
  unsigned owned = 0;      // bit i: job i has neither been popped nor found gone
  unsigned next_loot = 0;  // what this thread steals is no older

  [[gnu::always_inline]] void push() {
    const unsigned id = ++pushed;
    jobs[id].payload.write(id);
    if (deque->push(&jobs[id])) {
      owned |= 1U << id;
    } else {
      expect(owned != 0, "a push is refused only if the deque is full");
      run(&jobs[id]);
    }
  }
  [[gnu::always_inline]] bool pop() {
    job* const taken = deque->pop();
    if (taken == nullptr) {
      owned = 0;
      return false;
    }
    const unsigned id = run(taken);
    expect(owned >> id == 1, "a pop gives the youngest job left");
    owned ^= 1U << id;
    return true;
  }
  [[gnu::always_inline]] void steal() {
    const auto [outcome, taken] = deque->steal();
    expect((outcome == steal_outcome::taken) == (taken != nullptr), "taken means a job");
    if (taken == nullptr) return;
    const unsigned id = run(taken);
    expect(next_loot <= id, "steals give the oldest job first");
    next_loot = id + 1;
  }
};

enum class part { before, owner };
template <part Part, std::size_t At = 0>
[[gnu::always_inline]] inline void play(player& who) {
  constexpr char act = Part == part::before ? script.before[At] : script.owner[At];
  if constexpr (act == '+') who.push();
  if constexpr (act == '-') who.pop();
  if constexpr (act == 's') who.steal();
  if constexpr (act != '\0') play<Part, At + 1>(who);
}

template <int Steals>
[[gnu::always_inline]] inline void steal(player& who) {
  if constexpr (Steals > 0) {
    who.steal();
    steal<Steals - 1>(who);
  }
}
void thief() {
  player self;
  steal<script.steals>(self);
}

[[gnu::always_inline]] inline void play_all() {
  deque.make(script.capacity, script.max_capacity);
  player owner;
  play<part::before>(owner);
  const long first = start<thief>();
  const long second = trial.thieves > 1 ? start_beside<thief>(first) : 0;
  const long third = trial.thieves > 2 ? start_beside<thief>(second) : 0;
  play<part::owner>(owner);
  join(first);
  if (trial.thieves > 1) join(second);
  if (trial.thieves > 2) join(third);
  while (owner.pop()) {
  }
  expect(deque->looks_empty(), "nothing is left after the last pop");
  for (unsigned id = 1; id <= owner.pushed; ++id) {
    expect(jobs[id].runs.load(order::relaxed) == 1, "no job is lost");
  }
  std::destroy_at(&*deque);
}

}  // namespace
}  // namespace stealbench::verify

int main() { stealbench::verify::play_all(); }
