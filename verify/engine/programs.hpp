// Fork-join programs for the whole engine under Relacy: small enough to be searched, each with what
// it claims about its run. Their data is plain, so that a result that is read before it is written,
// or a closure that runs twice, is a race.
#pragma once

#include <array>
#include <cstdint>
#include <type_traits>

#include "schedulers/options.hpp"
#include "verify/explore.hpp"

namespace stealbench::verify::programs {

using engine::order;

struct failure {
  int where;
};

/// The `where` of the failure that `f` throws, or 0.
template <class F>
int thrown_by(const F& f) {
  try {
    f();
  } catch (const failure& caught) {
    return caught.where;
  }
  return 0;
}

/// A piece of work: writes its plain cell once, from a plain input that its spawner has written.
template <class M>
class piece {
 public:
  void prepare(int input) {
    input_.write(input);
    ran_.write(0);
  }
  int run() {
    const int runs = ran_.read() + 1;
    ran_.write(runs);
    expect(runs == 1, "a closure runs once");
    return input_.read();
  }
  /// After the join.
  void expect_run() { expect(ran_.read() == 1, "a closure has run at its join"); }

 private:
  typename M::template plain<int> input_{0};
  typename M::template plain<int> ran_{0};
};

/// Where `parties` closures meet that must all run at once.
template <class M>
class meeting {
 public:
  explicit meeting(std::uint32_t parties) : parties_(parties) {}

  void attend() {
    if (here_.fetch_add(1, order::acq_rel) + 1 == parties_) {
      for (std::uint32_t i = 1; i < parties_; ++i) M::notify_one(here_);
    }
    for (;;) {
      const std::uint32_t seen = here_.load(order::acquire);
      if (seen >= parties_) return;
      M::wait(here_, seen, {});
      // Who comes between wakes nobody, so pass the news on.
      M::notify_one(here_);
    }
  }

 private:
  const std::uint32_t parties_;
  typename M::template atomic<std::uint32_t> here_{0};
};

/// One fork whose branches return values; and another one through the same handle, in the slot that
/// the first has left.
template <class M>
struct forks {
  static constexpr const char* claim = "Two forks, one after the other.";
  std::array<piece<M>, 4> pieces;

  template <class Scheduler>
  void operator()(Scheduler& scheduler) {
    for (int i = 0; i < 4; ++i) pieces[static_cast<std::size_t>(i)].prepare(10 + i);
    const int sum = scheduler.run([this](auto worker) {
      const auto [a, b] = worker->fork_join([this](auto) { return pieces[0].run(); },
                                            [this](auto) { return pieces[1].run(); });
      const auto [c, d] = worker->fork_join([this](auto) { return pieces[2].run(); },
                                            [this](auto) { return pieces[3].run(); });
      return a + 2 * b + 4 * c + 8 * d;
    });
    expect(sum == 10 + 2 * 11 + 4 * 12 + 8 * 13, "a fork returns both results in order");
    for (auto& each : pieces) each.expect_run();
  }
};

/// A complete tree of forks, so that a job which a waiting worker runs forks again.
template <class M>
struct fork_tree {
  static constexpr const char* claim = "A tree of seven forks.";
  std::array<piece<M>, 8> leaves;

  template <class Worker>
  int sum(Worker worker, std::size_t first, std::size_t count) {
    if (count == 1) return leaves[first].run();
    const std::size_t half = count / 2;
    const auto [a, b] =
        worker->fork_join([=, this](Worker w) { return sum(w, first, half); },
                          [=, this](Worker w) { return sum(w, first + half, half); });
    return a + b;
  }
  template <class Scheduler>
  void operator()(Scheduler& scheduler) {
    for (auto& each : leaves) each.prepare(1);
    const int all =
        scheduler.run([this](auto worker) { return this->sum(worker, 0, leaves.size()); });
    expect(all == 8, "a fork returns the results of its branches");
    for (auto& each : leaves) each.expect_run();
  }
};

/// A branch whose closure is more than its bytes, so that it stays in the forking frame.
template <class M>
struct fork_in_frame {
  static constexpr const char* claim = "A closure that stays in the forking frame.";
  struct counted {
    explicit counted(int& copies) : live(&copies) { ++*live; }
    counted(const counted& other) : live(other.live) { ++*live; }
    counted& operator=(const counted&) = delete;
    ~counted() { --*live; }
    int* live;
  };
  std::array<piece<M>, 2> pieces;
  int live = 0;

  template <class Scheduler>
  void operator()(Scheduler& scheduler) {
    for (auto& each : pieces) each.prepare(1);
    scheduler.run([this](auto worker) {
      worker->fork_join([this](auto) { pieces[0].run(); },
                        [this, kept = counted(live)](auto) { pieces[1].run(); });
    });
    expect(live == 0, "every copy of a closure is destroyed");
    for (auto& each : pieces) each.expect_run();
  }
};

template <class M>
struct loop {
  static constexpr const char* claim = "A loop of three indices.";
  std::array<piece<M>, 3> pieces;

