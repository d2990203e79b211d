// The shipped Chase–Lev deque in the scenarios of its protocol page, and its ordering matrix. Full
// search wherever it ends within a minute; longer scripts by context bound; random search on top,
// as it alone looks two values back at every load.
#include <vector>

#include "schedulers/work_stealing/protocols/chase_lev_deque.hpp"
#include "verify/mutation.hpp"
#include "verify/work_stealing/deque_script.hpp"

namespace stealbench::verify {
namespace {

template <class T>
using shipped = work_stealing::chase_lev_deque<T, relacy_machine>;

template <class T>
using weak_deque =
    work_stealing::chase_lev_deque<T, relacy_machine, weakened<work_stealing::chase_lev_orderings>>;

std::vector<check> scenarios() {
  using namespace deque_trials;
  return {
      scenario<shipped>(push_and_steal, {full}),
      scenario<shipped>(last_element, {full}),
      scenario<shipped>(push_pop_steal, {full, random(100'000)}),
      scenario<shipped>(two_jobs, {bound(6), random(100'000), deep(full)}),
      scenario<shipped>(reuse, {nightly(full), random(100'000)}),
      scenario<shipped>(wrap_around, {full, random(100'000)}),
      scenario<shipped>(growth_from_one, {nightly(full), random(100'000)}),
      scenario<shipped>("growth_from_two", "A buffer of 2 grows to 4 under a thief.", 1,
                        {2, 4, "++", "+", 1}, {full, random(100'000)}),
      scenario<shipped>(growth_after_wrap_around, {full, random(100'000)}),
      scenario<shipped>("growth_twice", "A thief may hold a buffer that was replaced twice.", 1,
                        {1, 4, "+", "++", 2}, {nightly(bound(4)), random(100'000)}),
      scenario<shipped>(push_refused, {nightly(full), random(100'000)}),
      scenario<shipped>(everything, {bound(3), random(100'000), deep(bound(5))}),
      scenario<shipped>("two_thieves_push", "Two thieves want a job as it is pushed.", 2,
                        {2, 2, "", "+", 1}, {full}),
      scenario<shipped>(two_thieves_last_element,
                        {bound(4), nightly(random(1'000'000)), deep(bound(6))}),
      scenario<shipped>(two_thieves, {bound(3), nightly(random(1'000'000)), deep(bound(4))}),
      scenario<shipped>(two_thieves_growth,
                        {random(100'000), nightly(random(1'000'000)), deep(bound(2))}),
      scenario<shipped>(three_thieves, {bound(1), nightly(random(1'000'000)), deep(bound(2))}),
      sleeper<relacy_machine, shipped>("sleeper", "K1: the last look before sleep."),
  };
}

std::vector<site_of<work_stealing::chase_lev_orderings>> sites() {
  using o = work_stealing::chase_lev_orderings;
  using enum operation;
  return {
      {"push_bottom_load", &o::push_bottom_load, load, "the owner's own word"},
      {"push_slot", &o::push_slot, store, "published by push_bottom"},
      {"push_bottom", &o::push_bottom, store, "E1: steal_bottom"},
      {"push_top", &o::push_top, load, "E3: steal_cas"},
      {"grow_read", &o::grow_read, load, "the owner's own writes"},
      {"grow_write", &o::grow_write, store, "published by grow_buffer"},
      {"grow_buffer", &o::grow_buffer, store, "E4: steal_buffer"},
      {"pop_bottom_load", &o::pop_bottom_load, load, "the owner's own word"},
      {"pop_bottom", &o::pop_bottom, store, "E1: steal_bottom"},
      {"pop_fence", &o::pop_fence, fence, "E2: steal_fence"},
      {"pop_top", &o::pop_top, load, "ordered by pop_fence"},
      {"pop_slot", &o::pop_slot, load, "the owner's own write"},
      {"pop_cas", &o::pop_cas, read_modify_write, "E2: steal_cas"},
      {"pop_cas_failure", &o::pop_cas_failure, load, "nothing is read after it"},
      {"pop_bottom_restore", &o::pop_bottom_restore, store, "E1: steal_bottom"},
      {"steal_top", &o::steal_top, load, "E2: read before steal_fence"},
      {"steal_fence", &o::steal_fence, fence, "E2: pop_fence"},
      {"steal_bottom", &o::steal_bottom, load, "E1: push_bottom"},
      {"steal_buffer", &o::steal_buffer, load, "E4: grow_buffer"},
      {"steal_slot", &o::steal_slot, load, "ordered by E1 or E4, validated by steal_cas"},
      {"steal_cas", &o::steal_cas, read_modify_write, "E2: pop_cas; E3: push_top"},
      {"steal_cas_failure", &o::steal_cas_failure, load, "what was read is dropped"},
      {"hint_top", &o::hint_top, load, "no job is read through it"},
      {"hint_bottom", &o::hint_bottom, load, "no job is read through it"},
  };
}

std::vector<matrix::survivor> survivors() {
  using enum justification;
  const char* const steal_cas_in_e2 =
      "E3 needs the release alone, and E2 nothing: C++20 orders its fences through a value that a "
      "third thread wrote, and so does Relacy. Shipped as in the paper, whose C11 did not.";
  const char* const end_of_push_top = "E3, the thief's end of push_top: `litmus/LB`.";
  return {
      {"push_top", "*", argued,
       "Needs the owner's store to a slot above its load of top: `litmus/LB`. A control dependency "
       "forbids that to a machine (make_room decides by that load whether there is a slot), and "
       "so does IMM; RC11 knows no load buffering. C++20 alone has no such dependency and wants "
       "the acquire."},
      {"steal_cas", "acq_rel", equivalent, steal_cas_in_e2},
      {"steal_cas", "release", equivalent, steal_cas_in_e2},
      {"steal_cas", "acquire", invisible, end_of_push_top},
      {"steal_cas", "relaxed", invisible, end_of_push_top},
      {"pop_cas", "*", equivalent,
       "Continues the thieves' release sequence, being a read-modify-write, and reads the owner's "
       "own slot. Shipped as in the paper, so that its proof fits word for word: on x86 it costs "
       "nothing."},
      {"pop_bottom", "*", invisible,
       "Needs C++20's shorter release sequence: `litmus/release_sequence`."},
      {"pop_bottom_restore", "*", equivalent,
       "When it is stored, the owner has read that top has reached this value. A thief that goes "
       "on with it has an older top and fails its exchange, unless that exchange is what the owner "
       "has read: then either would happen only because of the other, a value out of thin air. "
       "Shipped as release since nothing in C++20 but a recommendation forbids that: on x86 it "
       "costs nothing."},
      {"steal_top", "*", equivalent,
       "The fence behind it makes it an acquire. Shipped as in the paper, so that its proof fits "
       "word for word: on x86 it costs nothing."},
  };
}

matrix orderings() {
  using namespace deque_trials;
  return matrix_of("chase_lev_deque", "schedulers/work_stealing/protocols/chase_lev_deque.hpp",
                   work_stealing::chase_lev_shipped, sites(),
                   {
                       script<weak_deque>(push_pop_steal, full),
                       script<weak_deque>(two_jobs, bound(4)),
                       script<weak_deque>(reuse, bound(5)),
                       script<weak_deque>(wrap_around, full),
                       script<weak_deque>(growth_from_one, full),
                       script<weak_deque>(growth_after_wrap_around, full),
                       script<weak_deque>(everything, bound(3)),
                       script<weak_deque>(two_thieves, bound(2)),
                       script<weak_deque>(two_thieves_growth, bound(1)),
                       script<weak_deque>(three_thieves, bound(1)),
                       script<weak_deque>(push_push_pop, bound(3)),
                       script<weak_deque>(refill, bound(3)),
                   },
                   survivors());
}

}  // namespace

suites all_suites() { return {scenarios(), {orderings()}}; }

}  // namespace stealbench::verify
