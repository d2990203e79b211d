// The shipped private deque in the scenarios of its protocol page, and its ordering matrix. What a
// thief does between asking and withdrawing is checked with the engine.
#include <vector>

#include "verify/mutation.hpp"
#include "verify/work_stealing/stack_deque_script.hpp"

namespace stealbench::verify {
namespace {

using shipped = private_deque_played<work_stealing::private_shipped>;

using weak = private_deque_played<weakened<work_stealing::private_orderings>>;

std::vector<check> checks() {
  return {
      scenario<shipped>("ask", "A thief is given the only job, or withdraws.",
                        {1, "", "+P-", {"a"}}, {full}),
      scenario<shipped>("ask_oldest", "Of two jobs the older one is given away.",
                        {2, "", "++P--", {"a"}}, {bound(5), random(100'000)}),
      scenario<shipped>("ask_twice", "A thief asks again, after a job and after having withdrawn.",
                        {2, "", "++PP--", {"aa"}}, {bound(5), random(100'000), deep(bound(9))}),
      scenario<shipped>("ask_another", "A thief withdraws from one that never answers.",
                        {2, "", "++P--", {"va"}}, {bound(4), random(100'000)}),
      scenario<shipped>("slot_reuse", "A slot whose job was given away holds another.",
                        {1, "", "+P-+P-", {"aa"}}, {bound(5), random(100'000)}),
      scenario<shipped>("nothing_to_give", "All has been given when the owner looks again.",
                        {1, "", "+PP-", {"aa"}}, {bound(4), random(100'000)}),
      scenario<shipped>("wait_and_give",
                        "The owner works above a slot that it has given away, and gives.",
                        {3, "", "+Pw", {"aa"}, "+P+P--"}, {bound(4), random(100'000)}),
      scenario<shipped>("two_thieves", "Two thieves ask, and one is first.",
                        {2, "", "+P+P--", {"a", "a"}}, {bound(3), random(100'000)}),
      scenario<shipped>("two_thieves_ask_twice", "Jobs, withdrawals and reuse.",
                        {3, "", "++P-P+P--", {"aa", "ava"}},
                        {bound(2), random(100'000), deep(bound(4))}),
      scenario<shipped>("two_thieves_wait", "One has a job, and one is given the jobs above it.",
                        {3, "", "+Pw+P-", {"aa", "aa"}, "++P-P-"}, {bound(2), random(100'000)}),
  };
}

matrix orderings() {
  using o = work_stealing::private_orderings;
  using enum operation;
  const char* const one_order =
      "C++ orders a thief's store that empties its hand and the owner's that fills it by R1 alone; "
      "Relacy gives the stores of one word the order in which they are executed: `litmus/2+2W`.";
  return matrix_of<o>(
      "private_deque", "schedulers/work_stealing/protocols/private_deque.hpp",
      work_stealing::private_shipped,
      {
          {"push_entry", &o::push_entry, store, "published by give"},
          {"close_entry", &o::close_entry, store, "for the owner alone"},
          {"look_at_bound", &o::look_at_bound, load, "the owner's own write"},
          {"move_bound", &o::move_bound, store, "to others a hint"},
          {"look_at_request", &o::look_at_request, load, "saves a change of the word"},
          {"take_request", &o::take_request, read_modify_write, "R1: ask"},
          {"give", &o::give, store, "R2: look_into_hand"},
          {"look_before_ask", &o::look_before_ask, load, "saves a change of the word"},
          {"empty_hand", &o::empty_hand, store, "R1: ordered by ask"},
          {"ask", &o::ask, read_modify_write, "R1: take_request"},
          {"ask_failed", &o::ask_failed, load, "nothing was said"},
          {"look_into_hand", &o::look_into_hand, load, "R2: give"},
          {"withdraw", &o::withdraw, read_modify_write, "takes back what no worker has read"},
          {"withdraw_failed", &o::withdraw_failed, load, "the answer comes by R2"},
          {"hint_bound", &o::hint_bound, load, "a hint"},
          {"hint_entry", &o::hint_entry, load, "a hint"},
      },
      {
          script<weak>("ask", {1, "", "+P-", {"a"}}, full),
          script<weak>("ask_twice", {2, "", "++PP--", {"aa"}}, bound(4)),
          script<weak>("two_thieves", {2, "", "+P+P--", {"a", "a"}}, bound(3)),
      },
      {
          {"take_request", "relaxed", justification::invisible, one_order},
          {"ask", "relaxed", justification::invisible, one_order},
      });
}

}  // namespace

suites all_suites() { return {checks(), {orderings()}}; }

}  // namespace stealbench::verify
