// Bugs that others have found in engines, as steps that the shipped engine leaves out. README.md
// says where each bug has happened.
#include <utility>
#include <vector>

#include "schedulers/work_stealing/scheduler.hpp"
#include "verify/engine/meetings.hpp"
#include "verify/engine/mutated.hpp"
#include "verify/engine/programs.hpp"
#include "verify/known_bugs/known_bug.hpp"

namespace stealbench::verify {
namespace {

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

std::vector<known_bug> bugs() {
  engine::search_steps& search = weakened<engine::search_steps>;
  constexpr cast three{.workers = 3};
  return {
      without<programs::fork_meets>(search.second_look, "no_second_look",
                                    "A job comes between the look for work and the sleep.",
                                    "DEADLOCK"),
      without<programs::start_and_stop, three>(search.wake_all_at_stop, "one_woken_of_two",
                                               "The stop sign is for all, and wakes one.",
                                               "DEADLOCK"),
      without<programs::fork_meets>(search.stop_before_tokens, "stop_races_park",
                                    "Who is about to sleep finds a token, and no stop sign.",
                                    "DEADLOCK", {bound(2)}),
      without<programs::first_throws>(
          weakened<engine::engine_steps>.await_when_first_throws, "throw_skips_join",
          "The first branch throws past the second one.", "USER ASSERT FAILED"),
  };
}

}  // namespace

suites all_suites() { return {twice(bugs())}; }

}  // namespace stealbench::verify
