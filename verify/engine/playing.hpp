// A Relacy suite of the whole engine: thread 0 starts a scheduler, runs a program on it and stops
// it.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "schedulers/options.hpp"
#include "schedulers/push_migration/options.hpp"
#include "schedulers/work_stealing/options.hpp"
#include "verify/explore.hpp"

namespace stealbench::verify {

/// Parts in which one suite differs from another.
struct cast {
  unsigned workers = 2;
  schedulers::join_policy join = schedulers::join_policy::any;
  work_stealing::victim_choice victim = work_stealing::victim_choice::last;
  work_stealing::exposure expose = work_stealing::exposure::asked;
  work_stealing::steal_amount amount = work_stealing::steal_amount::one;
  schedulers::searcher_limit searchers = schedulers::searcher_limit::half;
  schedulers::loop_split split = schedulers::loop_split::lazy;

  bool operator==(const cast&) const = default;
};

void play(auto& program, auto& scheduler) {
  if constexpr (requires { program(scheduler); }) {
    program(scheduler);
  } else {
    scheduler.run([&](auto worker) { program.run(worker); });
  }
}

template <class Scheduler, template <class> class Program, cast Cast = cast{}>
class playing : public rl::test_suite<playing<Scheduler, Program, Cast>, 1> {
 public:
  // One more beats.
  static constexpr rl::thread_id_t dynamic_thread_count =
      Cast.workers - 1 + (Cast.expose == work_stealing::exposure::heartbeat ? 1 : 0);

  playing() { unseen_allocations::begin(); }
  playing(const playing&) = delete;
  playing& operator=(const playing&) = delete;
  ~playing() { unseen_allocations::end(); }

  void thread(unsigned /*who*/) {
    own_exceptions::clear();
    Program<typename Scheduler::machine> program;
    // Each scheduler looks for its own. These programs push too few jobs for another period.
    schedulers::room_options own = push_migration::options{.period = 1};
    const work_stealing::options stealing{
        .victim = Cast.victim, .expose = Cast.expose, .amount = Cast.amount};
    if (stealing != work_stealing::options{}) own = stealing;
    schedulers::options options{.workers = Cast.workers,
                                .own = own,
                                .join = Cast.join,
                                .searchers = Cast.searchers,
                                .split = Cast.split};
    Scheduler scheduler(options);
    play(program, scheduler);
    if constexpr (requires { program.pieces; }) {
      for (auto& each : program.pieces) each.expect_run();
    }
  }
};

template <class Scheduler, template <class> class Program, cast Cast = cast{}>
check plays(std::string name, std::vector<search> searches) {
  return check_of<playing<Scheduler, Program, Cast>>(
      std::move(name), Program<typename Scheduler::machine>::claim, std::move(searches));
}

}  // namespace stealbench::verify
