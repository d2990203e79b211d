// The parker of schedulers/engine/sleep/parker.hpp. Invariants: no wake-up is lost (Relacy:
// deadlock), and what a waker wrote is there when park() returns.
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "schedulers/engine/sleep/parker.hpp"
#include "verify/explore.hpp"
#include "verify/mutation.hpp"

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

parker_orderings weakened;  // read at run time by the mutants

template <template <const parker_orderings&> class Suite>
trial script(const char* name, int threads, const search& deep) {
  return {name, threads, deep,
          [](const search& s, std::ostream& log) { return explore<Suite<weakened>>(s, log); }};
}

matrix orderings() {
  using o = parker_orderings;
  using enum operation;
  matrix all =
      matrix_of<o>("parker", "schedulers/engine/sleep/parker.hpp", engine::parker_shipped, weakened,
                   {
                       {"fall_asleep", &o::fall_asleep, read_modify_write, "publishes nothing"},
                       {"token_found", &o::token_found, load, "a hint; take_token acquires"},
                       {"look", &o::look, load, "a hint; take_token acquires"},
                       {"take_token", &o::take_token, read_modify_write, "P1: leave_token"},
                       {"leave_token", &o::leave_token, read_modify_write, "P1: take_token"},
                   });
  all.trials = {script<handover>("handover", 2, full),
                script<two_wakers>("two_wakers", 3, bound(3))};
  return all;
}

std::vector<check> checks() {
  return {
      shipped<handover>("handover", "Data goes with the token.", {full, random(100'000)}),
      shipped<one_waker>("one_waker", "A sleeper looks, sleeps, and looks again.",
                         {full, random(100'000)}),
      shipped<two_wakers>("two_wakers", "Two tokens may merge into one; neither's news is lost.",
                          {bound(4), random(300'000), deep(full)}),
  };
}

}  // namespace
}  // namespace stealbench::verify

int main(int argc, char** argv) {
  return stealbench::verify::run_checks(argc, argv, stealbench::verify::checks(),
                                        {stealbench::verify::orderings()});
}
