// The shipped Chase–Lev deque in the scenarios of its protocol page. Full search wherever it ends
// within a minute; longer scripts by context bound; random search on top, as it alone looks two
// values back at every load.
#include <vector>

#include "schedulers/work_stealing/protocols/chase_lev_deque.hpp"
#include "verify/work_stealing/deque_script.hpp"

namespace stealbench::verify {
namespace {

template <class T>
using shipped = work_stealing::chase_lev_deque<T, relacy_machine>;

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
      scenario<shipped>(deque_trial("growth_from_two", 1, {2, 4, "++", "+", 1},
                                    "A buffer of 2 grows to 4 under a thief."),
                        {full, random(100'000)}),
      scenario<shipped>(growth_after_wrap_around, {full, random(100'000)}),
      scenario<shipped>(deque_trial("growth_twice", 1, {1, 4, "+", "++", 2},
                                    "A thief may hold a buffer that was replaced twice."),
                        {nightly(bound(4)), random(100'000)}),
      scenario<shipped>(push_refused, {nightly(full), random(100'000)}),
      scenario<shipped>(everything, {bound(3), random(100'000), deep(bound(5))}),
      scenario<shipped>(deque_trial("two_thieves_push", 2, {2, 2, "", "+", 1},
                                    "Two thieves want a job as it is pushed."),
                        {full}),
      scenario<shipped>(two_thieves_last_element,
                        {bound(4), nightly(random(1'000'000)), deep(bound(6))}),
      scenario<shipped>(two_thieves, {bound(3), nightly(random(1'000'000)), deep(bound(4))}),
      scenario<shipped>(two_thieves_growth, {random(1'000'000), deep(bound(2))}),
      scenario<shipped>(three_thieves, {bound(1), nightly(random(1'000'000)), deep(bound(2))}),
      sleeper<relacy_machine, shipped>("sleeper", "K1: the last look before sleep."),
  };
}

}  // namespace

suites all_suites() { return {scenarios()}; }

}  // namespace stealbench::verify
