// The gate of schedulers/engine/run_gate.hpp. Invariants: of all who enter and close, one at a time
// has what the gate guards, and sees what those before have left (Relacy: data race).
#include <utility>

#include "schedulers/engine/run_gate.hpp"
#include "verify/explore.hpp"
#include "verify/mutation.hpp"

namespace stealbench::verify {
namespace {

using engine::order;
using engine::run_gate_orderings;

// Each of the `Runs` first threads enters twice; the last one, if there is one more, ends the pool.
template <rl::thread_id_t Runs, bool Ends, const run_gate_orderings& Orderings>
class pool_of : public rl::test_suite<pool_of<Runs, Ends, Orderings>, Runs + (Ends ? 1 : 0)> {
 public:
  void thread(unsigned who) {
    if (who == Runs) {
      if (gate_.close()) {
        guarded_.write(0);
      } else {
        end_.set();
      }
      return;
    }
    for (int run = 0; run < 2; ++run) {
      if (!gate_.enter()) continue;
      guarded_.write(guarded_.read() + 1);
      if (!end_.is_set()) gate_.leave();
    }
  }

 private:
  using gate = engine::run_gate<relacy_machine, Orderings>;
  gate gate_;
  typename gate::end_mark end_;
  relacy_machine::plain<int> guarded_{0};
};

constexpr const run_gate_orderings& shipped = engine::run_gate_shipped;

matrix orderings() {
  using o = run_gate_orderings;
  using enum operation;
  return matrix_of<o>("run_gate", "schedulers/engine/run_gate.hpp", shipped,
                      {
                          {"enter", &o::enter, read_modify_write, "R1: leave"},
                          {"refuse", &o::refuse, load, "publishes nothing"},
                          {"leave", &o::leave, read_modify_write, "R1: enter, close"},
                          {"closed", &o::closed, load, "publishes nothing"},
                          {"close", &o::close, read_modify_write, "R1: leave"},
                          {"end", &o::end, store, "orders nothing"},
                          {"see_end", &o::see_end, load, "orders nothing"},
                      },
                      {trial_of<pool_of<2, false, weakened<o>>>("two_runs", full),
                       trial_of<pool_of<1, true, weakened<o>>>("run_and_end", full)});
}

}  // namespace

suites all_suites() {
  return {{
              check_of<pool_of<2, false, shipped>>("two_runs", "Runs from two threads.", {full}),
              check_of<pool_of<1, true, shipped>>("run_and_end", "The pool ends beside its runs.",
                                                  {full, random(100'000)}),
              check_of<pool_of<2, true, shipped>>("two_runs_and_end", "All at once.",
                                                  {bound(3), random(100'000)}),
          },
          {orderings()}};
}

}  // namespace stealbench::verify