  template <class Scheduler>
  void operator()(Scheduler& scheduler) {
    for (auto& each : pieces) each.prepare(1);
    scheduler.run([this](auto worker) {
      worker->parallel_for(0, pieces.size(), 1, [this](auto, std::size_t i) { pieces[i].run(); });
    });
    for (auto& each : pieces) each.expect_run();
  }
};

/// A group used twice, and a fork through the handle that spawned its children.
template <class M>
struct group {
  static constexpr const char* claim = "A group, a fork beside its children, and the group again.";
  std::array<piece<M>, 5> pieces;

  template <class Scheduler>
  void operator()(Scheduler& scheduler) {
    for (auto& each : pieces) each.prepare(1);
    scheduler.run([this](auto worker) {
      auto children = worker->task_group();
      children.spawn([this](auto) { pieces[0].run(); });
      children.spawn([this](auto) { pieces[1].run(); });
      children.sync();
      pieces[0].expect_run();
      pieces[1].expect_run();
      children.spawn([this](auto) { pieces[2].run(); });
      worker->fork_join([this](auto) { pieces[3].run(); }, [this](auto) { pieces[4].run(); });
      children.sync();
    });
    for (auto& each : pieces) each.expect_run();
  }
};

/// Two groups of one frame that take turns, and a group in a child.
template <class M>
struct groups {
  static constexpr const char* claim = "Two groups that take turns, and one in a child.";
  std::array<piece<M>, 6> pieces;

  template <class Scheduler>
  void operator()(Scheduler& scheduler) {
    for (auto& each : pieces) each.prepare(1);
    scheduler.run([this](auto worker) {
      using handle = decltype(worker);
      auto one = worker->task_group();
      auto other = worker->task_group();
      one.spawn([this](handle) { pieces[0].run(); });
      other.spawn([this](handle w) {
        pieces[1].run();
        auto inner = w->task_group();
        inner.spawn([this](handle) { pieces[2].run(); });
        inner.spawn([this](handle) { pieces[3].run(); });
      });
      one.spawn([this](handle) { pieces[4].run(); });
      other.sync();
      for (const std::size_t i : {1U, 2U, 3U}) pieces[i].expect_run();
      one.spawn([this](handle) { pieces[5].run(); });
      one.sync();
    });
    for (auto& each : pieces) each.expect_run();
  }
};

/// A loop of which one index throws, and another loop.
template <class M>
struct loop_throws {
  static constexpr const char* claim = "A loop of which one index throws, and another loop.";
  std::array<piece<M>, 4> pieces;

  template <class Scheduler>
  void operator()(Scheduler& scheduler) {
    for (auto& each : pieces) each.prepare(1);
    const int where = thrown_by([&] {
      scheduler.run([this](auto worker) {
        worker->parallel_for(0, 2, 1, [this](auto, std::size_t i) {
          pieces[i].run();
          if (i == 1) throw failure{1};
        });
      });
    });
    expect(where == 1, "a loop rethrows what an index has thrown");
    scheduler.run([this](auto worker) {
      worker->parallel_for(2, 4, 1, [this](auto, std::size_t i) { pieces[i].run(); });
    });
    for (auto& each : pieces) each.expect_run();
  }
};

/// What a counting scheduler has counted, once its run is over.
template <class M>
struct counted_forks {
  static constexpr const char* claim = "The counters agree after a run.";
  fork_tree<M> program;

  template <class Scheduler>
  void operator()(Scheduler& scheduler) {
    program(scheduler);
    const auto counted = scheduler.counters().value();
    expect(counted.jobs_spawned == counted.jobs_run, "every job that was spawned has run");
    expect(counted.jobs_spawned + counted.jobs_inlined <= 7, "seven forks spawn seven jobs");
    expect(counted.most_live_jobs <= counted.jobs_spawned, "no job lives that was not spawned");
  }
};

/// A fork of which either branch throws, or both; and a run after it.
template <class M, bool First, bool Second>
struct fork_throws {
  static constexpr const char* claim = "A fork whose branches throw, and a run after it.";
  std::array<piece<M>, 4> pieces;

