// The shipped asymmetric deque in the scenarios of chase_lev_deque_relacy.cpp that its fences have
// a part in, and in some of its border, with either kind of pair: the light fence free and the
// heavy one system-wide, and both seq_cst, as where the kernel has no membarrier.
#include <string>
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
  const char* name;
  const char* sentence;
  int thieves;
  deque_script script;
  std::vector<search> searches;            // with the system-wide fence
  std::vector<search> symmetric_searches;  // with two seq_cst fences
};

std::vector<row> rows() {
  const search sample = random(100'000);
  return {
      {"push_and_steal", "A job is stolen as it is pushed.", 1, {2, 2, "", "+", 1}, {full}, {full}},
      {"last_element",
       "Owner and thief want the only job.",
       1,
       {2, 2, "+", "-", 1},
       {bound(5), deep(full)},
       {bound(4), deep(full)}},
      {"push_pop_steal",
       "A thief meets a push and the pop after it.",
       1,
       {2, 2, "", "+-", 1},
       {bound(4), sample, deep(full)},
       {bound(4), sample}},
      {"two_steals_one_pop",
       "The shortest script that breaks E2: the owner pops without an exchange.",
       1,
       {2, 2, "++", "-", 2},
       {bound(4), sample},
       {bound(4), sample}},
      {"two_jobs",
       "Pops and steals close in on each other.",
       1,
       {2, 2, "++", "--", 2},
       {bound(4), sample, deep(bound(5))},
       {nightly(bound(4)), sample}},
      {"public_job",
       "One heavy fence makes two jobs public; owner and thief want the second.",
       1,
       {4, 4, "+++", "--", 2},
       {bound(4), sample, deep(bound(5))},
       {nightly(bound(4)), sample}},
      {"emptied",
       "The owner takes the last public job, and goes on where all is private.",
       1,
       {2, 2, "+", "-++--", 3},
       {bound(3), sample},
       {nightly(bound(3)), sample}},
      {"reuse",
       "A slot and an index are used anew under a slow thief.",
       1,
       {2, 2, "+", "-+-", 1},
       {bound(4), sample},
       {bound(4), sample}},
      {"growth",
       "A buffer of 1 grows to 2 under a thief.",
       1,
       {1, 2, "+", "+-", 1},
       {bound(4), sample},
       {bound(4), sample}},
      {"push_refused",
       "At its maximal capacity a push succeeds only if a steal did.",
       1,
       {1, 1, "+", "+-", 2},
       {bound(4), sample},
       {bound(4), sample}},
      {"everything",
       "Growth, wrap-around, reuse and the last job in one script.",
       1,
       {1, 4, "+s", "++-+--", 3},
       {nightly(bound(3)), sample},
       {bound(2), sample}},
      {"two_thieves",
       "Two jobs, and three who want them.",
       2,
       {2, 2, "", "++--", 1},
       {bound(2), random(300'000), deep(bound(3))},
       {nightly(bound(2)), random(300'000), deep(bound(3))}},
      {"two_thieves_last_element",
       "Two thieves and the owner want the only job.",
       2,
       {2, 2, "+", "-", 1},
       {bound(2), random(300'000)},
       {bound(2), random(300'000)}},
      {"public_job_two_thieves",
       "A thief steals by the border that another one has moved.",
       2,
       {4, 4, "+++", "--", 2},
       {nightly(bound(2)), random(300'000)},
       {bound(1), random(300'000)}},
      {"two_thieves_growth",
       "Two thieves, one of whom may hold the old buffer.",
       2,
       {1, 4, "", "+++--", 2},
       {bound(1), random(300'000)},
       {bound(1), random(300'000)}},
      {"three_thieves",
       "Three jobs, and four who want them.",
       3,
       {2, 4, "", "+++--", 1},
       {nightly(bound(1)), random(300'000)},
       {random(300'000)}},
  };
}

std::vector<check> checks() {
  std::vector<check> all;
  for (const row& of : rows()) {
    all.push_back(scenario<asymmetric>(of.name, of.sentence, of.thieves, of.script, of.searches));
    all.push_back(scenario<symmetric>(of.name + std::string("_symmetric"), of.sentence, of.thieves,
                                      of.script, of.symmetric_searches));
  }
  all.push_back(sleeper<relacy_machine, asymmetric>("sleeper", "K1: the last look before sleep."));
  all.push_back(sleeper<relacy_symmetric_machine, symmetric>("sleeper_symmetric", "K1, the same."));
  return all;
}

}  // namespace
}  // namespace stealbench::verify

int main(int argc, char** argv) {
  return stealbench::verify::run_checks(argc, argv, stealbench::verify::checks());
}
