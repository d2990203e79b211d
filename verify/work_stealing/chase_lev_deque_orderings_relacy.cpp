// The ordering matrix of the Chase–Lev deque.
#include "schedulers/work_stealing/protocols/chase_lev_deque.hpp"
#include "verify/work_stealing/chase_lev_sites.hpp"
#include "verify/work_stealing/deque_script.hpp"

namespace stealbench::verify {
namespace {

work_stealing::chase_lev_orderings weakened;  // Read at run time: see mutation.hpp.
template <class T>
using weak_deque = work_stealing::chase_lev_deque<T, relacy_machine, weakened>;

constexpr const char* steal_cas_in_e2 =
    "E3 needs the release alone, and E2 nothing: C++20 orders its fences through a value that a "
    "third thread wrote, and so does Relacy. Shipped as in the paper, whose C11 did not.";

matrix chase_lev() {
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

suites all_suites() { return {{}, {chase_lev()}}; }

}  // namespace stealbench::verify