  template <class Scheduler>
  void operator()(Scheduler& scheduler) {
    for (auto& each : pieces) each.prepare(1);
    const int where = thrown_by([&] {
      scheduler.run([this](auto worker) {
        worker->fork_join(
            [this](auto) {
              pieces[0].run();
              if (First) throw failure{1};
            },
            [this](auto) {
              pieces[1].run();
              if (Second) throw failure{2};
            });
      });
    });
    expect(where == (First ? 1 : 2),
           "the join rethrows the exception that is first in serial order");
    pieces[0].expect_run();
    pieces[1].expect_run();
    scheduler.run([this](auto worker) {
      worker->fork_join([this](auto) { pieces[2].run(); }, [this](auto) { pieces[3].run(); });
    });
    for (auto& each : pieces) each.expect_run();
  }
};

template <class M>
using first_throws = fork_throws<M, true, false>;
template <class M>
using second_throws = fork_throws<M, false, true>;
template <class M>
using both_throw = fork_throws<M, true, true>;

template <class M>
struct child_throws {
  static constexpr const char* claim = "Two children that throw, and another that does not.";
  std::array<piece<M>, 3> pieces;

  template <class Scheduler>
  void operator()(Scheduler& scheduler) {
    for (auto& each : pieces) each.prepare(1);
    const int where = thrown_by([&] {
      scheduler.run([this](auto worker) {
        auto children = worker->task_group();
        for (int i = 0; i < 3; ++i) {
          children.spawn([this, i](auto) {
            pieces[static_cast<std::size_t>(i)].run();
            if (i > 0) throw failure{i};
          });
        }
        children.sync();
      });
    });
    expect(where == 1, "a sync rethrows the exception of the eldest child");
    for (auto& each : pieces) each.expect_run();
  }
};

/// A scheduler that is started and stopped, with no run.
template <class M>
struct start_and_stop {
  static constexpr const char* claim = "A scheduler that is started and stopped.";
  template <class Scheduler>
  void operator()(Scheduler& /*scheduler*/) {}
};

/// More children than the job stack has slots.
template <class M>
struct full_stack {
  static constexpr const char* claim = "More children than the job stack holds, and a fork on top.";
  static constexpr std::size_t too_many = M::job_stack::bytes / 128;
  std::array<piece<M>, too_many + 2> pieces;

  template <class Scheduler>
  void operator()(Scheduler& scheduler) {
    for (auto& each : pieces) each.prepare(1);
    scheduler.run([this](auto worker) {
      auto children = worker->task_group();
      for (std::size_t i = 0; i < too_many; ++i) {
        children.spawn([this, i](auto) { pieces[i].run(); });
      }
      worker->fork_join([this](auto) { pieces[too_many].run(); },
                        [this](auto) { pieces[too_many + 1].run(); });
      children.sync();
    });
    for (auto& each : pieces) each.expect_run();
  }
};

/// Forks nested deeper than the job stack has slots.
template <class M>
struct full_stack_of_forks {
  static constexpr const char* claim = "Forks nested deeper than the job stack.";
  static constexpr std::size_t too_many = M::job_stack::bytes / 128;
  std::array<piece<M>, too_many> pieces;

  template <class Worker>
  void nest(Worker worker, std::size_t depth) {
    if (depth == too_many) return;
    worker->fork_join([=, this](Worker w) { nest(w, depth + 1); },
                      [=, this](Worker) { pieces[depth].run(); });
  }
  template <class Scheduler>
  void operator()(Scheduler& scheduler) {
    for (auto& each : pieces) each.prepare(1);
    scheduler.run([this](auto worker) { this->nest(worker, 0); });
    for (auto& each : pieces) each.expect_run();
  }
};

/// Both branches of a fork must run at once, in each run: no wake-up may be lost.
template <class M, int Runs>
struct branches_meet {
  static constexpr const char* claim = "Both branches of a fork wait for each other.";

  template <class Scheduler>
  void operator()(Scheduler& scheduler) {
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

/// All workers must run a child at once, or the closure that spawned them.
template <class M, std::uint32_t Workers>
struct workers_meet_in_a_group {
  static constexpr const char* claim =
      "As many closures as workers, all of which must run at once.";

  template <class Scheduler>
  void operator()(Scheduler& scheduler) {
    meeting<M> all(Workers);
    scheduler.run([&](auto worker) {
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
    });
  }
};

template <class M>
using group_meets = workers_meet_in_a_group<M, 2>;
template <class M>
using three_meet_in_a_group = workers_meet_in_a_group<M, 3>;

/// A chain of forks whose second branches meet at its end: the last searcher must hand on.
template <class M, std::uint32_t Workers>
struct workers_meet_in_a_chain {
  static constexpr const char* claim = "Nested forks, all of whose branches must run at once.";

  template <class Worker>
  static void chain(Worker worker, meeting<M>& all, std::uint32_t left) {
    if (left == 0) return all.attend();
    worker->fork_join([&, left](Worker w) { chain(w, all, left - 1); },
                      [&](Worker) { all.attend(); });
  }
  template <class Scheduler>
  void operator()(Scheduler& scheduler) {
    meeting<M> all(Workers);
    scheduler.run([&](auto worker) { chain(worker, all, Workers - 1); });
  }
};

template <class M>
using three_meet_in_a_chain = workers_meet_in_a_chain<M, 3>;

}  // namespace stealbench::verify::programs
