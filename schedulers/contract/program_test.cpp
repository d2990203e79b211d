// Random programs. What a program runs, returns and throws follows from the laws, whatever the
// strategy.
#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "schedulers/central_queue/options.hpp"
#include "schedulers/contract/fixture.hpp"
#include "schedulers/contract/random_program.hpp"
#include "schedulers/push_migration/options.hpp"
#include "schedulers/work_sharing/options.hpp"
#include "schedulers/work_stealing/options.hpp"

namespace stealbench::schedulers::contract {
namespace {

/// One run of a program on a scheduler.
template <class Worker>
class execution {
 public:
  std::uint64_t run(Worker worker, const program& p, std::uint64_t name) {
    // Relaxed: the run's end orders them before whoever reads the sums.
    names_.fetch_add(mix(name), std::memory_order_relaxed);
    closures_.fetch_add(1, std::memory_order_relaxed);
    if (p.throws_first) throw failure{thrown_at(name, moment::first)};
    const std::uint64_t value = act_on(worker, p, name);
    if (p.throws_last) throw failure{thrown_at(name, moment::last)};
    return value;
  }

  void tell(observation& seen) const {
    seen.names = names_;
    seen.closures = closures_;
  }

 private:
  // Runs the part at `index`, in the closure that it is called with.
  [[nodiscard]] auto part(const program& p, std::uint64_t name, std::uint64_t index) {
    return [this, &p, name, index](Worker worker) {
      return run(worker, p.part(index), name_of_part(name, index));
    };
  }

  std::uint64_t act_on(Worker worker, const program& p, std::uint64_t name) {
    switch (p.does) {
      case act::compute:
        return mix(name);
      case act::sequence:
        return sequence(worker, p, name);
      case act::fork:
        return fork(worker, p, name);
      case act::swallow:
        return swallow(worker, p, name);
      case act::group_and_forks:
        return group_and_forks(worker, p, name);
      case act::loop:
        return loop(worker, p, name);
      default:
        return group(worker, p, name);
    }
  }

  std::uint64_t sequence(Worker worker, const program& p, std::uint64_t name) {
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < p.parts.size(); ++i) value = value * 3 + part(p, name, i)(worker);
    return value;
  }

  // The parts at `first` and behind it.
  std::uint64_t fork(Worker worker, const program& p, std::uint64_t name, std::size_t first = 0) {
    const auto [left, right] = worker->fork_join(part(p, name, first), part(p, name, first + 1));
    return left * 3 + right;
  }
  std::uint64_t swallow(Worker worker, const program& p, std::uint64_t name,
                        std::size_t first = 0) {
    try {
      return fork(worker, p, name, first);
    } catch (const failure& caught) {
      return caught.where;
    }
  }

  // The bodies throw nothing: how many indices a throw leaves out depends on how the loop is cut.
  std::uint64_t loop(Worker worker, const program& p, std::uint64_t name) {
    std::atomic<std::uint64_t> sum = 0;
    worker->parallel_for(0, p.parts.size(), 1 + p.parts.size() % 2,
                         [&](Worker inner, std::size_t i) {
                           try {
                             sum += part(p, name, i)(inner);
                           } catch (const failure& caught) {
                             sum += caught.where;
                           }
                         });
    return sum;
  }

  std::uint64_t group(Worker worker, const program& p, std::uint64_t name) {
    std::atomic<std::uint64_t> sum = 0;
    {
      auto group = worker->task_group();
      for (std::size_t i = 0; i < p.parts.size(); ++i) {
        group.spawn([&sum, each = part(p, name, i)](Worker inner) { sum += each(inner); });
      }
      if (p.does == act::abandoned_group) throw failure{thrown_at(name, moment::before_sync)};
      if (p.does == act::group) group.sync();
    }
    return sum;
  }

  std::uint64_t group_and_forks(Worker worker, const program& p, std::uint64_t name) {
    std::atomic<std::uint64_t> sum = 0;
    auto group = worker->task_group();
    for (std::size_t i = 0; i < p.parts.size(); i += 3) {
      group.spawn([&sum, each = part(p, name, i)](Worker inner) { sum += each(inner); });
      if (i + 1 < p.parts.size()) sum += swallow(worker, p, name, i + 1);
    }
    group.sync();
    return sum;
  }

