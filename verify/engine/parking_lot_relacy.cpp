// The orderings of schedulers/engine/parking_lot.hpp, weakened under whole schedulers. Invariant:
// no job is left while all who may take it sleep (Relacy: deadlock). With both kinds of fence:
// system- wide (membarrier), and the symmetric pair of machines that have none. The lot as it ships
// is checked with the engine, in engine_relacy.cpp.
#include <utility>
#include <vector>

#include "schedulers/central_queue/scheduler.hpp"
#include "schedulers/engine/parking_lot.hpp"
#include "schedulers/work_sharing/scheduler.hpp"
#include "schedulers/work_stealing/scheduler.hpp"
#include "verify/engine/meetings.hpp"
#include "verify/engine/mutated.hpp"
#include "verify/mutation.hpp"

namespace stealbench::verify {
namespace {

template <class M>
matrix orderings(const char* name) {
  using o = engine::parking_lot_orderings;
  using enum operation;
  using namespace programs;
  matrix all = matrix_of<o>(
      name, "schedulers/engine/parking_lot.hpp", engine::parking_lot_shipped, weakened_lot,
      {
          {"look_at_idle", &o::look_at_idle, load, "K1: ordered by the fence before it"},
          {"count_searcher", &o::count_searcher, read_modify_write, "says nothing about jobs"},
          {"leave_search", &o::leave_search, read_modify_write, "K1: ordered by the heavy fence"},
          {"fall_asleep", &o::fall_asleep, read_modify_write, "K1: ordered by the heavy fence"},
          {"wake_up", &o::wake_up, read_modify_write, "under the mutex"},
          {"light", &o::light, step, "K1: heavy"},
          {"heavy", &o::heavy, step, "K1: light, or the compiler fence"},
          {"always_look", &o::always_look, step, "K1: sends anyone_idle() on to light"},
      });
  constexpr cast three{.workers = 3};
  all.trials = {
      script<work_stealing::scheduler_on<M>, fork_meets>("fork_meets (work-stealing)", bound(3)),
      script<work_stealing::scheduler_on<M>, three_meet_in_a_chain, three>(
          "three_meet_in_a_chain (work-stealing)"),
      script<central_queue::scheduler_on<M>, fork_meets>("fork_meets (central-queue)", bound(3)),
      script<work_sharing::scheduler_on<M>, fork_meets>("fork_meets (work-sharing)", bound(3)),
  };
  return all;
}

std::vector<matrix> matrices() {
  matrix system_wide = orderings<asymmetric>("parking_lot");
  system_wide.survivors = {
      {"light", "left out", justification::invisible,
       "The light fence is for the compiler, whom Relacy does not play: "
       "`litmus/SB+light+heavy`."},
      {"always_look", "left out", justification::equivalent,
       "Of no effect where the heavy fence is system-wide."},
  };
  return {std::move(system_wide), orderings<symmetric>("parking_lot without membarrier")};
}

}  // namespace
}  // namespace stealbench::verify

int main(int argc, char** argv) {
  return stealbench::verify::run_checks(argc, argv, {}, stealbench::verify::matrices());
}
