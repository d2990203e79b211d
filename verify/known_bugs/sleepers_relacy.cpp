// Ways to sleep for ever that others have found, in the use of the shipped parking lot: each leaves
// out a step of schedulers/engine/worker.hpp or scheduler.hpp. README.md says where each bug
// has happened.
#include <array>
#include <cstdint>
#include <ostream>
#include <vector>

#include "schedulers/engine/parking_lot.hpp"
#include "verify/explore.hpp"
#include "verify/known_bugs/known_bug.hpp"

namespace stealbench::verify {
namespace {

using engine::order;

enum class waking : std::uint8_t {
  any,       // one sleeper, as for a job
  listed,    // each worker that is asleep or has said that it falls asleep
  everybody  // each worker, by a token that waits for it
};

struct steps {
  bool second_look;  // between saying "I sleep" and sleeping
  waking wakes;
};
steps taken;  // read at run time, so that one suite is all variants

// Thread 0 has news, a job or the stop sign, for workers who have run out of work.
template <unsigned Workers>
class pool : public rl::test_suite<pool<Workers>, Workers + 1> {
 public:
  void before() {
    lot_.emplace(Workers);
    for (boxed<sleeper>& b : sleepers_) b.emplace();
  }

  void thread(unsigned who) {
    if (who == 0) return announce();
    lot_->start_searching();
    while (!has_news(order::acquire)) {  // Pairs with announce.
      // Relaxed: a reason to stay awake, and then the loop acquires.
      lot_->park(*sleepers_[who - 1],
                 [&] { return taken.second_look && has_news(order::relaxed); });
    }
    lot_->stop_searching([] { return false; });
  }

 private:
  using lot = engine::parking_lot<relacy_machine>;
  using sleeper = lot::sleeper;

  [[nodiscard]] bool has_news(order o) const { return news_.load(o) != 0; }

  void announce() {
    news_.store(1, order::release);  // Pairs with the workers' look.
    if (taken.wakes == waking::any) {
      lot_->wake_any();
      return;
    }
    for (boxed<sleeper>& b : sleepers_) {
      if (taken.wakes == waking::everybody) b->parker.unpark();
      if (taken.wakes == waking::listed) lot_->wake(*b);
    }
  }

  boxed<lot> lot_;
  std::array<boxed<sleeper>, Workers> sleepers_;
  relacy_machine::atomic<std::uint32_t> news_;
};

template <unsigned Workers>
known_bug asleep(const char* name, const char* sentence, steps broken, steps sound) {
  return {name,
          sentence,
          "DEADLOCK",
          {bound(3), random(100'000)},
          [=](bool is_broken, const search& s, std::ostream& log) {
            taken = is_broken ? broken : sound;
            return explore<pool<Workers>>(s, log);
          }};
}

std::vector<known_bug> bugs() {
  return {
      asleep<1>("no_second_look", "A job comes between the look for work and the sleep.",
                {.second_look = false, .wakes = waking::any},
                {.second_look = true, .wakes = waking::any}),
      asleep<2>("one_woken_of_two", "The stop sign is for all, and wakes one.",
                {.second_look = true, .wakes = waking::any},
                {.second_look = true, .wakes = waking::listed}),
      asleep<1>("stop_races_park", "Who is about to sleep is told of no stop, nor looks for it.",
                {.second_look = false, .wakes = waking::listed},
                {.second_look = false, .wakes = waking::everybody}),
  };
}

}  // namespace
}  // namespace stealbench::verify

int main(int argc, char** argv) {
  using namespace stealbench::verify;
  return run_checks(argc, argv, twice(bugs()));
}
