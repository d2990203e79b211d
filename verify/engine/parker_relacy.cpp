// The parker of schedulers/engine/sleep/parker.hpp. Invariants: no wake-up is lost (Relacy:
// deadlock), and what a waker wrote is there when park() returns.
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

constexpr const parker_orderings& shipped = engine::parker_shipped;

matrix orderings() {
  using o = parker_orderings;
  using enum operation;
  return matrix_of<o>("parker", "schedulers/engine/sleep/parker.hpp", shipped,
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
  return {{
              check_of<handover<shipped>>("handover", "Data goes with the token.",
                                          {full, random(100'000)}),
              check_of<wakers<1, shipped>>("one_waker", "A sleeper looks, sleeps, and looks again.",
                                           {full, random(100'000)}),
              check_of<wakers<2, shipped>>("two_wakers",
                                           "Two tokens may merge into one; neither's news is lost.",
                                           {bound(4), random(300'000), deep(full)}),
          },
          {orderings()}};
}

}  // namespace stealbench::verify
