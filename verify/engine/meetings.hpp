// Programs for the whole engine under Relacy whose closures must all run at once: a wake-up or a
// hand-over that is lost leaves one out, and the others wait for it (Relacy: deadlock).
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "verify/explore.hpp"

namespace stealbench::verify::programs {

using engine::order;

/// Where `parties` closures meet that must all run at once.
template <class M>
class meeting {
 public:
  explicit meeting(std::uint32_t parties) : parties_(parties) {}

  void attend() {
    // Release, and acquire in the load: what a closure did before it came is seen by who leaves.
    if (here_.fetch_add(1, order::acq_rel) + 1 == parties_) {
      for (std::uint32_t i = 1; i < parties_; ++i) M::notify_one(here_);
    }
    for (;;) {
      const std::uint32_t seen = here_.load(order::acquire);
      if (seen >= parties_) return;
      M::wait(here_, seen, {});
      // Who arrives in between wakes no other, so pass the news on.
      M::notify_one(here_);
    }
  }

 private:
  const std::uint32_t parties_;
  typename M::template atomic<std::uint32_t> here_{0};
};

template <class M, int Runs>
struct branches_meet {
  static constexpr const char* claim = "Both branches of a fork wait for each other.";

  void operator()(auto& scheduler) {
    for (int i = 0; i < Runs; ++i) {
      meeting<M> both(2);
      scheduler.run([&](auto worker) {
        worker->fork_join([&](auto) { both.attend(); }, [&](auto) { both.attend(); });
      });
    }
  }
};

template <class M>
using fork_meets = branches_meet<M, 1>;
template <class M>
using fork_meets_twice = branches_meet<M, 2>;

/// Through a handle whose slot a child has.
template <class M>
struct fork_meets_beside_a_child {
  static constexpr const char* claim = "A child, and a fork whose branches wait for each other.";

  meeting<M> both{2};

  void run(auto worker) {
    auto children = worker->task_group();
    children.spawn([](auto) {});
    worker->fork_join([&](auto) { both.attend(); }, [&](auto) { both.attend(); });
  }
};

template <class M, std::uint32_t Workers>
struct workers_meet_in_a_group {
  static constexpr const char* claim =
      "As many closures as workers, all of which must run at once.";

  meeting<M> all{Workers};

  void run(auto worker) {
    auto children = worker->task_group();
    for (std::uint32_t i = 1; i < Workers; ++i) {
      children.spawn([&](auto) { all.attend(); });
    }
    if constexpr (!std::remove_pointer_t<decltype(worker)>::team_type::is_fixed) {
      all.attend();
    } else {
      // Its children start at the sync.
      children.spawn([&](auto) { all.attend(); });
    }
    children.sync();
  }
};

template <class M>
using group_meets = workers_meet_in_a_group<M, 2>;
template <class M>
using three_meet_in_a_group = workers_meet_in_a_group<M, 3>;

/// A chain of forks whose second branches meet at its end: the last searcher must hand on. Behind a
/// fork that needs no other worker, what idle workers have asked for at it must not be forgotten.
template <class M, std::uint32_t Workers, bool BehindFork = false>
struct workers_meet_in_a_chain {
  static constexpr const char* claim =
      BehindFork ? "A fork, and forks all of whose branches must run at once."
                 : "Nested forks, all of whose branches must run at once.";

  meeting<M> all{Workers};

  template <class Worker>
  void chain(Worker worker, std::uint32_t left) {
    if (left == 0) return all.attend();
    worker->fork_join([this, left](Worker w) { chain(w, left - 1); },
                      [this](Worker) { all.attend(); });
  }
  void run(auto worker) {
    if (BehindFork) worker->fork_join([](auto) {}, [](auto) {});
    chain(worker, Workers - 1);
  }
};

template <class M>
using three_meet_in_a_chain = workers_meet_in_a_chain<M, 3>;
template <class M>
using fork_then_meet = workers_meet_in_a_chain<M, 2, true>;
template <class M>
using fork_then_three_meet = workers_meet_in_a_chain<M, 3, true>;

/// A worker that waits at a short join may be woken for another one's second branch when its wait
/// is over. It must send a third worker for that: it goes on to meet the other one, who comes when
/// both branches have met. While it waits it may run the branch itself.
template <class M>
struct meet_behind_a_join {
  static constexpr const char* claim =
      "Behind a join a worker meets another one, whose branches meet.";

  meeting<M> both{2};
  meeting<M> branches{2};

  void run(auto worker) {
    using handle = decltype(worker);
    worker->fork_join(
        [&](handle waiter) {
          waiter->fork_join([](handle) {}, [](handle) {});
          both.attend();
        },
        [&](handle forker) {
          forker->fork_join([&](handle) { branches.attend(); }, [&](handle) { branches.attend(); });
          both.attend();
        });
  }
};

/// All workers must run a child at once. One of them has nothing to do but to wait for the
/// children, and may have one of them in its deque, or in its hands while another worker falls
/// asleep.
template <class M>
struct meet_in_loot {
  static constexpr const char* claim = "Children beside a branch that ends must all run at once.";

  meeting<M> all{3};

  void run(auto worker) {
    using handle = decltype(worker);
    worker->fork_join([](handle) {},
                      [this](handle w) {
                        auto children = w->task_group();
                        for (int i = 0; i < 3; ++i) {
                          children.spawn([this](handle) { all.attend(); });
                        }
                        children.sync();
                      });
  }
};

/// Of four children the eldest must meet the youngest, which its spawner runs: who has taken two of
/// them runs the other one first, and must then look into its own deque.
template <class M>
struct meet_own_loot {
  static constexpr const char* claim = "The eldest of four children meets the youngest.";

  meeting<M> both{2};

  void run(auto worker) {
    auto children = worker->task_group();
    for (int i = 0; i < 4; ++i) {
      children.spawn([this, meets = i == 0 || i == 3](auto) {
        if (meets) both.attend();
      });
    }
    children.sync();
  }
};

/// A fork whose second branch must run elsewhere while the first one goes on forking: where jobs
/// become public at beats alone, no more can be asked for.
template <class M>
struct forks_until_met {
  static constexpr const char* claim = "A worker forks until another one runs its oldest job.";

  typename M::template atomic<std::uint32_t> has_come{0};

  void run(auto worker) {
    using handle = decltype(worker);
    worker->fork_join(
        [&](handle w) {
          while (has_come.load(order::relaxed) == 0) {
            w->fork_join([](handle) {}, [](handle) {});
            M::yield_thread();
          }
        },
        [&](handle) { has_come.store(1, order::relaxed); });
  }
};

}  // namespace stealbench::verify::programs
