// The shipped Chase–Lev deque in the scenarios of its protocol page. Full search wherever it ends
// within a minute; longer scripts by context bound; random search on top, as it alone looks two
// values back at every load.
#include <utility>
#include <vector>

#include "schedulers/work_stealing/protocols/chase_lev_deque.hpp"
#include "verify/work_stealing/deque_script.hpp"

namespace stealbench::verify {
namespace {

template <class T>
using shipped = work_stealing::chase_lev_deque<T, relacy_machine>;

std::vector<check> one_thief() {
  return {
      scenario<shipped>("push_and_steal", "A job is stolen as it is pushed.", 1,  //
                        {2, 2, "", "+", 1}, {full}),
      scenario<shipped>("last_element", "Owner and thief want the only job.", 1,  //
                        {2, 2, "+", "-", 1}, {full}),
      scenario<shipped>("push_pop_steal", "A thief meets a push and the pop after it.", 1,
                        {2, 2, "", "+-", 1}, {full, random(100'000)}),
      scenario<shipped>("two_jobs", "Pops and steals close in on each other.", 1,  //
                        {2, 2, "++", "--", 2}, {bound(6), random(100'000), deep(full)}),
      scenario<shipped>("reuse", "A slot and an index are used anew under a slow thief.", 1,
                        {2, 2, "+", "-+-", 1}, {nightly(full), random(100'000)}),
      scenario<shipped>("wrap_around", "The indices have passed the end of the buffer.", 1,
                        {2, 2, "+s+", "+-", 1}, {full, random(100'000)}),
      scenario<shipped>("growth_from_one", "A buffer of 1 grows to 2 under a thief.", 1,  //
                        {1, 2, "+", "+-", 1}, {nightly(full), random(100'000)}),
      scenario<shipped>("growth_from_two", "A buffer of 2 grows to 4 under a thief.", 1,  //
                        {2, 4, "++", "+", 1}, {full, random(100'000)}),
      scenario<shipped>("growth_after_wrap_around", "It grows while the jobs lie across its end.",
                        1, {2, 4, "+s++", "+", 1}, {full, random(100'000)}),
      scenario<shipped>("growth_twice", "A thief may hold a buffer that was replaced twice.", 1,
                        {1, 4, "+", "++", 2}, {nightly(bound(4)), random(100'000)}),
      scenario<shipped>("push_refused",
                        "At its maximal capacity a push succeeds only if a steal did.", 1,
                        {1, 1, "+", "+-", 2}, {nightly(full), random(100'000)}),
      scenario<shipped>("everything", "Growth, wrap-around, reuse and the last job in one script.",
                        1, {1, 4, "+s", "++-+--", 3}, {bound(3), random(100'000), deep(bound(5))}),
  };
}

std::vector<check> more_thieves() {
  return {
      scenario<shipped>("two_thieves_push", "Two thieves want a job as it is pushed.", 2,
                        {2, 2, "", "+", 1}, {full}),
      scenario<shipped>("two_thieves_last_element", "Two thieves and the owner want the only job.",
                        2, {2, 2, "+", "-", 1},
                        {bound(4), nightly(random(1'000'000)), deep(bound(6))}),
      scenario<shipped>("two_thieves", "Two jobs, and three who want them.", 2,  //
                        {2, 2, "", "++--", 1},
                        {bound(3), nightly(random(1'000'000)), deep(bound(4))}),
      scenario<shipped>("two_thieves_growth", "Two thieves, one of whom may hold the old buffer.",
                        2, {1, 4, "", "+++--", 2}, {random(1'000'000), deep(bound(2))}),
      scenario<shipped>("three_thieves", "Three jobs, and four who want them.", 3,  //
                        {2, 4, "", "+++--", 1},
                        {bound(1), nightly(random(1'000'000)), deep(bound(2))}),
  };
}

std::vector<check> scenarios() {
  std::vector<check> all = one_thief();
  for (check& c : more_thieves()) all.push_back(std::move(c));
  all.push_back(sleeper<relacy_machine, shipped>("sleeper", "K1: the last look before sleep."));
  return all;
}

}  // namespace
}  // namespace stealbench::verify

int main(int argc, char** argv) {
  return stealbench::verify::run_checks(argc, argv, stealbench::verify::scenarios());
}
