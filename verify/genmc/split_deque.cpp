// The split deque under GenMC. Scripts and invariants are those of
// work_stealing/stack_deque_script.hpp. -DSCRIPT=name.
#include "schedulers/work_stealing/protocols/split_deque.hpp"

#include <cstddef>
#include <cstdint>

#include "schedulers/engine/jobs/job_entry.hpp"
#include "schedulers/engine/sleep/latch.hpp"
#include "verify/genmc/genmc_model.hpp"
#include "verify/work_stealing/scripts.hpp"

#ifndef SCRIPT
#define SCRIPT share
#endif

namespace stealbench::verify {
namespace {

using model = genmc_model<true>;

constexpr const stack_script& script = split_trials::SCRIPT.script;
constexpr work_stealing::split_orderings orderings = mutant_of(work_stealing::split_shipped);

struct kind {};
kind a_job;
kind no_job;
struct no_sleeper {};
struct slot {
  using kind_type = kind;
  engine::job_entry<kind, model> entry;
  engine::latch<no_sleeper, model> finished;
  model::plain<std::uint64_t> payload;
};
late<slot> slots[script.slots + 1];
late<work_stealing::split_deque<slot, model, orderings>> deque;
model::atomic<unsigned> runs[8];  // the script's own record

[[gnu::always_inline]] inline void run(std::uint64_t id) {
  expect(id != 0, "the payload is the one that was written");
  expect(runs[id].fetch_add(1, order::relaxed) == 0, "no job runs twice");
}

// In registers, as in deque.cpp.
struct owner {
  unsigned depth = 0;
  unsigned forked = 0;

  [[gnu::always_inline]] void fork() {
    slot& mine = *slots[depth++];
    mine.payload.write(++forked);
    deque->push(mine, a_job);
  }
  [[gnu::always_inline]] void join() {
    slot& topmost = *slots[--depth];
    if (deque->take_back(topmost)) return run(topmost.payload.read());
    spin_until([&] { return topmost.finished.done(); });
    const bool declined = topmost.finished.declined();
    topmost.finished.reset();
    deque->retire(topmost);
    if (declined) run(topmost.payload.read());
    expect(runs[topmost.payload.read()].load(order::relaxed) == 1, "a stolen job has run");
  }
};

enum class part { before, owner };
template <part Part, std::size_t At = 0>
[[gnu::always_inline]] inline void play(owner& who) {
  constexpr char act = Part == part::before ? script.before[At] : script.owner[At];
  static_assert(act == '+' || act == '-' || act == 'S' || act == '\0', "no other act is needed");
  if constexpr (act == '+') who.fork();
  if constexpr (act == '-') who.join();
  if constexpr (act == 'S') deque->expose(*slots[who.depth - 1]);
  if constexpr (act != '\0') play<Part, At + 1>(who);
}

template <std::size_t Who, std::size_t At = 0>
void thief() {
  constexpr const char* acts = script.thieves[Who];
  constexpr char act = acts == nullptr ? '\0' : acts[At];
  if constexpr (act != '\0') {
    const auto [outcome, taken] =
        act == 's' ? deque->steal() : deque->force(static_cast<std::uint16_t>(Who + 1));
    expect((outcome == work_stealing::steal_outcome::taken) == (taken != nullptr), "taken: a job");
    if (taken != nullptr) {
      kind* const job_kind = taken->entry.kind(order::relaxed);
      if (job_kind == nullptr) {
        static_cast<void>(taken->finished.decline());
      } else {
        expect(job_kind == &a_job, "an open slot tells the kind of its job");
        const std::uint64_t id = taken->payload.read();
        run(id);
        taken->payload.write(id);
        static_cast<void>(taken->finished.set());
      }
    }
    thief<Who, At + 1>();
  }
}

[[gnu::always_inline]] inline void play_all() {
  for (late<slot>& each : slots) each.make();
  slots[script.slots]->entry.open(no_job, order::relaxed);
  deque.make(&*slots[0], &*slots[script.slots]);
  owner self;
  play<part::before>(self);
  const long first = start<thief<0>>();
  const long second = script.thieves[1] != nullptr ? start<thief<1>>() : 0;
  play<part::owner>(self);
  while (self.depth > 0) self.join();
  join(first);
  if (script.thieves[1] != nullptr) join(second);
  expect(deque->looks_empty(), "nothing is left after the last join");
  for (unsigned id = 1; id <= self.forked; ++id) {
    expect(runs[id].load(order::relaxed) == 1, "no job is lost");
  }
}

}  // namespace
}  // namespace stealbench::verify

int main() { stealbench::verify::play_all(); }
