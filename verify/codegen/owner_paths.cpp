// The owner's two paths that pass a fence for the compiler alone. CTest reads the assembly and
// asserts that the store comes before the load (check_order.sh): no checker of the source plays
// the compiler, and a thief's system-wide fence orders the two as they stand in the code, on
// AArch64 too.
#include "schedulers/engine/jobs/job_entry.hpp"
#include "schedulers/engine/sleep/parking_lot.hpp"
#include "schedulers/engine/std_machine.hpp"
#include "schedulers/work_stealing/protocols/split_deque.hpp"

namespace {

#ifndef NO_COMPILER_FENCE
using model = stealbench::engine::std_machine;
#else  // the negative test
struct model : stealbench::engine::std_machine {
  static void compiler_fence() {}
};
#endif

struct kind {};
struct slot {
  using kind_type = kind;
  stealbench::engine::job_entry<kind, model> entry;
};
using split_deque = stealbench::work_stealing::split_deque<slot, model>;
using parking_lot = stealbench::engine::parking_lot<model>;

}  // namespace

// What is stored to is the second argument, and what is loaded from is the first.
extern "C" {
// S2: closes the entry of `job`, then reads the state of `deque`.
bool take_back(split_deque& deque, slot& job) { return deque.take_back(job); }
// K1: opens the entry of `job`, then reads the worker's request flag. `deque` only lends its push.
bool fork_looks(const parking_lot::request_flag& own, slot& job, split_deque& deque, kind& what) {
  deque.push(job, what);
  return parking_lot::is_requested(own);
}
}
