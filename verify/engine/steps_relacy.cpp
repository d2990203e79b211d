// The steps of the engine, left out one at a time (engine/steps.hpp): what the ordering matrices
// are to the protocols. The scripts are programs that whole schedulers run.
#include <utility>
#include <vector>

#include "schedulers/central_queue/scheduler.hpp"
#include "schedulers/engine/steps.hpp"
#include "schedulers/static_partition/scheduler.hpp"
#include "schedulers/work_sharing/scheduler.hpp"
#include "schedulers/work_stealing/scheduler.hpp"
#include "verify/engine/meetings.hpp"
#include "verify/engine/mutated.hpp"
#include "verify/engine/programs.hpp"
#include "verify/mutation.hpp"

namespace stealbench::verify {

suites all_suites() {
  using o = engine::engine_steps;
  using enum operation;
  using namespace programs;
  using stealing = work_stealing::scheduler_on<asymmetric>;
  using stealing_symmetric = work_stealing::scheduler_on<symmetric>;
  using sharing = work_sharing::scheduler_on<asymmetric>;
  constexpr cast three{.workers = 3};
  constexpr cast three_at_random{.workers = 3, .victim = work_stealing::victim_choice::random};
  const std::vector<trial> trials{
      script<stealing, start_and_stop>("start_and_stop"),
      script<stealing, forks>("forks", bound(3)),
      script<stealing, group>("group"),
      script<stealing, alike_children>("alike_children"),
      script<stealing, first_throws>("first_throws"),
      script<stealing, child_throws>("child_throws"),
      script<stealing, fork_meets>("fork_meets"),
      script<stealing_symmetric, fork_meets>("fork_meets_symmetric"),
      script<stealing, three_meet_in_a_chain, three>("three_meet_in_a_chain"),
      script<stealing_symmetric, three_meet_in_a_chain, three>("three_meet_in_a_chain_symmetric"),
      script<stealing, fork_meets_beside_a_child>("fork_meets_beside_a_child"),
      // One execution in some 100,000 kills hand_over_behind_wait; one of these does. Few do where
      // thieves go back to their victims.
      script<stealing, meet_behind_a_join, three_at_random>("meet_behind_a_join",
                                                            random(50'000, 330'000)),
      script<sharing, forks>("forks (work-sharing)"),
      script<central_queue::scheduler_on<asymmetric>, fork_meets>("fork_meets (central-queue)"),
      script<static_partition::scheduler_on<asymmetric>, forks>("forks (static-partition)"),
  };
  return {{},
          {matrix_of_search("search", trials),
           matrix_of<o>(
               "engine", "schedulers/engine/steps.hpp", engine::all_steps,
               {
                   {"expose", &o::expose, step, "wake_idle"},
                   {"register_at_latch", &o::register_at_latch, step, "wake_waiter"},
                   {"reset_latch", &o::reset_latch, step, "open_after_run"},
                   {"retire", &o::retire, step, "the queue's next push"},
                   {"await_when_first_throws", &o::await_when_first_throws, step, "open_after_run"},
                   {"open_after_run", &o::open_after_run, step, "the join"},
                   {"wake_waiter", &o::wake_waiter, step, "register_at_latch"},
                   {"wake_declined", &o::wake_declined, step, "register_at_latch"},
                   {"raise_children", &o::raise_children, step, "the sync"},
                   {"keep_error", &o::keep_error, step, "the sync"},
               },
               trials)}};
}

}  // namespace stealbench::verify
