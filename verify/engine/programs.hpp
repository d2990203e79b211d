// Fork-join programs for the whole engine under Relacy: small enough to be searched, each with what
// it claims about its run. Their data is plain, so that a result that is read before it is written,
// or a closure that runs twice, is a race.
#pragma once

#include <array>
#include <cstddef>
#include <utility>

#include "verify/explore.hpp"

namespace stealbench::verify::programs {

struct failure {
  int where;
};

/// The `where` of the failure that a run of `body` throws, or 0.
int thrown_by(auto& scheduler, const auto& body) {
  try {
    scheduler.run(body);
  } catch (const failure& caught) {
    return caught.where;
  }
  return 0;
}

/// A piece of work: writes its plain cell once, and reads a plain input that its spawner has
/// written.
template <class M>
class piece {
 public:
  explicit piece(int input = 1) : input_(input) {}
  int run() {
    const int runs = ran_.read() + 1;
    ran_.write(runs);
    expect(runs == 1, "a closure runs once");
    return input_.read();
  }
  /// After the join.
  void expect_run() { expect(ran_.read() == 1, "a closure has run at its join"); }

 private:
  typename M::template plain<int> input_;
  typename M::template plain<int> ran_{0};
};

/// The pieces of a program; each must have run once the program is over (playing.hpp). A program is
/// what one worker runs, or does with the scheduler.
template <class M, std::size_t Count>
using pieces_of = std::array<piece<M>, Count>;

/// Spawns the pieces from `first` to before `last`: children of one closure.
void spawn_pieces(auto& children, auto& pieces, std::size_t first, std::size_t last) {
  for (std::size_t i = first; i < last; ++i) {
    children.spawn([&pieces, i](auto) { pieces[i].run(); });
  }
}

/// One fork whose branches return values; and another one through the same handle, in the slot that
/// the first has left.
template <class M>
struct forks {
  static constexpr const char* claim = "Two forks, one after the other.";
  pieces_of<M, 4> pieces{piece<M>(10), piece<M>(11), piece<M>(12), piece<M>(13)};

  void operator()(auto& scheduler) {
    const int sum = scheduler.run([this](auto worker) {
      const auto [a, b] = worker->fork_join([this](auto) { return pieces[0].run(); },
                                            [this](auto) { return pieces[1].run(); });
      const auto [c, d] = worker->fork_join([this](auto) { return pieces[2].run(); },
                                            [this](auto) { return pieces[3].run(); });
      return a + 2 * b + 4 * c + 8 * d;
    });
    expect(sum == 10 + 2 * 11 + 4 * 12 + 8 * 13, "a fork returns both results in order");
  }
};

/// A complete tree of forks, so that a job which a waiting worker runs forks again.
template <class M>
struct fork_tree {
  static constexpr const char* claim = "A tree of seven forks.";
  pieces_of<M, 8> pieces;

  template <class Worker>
  int sum(Worker worker, std::size_t first, std::size_t count) {
    if (count == 1) return pieces[first].run();
    const std::size_t half = count / 2;
    const auto [a, b] =
        worker->fork_join([=, this](Worker w) { return sum(w, first, half); },
                          [=, this](Worker w) { return sum(w, first + half, half); });
    return a + b;
  }
  void operator()(auto& scheduler) {
    const int all =
        scheduler.run([this](auto worker) { return this->sum(worker, 0, pieces.size()); });
    expect(all == 8, "a fork returns the results of its branches");
  }
};

/// A branch whose closure is more than its bytes.
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
  pieces_of<M, 2> pieces;
  int live = 0;

  void operator()(auto& scheduler) {
    scheduler.run([this](auto worker) {
      worker->fork_join([this](auto) { pieces[0].run(); },
                        [this, kept = counted(live)](auto) { pieces[1].run(); });
    });
    expect(live == 0, "every copy of a closure is destroyed");
  }
};

template <class M>
struct loop {
  static constexpr const char* claim = "A loop of three indices.";
  pieces_of<M, 3> pieces;

  void run(auto worker) {
    worker->parallel_for(0, pieces.size(), 1, [this](auto, std::size_t i) { pieces[i].run(); });
  }
};

/// A group used twice, and a fork through the handle that spawned its children.
template <class M>
struct group {
  static constexpr const char* claim = "A group, a fork beside its children, and the group again.";
  pieces_of<M, 5> pieces;

  void run(auto worker) {
    auto children = worker->task_group();
    children.spawn([this](auto) { pieces[0].run(); });
    children.spawn([this](auto) { pieces[1].run(); });
    children.sync();
    pieces[0].expect_run();
    pieces[1].expect_run();
    children.spawn([this](auto) { pieces[2].run(); });
    worker->fork_join([this](auto) { pieces[3].run(); }, [this](auto) { pieces[4].run(); });
    children.sync();
  }
};

/// Children of one closure, which are joined together where they are stolen. Each batch is in the
/// slots of the one before.
template <class M, std::size_t... Counts>
struct batches_of_children {
  static constexpr const char* claim = "Batches of children of one closure.";
  pieces_of<M, (Counts + ...)> pieces;

