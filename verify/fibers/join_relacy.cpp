// The joins of schedulers/fibers/join.hpp: a fork's, with two arrivals, and a group's sync, with
// many. Invariants: exactly one goes on behind a join; whoever does sees what the others have
// written, and the fiber that was suspended, which is published once it has been left; and no
// thread touches the join any more, whose frame may be gone.
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "schedulers/engine/sleep/latch.hpp"
#include "schedulers/fibers/join.hpp"
#include "verify/explore.hpp"
#include "verify/mutation.hpp"

namespace stealbench::verify {
namespace {

using engine::latch_orderings;
using fibers::root_orderings;
using fibers::sync_orderings;
using plain = relacy_machine::plain<int>;

/// What there is to resume: written as the fiber is left, on its thread.
struct suspended {
  plain state;
};

// The fiber that forks is left and published, or finds the branch done; the thief has run it.
template <const latch_orderings& Orderings>
class fork : public rl::test_suite<fork<Orderings>, 2> {
 public:
  void before() { latch_ = new latch; }
  void after() { expect(went_on_ == 1, "exactly one goes on behind the join"); }

  void thread(unsigned who) {
    if (who == 0) {
      if (latch_->done()) return go_on();
      fiber_.state.write(1);
      if (!latch_->register_waiter(fiber_)) go_on();
    } else {
      result_.write(1);
      suspended* const waiter = latch_->set();
      if (waiter == nullptr) return;
      expect(waiter->state.read() == 1, "who resumes a fiber sees its state");
      go_on();
    }
  }

 private:
  using latch = engine::latch<suspended, relacy_machine, Orderings>;

  void go_on() {
    ++went_on_;
    expect(result_.read() == 1, "the branch's result is there behind the join");
    delete latch_;  // It is in the frame of the fiber that goes on.
  }

  latch* latch_ = nullptr;
  suspended fiber_;
  plain result_;
  int went_on_ = 0;  // Not under Relacy: counted by whoever may go on, and that is one.
};

/// Children that have been stolen from, and the fiber that syncs, twice.
template <const sync_orderings& Orderings, std::size_t Children, bool Asks>
class sync : public rl::test_suite<sync<Orderings, Children, Asks>, Children + 1> {
 public:
  void before() { counter_ = new counter; }
  void after() { expect(went_on_ == 1, "exactly one goes on behind the sync"); }

  void thread(unsigned who) {
    if (who == Children) {
      if (Asks && counter_->all_arrived(Children)) return go_on();
      fiber_.state.write(1);
      if (counter_->add(Children)) go_on();
    } else {
      results_[who].write(1);
      if (!counter_->arrive()) return;
      expect(fiber_.state.read() == 1, "who resumes a fiber sees its state");
      go_on();
    }
  }

 private:
  using counter = fibers::sync_counter<relacy_machine, Orderings>;

  void go_on() {
    ++went_on_;
    for (plain& each : results_) {
      expect(each.read() == 1, "what the children wrote is there behind the sync");
    }
    expect(!counter_->arrive(), "the counter is as new");
    delete counter_;
  }

  counter* counter_ = nullptr;
  suspended fiber_;
  std::array<plain, Children> results_;
  int went_on_ = 0;
};

template <const root_orderings& Orderings>
class root : public rl::test_suite<root<Orderings>, 2> {
 public:
  void thread(unsigned who) {
    if (who == 0) {
      while (!flag_.is_set()) relacy_machine::spin();
      flag_.reset();
      expect(fiber_.state.read() == 1, "worker 0 sees the state of the root");
    } else {
      fiber_.state.write(1);
      flag_.set();
    }
  }

 private:
  fibers::root_flag<relacy_machine, Orderings> flag_;
  suspended fiber_;
};

matrix of_fork() {
  using o = latch_orderings;
  using enum operation;
  return matrix_of<o>(
      "fork of fibers", "schedulers/fibers/join.hpp", fibers::fork_orderings,
      {
          {"set", &o::set, read_modify_write, "J1: done, register_done; J2: register_taken"},
          {"done", &o::done, load, "J1: set"},
          {"register_taken", &o::register_taken, read_modify_write, "J2: set"},
          {"register_done", &o::register_done, load, "J1: set"},
          {"look", &o::look, load, "not used: no thread declines"},
          {"reset", &o::reset, store, "not used: the latch is in the frame"},
      },
      {trial_of<fork<weakened<o>>>("fork", full)},
      {
          {"register_taken", "release", justification::equivalent,
           "Shipped because GCC warns of a failure order stronger than that of success."},
      });
}

matrix of_sync() {
  using o = sync_orderings;
  using enum operation;
  return matrix_of<o>("sync of fibers", "schedulers/fibers/join.hpp", fibers::sync_shipped,
                      {
                          {"arrive", &o::arrive, read_modify_write, "J1: add, look; J2: add"},
                          {"add", &o::add, read_modify_write, "J1, J2: arrive"},
                          {"look", &o::look, load, "J1: arrive"},
                          {"reset", &o::reset, store, "the fiber's own from then on"},
                      },
                      {
                          trial_of<sync<weakened<o>, 1, true>>("one child", full),
                          trial_of<sync<weakened<o>, 2, true>>("two children", bound(3)),
                      });
}

matrix of_root() {
  using o = root_orderings;
  using enum operation;
  return matrix_of<o>("root of fibers", "schedulers/fibers/join.hpp", fibers::root_shipped,
                      {
                          {"due", &o::due, store, "J2: seen"},
                          {"seen", &o::seen, load, "J2: due"},
                          {"taken", &o::taken, store, "ordered by the next run"},
                      },
                      {trial_of<root<weakened<o>>>("root", bound(3))});
}

}  // namespace

suites all_suites() {
  return {{
              check_of<fork<fibers::fork_orderings>>(
                  "fork", "A branch that was stolen, and its join.", {full, random(50'000)}),
              check_of<sync<fibers::sync_shipped, 1, true>>(
                  "sync_of_one", "One child, and its sync.", {full, random(50'000)}),
              check_of<sync<fibers::sync_shipped, 2, false>>(
                  "sync_unasked", "Two children; no look first.", {bound(4), random(50'000)}),
              check_of<sync<fibers::sync_shipped, 2, true>>(
                  "sync_of_two", "Two children, and their sync.", {bound(4), random(50'000)}),
              check_of<root<fibers::root_shipped>>("root", "The root goes back to worker 0.",
                                                   {bound(4), random(50'000)}),
          },
          {of_fork(), of_sync(), of_root()}};
}

}  // namespace stealbench::verify
