// The shipped asymmetric deque in the scenarios of chase_lev_deque_relacy.cpp that its fences have
// a part in, and in some of its border, with either kind of pair: the light fence free and the
// heavy one system-wide, and both seq_cst, as where the kernel has no membarrier.
#include <vector>

#include "schedulers/work_stealing/protocols/asymmetric_deque.hpp"
#include "verify/work_stealing/deque_script.hpp"

namespace stealbench::verify {
namespace {

template <class T>
using asymmetric = work_stealing::asymmetric_deque<T, relacy_machine>;
template <class T>
using symmetric = work_stealing::asymmetric_deque<T, relacy_symmetric_machine>;

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
  return all;
}

}  // namespace

suites all_suites() { return {checks()}; }

}  // namespace stealbench::verify
