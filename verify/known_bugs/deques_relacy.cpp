// Deques as they have been broken before, in the scenarios of deque_script.hpp. README.md says
// where each bug has happened.
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "schedulers/work_stealing/protocols/abp_deque.hpp"
#include "schedulers/work_stealing/protocols/bwos_deque.hpp"
#include "schedulers/work_stealing/protocols/chase_lev_deque.hpp"
#include "verify/known_bugs/known_bug.hpp"
#include "verify/known_bugs/small_deque.hpp"
#include "verify/work_stealing/deque_script.hpp"

namespace stealbench::verify {
namespace {

using engine::order;
using work_stealing::chase_lev_orderings;

// Read at run time, so that one compiled deque is all of its variants.
chase_lev_orderings orderings;
deque_defects defects;
work_stealing::abp_orderings abp_steps;
work_stealing::bwos_orderings bwos_steps;

template <class T>
using shipped = work_stealing::chase_lev_deque<T, relacy_machine, orderings>;
template <class T>
using small = small_deque<T, defects>;
template <class T>
using abp = work_stealing::abp_deque<T, relacy_machine, abp_steps>;
template <class T>
using bwos = work_stealing::bwos_deque<T, relacy_machine, bwos_steps>;

/// One thief; `set` makes the deque the broken one, or the sound one.
template <template <class> class Deque, class Set>
known_bug played(const char* name, const char* sentence, const char* outcome,
                 const deque_script& script, std::vector<search> searches, Set set) {
  return {name, sentence, outcome, std::move(searches), [=](bool broken, const search& s) {
            set(broken);
            return play<Deque>(script, 1, s);
          }};
}

/// A mutant of the shipped deque.
known_bug misordered(const char* name, const char* sentence, order chase_lev_orderings::*which,
                     order weak, const char* outcome, const deque_script& script) {
  return played<shipped>(name, sentence, outcome, script, {bound(3), random(100'000)},
                         [=](bool broken) {
                           orderings = {};
                           if (broken) orderings.*which = weak;
                         });
}

/// A switch of small_deque.
known_bug mistaken(const char* name, const char* sentence, bool deque_defects::*which,
                   const char* outcome, const deque_script& script) {
  return played<small>(name, sentence, outcome, script, {bound(3), random(20'000)},
                       [=](bool broken) {
                         defects = {};
                         defects.*which = broken;
                       });
}

/// A step that the block-based deque leaves out.
known_bug of_blocks(const char* name, const char* sentence,
                    bool work_stealing::bwos_orderings::*step, const char* outcome,
                    const deque_script& script) {
  return played<bwos>(name, sentence, outcome, script, {bound(2)}, [=](bool broken) {
    bwos_steps = {};
    bwos_steps.*step = !broken;
  });
}

// The owner has pushed a job and is busy with another. The only thief, thread 1, goes to sleep once
// it is told `empty`: then the job must be gone.
class trusting_thief : public rl::test_suite<trusting_thief, 2> {
 public:
  void before() {
    deque_.emplace(1U, 1U);
    expect(deque_->push(&job_), "there is room");
  }
  void thread(unsigned who) {
    while (who == 1 && deque_->steal().outcome != steal_outcome::empty) {
    }
  }
  void after() { expect(deque_->looks_empty(), "empty is said of an empty deque alone"); }

 private:
  std::optional<small<int*>> deque_;
  int job_ = 0;
};

known_bug spurious_loss() {
  return {"spurious_loss_empty",
          "The only thief sleeps beside a job, as its exchange has failed for no reason.",
          "USER ASSERT FAILED",
          {full, random(20'000)},
          [](bool broken, const search& s) {
            defects = {};
            defects.spurious_loss_empty = broken;
            return explore<trusting_thief>(s);
          }};
}

std::vector<known_bug> bugs() {
  using o = chase_lev_orderings;
  using d = deque_defects;
  const char* const race = "DATA RACE";
  const char* const assertion = "USER ASSERT FAILED";
  return {
      mistaken("unsigned_bottom",
               "A pop from a new deque leaves bottom below top: a job is lost there.",
               &d::unsigned_bottom, assertion, {2, 2, "-", "++", 1}),
      mistaken("unwrapped_index", "The second round of the buffer runs past its end.",
               &d::unwrapped_index, assertion, {2, 2, "+s+", "+", 1}),
      misordered("steal_without_fence", "A thief sees an old bottom and takes what the owner took.",
                 &o::steal_fence, order::none, race, {2, 2, "++", "--", 2}),
      misordered("growth_unreleased", "A thief reads a buffer that is not yet filled.",
                 &o::grow_buffer, order::relaxed, race, {1, 2, "+", "+-", 2}),
      mistaken("old_buffer_freed", "A thief reads the buffer that growth has replaced.",
               &d::frees_old_buffer, "ACCESS TO FREED MEMORY", {1, 2, "+", "+", 1}),
      mistaken("last_without_cas", "Owner and thief both take the last job.",  //
               &d::last_without_cas, race, {2, 2, "+", "-", 1}),
      mistaken("bottom_left_lowered", "The next job is pushed below top, where no thief looks.",
               &d::bottom_left_lowered, assertion, {2, 2, "+", "-+", 1}),
      mistaken("slot_read_late", "A thief wins one job and reads another.",  //
               &d::slot_read_late, assertion, {1, 1, "+", "+", 1}),
      played<abp>("abp_without_tag",
                  "A thief takes the job that it read, not the one that is now in its place.", race,
                  {2, 2, "+", "-+", 1}, {bound(3), random(20'000)},
                  [](bool broken) { abp_steps.tags = !broken; }),
      of_blocks("bwos_skipped_block", "A thief goes past a block that its owner is about to fill.",
                &work_stealing::bwos_orderings::waits_at_closed, assertion, {4, 4, "", "+++", 1}),
      of_blocks("bwos_without_rounds", "A thief takes a job by what it has read a round ago.",
                &work_stealing::bwos_orderings::rounds, race, {2, 2, "++", "--++", 1}),
      spurious_loss(),
  };
}

}  // namespace

suites all_suites() { return {twice(bugs())}; }

}  // namespace stealbench::verify
