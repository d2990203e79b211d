// The latch of schedulers/engine/latch.hpp, with the parker that its waiter sleeps in. Invariants:
// the job's plain result is there after the join; nobody sleeps for ever (Relacy: deadlock); the
// setter does not touch the latch after the waiter may have freed it.
#include <ostream>
#include <utility>
#include <vector>

#include "schedulers/engine/latch.hpp"
#include "schedulers/engine/parker.hpp"
#include "verify/explore.hpp"

namespace stealbench::verify {
namespace {

using engine::latch_orderings;
using engine::order;
using parker = engine::parker<relacy_model>;

enum class waiting : std::uint8_t {
  spins,          // asks done() again and again
  sleeps,         // registers, sleeps and asks again, as the engine does
  takes_the_word  // of register_waiter that the latch is open
};

template <waiting How, const latch_orderings& Orderings>
class join : public rl::test_suite<join<How, Orderings>, 2> {
 public:
  void before() { latch_ = new latch; }

  void thread(unsigned who) {
    if (who == 0) {
      wait();
      delete latch_;  // it lies in the joining worker's frame
      expect(result_.read() == 1, "the result is there after the join");
    } else {
      result_.write(1);
      if (parker* const sleeper = latch_->set()) sleeper->unpark();
    }
  }

 private:
  using latch = engine::latch<parker, relacy_model, Orderings>;

  void wait() {
    if (How == waiting::takes_the_word && !latch_->register_waiter(sleeper_)) return;
    while (!latch_->done()) {
      if (How == waiting::spins) {
        relacy_model::spin();
      } else if (latch_->register_waiter(sleeper_)) {
        sleeper_.park();
      }
    }
  }

  latch* latch_ = nullptr;
  parker sleeper_;
  relacy_model::plain<int> result_;
};

// A third thread wakes the waiter for no reason, so that it registers twice.
template <const latch_orderings& Orderings>
class woken_early : public rl::test_suite<woken_early<Orderings>, 3> {
 public:
  void thread(unsigned who) {
    if (who == 0) {
      while (!latch_.done()) {
        if (latch_.register_waiter(sleeper_)) sleeper_.park();
      }
      expect(result_.read() == 1, "the result is there after the join");
    } else if (who == 1) {
      result_.write(1);
      if (parker* const sleeper = latch_.set()) sleeper->unpark();
    } else {
      sleeper_.unpark();
    }
  }

 private:
  engine::latch<parker, relacy_model, Orderings> latch_;
  parker sleeper_;
  relacy_model::plain<int> result_;
};

template <template <const latch_orderings&> class Suite>
check shipped(const char* name, const char* sentence, std::vector<search> searches) {
  return {name, sentence, std::move(searches), [](const search& s, std::ostream& log) {
            return explore<Suite<engine::latch_shipped>>(s, log);
          }};
}

latch_orderings weakened;  // read at run time by the twins

template <template <const latch_orderings&> class Suite>
check twin(const char* name, const char* sentence, order latch_orderings::*which) {
  return {name,
          sentence,
          {bound(3), random(100'000)},
          [which](const search& s, std::ostream& log) {
            weakened = {};
            weakened.*which = order::relaxed;
            return explore<Suite<weakened>>(s, log);
          },
          {"DATA RACE"}};
}

template <const latch_orderings& Orderings>
using spinning = join<waiting::spins, Orderings>;
template <const latch_orderings& Orderings>
using sleeping = join<waiting::sleeps, Orderings>;
template <const latch_orderings& Orderings>
using trusting = join<waiting::takes_the_word, Orderings>;

std::vector<check> checks() {
  using o = latch_orderings;
  return {
      shipped<spinning>("spinning", "The waiter asks until the latch is open.",
                        {bound(4), random(100'000)}),
      shipped<sleeping>("sleeping", "The waiter sleeps until the setter wakes it.",
                        {full, random(100'000)}),
      shipped<trusting>("registering", "The waiter believes register_waiter.",
                        {full, random(100'000)}),
      shipped<woken_early>("woken_early", "The waiter wakes, looks and registers again.",
                           {bound(4), random(100'000)}),
      twin<sleeping>("set_relaxed", "L1: the join returns before the result is written.", &o::set),
      twin<sleeping>("done_relaxed", "L1, the waiter's end.", &o::done),
      twin<trusting>("register_done_relaxed", "L1, on the path that finds it done.",
                     &o::register_done),
  };
}

}  // namespace
}  // namespace stealbench::verify

int main(int argc, char** argv) {
  return stealbench::verify::run_checks(argc, argv, stealbench::verify::checks());
}
