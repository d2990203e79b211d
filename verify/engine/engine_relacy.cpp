// The whole engine as it ships, with one strategy: start-up, run, forks, groups, loops, exceptions,
// sleep and stop, on Relacy's machine. Compiled once per in-house strategy and deque.
#include <ostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "verify/engine/meetings.hpp"
#include "verify/engine/playing.hpp"
#include "verify/engine/programs.hpp"
#include "verify/explore.hpp"

#include STEALBENCH_SCHEDULER_HEADER

namespace stealbench::verify {
namespace {

template <class M>
using subject = STEALBENCH_SCHEDULER_ON<M>;

template <template <class> class Program, class M = relacy_machine, cast Cast = cast{}>
check plays(std::string name, std::vector<search> searches) {
  using program = Program<M>;
  return {std::move(name), program::claim, std::move(searches),
          [](const search& s, std::ostream& log) {
            return explore<playing<subject<M>, program, Cast>>(s, log);
          }};
}

template <class Scheduler>
concept has_migrating_fibers = requires {
  Scheduler::fibers_migrate;
};

constexpr bool gives_at_forks_alone = subject<relacy_machine>::can.give_at_forks_alone;

constexpr cast three{.workers = 3};
constexpr cast guided{.split = schedulers::loop_split::guided};
constexpr cast guided_3{.workers = 3, .split = schedulers::loop_split::guided};
constexpr cast leaping{.join = schedulers::join_policy::leapfrog};
constexpr cast waiting{.join = schedulers::join_policy::wait};
constexpr cast three_searching{.workers = 3, .searchers = schedulers::searcher_limit::all};
constexpr cast exposing{.expose = work_stealing::exposure::always};
constexpr cast three_exposing{.workers = 3, .expose = work_stealing::exposure::always};
constexpr cast beating{.expose = work_stealing::exposure::heartbeat};

std::vector<check> checks() {
  using symmetric = relacy_symmetric_machine;
  using namespace programs;
  const std::vector<search> few_steps{bound(2), random(10'000)};
  const std::vector<search> many_steps{bound(1), random(10'000)};
  const std::vector<search> very_many_steps{random(5'000)};
  const std::vector<search> few_and_deep{bound(2), random(10'000), deep(bound(3))};
  const std::vector<search> many_and_deep{bound(1), random(10'000), deep(bound(2))};
  // Half a million executions where fibers migrate, and a deque has fences as well.
  const bool migrates = has_migrating_fibers<subject<relacy_machine>>;
  std::vector<check> all{
      plays<start_and_stop>("start_and_stop", few_steps),
      plays<forks>("forks", few_and_deep),
      plays<forks, symmetric>("forks_symmetric", few_steps),
      plays<fork_tree>("fork_tree", many_steps),
      plays<group>("group", few_and_deep),
      plays<full_stack>("full_stack", very_many_steps),
  };
  if (gives_at_forks_alone) {
    const std::vector<check> others{
        plays<forks_until_met>("forks_until_met", very_many_steps),
        plays<forks_until_met, symmetric>("forks_until_met_symmetric", very_many_steps),
        plays<forks_until_met, relacy_machine, three>("forks_until_met_3", very_many_steps),
        plays<fork_tree, relacy_machine, leaping>("fork_tree_leapfrog", many_steps),
        plays<fork_tree, relacy_machine, three>("fork_tree_3", many_steps),
        plays<fork_tree, relacy_machine, waiting>("fork_tree_waiting", many_steps),
        plays<groups>("groups", few_steps),
        plays<loop>("loop", few_steps),
    };
    all.insert(all.end(), others.begin(), others.end());
    return all;  // No other worker runs a job under a leaf, as the programs want that follow.
  }
  const std::vector<check> meetings{
      plays<fork_meets>("fork_meets", few_and_deep),
      plays<fork_meets, symmetric>("fork_meets_symmetric", few_and_deep),
      plays<three_meet_in_a_chain, relacy_machine, three>("three_meet_in_a_chain", many_and_deep),
      plays<three_meet_in_a_chain, symmetric, three>("three_meet_in_a_chain_symmetric",
                                                     migrates ? very_many_steps : many_steps),
  };
  all.insert(all.end(), meetings.begin(), meetings.end());
  // A team's parts are its own, and who places jobs may place two on one worker.
  if (!subject<relacy_machine>::policy::directed &&
      !subject<relacy_machine>::policy::team::is_fixed) {
    const std::vector<search> long_random{random(50'000)};
    all.push_back(
        plays<meet_behind_a_join, relacy_machine, three>("meet_behind_a_join", long_random));
    all.push_back(
        plays<meet_behind_a_join, symmetric, three>("meet_behind_a_join_symmetric", long_random));
  }
  // Work sharing may place the second fork's job, or the second run's, on the very worker that
  // waits for it.
  const bool leaves_jobs_to_any = std::string_view(subject<relacy_machine>::name) != "work-sharing";
  if (leaves_jobs_to_any) {
    all.push_back(plays<fork_then_meet>("fork_then_meet", few_steps));
    all.push_back(
        plays<fork_then_three_meet, relacy_machine, three>("fork_then_three_meet", many_steps));
  }
#ifndef STEALBENCH_ANOTHER_DEQUE
  if (std::string_view(subject<relacy_machine>::name) == "work-stealing") {
    const std::vector<check> exposures{
        plays<forks, relacy_machine, exposing>("forks_exposed", few_steps),
        plays<fork_meets, relacy_machine, exposing>("fork_meets_exposed", few_steps),
        plays<fork_meets, symmetric, exposing>("fork_meets_exposed_symmetric", few_steps),
        plays<fork_then_meet, relacy_machine, exposing>("fork_then_meet_exposed", few_steps),
        plays<three_meet_in_a_chain, relacy_machine, three_exposing>(
            "three_meet_in_a_chain_exposed", many_steps),
        plays<forks, relacy_machine, beating>("forks_at_beats", many_steps),
        plays<fork_tree, relacy_machine, beating>("fork_tree_at_beats", very_many_steps),
        plays<group, relacy_machine, beating>("group_at_beats", very_many_steps),
        plays<loop, relacy_machine, beating>("loop_at_beats", many_steps),
        plays<forks_until_met, relacy_machine, beating>("forks_until_met_at_beats",
                                                        very_many_steps),
        plays<forks_until_met, symmetric, beating>("forks_until_met_at_beats_symmetric",
                                                   very_many_steps),
    };
    all.insert(all.end(), exposures.begin(), exposures.end());
  }
#endif
#ifndef STEALBENCH_ANOTHER_DEQUE  // The rest of the engine is the same as with the default.
  const std::vector<check> others{
      plays<start_and_stop, symmetric, three>("start_and_stop_3", many_steps),
      plays<fork_tree, relacy_machine, three>("fork_tree_3", many_steps),
      plays<fork_in_frame>("fork_in_frame", few_steps),
      plays<loop>("loop", few_steps),
      plays<group, relacy_machine, three>("group_3", many_steps),
      plays<groups>("groups", few_steps),
      plays<loop_throws>("loop_throws", few_steps),
      plays<first_throws>("first_throws", few_steps),
      plays<second_throws>("second_throws", few_steps),
      plays<both_throw>("both_throw", few_steps),
      plays<child_throws>("child_throws", few_steps),
      plays<full_stack_of_forks>("full_stack_of_forks", very_many_steps),
      plays<group_meets>("group_meets", few_steps),
      plays<three_meet_in_a_group, relacy_machine, three>("three_meet_in_a_group", many_steps),
  };
  all.insert(all.end(), others.begin(), others.end());
  using counting = subject<relacy_machine>::counting_variant;
  all.push_back({"counted_forks", counted_forks<relacy_machine>::claim, many_steps,
                 [](const search& s, std::ostream& log) {
                   return explore<playing<counting, counted_forks<relacy_machine>>>(s, log);
                 }});
  if (leaves_jobs_to_any) all.push_back(plays<fork_meets_twice>("fork_meets_twice", few_steps));
#endif
#ifndef STEALBENCH_ANOTHER_DEQUE
  if (!subject<relacy_machine>::policy::directed) {
    all.push_back(plays<loop, relacy_machine, guided>("loop_guided", few_steps));
    all.push_back(plays<loop, relacy_machine, guided_3>("loop_guided_3", many_steps));
    all.push_back(plays<loop_throws, relacy_machine, guided>("loop_throws_guided", few_steps));
  }
#endif
  if (std::string_view(subject<relacy_machine>::name) == "work-stealing") {
    all.push_back(plays<fork_tree, relacy_machine, leaping>("fork_tree_leapfrog", many_steps));
    all.push_back(plays<fork_tree, relacy_machine, waiting>("fork_tree_waiting", many_steps));
    all.push_back(plays<three_meet_in_a_chain, relacy_machine, three_searching>(
        "three_meet_in_a_chain_all_searching", many_steps));
  }
  return all;
}

}  // namespace
}  // namespace stealbench::verify

int main(int argc, char** argv) {
  using namespace stealbench::verify;
  std::vector<check> all = checks();
#ifdef STEALBENCH_NIGHTLY
  for (check& each : all) {
    for (search& s : each.searches) {
      if (s.label == "long") s = nightly(s);
    }
  }
#endif
  return run_checks(argc, argv, all);
}
