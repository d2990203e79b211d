// Twins of the Chase–Lev deque, each with one ordering weakened. The first table must be caught:
// that is what says that the suites can see an ordering at all. The second is not caught, and says
// why; should one be caught some day, its reason is wrong and the test fails.
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "schedulers/work_stealing/chase_lev_deque.hpp"
#include "verify/work_stealing/deque_script.hpp"

namespace stealbench::verify {
namespace {

using engine::order;
using work_stealing::chase_lev_orderings;
using ordering = order chase_lev_orderings::*;

// Not constant: the deque reads its orderings from here at run time, so a twin needs no code.
chase_lev_orderings weakened;
template <class T>
using weak_deque = work_stealing::chase_lev_deque<T, relacy_model, weakened>;

check twin(const char* name, const char* sentence, ordering which, order weak,
           const deque_script& script, int thieves = 1) {
  return {name,
          sentence,
          {bound(3), random(100'000)},
          [=](const search& s, std::ostream& log) {
            weakened = {};
            weakened.*which = weak;
            return play<weak_deque>(script, thieves, s, log);
          },
          {}};
}

constexpr deque_script push_and_pop{2, 2, "", "+-", 1};
constexpr deque_script two_jobs{2, 2, "++", "--", 2};
constexpr deque_script growth{1, 2, "+", "+-", 2};
constexpr deque_script everything{1, 4, "+s", "++-+--", 3};

std::vector<check> caught() {
  using o = chase_lev_orderings;
  std::vector<check> twins{
      twin("push_bottom_relaxed", "E1: a job is taken before its payload is written.",
           &o::push_bottom, order::relaxed, push_and_pop),
      twin("steal_bottom_relaxed", "E1, the thief's end: it reads the job before bottom.",
           &o::steal_bottom, order::relaxed, push_and_pop),
      twin("pop_fence_dropped", "E2: the owner reads an old top, a thief an old bottom.",
           &o::pop_fence, order::none, two_jobs),
      twin("pop_fence_acq_rel", "E2: no order of a store before a later load.",  //
           &o::pop_fence, order::acq_rel, two_jobs),
      twin("steal_fence_dropped", "E2: a thief reads top late and an old bottom.",  //
           &o::steal_fence, order::none, two_jobs),
      twin("steal_fence_acq_rel", "E2: orders the thief's loads, but not with the owner's.",
           &o::steal_fence, order::acq_rel, two_jobs),
      twin("steal_fence_dropped_two_thieves", "E2, with thieves who race each other too.",
           &o::steal_fence, order::none, {2, 2, "", "++--", 1}, 2),
      twin("grow_buffer_relaxed", "E4: a thief reads the new buffer before it is filled.",
           &o::grow_buffer, order::relaxed, growth),
      twin("steal_buffer_relaxed", "E4, the thief's end.",  //
           &o::steal_buffer, order::relaxed, growth),
  };
  for (check& c : twins) c.expected = {"DATA RACE", "USER ASSERT FAILED"};
  return twins;
}

std::vector<check> survivors() {
  using o = chase_lev_orderings;
  std::vector<check> twins{
      twin("survives/push_top_relaxed",
           "E3. Needs the thief's load of a slot to move below its exchange, or the owner's store "
           "above its load: Relacy never does that (litmus load_buffering).",
           &o::push_top, order::relaxed, everything),
      twin("survives/steal_cas_relaxed",
           "E3, the thief's end, for the same reason. E2 does not need it: C++20 orders the fences "
           "through a value that a third thread wrote, and so does Relacy.",
           &o::steal_cas, order::relaxed, {2, 2, "", "++--", 1}, 2),
      twin("survives/pop_cas_relaxed",
           "Continues the thieves' release sequence, being a read-modify-write, and reads the "
           "owner's own slot: relaxed suffices. Shipped as in the paper; on x86 it is free.",
           &o::pop_cas, order::relaxed, everything),
      twin("survives/pop_bottom_relaxed",
           "E1. Needs C++20's shorter release sequence: Relacy keeps that of C++11, which a plain "
           "store by the same thread continues (litmus release_sequence).",
           &o::pop_bottom, order::relaxed, everything),
      twin("survives/pop_bottom_restore_relaxed", "E1. As pop_bottom_relaxed.",
           &o::pop_bottom_restore, order::relaxed, everything),
      twin("survives/steal_top_relaxed",
           "The fence behind it makes it an acquire: relaxed suffices. Shipped as in the paper.",
           &o::steal_top, order::relaxed, everything),
      twin("survives/hint_top_relaxed", "Only a hint, which no scenario relies on.",  //
           &o::hint_top, order::relaxed, everything),
  };
  for (check& c : twins) c.expected = {std::string(passes)};
  return twins;
}

std::vector<check> twins() {
  std::vector<check> all = caught();
  for (check& c : survivors()) all.push_back(std::move(c));
  return all;
}

}  // namespace
}  // namespace stealbench::verify

int main(int argc, char** argv) {
  return stealbench::verify::run_checks(argc, argv, stealbench::verify::twins());
}
