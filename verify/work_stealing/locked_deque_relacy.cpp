// The shipped locked deque, and its matrix, in which a mutant leaves out a lock.
#include <vector>

#include "schedulers/work_stealing/protocols/locked_deque.hpp"
#include "verify/mutation.hpp"
#include "verify/work_stealing/deque_script.hpp"

namespace stealbench::verify {
namespace {

using work_stealing::locked_orderings;

template <class T>
using shipped = work_stealing::locked_deque<T, relacy_machine>;

template <class T>
using weak_deque = work_stealing::locked_deque<T, relacy_machine, weakened<locked_orderings>>;

matrix orderings() {
  using o = locked_orderings;
  using enum operation;
  return matrix_of<o>(
      "locked_deque", "schedulers/work_stealing/protocols/locked_deque.hpp",
      work_stealing::locked_shipped,
      {
          {"push_locks", &o::push_locks, step, "L1: the other locks"},
          {"pop_locks", &o::pop_locks, step, "L1: the other locks"},
          {"steal_locks", &o::steal_locks, step, "L1: the other locks"},
          {"read_size", &o::read_size, load, "under the mutex"},
          {"write_size", &o::write_size, store, "under the mutex"},
          {"look", &o::look, load, "no job is read through it"},
      },
      {script<weak_deque>(deque_trial("push", 1, {2, 2, "+", "+", 1}), full),
       script<weak_deque>(deque_trial("last_element", 1, {2, 2, "+", "-", 1}), full),
       script<weak_deque>(deque_trial("growth", 1, {1, 2, "+", "+", 1}), full),
       script<weak_deque>(deque_trial("push_pop", 1, {2, 2, "", "+-", 1}), full)});
}

std::vector<check> checks() {
  using namespace deque_trials;
  return {
      scenario<shipped>(push_pop_steal, {full, random(100'000)}),
      scenario<shipped>(last_element, {full}),
      scenario<shipped>(wrap_around, {full, random(100'000)}),
      scenario<shipped>("growth", "A buffer that has wrapped around grows and is freed.", 1,
                        {2, 4, "+s++", "+-", 2}, {full, random(100'000)}),
      scenario<shipped>(push_refused, {full, random(100'000)}),
      scenario<shipped>("two_thieves", "Three jobs, and three who want them.", 2,
                        {1, 4, "+", "++---", 2}, {bound(2), random(100'000)}),
      sleeper<relacy_machine, shipped>("sleeper", "K1: the last look before sleep."),
      sleeper<relacy_machine, shipped, false>("sleeper_unfenced", "K1: both look too early."),
  };
}

}  // namespace

suites all_suites() { return {checks(), {orderings()}}; }

}  // namespace stealbench::verify
