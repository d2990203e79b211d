// The joins of fibers under GenMC. Scripts and invariants are those of fibers/join_relacy.cpp:
// exactly one goes on behind a join, sees what the others have written and the fiber that was
// suspended, and no thread touches the join any more. -DSCRIPT=name. A mutant is of one of three
// structs: -DMUTANT_FORK, -DMUTANT_SYNC or -DMUTANT_ROOT.
#include <cstdint>

#include "schedulers/engine/sleep/latch.hpp"
#include "schedulers/fibers/join.hpp"
#include "verify/genmc/genmc_model.hpp"

namespace stealbench::verify {
namespace {

#ifdef MUTANT_FORK
constexpr engine::latch_orderings of_fork = mutant_of(fibers::fork_orderings);
#else
constexpr engine::latch_orderings of_fork = fibers::fork_orderings;
#endif
#ifdef MUTANT_SYNC
constexpr fibers::sync_orderings of_sync = mutant_of(fibers::sync_shipped);
#else
constexpr fibers::sync_orderings of_sync = fibers::sync_shipped;
#endif
#ifdef MUTANT_ROOT
constexpr fibers::root_orderings of_root = mutant_of(fibers::root_shipped);
#else
constexpr fibers::root_orderings of_root = fibers::root_shipped;
#endif

using model = genmc_model<true>;
struct suspended {
  model::plain<int> state;  // written as the fiber is left, on its thread
};
using latch = engine::latch<suspended, model, of_fork>;
using counter = fibers::sync_counter<model, of_sync>;

suspended fiber;
model::plain<int> results[2];
model::atomic<int> went_on;  // the script's own record

// In the frame of the fiber that goes on, and freed by it.
template <class Join>
Join* join_of;

template <int Children, class Join>
[[gnu::always_inline]] inline void go_on() {
  went_on.fetch_add(1, order::relaxed);
  for (int i = 0; i < Children; ++i) {
    expect(results[i].read() == 1, "what the others wrote is there behind the join");
  }
  delete join_of<Join>;
}
[[gnu::always_inline]] inline void expect_state(const suspended& resumed) {
  expect(resumed.state.read() == 1, "who resumes a fiber sees its state");
}
[[gnu::always_inline]] inline void expect_one() {
  expect(went_on.load(order::relaxed) == 1, "exactly one goes on behind the join");
}

void run_branch() {
  results[0].write(1);
  suspended* const waiter = join_of<latch>->set();
  if (waiter == nullptr) return;
  expect_state(*waiter);
  go_on<1, latch>();
}
[[maybe_unused]] [[gnu::always_inline]] inline void stolen_branch() {
  join_of<latch> = new latch;
  const long thief = start<run_branch>();
  if (join_of<latch>->done()) {
    go_on<1, latch>();
  } else {
    fiber.state.write(1);
    if (!join_of<latch>->register_waiter(fiber)) go_on<1, latch>();
  }
  join(thief);
  expect_one();
}

template <int Who, int Children>
void run_child() {
  results[Who].write(1);
  if (!join_of<counter>->arrive()) return;
  expect_state(fiber);
  go_on<Children, counter>();
}
template <int Children>
[[gnu::always_inline]] inline void sync(bool asks) {
  join_of<counter> = new counter;
  const long first = start<run_child<0, Children>>();
  const long second = Children > 1 ? start<run_child<Children - 1, Children>>() : 0;
  if (asks && join_of<counter>->all_arrived(Children)) {
    go_on<Children, counter>();
  } else {
    fiber.state.write(1);
    if (join_of<counter>->add(Children)) go_on<Children, counter>();
  }
  join(first);
  if (Children > 1) join(second);
  expect_one();
}
[[maybe_unused]] [[gnu::always_inline]] inline void one_child() { sync<1>(true); }
[[maybe_unused]] [[gnu::always_inline]] inline void two_children() { sync<2>(true); }
[[maybe_unused]] [[gnu::always_inline]] inline void two_children_unasked() { sync<2>(false); }

late<fibers::root_flag<model, of_root>> flag;
void end_root() {
  fiber.state.write(1);
  flag->set();
}
[[maybe_unused]] [[gnu::always_inline]] inline void root() {
  flag.make();
  const long worker = start<end_root>();
  spin_until([] { return flag->is_set(); });
  flag->reset();
  expect_state(fiber);
  join(worker);
}

}  // namespace
}  // namespace stealbench::verify

int main() {
  using namespace stealbench::verify;
#ifdef SCRIPT
  SCRIPT();
#endif
}
