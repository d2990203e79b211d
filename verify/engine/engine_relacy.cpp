// The whole engine as it ships, with one strategy: start-up, run, forks, groups, loops, exceptions,
// sleep and stop, on Relacy's machine. Compiled once per in-house strategy and deque.
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
  return verify::plays<subject<M>, Program, Cast>(std::move(name), std::move(searches));
}

template <class Scheduler>
concept has_migrating_fibers = requires {
  Scheduler::fibers_migrate;
};

constexpr cast three{.workers = 3};
constexpr cast leaping{.join = schedulers::join_policy::leapfrog};
constexpr cast waiting{.join = schedulers::join_policy::wait};
constexpr cast three_searching{.workers = 3, .searchers = schedulers::searcher_limit::all};

using machine = relacy_machine;
using symmetric = relacy_symmetric_machine;
using shipped = subject<machine>;
using namespace programs;
constexpr bool is_work_stealing = std::string_view(shipped::name) == "work-stealing";
// Work sharing may place the second fork's job, or the second run's, on the very worker that waits
// for it.
constexpr bool leaves_jobs_to_any = std::string_view(shipped::name) != "work-sharing";

const std::vector<search> few_steps{bound(2), random(10'000)};
const std::vector<search> many_steps{bound(1), random(10'000)};
const std::vector<search> very_many_steps{random(5'000)};
const std::vector<search> few_and_deep{bound(2), random(10'000), deep(bound(3))};
const std::vector<search> many_and_deep{bound(1), random(10'000), deep(bound(2))};
const std::vector<search> long_random{random(50'000)};

using checks = std::vector<check>;
void add(checks& all, const checks& more) { all.insert(all.end(), more.begin(), more.end()); }

// No other worker runs a job under a leaf, as the other programs want.
checks with_forks_alone() {
  return {
      plays<forks_until_met>("forks_until_met", very_many_steps),
      plays<forks_until_met, symmetric>("forks_until_met_symmetric", very_many_steps),
      plays<forks_until_met, machine, three>("forks_until_met_3", very_many_steps),
      plays<fork_tree, machine, leaping>("fork_tree_leapfrog", many_steps),
      plays<fork_tree, machine, three>("fork_tree_3", many_steps),
      plays<fork_tree, machine, waiting>("fork_tree_waiting", many_steps),
      plays<groups>("groups", few_steps),
      plays<loop>("loop", few_steps),
  };
}

void add_meetings(checks& all) {
  // Half a million executions where fibers migrate, and a deque has fences as well.
  const bool migrates = has_migrating_fibers<shipped>;
  add(all, {
               plays<fork_meets>("fork_meets", few_and_deep),
               plays<fork_meets, symmetric>("fork_meets_symmetric", few_and_deep),
               plays<three_meet_in_a_chain, machine, three>("three_meet_in_a_chain", many_and_deep),
               plays<three_meet_in_a_chain, symmetric, three>(
                   "three_meet_in_a_chain_symmetric", migrates ? very_many_steps : many_steps),
           });
  // A team's parts are its own, and who places jobs may place two on one worker.
  if (!shipped::policy::directed && !shipped::policy::team::is_fixed) {
    add(all,
        {plays<meet_behind_a_join, machine, three>("meet_behind_a_join", long_random),
         plays<meet_behind_a_join, symmetric, three>("meet_behind_a_join_symmetric", long_random)});
  }
  if (leaves_jobs_to_any) {
    add(all, {plays<fork_then_meet>("fork_then_meet", few_steps),
              plays<fork_then_three_meet, machine, three>("fork_then_three_meet", many_steps)});
  }
  if (is_work_stealing) {
    add(all, {plays<fork_tree, machine, leaping>("fork_tree_leapfrog", many_steps),
              plays<fork_tree, machine, waiting>("fork_tree_waiting", many_steps),
              plays<three_meet_in_a_chain, machine, three_searching>(
                  "three_meet_in_a_chain_all_searching", many_steps)});
  }
}

#ifndef STEALBENCH_ANOTHER_DEQUE  // The rest of the engine is the same as with the default.
constexpr cast guided{.split = schedulers::loop_split::guided};
constexpr cast guided_3{.workers = 3, .split = schedulers::loop_split::guided};
constexpr cast exposing{.expose = work_stealing::exposure::always};
constexpr cast three_exposing{.workers = 3, .expose = work_stealing::exposure::always};
constexpr cast beating{.expose = work_stealing::exposure::heartbeat};

checks with_exposure() {
  return {
      plays<forks, machine, exposing>("forks_exposed", few_steps),
      plays<fork_meets, machine, exposing>("fork_meets_exposed", few_steps),
      plays<fork_meets, symmetric, exposing>("fork_meets_exposed_symmetric", few_steps),
      plays<fork_then_meet, machine, exposing>("fork_then_meet_exposed", few_steps),
      plays<three_meet_in_a_chain, machine, three_exposing>("three_meet_in_a_chain_exposed",
                                                            many_steps),
      plays<alike_children, machine, three_exposing>("alike_children_exposed", many_steps),
      plays<forks, machine, beating>("forks_at_beats", many_steps),
      plays<fork_tree, machine, beating>("fork_tree_at_beats", very_many_steps),
      plays<group, machine, beating>("group_at_beats", very_many_steps),
      plays<loop, machine, beating>("loop_at_beats", many_steps),
      plays<forks_until_met, machine, beating>("forks_until_met_at_beats", very_many_steps),
      plays<forks_until_met, symmetric, beating>("forks_until_met_at_beats_symmetric",
                                                 very_many_steps),
  };
}

void add_others(checks& all) {
  if (is_work_stealing) add(all, with_exposure());
  add(all, {
               plays<start_and_stop, symmetric, three>("start_and_stop_3", many_steps),
               plays<fork_tree, machine, three>("fork_tree_3", many_steps),
               plays<fork_in_frame>("fork_in_frame", few_steps),
               plays<loop>("loop", few_steps),
               plays<group, machine, three>("group_3", many_steps),
               plays<groups>("groups", few_steps),
               plays<alike_children>("alike_children", few_steps),
               plays<loop_throws>("loop_throws", few_steps),
               plays<first_throws>("first_throws", few_steps),
               plays<second_throws>("second_throws", few_steps),
               plays<both_throw>("both_throw", few_steps),
               plays<child_throws>("child_throws", few_steps),
               plays<full_stack_of_forks>("full_stack_of_forks", very_many_steps),
               plays<group_meets>("group_meets", few_steps),
               plays<three_meet_in_a_group, machine, three>("three_meet_in_a_group", many_steps),
               verify::plays<shipped::counting_variant, counted_forks>("counted_forks", many_steps),
           });
  if (leaves_jobs_to_any) add(all, {plays<fork_meets_twice>("fork_meets_twice", few_steps)});
  if (!shipped::policy::directed) {
    add(all, {plays<loop, machine, guided>("loop_guided", few_steps),
              plays<loop, machine, guided_3>("loop_guided_3", many_steps),
              plays<loop_throws, machine, guided>("loop_throws_guided", few_steps)});
  }
}
#endif

}  // namespace

suites all_suites() {
  checks all{
      plays<start_and_stop>("start_and_stop", few_steps),
      plays<forks>("forks", few_and_deep),
      plays<forks, symmetric>("forks_symmetric", few_steps),
      plays<fork_tree>("fork_tree", many_steps),
      plays<group>("group", few_and_deep),
      plays<full_stack>("full_stack", very_many_steps),
  };
  if (shipped::can.give_at_forks_alone) {
    add(all, with_forks_alone());
  } else {
    add_meetings(all);
#ifndef STEALBENCH_ANOTHER_DEQUE
    add_others(all);
#endif
  }
  return {std::move(all)};
}

}  // namespace stealbench::verify
