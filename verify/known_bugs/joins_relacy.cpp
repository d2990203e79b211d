// Joins as they have been broken before. What is awaited, or awaits, lies in a frame: here on the
// heap, so that Relacy sees who touches it too late. README.md says where each bug has happened.
#include <cstdint>
#include <exception>
#include <memory>
#include <ostream>
#include <vector>

#include "schedulers/engine/parker.hpp"
#include "verify/explore.hpp"
#include "verify/known_bugs/known_bug.hpp"

namespace stealbench::verify {
namespace {

using engine::order;
using parker = engine::parker<relacy_machine>;

bool is_broken;  // read at run time, so that one suite is both variants

// A latch that holds whom to wake, and lies in the waiter's frame.
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

// A fork whose first branch throws while a thief runs the second one.
class throwing_branch : public rl::test_suite<throwing_branch, 2> {
 public:
  void before() { frame_ = new frame; }

  void thread(unsigned who) {
    if (who == 1) return frame_->run_second();
    try {
      fork_join();
      expect(false, "the join rethrows");
    } catch (const failure&) {
    }
  }

 private:
  struct failure {};

  struct frame {
    relacy_machine::plain<int> result;
    relacy_machine::atomic<std::uint32_t> finished;

    void run_second() {
      result.write(1);
      finished.store(1, order::release);  // Pairs with join. The last access to the frame.
    }
    void join() {
      while (finished.load(order::acquire) == 0) relacy_machine::spin();  // Pairs with run_second.
    }
  };

  void fork_join() {
    const std::unique_ptr<frame> here(frame_);  // ends with this function, however it is left
    std::exception_ptr error;
    try {
      throw failure();
    } catch (const failure&) {
      if (is_broken) throw;
      error = std::current_exception();
    }
    here->join();
    expect(here->result.read() == 1, "the second branch has run");
    std::rethrow_exception(error);
  }

  frame* frame_ = nullptr;
};

template <class Suite>
known_bug freed_too_early(const char* name, const char* sentence) {
  return {name,
          sentence,
          "ACCESS TO FREED MEMORY",
          {bound(4), random(20'000)},
          [](bool broken, const search& s, std::ostream& log) {
            is_broken = broken;
            return explore<Suite>(s, log);
          }};
}

std::vector<known_bug> bugs() {
  return {
      freed_too_early<late_touch>("latch_touched_late",
                                  "The setter asks the open latch whom to wake."),
      freed_too_early<throwing_branch>("throw_skips_join",
                                       "The second branch writes into a frame that is gone."),
  };
}

}  // namespace
}  // namespace stealbench::verify

int main(int argc, char** argv) {
  using namespace stealbench::verify;
  return run_checks(argc, argv, twice(bugs()));
}
