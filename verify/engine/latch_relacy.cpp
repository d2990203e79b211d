// The latch of schedulers/engine/sleep/latch.hpp, with the parker that its waiter sleeps in.
// Invariants: the job's plain result is there after the join; no worker sleeps for ever (Relacy:
// deadlock); the setter does not touch the latch after the waiter may have freed it or used it
// anew.
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

constexpr const latch_orderings& shipped = engine::latch_shipped;

matrix orderings() {
  using o = latch_orderings;
  using enum operation;
  return matrix_of<o>(
      "latch", "schedulers/engine/sleep/latch.hpp", shipped,
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

}  // namespace

suites all_suites() {
  return {
      {
          check_of<join<waiting::spins, shipped>>(
              "spinning", "The waiter asks until the latch is open.", {bound(4), random(100'000)}),
          check_of<join<waiting::sleeps, shipped>>(
              "sleeping", "The waiter sleeps until the setter wakes it.", {full, random(100'000)}),
          check_of<join<waiting::takes_the_word, shipped>>(
              "registering", "The waiter believes register_waiter.", {full, random(100'000)}),
          check_of<woken_early<shipped>>("woken_early",
                                         "The waiter wakes, looks and registers again.",
                                         {bound(4), random(100'000)}),
      },
      {orderings()}};
}

}  // namespace stealbench::verify
