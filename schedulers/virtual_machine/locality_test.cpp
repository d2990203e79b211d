// Where the parts of a loop run that runs again and again: the law of victim=mailbox, in simulated
// time.
#include <cstddef>
#include <vector>

#include <gtest/gtest.h>

#include "schedulers/virtual_machine/test_machine.hpp"
#include "schedulers/work_stealing/deques/chase_lev.hpp"

namespace stealbench::virtual_machine {
namespace {

using schedulers::loop_split;
using work_stealing::victim_choice;

struct swept {
  double share;    ///< Of the indices, those that ran where they ran in the sweep before.
  bool each_once;  ///< Whether each index ran once in each sweep.
};

/// Thirty sweeps over sixteen grains for each worker, one soon after the other: no worker sleeps.
swept sweep(unsigned workers, victim_choice victim, loop_split split) {
  constexpr std::size_t grain = 4;
  constexpr int sweeps = 30;
  const std::size_t count = 16 * grain * workers;
  std::vector<unsigned> ran_by(count, workers);
  std::vector<int> runs(count);
  std::size_t same = 0;
  const settings machine{.costs = round_costs,
                         .prices = {.fork = 2, .call = 1, .spawn = 2, .piece = 1},
                         .unit_ns = 1,
                         .job_stacks = workers};
  simulated(machine, [&] {
    schedulers::options options{.workers = workers, .stack_bytes = test_stack_bytes};
    options.stealing.victim = victim;
    options.split = split;
    work_stealing::deques::chase_lev::scheduler_on<virtual_machine::machine> scheduler(options);
    here.all->await_stillness();  // All threads have started.
    here.all->begin_window();
    scheduler.run([&](auto worker) {
      for (int i = 0; i < sweeps; ++i) {
        worker->parallel_for(0, count, grain, [&](auto w, std::size_t index) {
          const unsigned here = w->owner().index;
          if (ran_by[index] == here) ++same;
          ran_by[index] = here;
          ++runs[index];
          machine::work(1000);
        });
        machine::work(1000);
      }
    });
    static_cast<void>(here.all->end_window());
  });
  const bool each_once = std::vector<int>(count, sweeps) == runs;
  return {static_cast<double>(same) / static_cast<double>((sweeps - 1) * count), each_once};
}

TEST(Locality, OfALoopThatRunsAgainComesOfMailboxes) {
  for (const unsigned workers : {8U, 64U}) {
    for (const loop_split split : {loop_split::lazy, loop_split::automatic, loop_split::eager}) {
      const swept mailed = sweep(workers, victim_choice::mailbox, split);
      const swept random = sweep(workers, victim_choice::random, split);
      EXPECT_TRUE(mailed.each_once && random.each_once);
      EXPECT_GE(mailed.share, 0.6) << workers;
      EXPECT_LE(random.share, 0.3) << workers;
    }
  }
}

}  // namespace
}  // namespace stealbench::virtual_machine
