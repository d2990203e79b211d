// The shipped locked deque, and its twins, each with one lock left out.
#include <ostream>
#include <utility>
#include <vector>

#include "schedulers/work_stealing/locked_deque.hpp"
#include "verify/work_stealing/deque_script.hpp"

namespace stealbench::verify {
namespace {

using work_stealing::locked_orderings;

template <class T>
using shipped = work_stealing::locked_deque<T, relacy_model>;

// Not constant: the deque reads it at run time, so a twin needs no code.
locked_orderings weakened;
template <class T>
using weak_deque = work_stealing::locked_deque<T, relacy_model, weakened>;

check scenario(const char* name, const char* sentence, int thieves, const deque_script& script,
               std::vector<search> searches) {
  return {name, sentence, std::move(searches), [=](const search& s, std::ostream& log) {
            return play<shipped>(script, thieves, s, log);
          }};
}

check twin(const char* name, const char* sentence, bool locked_orderings::*which,
           const deque_script& script) {
  return {name,
          sentence,
          {bound(3), random(100'000)},
          [=](const search& s, std::ostream& log) {
            weakened = {};
            weakened.*which = false;
            return play<weak_deque>(script, 1, s, log);
          },
          {"DATA RACE"}};
}

std::vector<check> checks() {
  using o = locked_orderings;
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
      sleeper<relacy_model, shipped>("sleeper", "K1: the last look before sleep."),
      sleeper<relacy_model, shipped, false>("sleeper_unfenced", "K1: both look too early."),
      twin("push_unlocked", "L1: a thief takes a job under the owner's hand.", &o::push_locks,
           {2, 2, "+", "+", 1}),
      twin("push_grows_unlocked", "L1: a thief reads a buffer that is being replaced.",
           &o::push_locks, {1, 2, "+", "+", 1}),
      twin("pop_unlocked", "L1: owner and thief take the same job.", &o::pop_locks,
           {2, 2, "+", "-", 1}),
      twin("steal_unlocked", "L1: a thief sees a job before its payload.", &o::steal_locks,
           {2, 2, "", "+", 1}),
  };
}

}  // namespace
}  // namespace stealbench::verify

int main(int argc, char** argv) {
  return stealbench::verify::run_checks(argc, argv, stealbench::verify::checks());
}
