// The gate of a pool under GenMC. Scripts and invariants are those of engine/run_gate_relacy.cpp:
// of all who enter and close, one at a time has what the gate guards, and sees what those before
// have left. -DSCRIPT=name.
#include "schedulers/engine/run_gate.hpp"

#include "verify/genmc/genmc_model.hpp"

namespace stealbench::verify {
namespace {

struct machine : genmc_model<true> {
  struct process_mark {
    static constexpr bool is_here() { return true; }
  };
};
constexpr engine::run_gate_orderings orderings = mutant_of(engine::run_gate_shipped);
using gate_type = engine::run_gate<machine, orderings>;

late<gate_type> gate;
late<gate_type::end_mark> ended;
machine::plain<int> guarded;
machine::atomic<int> uses;  // the script's own record: IMM reports no race

[[gnu::always_inline]] inline void use() {
  const int before = guarded.read();
  expect(uses.fetch_add(1, order::relaxed) == before, "it sees what those before have left");
  guarded.write(before + 1);
}
[[gnu::always_inline]] inline void run_once() {
  if (!gate->enter()) return;
  use();
  if (!ended->is_set()) gate->leave();
}
void run_twice() {
  run_once();
  run_once();
}
void end() {
  if (gate->close()) {
    use();
  } else {
    ended->set();
  }
}

[[maybe_unused]] [[gnu::always_inline]] inline void two_runs() {
  const long other = start<run_twice>();
  run_twice();
  join(other);
}
[[maybe_unused]] [[gnu::always_inline]] inline void run_and_end() {
  const long other = start<end>();
  run_twice();
  join(other);
}
[[maybe_unused]] [[gnu::always_inline]] inline void two_runs_and_end() {
  const long first = start<run_twice>();
  const long second = start_beside<run_twice>(first);
  end();
  join(first);
  join(second);
}

}  // namespace
}  // namespace stealbench::verify

int main() {
  using namespace stealbench::verify;
  gate.make();
  ended.make();
#ifdef SCRIPT
  SCRIPT();
#endif
}
