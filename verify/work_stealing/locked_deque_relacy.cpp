// The shipped locked deque, and its matrix, in which a mutant leaves out a lock.
#include <ostream>
#include <utility>
#include <vector>

#include "schedulers/work_stealing/locked_deque.hpp"
#include "verify/mutation.hpp"
#include "verify/work_stealing/deque_script.hpp"

namespace stealbench::verify {
namespace {

using work_stealing::locked_orderings;

template <class T>
using shipped = work_stealing::locked_deque<T, relacy_machine>;

// Not constant: the deque reads it at run time, so a mutant needs no code.
locked_orderings weakened;
template <class T>
using weak_deque = work_stealing::locked_deque<T, relacy_machine, weakened>;

check scenario(const char* name, const char* sentence, int thieves, const deque_script& script,
               std::vector<search> searches) {
  return {name, sentence, std::move(searches), [=](const search& s, std::ostream& log) {
            return play<shipped>(script, thieves, s, log);
          }};
}

trial script(const char* name, const deque_script& played) {
  return {name, 2, full,
          [=](const search& s, std::ostream& log) { return play<weak_deque>(played, 1, s, log); }};
}

matrix orderings() {
  using o = locked_orderings;
  using enum operation;
  matrix all = matrix_of<o>("locked_deque", "schedulers/work_stealing/locked_deque.hpp",
                            work_stealing::locked_shipped, weakened,
                            {
                                {"push_locks", &o::push_locks, step, "L1: the other locks"},
                                {"pop_locks", &o::pop_locks, step, "L1: the other locks"},
                                {"steal_locks", &o::steal_locks, step, "L1: the other locks"},
                                {"read_size", &o::read_size, load, "under the mutex"},
                                {"write_size", &o::write_size, store, "under the mutex"},
                                {"look", &o::look, load, "no job is read through it"},
                            });
  all.trials = {script("push", {2, 2, "+", "+", 1}), script("last_element", {2, 2, "+", "-", 1}),
                script("growth", {1, 2, "+", "+", 1}), script("push_pop", {2, 2, "", "+-", 1})};
  return all;
}

std::vector<check> checks() {
  return {
      scenario("push_pop_steal", "A thief meets a push and the pop after it.", 1,
               {2, 2, "", "+-", 1}, {full, random(100'000)}),
      scenario("last_element", "Owner and thief want the only job.", 1, {2, 2, "+", "-", 1},
               {full}),
      scenario("wrap_around", "Jobs lie across the end of the buffer.", 1, {2, 2, "+s+", "+-", 1},
               {full, random(100'000)}),
      scenario("growth", "A buffer that has wrapped around grows and is freed.", 1,
               {2, 4, "+s++", "+-", 2}, {full, random(100'000)}),
      scenario("push_refused", "At its maximal capacity a push succeeds only if a steal did.", 1,
               {1, 1, "+", "+-", 2}, {full, random(100'000)}),
      scenario("two_thieves", "Three jobs, and three who want them.", 2, {1, 4, "+", "++---", 2},
               {bound(2), random(100'000)}),
      sleeper<relacy_machine, shipped>("sleeper", "K1: the last look before sleep."),
      sleeper<relacy_machine, shipped, false>("sleeper_unfenced", "K1: both look too early."),
  };
}

}  // namespace
}  // namespace stealbench::verify

int main(int argc, char** argv) {
  return stealbench::verify::run_checks(argc, argv, stealbench::verify::checks(),
                                        {stealbench::verify::orderings()});
}