  std::atomic<std::uint64_t> names_{0};
  std::atomic<std::uint64_t> closures_{0};
};

template <class Subject>
observation observe(Subject& scheduler, const program& p) {
  observation seen;
  execution<typename Subject::worker> executed;
  seen.thrown = thrown_by([&] {
    seen.value = scheduler.run(
        [&](typename Subject::worker worker) { return executed.run(worker, p, name_of_root); });
  });
  executed.tell(seen);
  return seen;
}

TEST_P(SchedulerContract, DoesWhatARandomProgramMeans) {
  EXPECT_TRUE(shows_what_programs_mean([&](const program& p) { return observe(scheduler_, p); }));
}

/// The options of this scheduler alone, but for work stealing's.
template <class S>
void add_own_options(std::vector<options>& all, unsigned workers) {
  if (S::name == "central-queue") {
    all.push_back({.workers = workers,
                   .own = central_queue::options{.order = central_queue::taking_order::lifo}});
  }
  if (!S::policy::directed) {
    for (const auto each : {loop_split::eager, loop_split::guided}) {
      all.push_back({.workers = workers, .split = each});
    }
  }
  if (S::name == "work-sharing") {
    for (const auto each :
         {work_sharing::placement_rule::random, work_sharing::placement_rule::least}) {
      all.push_back({.workers = workers, .own = work_sharing::options{.place = each}});
    }
  }
  if (S::name == "push-migration") {
    for (const unsigned each : {1U, 3U}) {
      all.push_back({.workers = workers, .own = push_migration::options{.period = each}});
    }
  }
}

// A template, so that a scheduler without these options need not compile it.
template <class S>
void check_every_option(unsigned workers) {
  if constexpr (requires { typename S::policy; }) {
    std::vector<options> all;
    for (const auto each :
         {work_stealing::victim_choice::random, work_stealing::victim_choice::round_robin,
          work_stealing::victim_choice::nearest, work_stealing::victim_choice::first,
          work_stealing::victim_choice::busiest, work_stealing::victim_choice::own_first}) {
      all.push_back({.workers = workers, .own = work_stealing::options{.victim = each}});
    }
    // Where workers that never sleep share one list, a new job calls all of them to its lock; they
    // fall asleep there, and are woken one after another (a lock convoy) while the others look on.
    // With 1024 workers in simulated time one program takes two minutes so.
    constexpr unsigned most_without_sleep = 128;
    for (const auto each : {idle_policy::spin, idle_policy::yield_thread}) {
      all.push_back({.workers = std::min(workers, most_without_sleep), .idle = each});
    }
    for (const auto each : {join_policy::leapfrog, join_policy::wait}) {
      all.push_back({.workers = workers, .join = each});
    }
    for (const auto each : {work_stealing::exposure::always, work_stealing::exposure::heartbeat}) {
      all.push_back({.workers = workers, .own = work_stealing::options{.expose = each}});
    }
    all.push_back({.workers = workers, .attempts = attempt_limit::twice_workers});
    for (const auto each : {backoff_policy::exponential, backoff_policy::yield_thread}) {
      all.push_back({.workers = workers, .backoff = each});
    }
    for (const auto each : {searcher_limit::one, searcher_limit::all}) {
      all.push_back({.workers = workers, .searchers = each});
    }
    all.push_back({.workers = workers,
                   .pin = true,
                   .own = work_stealing::options{.victim = work_stealing::victim_choice::nearest},
                   .idle = idle_policy::yield_thread,
                   .join = join_policy::leapfrog});
    add_own_options<S>(all, workers);
    // A few programs on each scheduler: to start its threads takes longer than most programs. Only
    // a few, since the programs grow from the first to the last, and each option is to have large
    // ones.
    constexpr std::size_t programs_in_a_row = 4;
    std::size_t turn = 0;
    std::optional<S> scheduler;
    EXPECT_TRUE(shows_what_programs_mean([&](const program& p) {
      if (turn % programs_in_a_row == 0) {
        scheduler.emplace(all[turn / programs_in_a_row % all.size()]);
      }
      ++turn;
      return observe(*scheduler, p);
    }));
  } else {
    GTEST_SKIP() << "has no such options";
  }
}

TEST_P(SchedulerContract, DoesSoWhicheverVictimsIdlingAndJoinsAreChosen) {
  check_every_option<subject>(GetParam());
}

// A template, so that a scheduler without this option need not compile it.
template <class S>
constexpr bool may_take_half() {
  if constexpr (requires { S::can.keep_jobs; }) return S::can.keep_jobs;
  return false;
}

// With all programs: a thief seldom finds more than one job.
TEST_P(SchedulerContract, DoesSoWhereThievesTakeHalf) {
  if (!may_take_half<subject>()) GTEST_SKIP() << "has no such option";
  subject scheduler(
      options{.workers = GetParam(),
              .own = work_stealing::options{.amount = work_stealing::steal_amount::half}});
  EXPECT_TRUE(shows_what_programs_mean([&](const program& p) { return observe(scheduler, p); }));
}

}  // namespace
}  // namespace stealbench::schedulers::contract
