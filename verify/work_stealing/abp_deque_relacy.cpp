// The shipped deque of Arora, Blumofe and Plaxton in the scenarios of its protocol page, and its
// ordering matrix, in which one mutant leaves out the tag.
#include <vector>

#include "schedulers/work_stealing/protocols/abp_deque.hpp"
#include "verify/mutation.hpp"
#include "verify/work_stealing/deque_script.hpp"

namespace stealbench::verify {
namespace {

using work_stealing::abp_orderings;

template <class T>
using shipped = work_stealing::abp_deque<T, relacy_machine>;

template <class T>
using weak_deque = work_stealing::abp_deque<T, relacy_machine, weakened<abp_orderings>>;

std::vector<check> checks() {
  using namespace deque_trials;
  return {
      scenario<shipped>(push_and_steal, {full}),
      scenario<shipped>(last_element, {full}),
      scenario<shipped>(push_pop_steal, {full, random(50'000)}),
      scenario<shipped>(two_jobs, {bound(4), random(50'000)}),
      scenario<shipped>("next_life", "A slot is used anew in the next life, under a slow thief.", 1,
                        {2, 2, "+", "-+-", 1}, {bound(5), random(50'000)}),
      scenario<shipped>("two_lives", "A thief may have slept for two lives.", 1,
                        {1, 1, "+", "-+-+", 2}, {bound(3), random(50'000)}),
      scenario<shipped>(push_refused, {full, random(50'000)}),
      scenario<shipped>(everything, {bound(3), random(50'000)}),
      scenario<shipped>(two_thieves_last_element, {bound(3), random(200'000)}),
      scenario<shipped>(two_thieves, {bound(2), random(200'000)}),
      scenario<shipped>("two_thieves_next_life",
                        "Two thieves, one of whom may know the life before.", 2,
                        {2, 2, "+", "-+-", 1}, {bound(2), random(200'000)}),
      sleeper<relacy_machine, shipped>("sleeper", "K1: the last look before sleep."),
      sleeper<relacy_machine, shipped, false>("sleeper_unfenced", "K1: both look too early."),
  };
}

constexpr const char* by_control =
    "Needs the owner's store to a slot above its load of age: `litmus/LB`. A control dependency "
    "forbids that to a machine (only a load that finds the deque empty lets the owner start over), "
    "and so does IMM; RC11 knows no load buffering. C++20 alone has no such dependency and wants "
    "the acquire.";

matrix orderings() {
  using o = abp_orderings;
  using enum operation;
  using namespace deque_trials;
  return matrix_of<o>(
      "abp_deque", "schedulers/work_stealing/protocols/abp_deque.hpp", work_stealing::abp_shipped,
      {
          {"push_bottom_load", &o::push_bottom_load, load, "the owner's own word"},
          {"push_slot", &o::push_slot, store, "published by push_bottom"},
          {"push_bottom", &o::push_bottom, store, "A1: steal_bottom"},
          {"pop_bottom_load", &o::pop_bottom_load, load, "the owner's own word"},
          {"pop_bottom", &o::pop_bottom, store, "A1: steal_bottom"},
          {"pop_fence", &o::pop_fence, fence, "A2: steal_fence"},
          {"pop_age", &o::pop_age, load, "A3: steal_cas"},
          {"pop_slot", &o::pop_slot, load, "the owner's own write"},
          {"pop_bottom_empty", &o::pop_bottom_empty, store, "published by pop_cas, pop_age_empty"},
          {"pop_cas", &o::pop_cas, read_modify_write, "A2: steal_cas; A4: steal_age"},
          {"pop_cas_failure", &o::pop_cas_failure, load, "A3: steal_cas"},
          {"pop_age_empty", &o::pop_age_empty, store, "A4: steal_age"},
          {"steal_age", &o::steal_age, load, "A4: pop_cas, pop_age_empty"},
          {"steal_fence", &o::steal_fence, fence, "A2: pop_fence"},
          {"steal_bottom", &o::steal_bottom, load, "A1: push_bottom"},
          {"steal_slot", &o::steal_slot, load, "ordered by A1, validated by steal_cas"},
          {"steal_cas", &o::steal_cas, read_modify_write, "A2: pop_cas; A3: pop_age"},
          {"steal_cas_failure", &o::steal_cas_failure, load, "what was read is dropped"},
          {"hint_age", &o::hint_age, load, "no job is read through it"},
          {"hint_bottom", &o::hint_bottom, load, "no job is read through it"},
          {"tags", &o::tags, step, "A3, A4"},
      },
      {
          script<weak_deque>(push_pop_steal, full),
          script<weak_deque>(two_jobs, bound(4)),
          script<weak_deque>(reuse, bound(5)),
          script<weak_deque>(another_job, bound(4)),
          script<weak_deque>(refill, bound(3)),
          script<weak_deque>(everything, bound(3)),
          script<weak_deque>(push_push_pop, bound(3)),
          script<weak_deque>(two_thieves, bound(2)),
      },
      {
          {"pop_bottom", "*", justification::invisible,
           "Needs C++20's shorter release sequence: `litmus/release_sequence`."},
          {"pop_age", "*", justification::argued, by_control},
          {"pop_cas_failure", "*", justification::argued, by_control},
          {"steal_age", "*", justification::equivalent,
           "The fence behind it makes it an acquire. On x86 it costs nothing."},
          {"steal_cas", "*", justification::invisible,
           "A3, the thief's end of pop_age: `litmus/LB`."},
      });
}

}  // namespace

suites all_suites() { return {checks(), {orderings()}}; }

}  // namespace stealbench::verify
