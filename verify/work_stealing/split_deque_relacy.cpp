// The shipped split deque in the scenarios of its protocol page, and its ordering matrix. That no
// worker sleeps while there is a private job that it could force is checked with the engine.
#include <vector>

#include "verify/mutation.hpp"
#include "verify/work_stealing/stack_deque_script.hpp"

namespace stealbench::verify {
namespace {

using shipped = split_deque_played<work_stealing::split_shipped>;

std::vector<check> checks() {
  return {
      scenario<shipped>("share_and_steal", "A public job is stolen, or taken back.",
                        {1, "+", "S-", {"s"}}, {full}),
      scenario<shipped>("share_half", "Of two jobs the older one becomes public.",
                        {2, "++", "S--", {"ss"}}, {full, random(100'000)}),
      scenario<shipped>("take_back_public",
                        "The owner takes its youngest public job from under a thief.",
                        {3, "+++S", "---", {"ss"}}, {bound(4), random(100'000)}),
      scenario<shipped>("share_all", "Each job is made public as it is forked.",
                        {3, "+A+A", "+A---", {"ss"}}, {bound(4), random(100'000)}),
      scenario<shipped>("share_all_above_stolen",
                        "The same above a stolen slot, and as a thief forces.",
                        {3, "+A", "w", {"s", "sf"}, "+A+A--"}, {bound(2), random(100'000)}),
      scenario<shipped>("share_oldest", "The oldest private job is made public, and then the next.",
                        {3, "++O", "O+O---", {"ss"}}, {bound(4), random(100'000)}),
      scenario<shipped>("share_oldest_above_stolen", "The same above a stolen slot.",
                        {3, "+O", "w", {"s", "ss"}, "++OO--"}, {bound(2), random(100'000)}),
      scenario<shipped>("share_rest", "Half of what is left, as thieves are at the oldest job.",
                        {4, "+++S+", "R----", {"ss"}}, {bound(4), random(100'000)}),
      scenario<shipped>("share_rest_above_stolen",
                        "The same above a stolen slot, as a thief forces.",
                        {3, "++S", "-w", {"s", "sf"}, "++R--"}, {bound(2), random(100'000)}),
      scenario<shipped>("share_rest_meets_force", "The same as a thief asks for the oldest job.",
                        {3, "+++", "R---", {"fs"}}, {bound(4), random(100'000)}),
      scenario<shipped>("slot_reuse_public", "A slot that was public holds a new private job.",
                        {1, "+S", "-+-", {"ss"}}, {full, random(100'000)}),
      scenario<shipped>("slot_reuse_shared_again", "And that one becomes public too.",
                        {1, "+S", "-+S-", {"ss"}}, {nightly(full), random(100'000)}),
      scenario<shipped>("force", "A thief forces the border over the only job as it is joined.",
                        {1, "+", "-", {"f"}}, {full, random(100'000)}),
      scenario<shipped>("force_a_fork", "A thief forces as the job is forked.",  //
                        {1, "", "+-", {"f"}}, {full, random(100'000)}),
      scenario<shipped>("force_two",
                        "A thief forces two jobs; the younger one is joined meanwhile.",
                        {2, "++", "--", {"f"}}, {full, random(100'000)}),
      scenario<shipped>("force_and_steal", "What a force has made public is stolen as well.",
                        {3, "+++", "---", {"fs"}}, {bound(4), random(100'000), deep(full)}),
      scenario<shipped>("force_slot_reuse", "Jobs come and go in the slots that a thief looks at.",
                        {2, "+", "+--+-", {"f"}}, {bound(5), random(100'000)}),
      scenario<shipped>("force_meets_share", "The owner shares while a thief forces.",
                        {2, "++", "S--", {"fs"}}, {bound(5), random(100'000), deep(full)}),
      scenario<shipped>("force_above_stolen", "Forced, run, forked anew and forced again.",
                        {2, "+", "+--+-", {"ff"}}, {bound(4), random(100'000)}),
      scenario<shipped>("force_twice", "A force that was retracted must not end a later one.",
                        {2, "++", "--+-", {"ff"}}, {bound(4), random(100'000)}),
      scenario<shipped>("two_thieves_steal", "Two thieves want the only public job.",
                        {2, "++S", "--", {"s", "s"}}, {bound(3), random(300'000)}),
      scenario<shipped>("two_thieves_force", "Two thieves force the same border.",
                        {2, "++", "--", {"f", "f"}}, {bound(3), random(300'000), deep(bound(4))}),
      scenario<shipped>("two_thieves_force_and_steal", "One steals what the other has made public.",
                        {3, "+++", "---", {"f", "s"}}, {bound(3), random(300'000)}),
      scenario<shipped>("share_after_force", "The job to be shared has been forced away already.",
                        {1, "", "+S-", {"f"}}, {full, random(100'000)}),
      scenario<shipped>("wait_and_share", "The owner works above a stolen slot, and shares.",
                        {2, "+S", "w", {"ss"}, "+S-"}, {bound(6), random(100'000), deep(full)}),
      scenario<shipped>("wait_and_force",
                        "A thief forces above a stolen slot, and as it is retired.",
                        {2, "+", "w+-", {"ff"}, "+-"}, {nightly(bound(6)), random(100'000)}),
      scenario<shipped>("wait_twice",
                        "A job above a stolen slot is stolen, and waited for as well.",
                        {3, "+S", "w", {"s", "s"}, "+Sw"}, {nightly(bound(4)), random(300'000)}),
      scenario<shipped>("wait_two_thieves_force",
                        "One thief has the job, one forces the jobs above it.",
                        {3, "+", "w+-", {"f", "ff"}, "++--"}, {nightly(bound(3)), random(300'000)}),
      scenario<shipped>(
          "wait_two_thieves_everything", "Sharing, forcing and reuse above a stolen slot.",
          {3, "+S", "w+S-", {"sf", "fs"}, "++S--"}, {bound(2), random(300'000), deep(bound(3))}),
      scenario<shipped>(
          "two_thieves_everything", "Sharing, forcing, stealing and reuse in one script.",
          {3, "++", "S+---+-", {"fs", "sf"}}, {bound(2), random(300'000), deep(bound(3))}),
  };
}

trial script(const split_trial& played, const search& deep) {
  using weak = split_deque_played<weakened<work_stealing::split_orderings>>;
  return script<weak>(played.name, played.script, deep);
}

matrix orderings() {
  using o = work_stealing::split_orderings;
  using enum operation;
  return matrix_of<o>(
      "split_deque", "schedulers/work_stealing/protocols/split_deque.hpp",
      work_stealing::split_shipped,
      {
          {"push_entry", &o::push_entry, store, "S1: force_entry"},
          {"close_entry", &o::close_entry, store, "S2: ordered by the compiler fence"},
          {"take_state", &o::take_state, load, "S2: ordered by the compiler fence"},
          {"settle_state", &o::settle_state, load, "the exchange works on the newest value"},
          {"settle_claim", &o::settle_claim, read_modify_write, "the job is the owner's own"},
          {"settle_retract", &o::settle_retract, read_modify_write, "publishes nothing"},
          {"expose_state", &o::expose_state, load, "the exchange works on the newest value"},
          {"expose_state_set", &o::expose_state_set, read_modify_write, "S3: steal_claim"},
          {"retire_state", &o::retire_state, load, "the exchange works on the newest value"},
          {"retire_state_set", &o::retire_state_set, read_modify_write, "publishes nothing"},
          {"steal_state", &o::steal_state, load, "validated by steal_claim"},
          {"steal_claim", &o::steal_claim, read_modify_write,
           "S3, S4: expose_state_set, force_grant"},
          {"force_state", &o::force_state, load, "validated by force_ask"},
          {"force_look", &o::force_look, load, "a hint that saves the system call"},
          {"force_ask", &o::force_ask, read_modify_write, "S2: ordered by force_fence"},
          {"force_fence", &o::force_fence, step, "S2: the compiler fence of take_back"},
          {"force_entry", &o::force_entry, load, "S1: push_entry"},
          {"force_grant", &o::force_grant, read_modify_write, "S4: another thief's steal_claim"},
          {"force_give_up", &o::force_give_up, read_modify_write, "publishes nothing"},
          {"failure", &o::failure, load, "no job is read through the state"},
          {"hint_state", &o::hint_state, load, "ordered by the caller's fences, K1"},
          {"hint_entry", &o::hint_entry, load, "ordered by the caller's fences, K1"},
      },
      {
          script(split_trials::share, full),
          script(split_trials::force, full),
          script(split_trials::force_and_steal, bound(4)),
          script(split_trials::two_thieves, bound(3)),
      });
}

}  // namespace

suites all_suites() { return {checks(), {orderings()}}; }

}  // namespace stealbench::verify
