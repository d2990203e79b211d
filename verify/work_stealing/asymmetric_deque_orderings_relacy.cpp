// The ordering matrices of the asymmetric deque: with the system-wide fence, and with the two
// seq_cst fences that stand in for the pair where there is none.
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "schedulers/work_stealing/asymmetric_deque.hpp"
#include "verify/work_stealing/chase_lev_sites.hpp"
#include "verify/work_stealing/deque_script.hpp"

namespace stealbench::verify {
namespace {

// Not constant: the deque reads its orderings from here at run time, so a mutant needs no code.
work_stealing::chase_lev_orderings weakened;
template <class T>
using asymmetric = work_stealing::asymmetric_deque<T, relacy_machine, weakened>;
template <class T>
using symmetric = work_stealing::asymmetric_deque<T, relacy_symmetric_machine, weakened>;

template <template <class> class Deque>
trial script(const deque_trial& of, const search& deep) {
  return {of.name, of.thieves + 1, deep, [of](const search& s, std::ostream& log) {
            return play<Deque>(of.script, of.thieves, s, log);
          }};
}

template <template <class> class Deque>
std::vector<trial> scripts() {
  using namespace deque_trials;
  return {
      script<Deque>(another_job, bound(5)),
      script<Deque>(two_steals_one_pop, full),
      script<Deque>(two_jobs, bound(4)),
      script<Deque>(reuse, bound(4)),
      script<Deque>(growth, bound(4)),
      script<Deque>(everything, bound(2)),
      script<Deque>(two_thieves, bound(2)),
      script<Deque>(three_thieves, bound(1)),
      script<Deque>(push_push_pop, bound(3)),
      script<Deque>(refill, bound(3)),
      script<Deque>(growth_after_wrap_around, bound(2)),
  };
}

constexpr const char* steal_cas_in_e2 =
    "E3 needs the release alone, and E2 nothing: between the two fences the coherence of top "
    "suffices. As in the Chase–Lev deque, whose source this is.";

std::vector<matrix::survivor> survivors() {
  return {
      {"push_top", "*", justification::argued, push_top_by_control},
      {"steal_cas", "acq_rel", justification::equivalent, steal_cas_in_e2},
      {"steal_cas", "release", justification::equivalent, steal_cas_in_e2},
      {"steal_cas", "acquire", justification::invisible,
       "E3, the thief's end of push_top: `litmus/LB`."},
      {"steal_cas", "relaxed", justification::invisible,
       "E3, the thief's end of push_top: `litmus/LB`."},
      {"pop_cas", "*", justification::equivalent,
       "As in the Chase–Lev deque, whose source this is."},
      {"pop_bottom", "*", justification::invisible,
       "Needs C++20's shorter release sequence: `litmus/release_sequence`."},
      {"pop_bottom_restore", "*", justification::equivalent, restored_bottom_is_of_no_use},
      {"steal_top", "*", justification::equivalent,
       "The fence behind it makes it an acquire. As in the Chase–Lev deque, whose source this is."},
  };
}

template <template <class> class Deque>
matrix matrix_with(const char* name) {
  matrix all = matrix_of(name, "schedulers/work_stealing/asymmetric_deque.hpp",
                         work_stealing::asymmetric_shipped, weakened, chase_lev_sites());
  all.trials = scripts<Deque>();
  all.survivors = survivors();
  return all;
}

std::vector<matrix> matrices() {
  matrix system_wide = matrix_with<asymmetric>("asymmetric_deque");
  system_wide.survivors.push_back({"pop_fence", "*", justification::invisible,
                                   "The light fence is for the compiler, whom Relacy does not "
                                   "play: `litmus/SB+light+heavy`."});
  return {std::move(system_wide), matrix_with<symmetric>("asymmetric_deque without membarrier")};
}

}  // namespace
}  // namespace stealbench::verify

int main(int argc, char** argv) {
  using namespace stealbench::verify;
  // A negative test that weakens no ordering: the thief leaves out the fence before its last look.
  return run_checks(
      argc, argv,
      {sleeper<relacy_machine, asymmetric, false>("sleeper_unfenced", "K1: too early.")},
      matrices());
}