  void run(auto worker) {
    auto children = worker->task_group();
    std::size_t done = 0;
    for (const std::size_t count : {Counts...}) {
      spawn_pieces(children, pieces, done, done + count);
      children.sync();
      for (const std::size_t end = done + count; done < end; ++done) pieces[done].expect_run();
    }
  }
};

template <class M>
using alike_children = batches_of_children<M, 3, 2>;
/// As many as a thief can take half of, and another one half of that.
template <class M>
using six_children = batches_of_children<M, 6>;

/// A worker that waits for the inner fork's job may take half of the outer one's children. It then
/// finds one of these where it looks for the outer job.
template <class M>
struct loot_at_a_join {
  static constexpr const char* claim = "A fork beside a fork of which a branch has children.";
  pieces_of<M, 6> pieces;

  void run(auto worker) {
    using handle = decltype(worker);
    worker->fork_join(
        [this](handle w) {
          w->fork_join([this](handle) { pieces[0].run(); }, [this](handle) { pieces[1].run(); });
        },
        [this](handle w) {
          auto children = w->task_group();
          spawn_pieces(children, pieces, 2, pieces.size());
          children.sync();
        });
  }
};

template <class M>
struct groups {
  static constexpr const char* claim = "Two groups that take turns, and one in a child.";
  pieces_of<M, 6> pieces;

  void run(auto worker) {
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
  }
};

template <class M>
struct loop_throws {
  static constexpr const char* claim = "A loop of which one index throws, and another loop.";
  pieces_of<M, 4> pieces;

  void operator()(auto& scheduler) {
    const int where = thrown_by(scheduler, [this](auto worker) {
      worker->parallel_for(0, 2, 1, [this](auto, std::size_t i) {
        pieces[i].run();
        if (i == 1) throw failure{1};
      });
    });
    expect(where == 1, "a loop rethrows what an index has thrown");
    scheduler.run([this](auto worker) {
      worker->parallel_for(2, 4, 1, [this](auto, std::size_t i) { pieces[i].run(); });
    });
  }
};

/// What a counting scheduler has counted, once its run is over.
template <class M>
struct counted_forks : fork_tree<M> {
  static constexpr const char* claim = "The counters agree after a run.";

  void operator()(auto& scheduler) {
    fork_tree<M>::operator()(scheduler);
    const auto counted = scheduler.counters().value();
    expect(counted.jobs_spawned == counted.jobs_run, "every job that was spawned has run");
    expect(counted.jobs_spawned + counted.jobs_inlined <= 7, "seven forks spawn seven jobs");
    expect(counted.jobs_moved <= counted.steals, "a job that moved was found");
    expect(counted.most_live_jobs <= counted.jobs_spawned, "no job lives that was not spawned");
  }
};

/// A fork of which either branch throws, or both; and a run after it.
template <class M, bool First, bool Second>
struct fork_throws {
  static constexpr const char* claim = "A fork whose branches throw, and a run after it.";
  pieces_of<M, 4> pieces;

  void operator()(auto& scheduler) {
    const int where = thrown_by(scheduler, [this](auto worker) {
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
    expect(where == (First ? 1 : 2),
           "the join rethrows the exception that is first in serial order");
    pieces[0].expect_run();
    pieces[1].expect_run();
    scheduler.run([this](auto worker) {
      worker->fork_join([this](auto) { pieces[2].run(); }, [this](auto) { pieces[3].run(); });
    });
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
  pieces_of<M, 3> pieces;

  void operator()(auto& scheduler) {
    const int where = thrown_by(scheduler, [this](auto worker) {
      auto children = worker->task_group();
      for (int i = 0; i < 3; ++i) {
        children.spawn([this, i](auto) {
          pieces[static_cast<std::size_t>(i)].run();
          if (i > 0) throw failure{i};
        });
      }
      children.sync();
    });
    expect(where == 1, "a sync rethrows the exception of the eldest child");
  }
};

template <class M>
struct start_and_stop {
  static constexpr const char* claim = "A scheduler that is started and stopped.";
  void operator()(auto& /*scheduler*/) {}
};

template <class M>
struct full_stack {
  static constexpr const char* claim = "More children than the job stack holds, and a fork on top.";
  static constexpr std::size_t too_many = M::job_stack::bytes / 128;
  pieces_of<M, too_many + 2> pieces;

  void run(auto worker) {
    auto children = worker->task_group();
    spawn_pieces(children, pieces, 0, too_many);
    worker->fork_join([this](auto) { pieces[too_many].run(); },
                      [this](auto) { pieces[too_many + 1].run(); });
    children.sync();
  }
};

template <class M>
struct full_stack_of_forks {
  static constexpr const char* claim = "Forks nested deeper than the job stack.";
  static constexpr std::size_t too_many = M::job_stack::bytes / 128;
  pieces_of<M, too_many> pieces;

  template <class Worker>
  void nest(Worker worker, std::size_t depth) {
    if (depth == too_many) return;
    worker->fork_join([=, this](Worker w) { nest(w, depth + 1); },
                      [=, this](Worker) { pieces[depth].run(); });
  }
  void run(auto worker) { nest(worker, 0); }
};

}  // namespace stealbench::verify::programs
