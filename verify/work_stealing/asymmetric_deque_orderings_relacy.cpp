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
trial script(const char* name, int thieves, const deque_script& played, const search& deep) {
  return {name, thieves + 1, deep,
          [=](const search& s, std::ostream& log) { return play<Deque>(played, thieves, s, log); }};
}

// The first script has a thief whose first look must see a job, or it has no second; and that job
// is gone by then, as its push lies before the fence of the steal, which orders it without E1.
template <template <class> class Deque>
std::vector<trial> scripts() {
  return {
      script<Deque>("another_job", 1, {2, 2, "+", "-+", 1}, bound(5)),
      script<Deque>("two_steals_one_pop", 1, {2, 2, "++", "-", 2}, full),
      script<Deque>("two_jobs", 1, {2, 2, "++", "--", 2}, bound(4)),
      script<Deque>("reuse", 1, {2, 2, "+", "-+-", 1}, bound(4)),
      script<Deque>("growth", 1, {1, 2, "+", "+-", 2}, bound(4)),
      script<Deque>("everything", 1, {1, 4, "+s", "++-+--", 3}, bound(2)),
      script<Deque>("two_thieves", 2, {2, 2, "", "++--", 1}, bound(2)),
      script<Deque>("three_thieves", 3, {2, 4, "", "+++--", 1}, bound(1)),
  };
}

constexpr const char* steal_cas_in_e2 =
    "E3 needs the release alone, and E2 nothing: between the two fences the coherence of top "
    "suffices. As in the Chase–Lev deque, whose source this is.";

std::vector<matrix::survivor> survivors() {
  return {
      {"push_top", "*", justification::invisible, "As in the Chase–Lev deque: `litmus/LB`."},
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
      {"pop_bottom_restore", "*", justification::invisible,
       "As pop_bottom: `litmus/release_sequence`."},
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
