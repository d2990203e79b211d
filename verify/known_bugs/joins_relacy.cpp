// A join as it has been broken before. The latch is in the waiter's frame: here on the heap, so
// that Relacy sees who touches it too late. README.md says where the bug has happened.
#include <cstdint>
#include <vector>

#include "schedulers/engine/sleep/parker.hpp"
#include "verify/explore.hpp"
#include "verify/known_bugs/known_bug.hpp"

namespace stealbench::verify {
namespace {

using engine::order;
using parker = engine::parker<relacy_machine>;

bool is_broken;  // read at run time, so that one suite is both variants

// A latch that holds whom to wake, and is in the waiter's frame.
class carrying_latch {
 public:
  explicit carrying_latch(parker& waiter) : waiter_(&waiter) {}

  [[nodiscard]] bool done() const {
    return word_.load(order::acquire) == 1;  // Pairs with set.
  }

  void set() {
    parker* const waiter = whom();
    word_.store(1, order::release);  // Pairs with done. From here on the latch may be gone.
    (is_broken ? whom() : waiter)->unpark();
  }

 private:
  // Never changes. Atomic, as Relacy lets no other thread run just before a plain read.
  [[nodiscard]] parker* whom() const { return waiter_.load(order::relaxed); }

  relacy_machine::atomic<std::uint32_t> word_;  // Written by the setter.
  relacy_machine::atomic<parker*> waiter_;      // Written by the constructor.
};

class late_touch : public rl::test_suite<late_touch, 2> {
 public:
  void before() { latch_ = new carrying_latch(sleeper_); }

  void thread(unsigned who) {
    if (who == 1) return latch_->set();
    while (!latch_->done()) sleeper_.park();
    delete latch_;
  }

 private:
  carrying_latch* latch_ = nullptr;
  parker sleeper_;
};

template <class Suite>
known_bug freed_too_early(const char* name, const char* sentence) {
  return {name,
          sentence,
          "ACCESS TO FREED MEMORY",
          {bound(4), random(20'000)},
          [](bool broken, const search& s) {
            is_broken = broken;
            return explore<Suite>(s);
          }};
}

std::vector<known_bug> bugs() {
  return {
      freed_too_early<late_touch>("latch_touched_late",
                                  "The setter asks the open latch whom to wake."),
  };
}

}  // namespace

suites all_suites() { return {twice(bugs())}; }

}  // namespace stealbench::verify
