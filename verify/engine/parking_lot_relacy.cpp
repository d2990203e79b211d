// The orderings of schedulers/engine/sleep/parking_lot.hpp and directed_lot.hpp, weakened under
// whole schedulers. Invariant: no job is left while all who may take it sleep (Relacy: deadlock).
// With both kinds of fence: system-wide (membarrier), and the symmetric pair of machines that have
// none. The lots as they ship are checked with the engine, in engine_relacy.cpp.
#include <string>
#include <utility>
#include <vector>

#include "schedulers/central_queue/scheduler.hpp"
#include "schedulers/engine/sleep/directed_lot.hpp"
#include "schedulers/engine/sleep/parking_lot.hpp"
#include "schedulers/static_partition/scheduler.hpp"
#include "schedulers/work_sharing/scheduler.hpp"
#include "schedulers/work_stealing/scheduler.hpp"
#include "verify/engine/meetings.hpp"
#include "verify/engine/mutated.hpp"
#include "verify/mutation.hpp"

namespace stealbench::verify {
namespace {

using namespace programs;
constexpr cast three{.workers = 3};

template <class M>
matrix parking_lot(const char* name, std::vector<matrix::survivor> survivors) {
  using o = engine::parking_lot_orderings;
  using enum operation;
  using stealing = work_stealing::scheduler_on<M>;
  using central = central_queue::scheduler_on<M>;
  return matrix_of<o>(
      name, "schedulers/engine/sleep/parking_lot.hpp", engine::parking_lot_shipped,
      {
          {"look_at_request", &o::look_at_request, load, "K1: ordered by the compiler fence"},
          {"answer", &o::answer, read_modify_write, "K2: request_all"},
          {"look_at_counts", &o::look_at_counts, load, "K1: by the light fence; K2: by answer"},
          {"look_before_request", &o::look_before_request, load, "saves a change of the flag"},
          {"request", &o::request, read_modify_write, "a hint"},
          {"request_taken", &o::request_taken, load, "a hint"},
          {"look_before_beat", &o::look_before_beat, load, "saves a change of the flag"},
          {"beat", &o::beat, store, "publishes nothing"},
          {"look_for_room", &o::look_for_room, load, "says nothing about jobs"},
          {"count_searcher", &o::count_searcher, read_modify_write, "says nothing about jobs"},
          {"leave_search", &o::leave_search, read_modify_write, "who was last wakes another"},
          {"fall_asleep", &o::fall_asleep, read_modify_write,
           "K1: by the heavy fence; K2: by request_all"},
          {"wake_up", &o::wake_up, read_modify_write, "under the mutex"},
          {"request_all", &o::request_all, read_modify_write, "K2: answer"},
          {"light", &o::light, step, "K1: heavy"},
          {"heavy", &o::heavy, step, "K1: light, or the compiler fence"},
          {"always_look", &o::always_look, step, "K1: sends is_requested() on to light"},
          {"ask_all", &o::ask_all, step, "K1: look_at_request"},
          {"hand_over", &o::hand_over, step, "the next searcher"},
          {"wait_for_lock", &o::wait_for_lock, step, "K1: one is woken where none searches"},
          {"hand_over_waits", &o::hand_over_waits, step, "the next searcher"},
      },
      {
          script<stealing, fork_meets>("fork_meets (work-stealing)", bound(3)),
          script<stealing, fork_then_meet>("fork_then_meet (work-stealing)", bound(3)),
          script<stealing, three_meet_in_a_chain, three>("three_meet_in_a_chain (work-stealing)"),
          script<central, fork_meets>("fork_meets (central-queue)", bound(3)),
          script<central, fork_then_meet>("fork_then_meet (central-queue)", bound(3)),
      },
      std::move(survivors));
}

template <class M>
matrix directed_lot(const char* name, std::vector<matrix::survivor> survivors) {
  using o = engine::directed_lot_orderings;
  using enum operation;
  using sharing = work_sharing::scheduler_on<M>;
  using partition = static_partition::scheduler_on<M>;
  return matrix_of<o>(
      name, "schedulers/engine/sleep/directed_lot.hpp", engine::directed_lot_shipped,
      {
          {"fall_asleep", &o::fall_asleep, store, "K1: ordered by the heavy fence"},
          {"look_at_sleeper", &o::look_at_sleeper, load, "K1: ordered by the light fence"},
          {"claim_wake", &o::claim_wake, read_modify_write, "publishes nothing"},
          {"rise", &o::rise, store, "seen late, leaves a token for nothing"},
          {"light", &o::light, step, "K1: heavy"},
          {"heavy", &o::heavy, step, "K1: light"},
      },
      {
          script<sharing, fork_meets>("fork_meets (work-sharing)", bound(3)),
          script<sharing, three_meet_in_a_group, three>("three_meet_in_a_group (work-sharing)"),
          script<partition, fork_meets>("fork_meets (static-partition)", bound(3)),
          script<partition, fork_meets_twice>("fork_meets_twice (static-partition)"),
      },
      std::move(survivors));
}

std::vector<matrix> matrices() {
  using enum justification;
  const char* const no_request =
      "All flags are set for ever where a compiler fence orders nothing, so no worker sets one.";
  matrix lot = parking_lot<asymmetric>(
      "parking_lot",
      {{"light", "left out", invisible,
        "The light fence is for the compiler, whom Relacy does not play: "
        "`litmus/SB+light+heavy`. Where requests are answered, the compiler fence before the "
        "request is read orders as much; a job that becomes public at a beat has this fence "
        "alone."},
       {"always_look", "left out", equivalent,
        "Of no effect where the heavy fence is system-wide."}});
  matrix lot_without = parking_lot<symmetric>("parking_lot without membarrier",
                                              {{"answer", "relaxed", equivalent, no_request},
                                               {"request_all", "relaxed", equivalent, no_request},
                                               {"ask_all", "left out", equivalent, no_request}});
  matrix directed = directed_lot<asymmetric>(
      "directed_lot", {{"light", "left out", invisible,
                        "The light fence is for the compiler, whom Relacy does not play: "
                        "`litmus/SB+light+heavy`."}});
  matrix directed_without = directed_lot<symmetric>("directed_lot without membarrier", {});
  lot_without.is_nightly = directed_without.is_nightly = true;
  return {std::move(lot), std::move(lot_without), std::move(directed), std::move(directed_without)};
}

}  // namespace

suites all_suites() { return {{}, matrices()}; }

}  // namespace stealbench::verify
