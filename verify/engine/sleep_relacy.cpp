// The latch of schedulers/engine/sleep/latch.hpp, with the parker that its waiter sleeps in, and
// that parker alone. Invariants: what was written before the wake-up, and the job's plain result,
// are there after it; no wake-up is lost and no worker sleeps for ever (Relacy: deadlock); the
// setter does not touch the latch after the waiter may have freed it or used it anew.
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "schedulers/engine/sleep/latch.hpp"
#include "schedulers/engine/sleep/parker.hpp"
#include "verify/explore.hpp"
#include "verify/mutation.hpp"

namespace stealbench::verify {
namespace {

using engine::latch_orderings;
using engine::order;
using engine::parker_orderings;
using parker = engine::parker<relacy_machine>;

enum class waiting : std::uint8_t {
  spins,          // asks done() again and again
  sleeps,         // registers, sleeps and asks again, as the engine does
  takes_the_word  // of register_waiter that the latch is open
};

template <waiting How, class Latch>
void await(Latch& latch, parker& sleeper) {
  if (How == waiting::takes_the_word && !latch.register_waiter(sleeper)) return;
  while (!latch.done()) {
    if (How == waiting::spins) {
      relacy_machine::spin();
    } else if (latch.register_waiter(sleeper)) {
      sleeper.park();
    }
  }
}

void wake(parker* sleeper) {
  if (sleeper != nullptr) sleeper->unpark();
}

template <waiting How, const latch_orderings& Orderings>
class join : public rl::test_suite<join<How, Orderings>, 2> {
 public:
  void before() { latch_ = new latch; }

  void thread(unsigned who) {
    if (who == 0) {
      await<How>(*latch_, sleeper_);
      delete latch_;  // it is in the joining worker's frame
      expect(result_.read() == 1, "the result is there after the join");
    } else {
      result_.write(1);
      wake(latch_->set());
    }
  }

 private:
  using latch = engine::latch<parker, relacy_machine, Orderings>;

  latch* latch_ = nullptr;
  parker sleeper_;
  relacy_machine::plain<int> result_;
};

// A third thread wakes the waiter for no reason, so that it registers twice.
template <const latch_orderings& Orderings>
class woken_early : public rl::test_suite<woken_early<Orderings>, 3> {
 public:
  void thread(unsigned who) {
    if (who == 0) {
      await<waiting::sleeps>(latch_, sleeper_);
      expect(result_.read() == 1, "the result is there after the join");
    } else if (who == 1) {
      result_.write(1);
      wake(latch_.set());
    } else {
      sleeper_.unpark();
    }
  }

 private:
  engine::latch<parker, relacy_machine, Orderings> latch_;
  parker sleeper_;
  relacy_machine::plain<int> result_;
};

// Thread 0 sleeps until every waker has raised its flag and left its plain data. The flags are
// relaxed: the token alone orders them.
template <rl::thread_id_t Wakers, const parker_orderings& Orderings>
class wakers : public rl::test_suite<wakers<Wakers, Orderings>, Wakers + 1> {
 public:
  void thread(unsigned who) {
    if (who != 0) {
      data_[who].write(1);
      flags_[who].store(1, order::relaxed);
      parker_.unpark();
      return;
    }
    while (!all_raised()) parker_.park();
  }

 private:
  bool all_raised() {
    for (rl::thread_id_t i = 1; i <= Wakers; ++i) {
      if (flags_[i].load(order::relaxed) == 0) return false;
    }
    return true;
  }

  engine::parker<relacy_machine, Orderings> parker_;
  relacy_machine::atomic<int> flags_[Wakers + 1];
  relacy_machine::plain<int> data_[Wakers + 1];
};

// As many sleeps as wake-ups, each of which carries data.
template <const parker_orderings& Orderings>
class handover : public rl::test_suite<handover<Orderings>, 2> {
 public:
  void thread(unsigned who) {
    if (who == 1) {
      data_.write(1);
      parker_.unpark();
    } else {
      parker_.park();
      expect(data_.read() == 1, "park() returns for the token alone");
    }
  }

 private:
  engine::parker<relacy_machine, Orderings> parker_;
  relacy_machine::plain<int> data_;
};

matrix of_latch() {
  using o = latch_orderings;
  using enum operation;
  return matrix_of<o>(
      "latch", "schedulers/engine/sleep/latch.hpp", engine::latch_shipped,
      {
          {"set", &o::set, read_modify_write, "L1: done, register_done"},
          {"done", &o::done, load, "L1: set"},
          {"register_taken", &o::register_taken, read_modify_write, "publishes nothing"},
          {"register_done", &o::register_done, load, "L1: set"},
          {"look", &o::look, load, "the waiter has acquired this value"},
          {"reset", &o::reset, store, "the next setter gets the latch with its job"},
      },
      {
          trial_of<join<waiting::sleeps, weakened<o>>>("sleeping", full),
          trial_of<join<waiting::takes_the_word, weakened<o>>>("registering", full),
          trial_of<woken_early<weakened<o>>>("woken_early", bound(3)),
      },
      {
          {"register_taken", "relaxed", justification::equivalent,
           "Reads what the waiter itself has written, by the constructor, reset or an earlier "
           "registration. Shipped because GCC warns of a failure order stronger than that of "
           "success."},
      });
}

matrix of_parker() {
  using o = parker_orderings;
  using enum operation;
  return matrix_of<o>("parker", "schedulers/engine/sleep/parker.hpp", engine::parker_shipped,
                      {
                          {"fall_asleep", &o::fall_asleep, read_modify_write, "publishes nothing"},
                          {"token_found", &o::token_found, load, "a hint; take_token acquires"},
                          {"look", &o::look, load, "a hint; take_token acquires"},
                          {"take_token", &o::take_token, read_modify_write, "P1: leave_token"},
                          {"leave_token", &o::leave_token, read_modify_write, "P1: take_token"},
                      },
                      {trial_of<handover<weakened<o>>>("handover", full),
                       trial_of<wakers<2, weakened<o>>>("two_wakers", bound(3))});
}

}  // namespace

suites all_suites() {
  return {
      {
          check_of<join<waiting::spins, engine::latch_shipped>>(
              "spinning", "The waiter asks until the latch is open.", {bound(4), random(100'000)}),
          check_of<join<waiting::sleeps, engine::latch_shipped>>(
              "sleeping", "The waiter sleeps until the setter wakes it.", {full, random(100'000)}),
          check_of<join<waiting::takes_the_word, engine::latch_shipped>>(
              "registering", "The waiter believes register_waiter.", {full, random(100'000)}),
          check_of<woken_early<engine::latch_shipped>>(
              "woken_early", "The waiter wakes, looks and registers again.",
              {bound(4), random(100'000)}),
          check_of<handover<engine::parker_shipped>>("handover", "Data goes with the token.",
                                                     {full, random(100'000)}),
          check_of<wakers<1, engine::parker_shipped>>(
              "one_waker", "A sleeper looks, sleeps, and looks again.", {full, random(100'000)}),
          check_of<wakers<2, engine::parker_shipped>>(
              "two_wakers", "Two tokens may merge into one; neither's news is lost.",
              {bound(4), random(300'000), deep(full)}),
      },
      {of_latch(), of_parker()}};
}

}  // namespace stealbench::verify
