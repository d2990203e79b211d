// The shipped Chase–Lev deque in the scenarios of its protocol page, and its ordering matrix. Full
// search wherever it ends within a minute; longer scripts by context bound; random search on top,
// as it alone looks two values back at every load.
#include <vector>

#include "schedulers/work_stealing/protocols/chase_lev_deque.hpp"
#include "verify/work_stealing/chase_lev_sites.hpp"
#include "verify/work_stealing/deque_script.hpp"

namespace stealbench::verify {
namespace {

template <class T>
using shipped = work_stealing::chase_lev_deque<T, relacy_machine>;

work_stealing::chase_lev_orderings weakened;  // Read at run time: see mutation.hpp.
template <class T>
using weak_deque = work_stealing::chase_lev_deque<T, relacy_machine, weakened>;

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
      scenario<shipped>(two_thieves_growth,
                        {random(100'000), nightly(random(1'000'000)), deep(bound(2))}),
      scenario<shipped>(three_thieves, {bound(1), nightly(random(1'000'000)), deep(bound(2))}),
      sleeper<relacy_machine, shipped>("sleeper", "K1: the last look before sleep."),
  };
}

constexpr const char* steal_cas_in_e2 =
    "E3 needs the release alone, and E2 nothing: C++20 orders its fences through a value that a "
    "third thread wrote, and so does Relacy. Shipped as in the paper, whose C11 did not.";

matrix orderings() {
  using namespace deque_trials;
  matrix all =
      matrix_of("chase_lev_deque", "schedulers/work_stealing/protocols/chase_lev_deque.hpp",
                work_stealing::chase_lev_shipped, weakened, chase_lev_sites());
  all.trials = {
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
  };
  all.survivors = chase_lev_survivors(
      steal_cas_in_e2,
      "Continues the thieves' release sequence, being a read-modify-write, and reads the owner's "
      "own slot. Shipped as in the paper, so that its proof fits word for word: on x86 it costs "
      "nothing.",
      "The fence behind it makes it an acquire. Shipped as in the paper, so that its proof fits "
      "word for word: on x86 it costs nothing.");
  return all;
}

}  // namespace

suites all_suites() { return {scenarios(), {orderings()}}; }

}  // namespace stealbench::verify
