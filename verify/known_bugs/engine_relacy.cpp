// Bugs that others have found in engines: steps that the shipped engine leaves out, and a join as
// it has been broken before. README.md says where each bug has happened.
#include <cstdint>
#include <utility>
#include <vector>

#include "schedulers/engine/sleep/parker.hpp"
#include "schedulers/work_stealing/scheduler.hpp"
#include "verify/engine/meetings.hpp"
#include "verify/engine/mutated.hpp"
#include "verify/engine/programs.hpp"
#include "verify/known_bugs/known_bug.hpp"

namespace stealbench::verify {
namespace {

using engine::order;
using parker = engine::parker<relacy_machine>;

bool touches_late;  // read at run time, so that one suite is both variants

// A latch that holds whom to wake, and is in the waiter's frame.
class carrying_latch {
 public:
  explicit carrying_latch(parker& waiter) : waiter_(&waiter) {}

  [[nodiscard]] bool done() const {
    return word_.load(order::acquire) == 1;  // Pairs with set.
  }

  void set() {
    parker* const waiter = whom();
    word_.store(1, order::release);  // Pairs with done. From here on the latch may be gone.
    (touches_late ? whom() : waiter)->unpark();
  }

 private:
  // Never changes. Atomic, as Relacy lets no other thread run just before a plain read.
  [[nodiscard]] parker* whom() const { return waiter_.load(order::relaxed); }

  relacy_machine::atomic<std::uint32_t> word_;  // Written by the setter.
  relacy_machine::atomic<parker*> waiter_;      // Written by the constructor.
};

// The latch is in the waiter's frame: here on the heap, so that Relacy sees who touches it too
// late.
class late_touch : public rl::test_suite<late_touch, 2> {
 public:
  void before() { latch_ = new carrying_latch(sleeper_); }

  void thread(unsigned who) {
    if (who == 1) return latch_->set();
    while (!latch_->done()) sleeper_.park();
    delete latch_;
  }

 private:
  carrying_latch* latch_ = nullptr;
  parker sleeper_;
};

known_bug touched_late() {
  return {"latch_touched_late",
          "The setter asks the open latch whom to wake.",
          "ACCESS TO FREED MEMORY",
          {bound(4), random(20'000)},
          [](bool broken, const search& s) {
            touches_late = broken;
            return explore<late_touch>(s);
          }};
}

template <template <class> class Program, cast Cast = cast{}>
known_bug without(bool& step, const char* name, const char* sentence, const char* outcome,
                  std::vector<search> searches = {bound(2), random(20'000)}) {
  return {name, sentence, outcome, std::move(searches), [&step](bool is_broken, const search& s) {
            using scheduler = work_stealing::scheduler_on<asymmetric>;
            weakened<engine::search_steps> = {};
            weakened<engine::engine_steps> = {};
            step = !is_broken;
            return explore<playing<scheduler, Program, Cast>>(s);
          }};
}

}  // namespace

suites all_suites() {
  engine::search_steps& steps = weakened<engine::search_steps>;
  constexpr cast three{.workers = 3};
  return {twice({
      without<programs::fork_meets>(steps.second_look, "no_second_look",
                                    "A job comes between the look for work and the sleep.",
                                    "DEADLOCK"),
      without<programs::start_and_stop, three>(steps.wake_all_at_stop, "one_woken_of_two",
                                               "The stop sign is for all, and wakes one.",
                                               "DEADLOCK"),
      without<programs::fork_meets>(steps.stop_before_tokens, "stop_races_park",
                                    "Who is about to sleep finds a token, and no stop sign.",
                                    "DEADLOCK", {bound(2)}),
      without<programs::first_throws>(
          weakened<engine::engine_steps>.await_when_first_throws, "throw_skips_join",
          "The first branch throws past the second one.", "USER ASSERT FAILED"),
      touched_late(),
  })};
}

}  // namespace stealbench::verify
