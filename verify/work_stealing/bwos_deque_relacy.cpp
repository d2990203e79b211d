// The shipped block-based deque in the scenarios of its protocol page, and its ordering matrix. Of
// up to four jobs each is a block, so that every second step is at a boundary; eight make blocks of
// two.
#include <vector>

#include "schedulers/work_stealing/protocols/bwos_deque.hpp"
#include "verify/mutation.hpp"
#include "verify/work_stealing/deque_script.hpp"

namespace stealbench::verify {
namespace {

using work_stealing::bwos_orderings;

template <class T>
using shipped = work_stealing::bwos_deque<T, relacy_machine>;
template <class T>
using symmetric = work_stealing::bwos_deque<T, relacy_symmetric_machine>;

template <class T>
using weak_deque = work_stealing::bwos_deque<T, relacy_machine, weakened<bwos_orderings>>;
template <class T>
using weak_symmetric =
    work_stealing::bwos_deque<T, relacy_symmetric_machine, weakened<bwos_orderings>>;

std::vector<check> checks() {
  using namespace deque_trials;
  return {
      scenario<shipped>(push_and_steal, {full}),
      scenario<shipped>(last_element, {full}),
      scenario<shipped>(push_pop_steal, {bound(4), random(50'000)}),
      scenario<symmetric>(push_pop_steal, {bound(4), random(50'000)}, "_symmetric"),
      scenario<shipped>("boundary", "The owner goes down into a block that a thief has.", 1,
                        {2, 2, "++", "--", 2}, {bound(4), random(50'000)}),
      scenario<symmetric>("boundary_symmetric", "The same without a system-wide fence.", 1,
                          {2, 2, "++", "--", 2}, {bound(3), random(50'000)}),
      scenario<shipped>(up_and_down, {bound(3), random(50'000)}),
      scenario<shipped>(in_a_block, {bound(3), random(50'000)}),
      scenario<shipped>("emptied", "The owner takes the last job of an open block, and goes on.", 1,
                        {8, 8, "+", "-+-", 2}, {bound(3), random(50'000)}),
      scenario<shipped>("granted", "The owner grants its block, and takes it back.", 1,
                        {8, 8, "+", "+e--", 2}, {bound(3), random(50'000)}),
      scenario<shipped>("granted_and_forced", "Owner and thief open a block at the same time.", 1,
                        {8, 8, "+", "e-+e-", 2}, {bound(3), random(50'000)}),
      scenario<shipped>(memory_anew, {bound(3), random(50'000)}),
      scenario<shipped>(left_behind, {bound(3), random(50'000)}),
      scenario<shipped>("everything", "A theft, boundaries, and the last job in one script.", 1,
                        {4, 4, "++s", "+--+--", 2}, {bound(2), random(50'000)}),
      scenario<shipped>(two_thieves_last_element, {bound(2), random(100'000)}),
      scenario<shipped>(two_thieves, {bound(2), random(100'000)}),
      scenario<shipped>("two_thieves_memory_anew", "One of them may know the block before.", 2,
                        {2, 2, "++", "+-+", 2}, {bound(1), random(100'000)}),
      sleeper<relacy_machine, shipped>("sleeper", "K1: the last look before sleep."),
      sleeper<relacy_machine, shipped, false>("sleeper_unfenced", "K1: both look too early."),
  };
}

// Thieves force nothing: where one passes a system-wide fence that orders more than it needs.
template <class T>
class granted_alone : public weak_deque<T> {
 public:
  using weak_deque<T>::weak_deque;
  [[nodiscard]] auto steal() { return weak_deque<T>::steal_granted(); }
};

// Without a system-wide fence.
trial fenced(const deque_trial& played, const search& deep) {
  return script<weak_symmetric>(played, deep, "_symmetric");
}

trial weak(const deque_trial& played, const search& deep) {
  return played.granted ? script<granted_alone>(played, deep) : script<weak_deque>(played, deep);
}

std::vector<site_of<bwos_orderings>> sites() {
  using o = bwos_orderings;
  using enum operation;
  return {
      {"push_bottom_load", &o::push_bottom_load, load, "the owner's own word"},
      {"push_slot", &o::push_slot, store, "published by push_bottom"},
      {"push_bottom", &o::push_bottom, store, "B1: steal_bottom"},
      {"pop_bottom_load", &o::pop_bottom_load, load, "the owner's own word"},
      {"pop_bottom", &o::pop_bottom, store, "B1: steal_bottom"},
      {"pop_claim", &o::pop_claim, load, "ordered by light"},
      {"pop_slot", &o::pop_slot, load, "the owner's own write"},
      {"close_load", &o::close_load, load, "validated by close"},
      {"close", &o::close, read_modify_write, "B3: steal_take"},
      {"close_failure", &o::close_failure, load, "tried again with what it read"},
      {"seal_load", &o::seal_load, load, "validated by seal"},
      {"seal", &o::seal, read_modify_write, "B2: steal_claim"},
      {"expose", &o::expose, read_modify_write, "B2: steal_claim"},
      {"up_oldest", &o::up_oldest, load, "B4: advance"},
      {"reopen_bottom", &o::reopen_bottom, store, "published by reopen_claim"},
      {"reopen_claim", &o::reopen_claim, store, "B4: steal_claim"},
      {"current", &o::current, store, "a hint"},
      {"steal_oldest", &o::steal_oldest, load, "B4: advance"},
      {"steal_claim", &o::steal_claim, load, "B2: seal, expose, force_grant"},
      {"steal_oldest_again", &o::steal_oldest_again, load, "ordered by steal_claim"},
      {"steal_bottom", &o::steal_bottom, load, "B1: push_bottom"},
      {"steal_slot", &o::steal_slot, load, "ordered by B1 or B2, validated by steal_take"},
      {"steal_take", &o::steal_take, read_modify_write, "B3: close, up_oldest"},
      {"advance", &o::advance, read_modify_write, "B4: up_oldest"},
      {"force_ask", &o::force_ask, read_modify_write, "ordered by heavy"},
      {"force_bottom", &o::force_bottom, load, "B1: push_bottom"},
      {"force_grant", &o::force_grant, read_modify_write, "B2: steal_claim"},
      {"failure", &o::failure, load, "nothing is read through it"},
      {"hint", &o::hint, load, "no job is read through it"},
      {"light", &o::light, step, "B5: heavy"},
      {"heavy", &o::heavy, step, "B5: light"},
      {"rounds", &o::rounds, step, "B3"},
      {"waits_at_closed", &o::waits_at_closed, step, "none"},
  };
}

matrix orderings() {
  using namespace deque_trials;
  constexpr const char* load_buffering =
      "Needs a thief's load of the slot below its own exchange, or the owner's store above the "
      "load that shows it the slot is free: `litmus/LB`.";
  constexpr const char* other_thief =
      "A thief that relies on the block that another one has opened; needs a bottom from before "
      "the pop that the other has seen. No script here shows it.";
  return matrix_of("bwos_deque", "schedulers/work_stealing/protocols/bwos_deque.hpp",
                   work_stealing::bwos_shipped, sites(),
                   {
                       weak(push_pop_steal, bound(3)),
                       fenced(push_pop_steal, bound(3)),
                       weak(two_jobs, bound(3)),
                       weak(sealed, bound(4)),
                       weak(exposed, bound(4)),
                       weak(exposed_to_two, bound(2)),
                       weak(up_and_down, bound(2)),
                       weak(in_a_block, bound(2)),
                       fenced(in_a_block, bound(2)),
                       weak(memory_anew, bound(3)),
                       weak(exposed_anew, bound(3)),
                       weak(left_behind, bound(2)),
                       weak(opened_for_another, bound(1)),
                       fenced(opened_for_another, bound(2)),
                       weak(memory_twice, bound(2)),
                       weak(memory_twice_two_thieves, bound(1)),
                       fenced(reopened, bound(1)),
                   },
                   {
                       {"pop_bottom", "*", justification::argued,
                        "As in the Chase-Lev deque: C++20's shorter release sequence, "
                        "`litmus/release_sequence`."},
                       {"close", "*", justification::argued, load_buffering},
                       {"up_oldest", "*", justification::argued, load_buffering},
                       {"steal_take", "*", justification::invisible, load_buffering},
                       {"force_bottom", "*", justification::argued, other_thief},
                       {"force_grant", "*", justification::argued, other_thief},
                   });
}

}  // namespace

suites all_suites() { return {checks(), {orderings()}}; }

}  // namespace stealbench::verify
