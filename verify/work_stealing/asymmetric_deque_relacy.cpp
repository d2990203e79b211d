// The shipped asymmetric deque in the scenarios of chase_lev_deque_relacy.cpp that its fences have
// a part in, and in some of its border, and the ordering matrices of ring and border. All with
// either kind of pair: the light fence free and the heavy one system-wide, and both seq_cst, as
// where the kernel has no membarrier.
#include <utility>
#include <vector>

#include "schedulers/work_stealing/protocols/asymmetric_deque.hpp"
#include "verify/work_stealing/chase_lev_sites.hpp"
#include "verify/work_stealing/deque_script.hpp"

namespace stealbench::verify {
namespace {

template <class T>
using asymmetric = work_stealing::asymmetric_deque<T, relacy_machine>;
template <class T>
using symmetric = work_stealing::asymmetric_deque<T, relacy_symmetric_machine>;

work_stealing::chase_lev_orderings weak_ring;  // Read at run time: see mutation.hpp.
work_stealing::border_orderings weak_border;
template <class T>
using weak_asymmetric = work_stealing::asymmetric_deque<T, relacy_machine, weak_ring, weak_border>;
template <class T>
using weak_symmetric =
    work_stealing::asymmetric_deque<T, relacy_symmetric_machine, weak_ring, weak_border>;

struct row {
  deque_trial script;
  std::vector<search> searches;            // with the system-wide fence
  std::vector<search> symmetric_searches;  // with two seq_cst fences
};

std::vector<check> checks() {
  using namespace deque_trials;
  const search sample = random(100'000);
  const search large = random(300'000);
  constexpr deque_trial growth("growth", 1, growth_from_one.script, growth_from_one.claim);
  constexpr deque_trial emptied(
      "emptied", 1, {2, 2, "+", "-++--", 3},
      "The owner takes the last public job, and goes on where all is private.");
  constexpr deque_trial public_job_two_thieves(
      "public_job_two_thieves", 2, {4, 4, "+++", "--", 2},
      "A thief steals by the border that another one has moved.");
  const row rows[]{
      {push_and_steal, {full}, {full}},
      {last_element, {bound(5), deep(full)}, {bound(4), deep(full)}},
      {push_pop_steal, {bound(4), sample, deep(full)}, {bound(4), sample}},
      {two_steals_one_pop, {bound(4), sample}, {bound(4), sample}},
      {two_jobs, {bound(4), sample, deep(bound(5))}, {nightly(bound(4)), sample}},
      {public_job, {bound(4), sample, deep(bound(5))}, {nightly(bound(4)), sample}},
      {emptied, {bound(3), sample}, {nightly(bound(3)), sample}},
      {reuse, {bound(4), sample}, {bound(4), sample}},
      {growth, {bound(4), sample}, {bound(4), sample}},
      {push_refused, {bound(4), sample}, {bound(4), sample}},
      {everything, {nightly(bound(3)), sample}, {bound(2), sample}},
      {two_thieves, {bound(2), large, deep(bound(3))}, {nightly(bound(2)), large, deep(bound(3))}},
      {two_thieves_last_element, {bound(2), large}, {bound(2), large}},
      {public_job_two_thieves, {nightly(bound(2)), large}, {bound(1), large}},
      {two_thieves_growth, {bound(1), large}, {bound(1), large}},
      {three_thieves, {nightly(bound(1)), large}, {large}},
  };
  std::vector<check> all;
  for (const row& each : rows) {
    all.push_back(scenario<asymmetric>(each.script, each.searches));
    all.push_back(scenario<symmetric>(each.script, each.symmetric_searches, "_symmetric"));
  }
  all.push_back(sleeper<relacy_machine, asymmetric>("sleeper", "K1: the last look before sleep."));
  all.push_back(sleeper<relacy_symmetric_machine, symmetric>("sleeper_symmetric", "K1, the same."));
  // A negative test that weakens no ordering: the thief leaves out the fence before its last look.
  all.push_back(sleeper<relacy_machine, asymmetric, false>("sleeper_unfenced", "K1: too early."));
  return all;
}

std::vector<site_of<work_stealing::border_orderings>> border_sites() {
  using o = work_stealing::border_orderings;
  using enum operation;
  return {
      {"owner_announced", &o::owner_announced, load, "ordered by light"},
      {"announce_load", &o::announce_load, load, "no thief relies on it alone"},
      {"announce", &o::announce, read_modify_write, "ordered by heavy"},
      {"establish_load", &o::establish_load, load, "no thief relies on it alone"},
      {"establish", &o::establish, read_modify_write, "released by heavy"},
      {"thief_established", &o::thief_established, load, "acquired by steal_fence"},
      {"light", &o::light, step, "E5: heavy"},
      {"heavy", &o::heavy, step, "E5: light"},
  };
}

template <template <class> class Deque>
std::vector<trial> scripts() {
  using namespace deque_trials;
  return {
      script<Deque>(another_job, bound(4)),
      script<Deque>(two_steals_one_pop, bound(3)),
      script<Deque>(two_jobs, bound(3)),
      script<Deque>(public_job, bound(3)),
      script<Deque>(public_job_two_thieves, bound(2)),
      script<Deque>(emptied, bound(3)),
      script<Deque>(reuse, bound(3)),
      script<Deque>(growth, bound(3)),
      script<Deque>(everything, bound(2)),
      script<Deque>(two_thieves, bound(2)),
      script<Deque>(push_push_pop, bound(3)),
      script<Deque>(refill, bound(3)),
      script<Deque>(growth_after_wrap_around, bound(2)),
  };
}

constexpr const char* steal_cas_in_e2 =
    "E3 needs the release alone, and E2 nothing: between the two fences the coherence of top "
    "suffices. As in the Chase–Lev deque, whose source this is.";

constexpr const char* header = "schedulers/work_stealing/protocols/asymmetric_deque.hpp";

template <template <class> class Deque>
matrix ring_with(const char* name) {
  matrix all =
      matrix_of(name, header, work_stealing::chase_lev_shipped, weak_ring, chase_lev_sites());
  all.trials = scripts<Deque>();
  all.survivors = chase_lev_survivors(
      steal_cas_in_e2, "As in the Chase–Lev deque, whose source this is.",
      "The fence behind it makes it an acquire. As in the Chase–Lev deque, whose source this is.");
  return all;
}

template <template <class> class Deque>
matrix border_with(const char* name) {
  matrix all = matrix_of(name, header, work_stealing::border_shipped, weak_border, border_sites());
  all.trials = scripts<Deque>();
  return all;
}

std::vector<matrix> matrices() {
  matrix system_wide = border_with<weak_asymmetric>("asymmetric_deque border");
  system_wide.survivors.push_back({"light", "*", justification::invisible,
                                   "The light fence is for the compiler, whom Relacy does not "
                                   "play: `litmus/SB+light+heavy`."});
  matrix symmetric_ring = ring_with<weak_symmetric>("asymmetric_deque without membarrier");
  symmetric_ring.survivors.push_back({"pop_fence", "*", justification::equivalent,
                                      "The light fence before it is a seq_cst one here. Shipped "
                                      "for machines with a membarrier, where that is none."});
  symmetric_ring.is_nightly = true;
  matrix symmetric_border =
      border_with<weak_symmetric>("asymmetric_deque border without membarrier");
  symmetric_border.is_nightly = true;
  return {ring_with<weak_asymmetric>("asymmetric_deque"), std::move(symmetric_ring),
          std::move(system_wide), std::move(symmetric_border)};
}

}  // namespace

suites all_suites() { return {checks(), matrices()}; }

}  // namespace stealbench::verify
