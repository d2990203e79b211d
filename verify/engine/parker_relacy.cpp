// The parker of schedulers/engine/parker.hpp. Invariants: no wake-up is lost (Relacy: deadlock),
// and what a waker wrote is there when park() returns.
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "schedulers/engine/parker.hpp"
#include "verify/explore.hpp"

namespace stealbench::verify {
namespace {

using engine::order;
using engine::parker_orderings;

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

  engine::parker<relacy_model, Orderings> parker_;
  relacy_model::atomic<int> flags_[Wakers + 1];
  relacy_model::plain<int> data_[Wakers + 1];
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
  engine::parker<relacy_model, Orderings> parker_;
  relacy_model::plain<int> data_;
};

template <const parker_orderings& Orderings>
using one_waker = wakers<1, Orderings>;
template <const parker_orderings& Orderings>
using two_wakers = wakers<2, Orderings>;

template <template <const parker_orderings&> class Suite>
check shipped(const char* name, const char* sentence, std::vector<search> searches) {
  return {name, sentence, std::move(searches), [](const search& s, std::ostream& log) {
            return explore<Suite<engine::parker_shipped>>(s, log);
          }};
}

parker_orderings weakened;  // read at run time by the twins

template <template <const parker_orderings&> class Suite>
check twin(const char* name, const char* sentence, order parker_orderings::*which,
           const char* outcome) {
  return {name,
          sentence,
          {bound(3), random(100'000)},
          [which](const search& s, std::ostream& log) {
            weakened = {};
            weakened.*which = order::relaxed;
            return explore<Suite<weakened>>(s, log);
          },
          {outcome}};
}

std::vector<check> checks() {
  using o = parker_orderings;
  return {
      shipped<handover>("handover", "Data goes with the token.", {full, random(100'000)}),
      shipped<one_waker>("one_waker", "A sleeper looks, sleeps, and looks again.",
                         {full, random(100'000)}),
      shipped<two_wakers>("two_wakers", "Two tokens may merge into one; neither's news is lost.",
                          {bound(4), random(300'000)}),
      twin<handover>("handover_leave_token_relaxed", "P1: the data is not there.", &o::leave_token,
                     "DATA RACE"),
      twin<handover>("handover_take_token_relaxed", "P1, the sleeper's end.", &o::take_token,
                     "DATA RACE"),
      twin<two_wakers>("leave_token_relaxed", "P1: the sleeper wakes, sees nothing, and sleeps.",
                       &o::leave_token, "DEADLOCK"),
      twin<two_wakers>("take_token_relaxed", "P1, the sleeper's end.", &o::take_token, "DEADLOCK"),
  };
}

}  // namespace
}  // namespace stealbench::verify

int main(int argc, char** argv) {
  return stealbench::verify::run_checks(argc, argv, stealbench::verify::checks());
}
