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
using work_stealing::abp_orderings;
using work_stealing::bwos_orderings;
using work_stealing::chase_lev_orderings;

// One compiled deque is all of its variants: what it reads is `weakened` at run time.
template <class T>
using shipped = work_stealing::chase_lev_deque<T, relacy_machine, weakened<chase_lev_orderings>>;
template <class T>
using small = small_deque<T, weakened<deque_defects>>;
template <class T>
using abp = work_stealing::abp_deque<T, relacy_machine, weakened<abp_orderings>>;
template <class T>
using bwos = work_stealing::bwos_deque<T, relacy_machine, weakened<bwos_orderings>>;

/// One thief, and a deque that is broken by one member of what it reads.
template <template <class> class Deque, class Variant, class Value>
known_bug with(const char* name, const char* sentence, Value Variant::*which, Value wrong,
               const char* outcome, const deque_script& script,
               std::vector<search> searches = {bound(3), random(20'000)}) {
  return {name, sentence, outcome, std::move(searches), [=](bool broken, const search& s) {
            weakened<Variant> = {};
            if (broken) weakened<Variant>.*which = wrong;
            return play<Deque>(script, 1, s);
          }};
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
            weakened<deque_defects> = {.spurious_loss_empty = broken};
            return explore<trusting_thief>(s);
          }};
}

}  // namespace

suites all_suites() {
  using o = chase_lev_orderings;
  using d = deque_defects;
  const char* const race = "DATA RACE";
  const std::vector<search> ordering{bound(3), random(100'000)};
  const char* const assertion = "USER ASSERT FAILED";
  return {twice({
      with<small>("unsigned_bottom",
                  "A pop from a new deque leaves bottom below top: a job is lost there.",
                  &d::unsigned_bottom, true, assertion, {2, 2, "-", "++", 1}),
      with<small>("unwrapped_index", "The second round of the buffer runs past its end.",
                  &d::unwrapped_index, true, assertion, {2, 2, "+s+", "+", 1}),
      with<shipped>("steal_without_fence",
                    "A thief sees an old bottom and takes what the owner took.", &o::steal_fence,
                    order::none, race, {2, 2, "++", "--", 2}, ordering),
      with<shipped>("growth_unreleased", "A thief reads a buffer that is not yet filled.",
                    &o::grow_buffer, order::relaxed, race, {1, 2, "+", "+-", 2}, ordering),
      with<small>("old_buffer_freed", "A thief reads the buffer that growth has replaced.",
                  &d::frees_old_buffer, true, "ACCESS TO FREED MEMORY", {1, 2, "+", "+", 1}),
      with<small>("last_without_cas", "Owner and thief both take the last job.",  //
                  &d::last_without_cas, true, race, {2, 2, "+", "-", 1}),
      with<small>("bottom_left_lowered", "The next job is pushed below top, where no thief looks.",
                  &d::bottom_left_lowered, true, assertion, {2, 2, "+", "-+", 1}),
      with<small>("slot_read_late", "A thief wins one job and reads another.",  //
                  &d::slot_read_late, true, assertion, {1, 1, "+", "+", 1}),
      with<abp>("abp_without_tag",
                "A thief takes the job that it read, not the one that is now in its place.",
                &abp_orderings::tags, false, race, {2, 2, "+", "-+", 1}),
      with<bwos>("bwos_skipped_block", "A thief goes past a block that its owner is about to fill.",
                 &bwos_orderings::waits_at_closed, false, assertion, {4, 4, "", "+++", 1},
                 {bound(2)}),
      with<bwos>("bwos_without_rounds", "A thief takes a job by what it has read a round ago.",
                 &bwos_orderings::rounds, false, race, {2, 2, "++", "--++", 1}, {bound(2)}),
      spurious_loss(),
  })};
}

}  // namespace stealbench::verify
